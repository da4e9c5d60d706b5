package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"spar/sortie"
)

// maxOutcome bounds what spar-judge may write, in bytes.
const maxOutcome = 1 << 20

// Overall is the longest a judgement takes: the key's command and the model, and a moment
// for the rest. It is below the 90 seconds a harness is told to wait.
const Overall = KeyTimeout + MaxTimeoutMS*time.Millisecond + 2*time.Second

// Program is where spar-judge lies: beside the program at exe, links followed or not. The
// error names the next step.
func Program(exe string) (string, error) {
	name := "spar-judge"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	places := []string{filepath.Dir(exe)}
	if real, err := filepath.EvalSymlinks(exe); err == nil && filepath.Dir(real) != places[0] {
		places = append(places, filepath.Dir(real))
	}
	for _, dir := range places {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("spar-judge: %w", err)
		}
	}
	return "", fmt.Errorf("spar-judge is not beside %s; install both from one release", exe)
}

// Start has spar-judge judge a call. Its variables are this process's own: the key is in one of
// them. It always returns an outcome; a program that is missing, is of another version or
// breaks off is one with a Failure of class BadProgram.
func Start(ctx context.Context, program string, a Ask) Outcome {
	in, err := json.Marshal(a)
	if err != nil {
		return FailureOutcome(BadProgram, errors.New("the call could not be put to spar-judge"))
	}
	ctx, cancel := context.WithTimeout(ctx, Overall)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "run")
	sortie.OwnGroup(cmd)
	cmd.WaitDelay = 200 * time.Millisecond
	cmd.Stdin = bytes.NewReader(in)
	out := &capped{most: maxOutcome}
	cmd.Stdout = out
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return FailureOutcome(Timeout, errors.New("spar-judge was given up: it took too long"))
	case err != nil:
		return FailureOutcome(BadProgram, fmt.Errorf("spar-judge at %s did not run to its end; run `spar-judge --version`, and install it and spar from one release", program))
	}
	var o Outcome
	if err := json.Unmarshal(out.Bytes(), &o); err != nil || out.over {
		return FailureOutcome(BadProgram, fmt.Errorf("spar-judge at %s answered nothing that can be read; install it and spar from one release", program))
	}
	if o.Version != a.Version {
		return FailureOutcome(BadProgram, fmt.Errorf("spar-judge is version %s and spar is %s; install both from one release", o.Version, a.Version))
	}
	return o
}
