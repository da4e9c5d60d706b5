package install

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

// diff is a unified diff of a file's old and new text, "" where they are equal.
func diff(path string, old, now []byte) string {
	if string(old) == string(now) {
		return ""
	}
	a, b := splitLines(string(old)), splitLines(string(now))
	ops := compare(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s (after)\n", path, path)
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i++
			continue
		}
		start := max(0, i-diffContext)
		end, quiet := i, 0
		for j := i; j < len(ops) && quiet <= 2*diffContext; j++ {
			if ops[j].kind == ' ' {
				quiet++
				continue
			}
			quiet, end = 0, j+1
		}
		stop := min(len(ops), end+diffContext)
		fromA, fromB, nA, nB := 1, 1, 0, 0
		for _, o := range ops[:start] {
			if o.kind != '+' {
				fromA++
			}
			if o.kind != '-' {
				fromB++
			}
		}
		for _, o := range ops[start:stop] {
			if o.kind != '+' {
				nA++
			}
			if o.kind != '-' {
				nB++
			}
		}
		if nA == 0 {
			fromA--
		}
		if nB == 0 {
			fromB--
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", fromA, nA, fromB, nB)
		for _, o := range ops[start:stop] {
			out.WriteByte(o.kind)
			out.WriteString(o.line)
			if !strings.HasSuffix(o.line, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
		i = stop
	}
	return out.String()
}

func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

type diffOp struct {
	kind byte // ' ', '-' or '+'
	line string
}

// maxTable is the largest table of the comparison; past it the middle is shown as
// replaced whole, which is true and only longer.
const maxTable = 4 << 20

// compare is the longest common subsequence of what is between the equal
// beginnings and ends.
func compare(a, b []string) []diffOp {
	var ops []diffOp
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		ops = append(ops, diffOp{' ', a[head]})
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	i, j := 0, 0
	if len(x)*len(y) <= maxTable {
		common := make([][]int32, len(x)+1)
		for k := range common {
			common[k] = make([]int32, len(y)+1)
		}
		for i := len(x) - 1; i >= 0; i-- {
			for j := len(y) - 1; j >= 0; j-- {
				if x[i] == y[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
		for i < len(x) && j < len(y) {
			switch {
			case x[i] == y[j]:
				ops = append(ops, diffOp{' ', x[i]})
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				ops = append(ops, diffOp{'-', x[i]})
				i++
			default:
				ops = append(ops, diffOp{'+', y[j]})
				j++
			}
		}
	}
	for ; i < len(x); i++ {
		ops = append(ops, diffOp{'-', x[i]})
	}
	for ; j < len(y); j++ {
		ops = append(ops, diffOp{'+', y[j]})
	}
	for _, line := range a[len(a)-tail:] {
		ops = append(ops, diffOp{' ', line})
	}
	return ops
}
