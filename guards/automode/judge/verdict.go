package judge

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"spar/guards/automode/policy"
)

// Decision is what a verdict does with a call.
type Decision string

// The decisions. None is a decision too: nothing is written, and the harness does what
// it would have done alone.
const (
	None  Decision = "none"
	Allow Decision = "allow"
	Leave Decision = "ask" // to a person
	Deny  Decision = "deny"
)

// Verdict is a decision and the case for it.
type Verdict struct {
	Decision Decision `json:"decision"`
	// Rule is the policy's own spelling; as the model wrote it where nobody knows it.
	Rule string `json:"rule,omitempty"`
	// Tier is Hard or Soft for a rule of the policy.
	Tier policy.Kind `json:"tier,omitempty"`
	// Reason is one sentence without the rule in brackets.
	Reason string `json:"reason,omitempty"`
}

// Flags of an answer, kept in the finding.
const (
	Ambiguous   = "ambiguous"    // it made no case: no tags, or a block without a rule
	Conflict    = "conflict"     // it answered more than once, differently
	NotARule    = "not-a-rule"   // it named an exception, or a way of reading
	UnknownRule = "unknown-rule" // it named a rule the policy hasn't
	Truncated   = "truncated"    // the call was too long to be shown whole
	Stale       = "stale"        // the session's record lags behind the last prompt
)

// Classes of failure.
const (
	NoKey      = "no-key"
	BadConfig  = "config"
	BadPolicy  = "policy"
	BadAnswer  = "answer"
	BadStatus  = "status"
	BadNetwork = "network"
	Timeout    = "timeout"
	BadProgram = "program" // spar-judge itself
	Unmeasured = "unmeasured"
)

// Failure is why there is no verdict. What is an explanation for a person; it holds no
// key, nothing a provider sent, and nothing a command printed.
type Failure struct {
	Class string
	What  string
}

func (f *Failure) Error() string { return f.What }

// Reply is what a model sent.
type Reply struct {
	// Text is its answer, without what it thought.
	Text string `json:"text"`
	// Stop is why it ended: "max_tokens" and "refusal" matter, whatever the protocol
	// calls them.
	Stop  string `json:"stop,omitempty"`
	Usage Usage  `json:"usage"`
}

// Usage is what a call cost, in tokens.
type Usage struct {
	Cached  int `json:"cached"`  // read from the provider's cache
	Written int `json:"written"` // put into it
	New     int `json:"new"`     // of the question, neither of them
	Out     int `json:"out"`
}

// Share is the part of the question that came from the provider's cache, 0 to 1.
func (u Usage) Share() float64 {
	if all := u.Cached + u.Written + u.New; all > 0 {
		return float64(u.Cached) / float64(all)
	}
	return 0
}

// MaxReason is the longest reason that is kept, in characters.
const MaxReason = 400

// NoReason stands in for a reason the model did not give.
const NoReason = "the judge named this rule and gave no sentence"

var tag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<\s*block\s*>\s*(yes|no)\s*<\s*/\s*block\s*>`)
})

// ParseVerdict reads a model's answer. The last contract in the text is the answer: an
// earlier one may be quoted from the call that is judged. A block that names no rule of
// the policy makes no case and is an allow, flagged; text that is empty or was cut off before
// the contract's end is a [*Failure], because then nothing was answered at all. A rule the
// policy hasn't is left to a person: a case was made, and a person can read it.
func ParseVerdict(r Reply, p *policy.Policy) (Verdict, []string, error) {
	text := thought(r.Text)
	cut := r.Stop == "max_tokens" || r.Stop == "refusal"
	if strings.TrimSpace(text) == "" {
		switch r.Stop {
		case "refusal":
			return Verdict{}, nil, &Failure{BadAnswer, "the model refused to answer"}
		case "max_tokens":
			return Verdict{}, nil, &Failure{BadAnswer, "the model used its tokens up before it answered; raise provider.maxTokens"}
		}
		return Verdict{}, nil, &Failure{BadAnswer, "the model's answer is empty; a provider.maxTokens that is too low does that"}
	}
	var flags []string
	found := tag().FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		if cut {
			return Verdict{}, nil, &Failure{BadAnswer, "the model's answer was cut off before its verdict; raise provider.maxTokens"}
		}
		return Verdict{Decision: Allow}, []string{Ambiguous}, nil
	}
	last := found[len(found)-1]
	answer := func(m []int) bool { return strings.EqualFold(text[m[2]:m[3]], "yes") }
	if slices.ContainsFunc(found, func(m []int) bool { return answer(m) != answer(last) }) {
		flags = append(flags, Conflict)
	}
	if !answer(last) {
		return Verdict{Decision: Allow}, flags, nil
	}
	rest := text[last[1]:]
	rule, after, ok := element(rest, "rule")
	reason, _, whole := element(after, "reason")
	if cut && !(ok && whole) {
		return Verdict{}, nil, &Failure{BadAnswer, "the model's answer was cut off inside its verdict; raise provider.maxTokens"}
	}
	rule = tidy(rule, 80)
	if !ok || rule == "" {
		return Verdict{Decision: Allow}, append(flags, Ambiguous), nil
	}
	n, known := p.Find(rule)
	v := Verdict{Decision: Deny, Rule: n.Name, Tier: n.Kind, Reason: tidy(unbracket(reason), MaxReason)}
	if v.Reason == "" {
		v.Reason = NoReason
	}
	switch {
	case !known:
		v.Decision, v.Rule = Leave, strings.Trim(rule, "[]")
		flags = append(flags, UnknownRule)
	case n.Kind == policy.Exception || n.Kind == policy.Evaluation:
		return Verdict{Decision: Allow}, append(flags, NotARule), nil
	}
	return v, flags, nil
}

// thought is the text without what a local model's server left of its thinking.
func thought(text string) string {
	if _, after, ok := cutLast(text, "</think>"); ok {
		return after
	}
	if before, _, ok := strings.Cut(text, "<think>"); ok {
		return before
	}
	return text
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// element is what stands between a tag and its end, in any case, and what follows. A
// reason may hold any other tag or a lone `<`. An element that is not closed is
// what is left, and not whole.
func element(s, name string) (inner, after string, whole bool) {
	low := strings.ToLower(s)
	if len(low) != len(s) {
		low = s // a character whose small form is longer; the tags are ASCII as a rule
	}
	open := strings.Index(low, "<"+name+">")
	if open < 0 {
		return "", s, false
	}
	start := open + len(name) + 2
	end := strings.Index(low[start:], "</"+name+">")
	if end < 0 {
		return s[start:], "", false
	}
	return s[start : start+end], s[start+end+len(name)+3:], true
}

// unbracket takes one leading "[...]" off: the rule is put there again on the way out.
func unbracket(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") {
		if _, rest, ok := strings.Cut(s, "]"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return s
}

// tidy is s on one line, without control and invisible characters, of at most limit
// characters.
func tidy(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	s = strings.Join(strings.Fields(s), " ")
	if rs := []rune(s); len(rs) > limit {
		s = strings.TrimSpace(string(rs[:limit-1])) + "…"
	}
	return s
}
