package acts

import (
	"strconv"
	"strings"
)

// String renders a reading for people and tests, an act a line:
//
//	run rm -rf <BUILD_OUT is not set> @/work/site via sudo, xargs
//
// Words of more than one plain word are quoted, what is not known stands in
// angle brackets.
func (r *Reading) String() string {
	var b strings.Builder
	for i := range r.Acts {
		r.Acts[i].write(&b)
		b.WriteByte('\n')
	}
	if r.Unparsed {
		b.WriteString("unparsed\n")
	}
	if r.Bound != "" {
		b.WriteString("bound " + r.Bound + "\n")
	}
	return b.String()
}

// String is the act as [Reading.String] prints it.
func (a *Act) String() string {
	var b strings.Builder
	a.write(&b)
	return b.String()
}

func (a *Act) write(b *strings.Builder) {
	b.WriteString(a.Kind.String())
	for _, as := range a.Assigns {
		b.WriteString(" " + as.Name + "=")
		as.Value.write(b)
	}
	for i, w := range a.Argv {
		b.WriteByte(' ')
		if a.IsCode(i) {
			b.WriteString("{code}")
			continue
		}
		w.write(b)
	}
	if len(a.Target.Parts) > 0 {
		b.WriteByte(' ')
		a.Target.write(b)
	}
	if a.Recursive {
		b.WriteString(" recursive")
	}
	if a.Text != "" {
		b.WriteString(" " + strconv.Quote(a.Text))
	}
	if a.Appended {
		b.WriteString(" ...")
	}
	for _, rd := range a.Redirs {
		b.WriteByte(' ')
		switch rd.FD {
		case -1:
			b.WriteByte('&')
		case 0, 1:
			if rd.FD == 0 && rd.Op == WriteTo || rd.FD == 1 && rd.Op == ReadFrom {
				b.WriteString(strconv.Itoa(rd.FD))
			}
		default:
			b.WriteString(strconv.Itoa(rd.FD))
		}
		b.WriteString([...]string{"<", ">", ">>", "<>"}[rd.Op])
		rd.Target.write(b)
	}
	if a.Stdin.HasText {
		b.WriteString(" <<")
		a.Stdin.Text.write(b)
	} else if a.Stdin.Kind == Pipe {
		b.WriteString(" <|")
	}
	if len(a.Dir.Parts) > 0 {
		b.WriteString(" @")
		a.Dir.write(b)
	}
	if len(a.Via) > 0 {
		b.WriteString(" via " + strings.Join(a.Via, ", "))
	}
	if a.Remote != "" {
		b.WriteString(" on " + a.Remote)
	}
	if a.Conditional {
		b.WriteString(" maybe")
	}
	if a.Why != "" {
		b.WriteString(" (" + a.Why + ")")
	}
}

func (w Word) write(b *strings.Builder) {
	if t, ok := w.Known(); ok {
		if t == "" || strings.ContainsAny(t, " \t\n\"'\\<>|;&()") {
			b.WriteString(strconv.Quote(t))
			return
		}
		b.WriteString(t)
		return
	}
	for _, p := range w.Parts {
		switch p.Kind {
		case Lit:
			b.WriteString(p.Text)
		case Glob:
			b.WriteString(p.Text)
		case TempPath:
			b.WriteString("<fresh>")
		case Opaque:
			b.WriteString("<#>")
		default:
			why := p.Why
			if why == "" {
				why = p.Text
			}
			b.WriteString("<" + why + ">")
		}
	}
}
