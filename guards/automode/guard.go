package automode

import (
	"context"
	"strings"

	"spar/guards/automode/judge"
	"spar/sortie/harness"
	"spar/sortie/hook"
)

// Guard is automode as the door mounts it. It is mounted only where the pilot asks
// for it: its allow opens a gate that the harness would have kept.
var Guard = hook.Guard{
	Name:    "automode",
	Brief:   "the permission question answered: the harmless majority of calls is allowed by its text, the rest stays with the harness",
	Events:  []harness.Event{harness.PreTool},
	Inspect: inspect,
	Status:  status,
	Doctor:  doctor,
}

// inspect answers allow, or nothing. An allow is no finding: a free call files
// nothing.
func inspect(_ context.Context, p *hook.Pass) (hook.Opinion, error) {
	cfg, err := config(p.World.Env)
	if err != nil {
		// Settings that can't be read are not other settings. With nobody in the seat
		// there is nobody the harness could ask either.
		if p.Seat().Empty {
			return hook.Opinion{Answer: harness.Answer{Decision: harness.Deny, Reason: "[Classifier Unavailable] " + err.Error() + "; automode is configured to fail closed while nobody is in the seat"}}, nil
		}
		return hook.Opinion{}, err
	}
	v := Judge(p.Call, p.World.Env, cfg)
	if !v.Allow {
		return hook.Opinion{}, nil
	}
	return hook.Opinion{Answer: harness.Answer{Decision: harness.Allow}}, nil
}

func config(env func(string) string) (judge.Config, error) {
	return judge.LoadConfig(judge.ConfigPath(env), env)
}

// Judge is the local tier with the disk, as a hook asks it.
func Judge(call *harness.Call, env func(string) string, cfg judge.Config) Verdict {
	o := LocalOptions{
		Env:           Environment(env, call.Command),
		BuildTest:     cfg.BuildTest,
		ExtraReadOnly: cfg.ExtraReadOnly,
		Disk:          OS{},
	}
	if strings.Contains(call.Command, "commit") || strings.Contains(call.Command, "push") {
		tree := call.Project
		if tree == "" {
			tree = call.Cwd
		}
		if tree == call.Cwd {
			o.Facts = ReadFacts(tree)
		}
	}
	return Local(call, o)
}

// Environment is the part of the environment a line can depend on: the names it
// spells, and those the tier asks for. A hook can look names up and not list them.
func Environment(env func(string) string, line string) map[string]string {
	m := map[string]string{}
	add := func(name string) {
		if v := env(name); v != "" {
			m[name] = v
		}
	}
	for _, name := range [...]string{"HOME", "TMPDIR", "USERPROFILE", "PGHOSTADDR", "PGSERVICE", "PGOPTIONS", "PGSERVICEFILE"} {
		add(name)
	}
	for i := 0; i < len(line); i++ {
		if !nameByte(line[i]) || line[i] <= '9' {
			continue
		}
		k := i
		for k < len(line) && nameByte(line[k]) {
			k++
		}
		if i > 0 && strings.IndexByte("${!#", line[i-1]) >= 0 && k-i < 128 && len(m) < 256 {
			if name := line[i:k]; name != "IFS" {
				add(name)
			}
		}
		i = k
	}
	return m
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func status(d *hook.Desk) (string, error) {
	cfg, err := config(d.World.Env)
	if err != nil {
		return "", err
	}
	if cfg.BuildTest {
		return "local tier, build and test allowed", nil
	}
	return "local tier", nil
}

func doctor(d *hook.Desk) ([]hook.Check, error) {
	if _, err := config(d.World.Env); err != nil {
		return []hook.Check{{Name: "automode configuration", State: "broken", Next: "mend it: " + err.Error()}}, nil //nolint:nilerr // the check is how it is told
	}
	return []hook.Check{{Name: "automode configuration", State: "ok"}}, nil
}
