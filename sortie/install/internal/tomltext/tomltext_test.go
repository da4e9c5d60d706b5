package tomltext

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseSaysWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a = ":             "line 1, column 5: a value is due",
		"a":                "line 1, column 2: an equals sign",
		"\n[a":             "line 2, column 3: this header is not closed",
		"[[a]":             "this header is not closed",
		"a = \"x\nb = 1":   "line 1, column 5: this string is not closed",
		"a = '''x":         "this string is not closed",
		"a = [1, 2\nb = 3": "a comma is due",
		"a = [1,":          "inside a value",
		"a = {b 1}":        "an equals sign",
		"a = 1 b = 2\n":    "",
		"a = \"x\" y\n":    "column 9: the line should end here",
		"= 1":              "a key is due",
		"a.":               "inside a key",
		strings.Repeat("a=[", 1) + strings.Repeat("[", maxDepth+2): "nested too deep",
	} {
		_, err := Parse([]byte(text))
		var at *SyntaxError
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestTablesAndValues(t *testing.T) {
	t.Parallel()
	const text = "\ufefftop = 1_000\r\n[a.\"b c\".'d']# remark\r\ns = \"x\\t\\u00e9\\\"\" # no\r\nl = 'C:\\x'\r\nm = \"\"\"\r\none \\\n   two\"\"\"\"\r\n" +
		"q = '''\n[[no]]'''\nt = true\nd = 1979-05-27\nlist = [ 1, # ]\n {x = \"}\"}, ]\n[[a]]\n"
	doc, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var paths [][]string
	values := map[string]any{}
	for _, table := range doc.Tables {
		paths = append(paths, table.Path)
		for _, p := range table.Pairs {
			values[p.Path[0]] = doc.Value(p)
		}
	}
	if want := [][]string{nil, {"a", "b c", "d"}, {"a"}}; !reflect.DeepEqual(paths, want) {
		t.Errorf("tables %q, want %q", paths, want)
	}
	want := map[string]any{"top": 1000, "s": "x\té\"", "l": `C:\x`, "m": "one two\"", "q": "[[no]]", "t": true, "d": nil, "list": nil}
	if !reflect.DeepEqual(values, want) {
		t.Errorf("values %q, want %q", values, want)
	}
	if !doc.Tables[2].Array || doc.Tables[1].Array {
		t.Error("lists of tables are taken for tables")
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", `C:\x y\spar.exe`, "a\"b\n\x7f", "é"} {
		doc, err := Parse([]byte("a = " + Quote(s)))
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Value(doc.Tables[0].Pairs[0]); got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
	}
}

// FuzzParse: reading ends, and every place lies in the text and in order.
func FuzzParse(f *testing.F) {
	f.Add([]byte("a = [1]\n[[b.c]]\nd = \"\"\"x\"\"\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := Parse(text)
		if err != nil {
			return
		}
		at := 0
		for _, table := range doc.Tables {
			for _, p := range append([]Pair{{Start: table.Start, From: table.Start, To: table.Start, End: table.Start}}, table.Pairs...) {
				if p.Start < at || p.From < p.Start || p.To < p.From || p.End < p.To || p.End > len(text) {
					t.Fatalf("%q: %+v after %d", text, p, at)
				}
				at = p.End
			}
			if table.End < at {
				t.Fatalf("%q: a table ends at %d, before %d", text, table.End, at)
			}
			for _, p := range table.Pairs {
				doc.Value(p)
			}
		}
	})
}
