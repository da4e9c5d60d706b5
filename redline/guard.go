package redline

import (
	"context"

	"spar/sortie/harness"
	"spar/sortie/hook"
)

// Guard is the limiter as the door mounts it.
var Guard = hook.Guard{
	Name:    "redline",
	Brief:   "one number a sortie: what can't be undone, leaves the house, lands in production or adds code",
	Events:  []harness.Event{harness.PreTool, harness.Prompt},
	Default: true,
	Inspect: inspect,
	Exposed: exposed,
}

func inspect(ctx context.Context, p *hook.Pass) (hook.Opinion, error) { return hook.Opinion{}, nil }

func exposed(p *hook.Pass) (string, bool) { return "", false }
