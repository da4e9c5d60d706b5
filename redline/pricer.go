package redline

import "spar/sortie/harness"

type pricer struct {
	call *harness.Call
	o    Options
	out  Priced
}

func newPricer(call *harness.Call, o Options) *pricer { return &pricer{call: call, o: o} }

func (p *pricer) run() {}

func (p *pricer) finish() *Priced { return &p.out }
