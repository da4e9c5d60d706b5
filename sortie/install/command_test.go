package install

import (
	"strings"
	"testing"
)

// TestReadCommand: behaviours 4 and 5, and R086: an entry is ours by what it runs.
func TestReadCommand(t *testing.T) {
	t.Parallel()
	guards := []string{"redline", "habit"}
	tests := []struct {
		line string
		want string // "ours", "ours redline", "ours/burn", "older habit", "" and marks
	}{
		{"spar hook", "ours"},
		{"  spar\t hook  ", "ours"},
		{"spar hook --harness claude --event PreToolUse", "ours harness=claude event=PreToolUse"},
		{"spar hook --harness=codex --event=Stop --home /x", "ours harness=codex event=Stop"},
		{`"C:/Program Files/Spar/spar.exe" hook`, "ours"},
		{`"C:\Program Files\Spar\spar.exe" hook`, "ours"},
		{`C:\dev\SPAR.EXE hook`, "ours"},
		{`\\server\share\bin\spar.exe hook`, "ours"},
		{`"\\server\my tools\spar.exe" hook`, "ours"},
		{`\"C:/x y/spar\" hook`, "ours bare"},
		{`C:\Program Files\Spar\spar.exe hook`, "ours bare"},
		{`/opt/my tools/spar hook`, "ours bare"},
		{`/opt/my\ tools/spar hook`, "ours"},
		{`& "C:/Program Files/spar.exe" hook; exit 0`, "ours guarded"},
		{`spar hook || exit 0`, "ours guarded"},
		{`spar hook||true`, "ours guarded"},
		{`spar hook ; :`, "ours guarded"},
		{`'/usr/bin/spar' "hook"`, "ours"},
		{`"$HOME/bin/spar" hook`, "ours"},
		{`${CLAUDE_PROJECT_DIR}/bin/spar hook`, "ours"},
		{`%USERPROFILE%\bin\spar hook`, "ours"},
		{`A=b C="d e" spar hook`, "ours"},
		{`env -u X A=b spar hook`, "ours"},
		{`env -i PATH=/bin spar hook`, "ours"},
		{`exec spar hook`, "ours"},
		{`nice -n 5 spar hook`, "ours"},
		{`timeout 60 spar hook`, "ours"},
		{`timeout -k 5 60 spar hook`, "ours"},
		{`nohup time spar hook`, "ours"},
		{`bash -lc 'spar hook'`, "ours wrapper=bash -lc"},
		{`sh -c "exec spar hook --event Stop"`, "ours event=Stop wrapper=sh -c"},
		{`cmd /d /c spar.exe hook`, "ours wrapper=cmd /c"},
		{`powershell -NoProfile -Command "& 'C:/x/spar.exe' hook"`, "ours wrapper=powershell -Command"},
		{`spar hook 2>/dev/null`, "ours"},
		{`spar hook 2>&1`, "ours"},
		{`spar hook 2> nul`, "ours"},
		{`spar hook # the gate`, "ours"},
		{`spar --home /x hook`, "ours"},
		{`spar redline hook`, "ours redline"},
		{`spar habit hook pre`, "ours habit/pre"},
		{`spar hook burn`, "ours/burn"},

		// Ours, and something else that shares its line.
		{`spar hook | tee log`, "ours chained"},
		{`cat | spar hook`, "ours chained"},
		{`cd /x && spar hook`, "ours chained"},
		{`spar hook; say done`, "ours chained"},
		{`spar hook > /dev/null`, "ours chained"},
		{`spar hook < /dev/null`, "ours chained"},
		{`spar hook && true`, "ours chained"},
		{`(lint; spar hook)`, "ours chained"},
		{"lint\nspar hook", "ours chained"},

		// Nobody of ours.
		{``, ""},
		{`spar`, ""},
		{`spar status`, ""},
		{`spar status hook`, ""},
		{`spar carbon hook`, ""}, // no guard of that name is known here
		{`/opt/spar/lint hook`, ""},
		{`sparring hook`, ""},
		{`spar-judge hook`, ""},
		{`my-spar hook`, ""},
		{`node /opt/spar hook`, ""},
		{`echo spar hook`, ""},
		{`echo "spar hook"`, ""},
		{`say # spar hook`, ""},
		{`/usr/bin/env`, ""},
		{`bash -lc`, ""},
		{`"`, ""},
		{`>`, ""},
		{`timeout -k`, ""},

		// The older tools, by what they run and not by the folder they lie in.
		{`npx @hyuga/redline pre`, "older redline"},
		{`npx -y @hyuga/spar@0.3.1 hook session`, "older spar"},
		{`npx.cmd --yes @hyuga/habit@latest sync`, "older habit"},
		{`bunx @hyuga/carbon pre`, "older carbon"},
		{`pnpm dlx @hyuga/carbon pre`, "older carbon"},
		{`npm exec -- @hyuga/carbon pre`, "older carbon"},
		{`npx -y @other/redline pre`, ""},
		{`airframe hook burn`, "older airframe"},
		{`habit sync`, "older habit"},
		{`carbon publish`, ""},
		{`node C:/dev/airframe/packages/habit/src/habit.mjs hook session`, "older habit"},
		{`node --no-warnings "C:\dev\airframe\src\airframe.mjs" hook land`, "older airframe"},
		{`node /x/airframe/other.mjs hook`, ""},
		{`node server.js`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			t.Parallel()
			if got := spell(ReadCommand(tt.line, nil, guards)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := spell(ReadCommand(`C:\Program Files\spar.exe`, []string{"hook", "--event", "Stop"}, nil)); got != "ours event=Stop" {
		t.Errorf("without a shell: %q", got)
	}
	if got := spell(ReadCommand("spar", []string{"status"}, nil)); got != "" {
		t.Errorf("without a shell: %q", got)
	}
}

func spell(c Command) string {
	var b strings.Builder
	switch {
	case c.Ours && c.Guard != "":
		b.WriteString("ours " + c.Guard)
	case c.Ours:
		b.WriteString("ours")
	case c.Older != "":
		b.WriteString("older " + c.Older)
	}
	if c.Part != "" {
		b.WriteString("/" + c.Part)
	}
	for _, mark := range []struct {
		on   bool
		text string
	}{
		{c.Harness != "", "harness=" + c.Harness}, {c.Event != "", "event=" + c.Event}, {c.Bare, "bare"},
		{c.Guarded, "guarded"}, {c.Chained, "chained"}, {c.Wrapper != "", "wrapper=" + c.Wrapper},
	} {
		if mark.on {
			b.WriteString(" " + mark.text)
		}
	}
	return b.String()
}

func TestProgramSpelling(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`"C:\Program Files\Spar\spar.exe" hook`: "C:/Program Files/Spar/spar.exe",
		`C:\Program Files\Spar\spar.exe hook`:   "C:/Program Files/Spar/spar.exe",
		`"$HOME/bin/spar" hook`:                 "$HOME/bin/spar",
		`A=b exec spar hook`:                    "spar",
	} {
		if got := ReadCommand(line, nil, nil).Program; got != want {
			t.Errorf("%s: program %q, want %q", line, got, want)
		}
	}
}

// FuzzReadCommand: whatever a settings file holds, reading it ends, and only a line
// that names spar can be ours.
func FuzzReadCommand(f *testing.F) {
	for _, s := range []string{`"C:\x\spar.exe" hook`, `bash -lc 'sh -c "spar hook"'`, `spar hook || exit 0`, `env -u`, `a>b<c|&;"'`, "spar\\ hook"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := ReadCommand(line, nil, []string{"redline"})
		if c.Ours && !strings.Contains(strings.ToLower(line), "spar") && !strings.ContainsAny(line, `\'"`) {
			t.Errorf("%q is ours", line)
		}
		if c.Ours && c.Older != "" {
			t.Errorf("%q is ours and older", line)
		}
		quoted := ReadCommand(`"/x y/spar" hook || exit 0`, nil, nil)
		if !quoted.Ours || !quoted.Guarded || quoted.Chained {
			t.Error("what install writes is no longer recognised")
		}
	})
}
