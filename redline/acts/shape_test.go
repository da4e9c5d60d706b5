package acts

import (
	"strings"
	"testing"
)

func TestShapeOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, heads, vars, writes string
		odd                       bool
	}{
		{line: `ls -la | head "a b"`, heads: "ls head"},
		{line: `A=1 timeout 5 "rm" x; B=2`, heads: "timeout"},
		{line: `echo "$(git status)" ${x:-$(pwd)}`, heads: "echo git pwd", vars: "x"},
		{line: `cat <<EOF
$(id) $Y
EOF`, heads: "cat id", vars: "Y"},
		{line: "ls > a 2>&1 >>b 3>|c >&d", heads: "ls", writes: "a b c d"},
		{line: `test -n "$A" && [ "$B" ] && [[ $C ]] && echo "${D:+x}${#E}"`, heads: "test [ echo"},
		{line: "for ((i=0;i<3;i++)); do echo $i; done", heads: "echo", vars: "i"},
		{line: "i=0; echo $((i+1))", heads: "echo"},
		{line: "echo $((a[$(id)]))", heads: "echo id", vars: "a", odd: true},
		{line: "echo $((x))", heads: "echo", odd: true},
		{line: "read i; echo $((i))", heads: "read echo", odd: true},
		{line: "f() { ls; }", heads: "ls", odd: true},
		{line: "let x=1", odd: true},
		{line: "echo ${x@P}", heads: "echo", vars: "x", odd: true},
		{line: "echo ${!x}", heads: "echo", vars: "x", odd: true},
		{line: "[[ -v a ]]", odd: true},
		{line: "[[ $x -eq 1 ]]", odd: true},
		{line: "[[ 2 -gt 1 ]]"},
		{line: "coproc ls", heads: "ls", odd: true},
		{line: "ls *(x)", heads: "ls", odd: true},
		{line: "ls =cat", heads: "ls", odd: true},
		{line: "declare -n r=PATH", heads: "declare", odd: true},
		{line: "export A=1", heads: "export"},
	} {
		s, ok := ShapeOf(c.line)
		if !ok {
			t.Errorf("%q is no bash", c.line)
			continue
		}
		var heads, writes []string
		for _, cmd := range s.Commands {
			if len(cmd.Words) > 0 {
				heads = append(heads, cmd.Words[0].Text)
			}
		}
		for _, w := range s.Writes {
			writes = append(writes, w.Text)
		}
		if got := strings.Join(heads, " "); got != c.heads {
			t.Errorf("%q: commands %q, want %q", c.line, got, c.heads)
		}
		if got := strings.Join(writes, " "); got != c.writes {
			t.Errorf("%q: writes %q, want %q", c.line, got, c.writes)
		}
		if got := strings.Join(s.Vars, " "); got != c.vars {
			t.Errorf("%q: variables %q, want %q", c.line, got, c.vars)
		}
		if (s.Odd != "") != c.odd {
			t.Errorf("%q: odd %q", c.line, s.Odd)
		}
	}
	for _, line := range []string{"ls &&", "echo $(ls", "if ls; then", "case x in", "echo 'a", "A=$((0 A", strings.Repeat("(", 20000)} {
		if _, ok := ShapeOf(line); ok {
			t.Errorf("%.20q is taken for a whole line", line)
		}
	}
}
