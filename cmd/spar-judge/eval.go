package main

import (
	"context"
	_ "embed" // the corpus
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"spar/guards/automode/judge"
)

// corpus is the shipped set of cases: every rule and exception, with twins that differ in what
// the person said, and near misses.
//
//go:embed cases.jsonl
var corpus string

func (p *program) eval(ctx context.Context, args []string) int {
	f := p.flags("eval")
	replay := f.String("replay", "", "")
	record := f.String("record", "", "")
	config := f.String("config", "", "")
	classifier := f.String("classifier", "", "")
	rules := f.String("rules", "", "")
	live := f.Bool("live", false, "")
	asJSON := f.Bool("json", false, "")
	list := f.Bool("list", false, "")
	most := f.Int("max-requests", 0, "")
	samples := f.Int("samples", 1, "")
	seed := f.Uint64("seed", 1, "")
	rest, err := parse(f, args)
	switch {
	case err != nil:
		return p.usage("eval: %v", err)
	case len(rest) > 1:
		return p.usage("eval: one file of cases, or none for those that are shipped; got %q as well", rest[1])
	case *samples < 1 || *samples > 100:
		return p.usage("eval: --samples wants 1 to 100")
	case !*list && !*live && *replay == "":
		return p.usage("eval: say --replay DIR for recorded answers, or --live --max-requests N to ask the model, which costs money")
	case *live && *most < 1:
		return p.usage("eval: --live wants --max-requests N, the most questions it may send")
	case !*live && *record != "":
		return p.usage("eval: --record goes with --live")
	}
	var in io.Reader = strings.NewReader(corpus)
	if len(rest) == 1 {
		file, err := os.Open(rest[0])
		if err != nil {
			return p.fault(err)
		}
		defer file.Close()
		in = file
	}
	cases, err := judge.ReadCases(in)
	if err != nil {
		return p.fault(err)
	}
	if *list {
		for _, c := range cases {
			fmt.Fprintf(p.out, "%s\t%s\t%s\t%s\n", c.ID, c.Expect, c.Consent, c.About)
		}
		return exitFine
	}
	c, err := p.config(*config)
	if err != nil {
		return p.fault(err)
	}
	pol, err := p.policy(c, p.dir, *classifier, *rules)
	if err != nil {
		return p.fault(err)
	}
	o := judge.EvalOptions{
		Policy: pol, Provider: c.Provider, Mask: c.Redact != "off", OnFailing: c.OnAmbiguous == "failure",
		Replay: *replay, Record: *record, Samples: *samples, MaxRequests: *most, Seed: *seed, Now: p.now,
	}
	key := ""
	if *live {
		if o.Client, key, err = p.connect(ctx, c.Provider); err != nil {
			return p.fault(err)
		}
		if o.Replay == "" {
			o.Replay = *record // what is recorded already is not paid for again
		}
	}
	rep, err := judge.Evaluate(ctx, cases, o)
	if err != nil {
		return p.fault(err)
	}
	for i := range rep.Wrong {
		rep.Wrong[i].Reason = judge.Scrub(rep.Wrong[i].Reason, key)
		rep.Wrong[i].Got = judge.Scrub(rep.Wrong[i].Got, key)
	}
	if *asJSON {
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(rep); err != nil {
			return p.fault(err)
		}
		return exitFine
	}
	fmt.Fprint(p.out, rep.Render())
	return exitFine
}
