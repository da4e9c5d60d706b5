package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestParseSaysWhere(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text         string
		lax          bool
		line, column int // 0: no error
		problem      string
	}{
		{text: `{}`},
		{text: "\ufeff{}\r\n"},
		{text: `[1, -0, 0.5, 1e9, 1E-7, -12.25e+3, true, false, null, "\u00e9\ud83d"]`},
		{text: `123456789012345678901234567890.0000000000000000001`},
		{text: "{\"a\": 1, // why\n \"b\": [1, 2,], /* c */ }", lax: true},
		{text: ``, line: 1, column: 1, problem: "empty"},
		{text: " \n\t", line: 2, column: 2, problem: "empty"},
		{text: `{ this is not json`, line: 1, column: 3, problem: "'t' where a quoted name"},
		{text: `{"a" 1}`, line: 1, column: 6, problem: "colon"},
		{text: "{\n  \"a\": 1\n  \"b\": 2\n}", line: 3, column: 3, problem: "comma"},
		{text: `{"a": 1,}`, line: 1, column: 8, problem: "a comma before '}'"},
		{text: `[1,]`, line: 1, column: 3, problem: "a comma before ']'"},
		{text: `[1,,2]`, lax: true, line: 1, column: 4, problem: "where a value is due"},
		{text: `[,]`, lax: true, line: 1, column: 2, problem: "where a value is due"},
		{text: "{\n  // a remark\n}", line: 2, column: 3, problem: "comment"},
		{text: `{} /* more */`, line: 1, column: 4, problem: "comment"},
		{text: "# yaml\n{}", line: 1, column: 1, problem: "comment"},
		{text: `{"a": /* open`, lax: true, line: 1, column: 7, problem: "not closed"},
		{text: `{"é": tru}`, line: 1, column: 7, problem: "where a value is due"},
		{text: "{\"a\": \"tab\there\"}", line: 1, column: 11, problem: "inside a string"},
		{text: `{"a": "C:\dev"}`, line: 1, column: 10, problem: "no escape"},
		{text: `{"a": "\u12G4"}`, line: 1, column: 12, problem: "four hexadecimal"},
		{text: `{"a": "open`, line: 1, column: 7, problem: "not closed"},
		{text: `{"a": 01}`, line: 1, column: 7, problem: "no number"},
		{text: `{"a": 1.}`, line: 1, column: 7, problem: "no number"},
		{text: `{"a": 1x}`, line: 1, column: 7, problem: "no number"},
		{text: `{"a": NaN}`, line: 1, column: 7, problem: "where a value is due"},
		{text: `{} {}`, line: 1, column: 4, problem: "follows the end"},
		{text: `{"a": {"b": [`, line: 1, column: 14, problem: "column 13 is closed"},
		{text: "\xff\xfe{\x00}\x00", line: 1, column: 1, problem: "UTF-16"},
		{text: strings.Repeat("[", maxDepth+2), line: 1, column: maxDepth + 2, problem: "nested more than"},
	}
	for _, tt := range tests {
		t.Run(tt.text[:min(len(tt.text), 40)], func(t *testing.T) {
			t.Parallel()
			_, err := Parse([]byte(tt.text), tt.lax)
			if tt.line == 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var at *SyntaxError
			if !errors.As(err, &at) {
				t.Fatalf("error %v, want a SyntaxError", err)
			}
			if at.Line != tt.line || at.Column != tt.column || !strings.Contains(at.Problem, tt.problem) {
				t.Errorf("%v, want line %d, column %d: ...%s...", err, tt.line, tt.column, tt.problem)
			}
		})
	}
}

// TestAppend: what is added looks like what is there, and Delete takes it away
// without a trace.
func TestAppend(t *testing.T) {
	t.Parallel()
	add := Members{{Key: "k", Value: List{1, "x"}}}
	tests := []struct {
		name, text, want string
		lax              bool
		path             []string
	}{
		{name: "empty", text: "{}", want: "{\n  \"n\": {\n    \"k\": [\n      1,\n      \"x\"\n    ]\n  }\n}"},
		{name: "tabs", text: "{\n\t\"a\": 1\n}\n", want: "{\n\t\"a\": 1,\n\t\"n\": {\n\t\t\"k\": [\n\t\t\t1,\n\t\t\t\"x\"\n\t\t]\n\t}\n}\n"},
		{name: "three spaces, CRLF", text: "{\r\n   \"a\" : 1\r\n}", want: "{\r\n   \"a\" : 1,\r\n   \"n\" : {\r\n      \"k\" : [\r\n         1,\r\n         \"x\"\r\n      ]\r\n   }\r\n}"},
		{name: "minified", text: `{"a":1,"b":[2,3]}`, want: `{"a":1,"b":[2,3],"n":{"k":[1,"x"]}}`},
		{name: "one line, spaced", text: `{ "a": 1 }`, want: `{ "a": 1, "n": {"k": [1, "x"]} }`},
		{name: "one line, two items", text: `{"a": 1,  "b": 2}`, want: `{"a": 1,  "b": 2,  "n": {"k": [1,  "x"]}}`},
		{name: "inside", text: "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}", path: []string{"a"}, want: "{\n  \"a\": {\n    \"b\": 1,\n    \"n\": {\n      \"k\": [\n        1,\n        \"x\"\n      ]\n    }\n  },\n  \"c\": 2\n}"},
		{name: "into an empty one inside", text: "{\n    \"a\": {}\n}", path: []string{"a"}, want: "{\n    \"a\": {\n        \"n\": {\n            \"k\": [\n                1,\n                \"x\"\n            ]\n        }\n    }\n}"},
		{name: "trailing comma", lax: true, text: "{\n  \"a\": 1,\n}", want: "{\n  \"a\": 1,\n  \"n\": {\n    \"k\": [\n      1,\n      \"x\"\n    ]\n  },\n}"},
		{name: "remark behind the last", lax: true, text: "{\n  \"a\": 1 // one\n}", want: "{\n  \"a\": 1, // one\n  \"n\": {\n    \"k\": [\n      1,\n      \"x\"\n    ]\n  }\n}"},
		{name: "remark at the brace", lax: true, text: "{\"a\": 1 // one\n}", want: "{\"a\": 1, // one\n\"n\": {\"k\": [1, \"x\"]}\n}"},
		{name: "only a remark", lax: true, text: "{\n  // none yet\n}", want: "{\n  // none yet\n  \"n\": {\n    \"k\": [\n      1,\n      \"x\"\n    ]\n  }\n}"},
		{name: "no indent at all", text: "{\n\"a\": 1\n}", want: "{\n\"a\": 1,\n\"n\": {\n\"k\": [\n1,\n\"x\"\n]\n}\n}"},
		{name: "mark and no final newline", text: "\ufeff{\n \"a\": 1}", want: "\ufeff{\n \"a\": 1,\n \"n\": {\n  \"k\": [\n   1,\n   \"x\"\n  ]\n }}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse([]byte(tt.text), tt.lax)
			if err != nil {
				t.Fatal(err)
			}
			in := doc.Get(tt.path...)
			got := doc.Append(in, "n", add)
			if string(got) != tt.want {
				t.Fatalf("got\n%q\nwant\n%q", got, tt.want)
			}
			after, err := Parse(got, tt.lax)
			if err != nil {
				t.Fatal(err)
			}
			in = after.Get(tt.path...)
			if back := after.Delete(in, in.Index("n")); string(back) != tt.text {
				t.Errorf("taken out again\n%q\nwant\n%q", back, tt.text)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, want string
		i          int
	}{
		{`{"a":1,"b":2,"c":3}`, `{"b":2,"c":3}`, 0},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`, 1},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`, 2},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}", 0},
		{"{\n  \"a\": 1\n}", "{}", 0},
		{"{ // kept\n  \"a\": 1\n}", "{ // kept\n}", 0},
		{"{ \"a\": 1 /* kept */ }", "{ /* kept */ }", 0},
		{"{\"a\": 1, // a\n \"b\": 2}", "{\"a\": 1 // a\n}", 1},
		{"{ // x\n \"a\": 1, \"b\": 2}", "{ // x\n \"b\": 2}", 0},
		{"[1, // one\n 2, // two\n 3]", "[1, // one\n // two\n 3]", 1},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse([]byte(tt.text), true)
			if err != nil {
				t.Fatal(err)
			}
			got := doc.Delete(doc.Root, tt.i)
			if string(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, err := Parse(got, true); err != nil {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
}

func TestReplaceAndSet(t *testing.T) {
	t.Parallel()
	const text = "{\n  \"a\": 1.50,\n  \"b\": {\"c\": null}\n}"
	doc, err := Parse([]byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		got  []byte
		want string
	}{
		{doc.Replace(doc.Get("a"), "x\"<&>\u2028"), strings.Replace(text, "1.50", "\"x\\\"<&>\\u2028\"", 1)},
		{doc.Set(doc.Get("b"), "c", 5), strings.Replace(text, "null", "5", 1)},
		{doc.Set(doc.Get("b"), "d", true), strings.Replace(text, "null", `null, "d": true`, 1)},
		{doc.Set(doc.Root, "raw", Raw("[ 1 ]")), strings.Replace(text, "null}", "null},\n  \"raw\": [ 1 ]", 1)},
	} {
		if string(tt.got) != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestGetTakesTheLast(t *testing.T) {
	t.Parallel()
	doc, err := Parse([]byte(`{"a": 1, "\u0061": "two", "b": [], "c": {}}`), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Str(doc.Get("a")); got != "two" {
		t.Errorf("a is %q", got)
	}
	if doc.Root.Repeated("a") != 1 || doc.Root.Repeated("b") != -1 {
		t.Error("Repeated is wrong")
	}
	if doc.Get("b", "x") != nil || doc.Get("c", "x", "y") != nil || doc.Str(nil) != "" {
		t.Error("what isn't there is found")
	}
}

// value is a document without its looks: what a parser makes of it.
func value(d *Doc, v *Value) any {
	switch v.Kind {
	case Object:
		list := []any{"object"} // in order, repeated keys and all
		for _, it := range v.Items {
			list = append(list, it.Key, value(d, it.Value))
		}
		return list
	case Array:
		list := []any{"list"}
		for _, it := range v.Items {
			list = append(list, value(d, it.Value))
		}
		return list
	case String:
		return d.Str(v)
	}
	return string(d.Source(v))
}

func containers(v *Value) []*Value {
	var all []*Value
	if v.Kind == Object || v.Kind == Array {
		all = append(all, v)
	}
	for _, it := range v.Items {
		all = append(all, containers(it.Value)...)
	}
	return all
}

// checkEdits holds the laws of every edit over every container of a document.
func checkEdits(t *testing.T, text []byte, lax bool) {
	t.Helper()
	doc, err := Parse(text, lax)
	if err != nil {
		return
	}
	all := containers(doc.Root)
	for n := range min(len(all), 25) {
		in := all[n]
		added := doc.Append(in, "new key", Members{{Key: "x", Value: List{1, true, "s"}}, {Key: "e", Value: List{}}})
		after, err := Parse(added, lax)
		if err != nil {
			t.Fatalf("appending to container %d of %q makes %q: %v", n, text, added, err)
		}
		grown := containers(after.Root)[n]
		if len(grown.Items) != len(in.Items)+1 {
			t.Fatalf("appending to container %d of %q makes %q", n, text, added)
		}
		back := after.Delete(grown, len(grown.Items)-1)
		if len(in.Items) > 0 && !bytes.Equal(back, text) {
			t.Fatalf("container %d of %q: added %q, taken out %q", n, text, added, back)
		}
		if again, err := Parse(back, lax); err != nil || !reflect.DeepEqual(value(again, again.Root), value(doc, doc.Root)) {
			t.Fatalf("container %d of %q: added %q, taken out %q: %v", n, text, added, back, err)
		}
		for i := range min(len(in.Items), 6) {
			less := doc.Delete(in, i)
			after, err := Parse(less, lax)
			if err != nil {
				t.Fatalf("item %d of container %d of %q taken out: %q: %v", i, n, text, less, err)
			}
			// The same document, but for that item.
			want := *in
			want.Items = append(append([]Item{}, in.Items[:i]...), in.Items[i+1:]...)
			saved := *in
			*in = want
			same := reflect.DeepEqual(value(after, after.Root), value(doc, doc.Root))
			*in = saved
			if !same {
				t.Fatalf("item %d of container %d of %q taken out: %q", i, n, text, less)
			}
			swapped := doc.Replace(in.Items[i].Value, "by")
			if want := string(text[:in.Items[i].Value.Start]) + `"by"` + string(text[in.Items[i].Value.End:]); string(swapped) != want {
				t.Fatalf("item %d of container %d of %q replaced: %q", i, n, text, swapped)
			}
		}
	}
}

// TestEditsHoldOverGeneratedDocuments tries the laws on documents of every look.
func TestEditsHoldOverGeneratedDocuments(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1500) {
		g := generator{Rand: rand.New(rand.NewPCG(seed, 7)), lax: seed%2 == 0}
		text := []byte(g.document())
		if _, err := Parse(text, g.lax); err != nil {
			t.Fatalf("the generator made %q: %v", text, err)
		}
		checkEdits(t, text, g.lax)
	}
}

// generator makes documents that people and programs could have written.
type generator struct {
	*rand.Rand
	lax bool
}

func (g generator) space() string {
	kinds := []string{"", "", "", " ", "\n", "\n  ", "\r\n", "\t", "\n\n    "}
	if g.lax {
		kinds = append(kinds, " // said\n", "/* so */", " /* two\n lines */ ", "\n  // a \"quote\" } ,\n  ", "//\r\n")
	}
	return kinds[g.IntN(len(kinds))]
}

func (g generator) document() string {
	mark := ""
	if g.IntN(8) == 0 {
		mark = "\ufeff"
	}
	return mark + g.space() + g.value(0) + g.space()
}

func (g generator) value(depth int) string {
	n := g.IntN(10)
	if depth == 0 {
		n = 9
	}
	switch {
	case n < 2:
		return []string{"1", "-0.0", "1e400", "12345678901234567890", "0.1000"}[g.IntN(5)]
	case n < 4:
		return []string{`""`, `"a\u0000b"`, `"\\\""`, `"//"`, `"ü}]"`, `"\ud800"`}[g.IntN(6)]
	case n == 4:
		return []string{"true", "false", "null"}[g.IntN(3)]
	case depth > 4:
		return "0"
	}
	object := n%2 == 1
	var b strings.Builder
	b.WriteByte("[{"[bit(object)])
	count := g.IntN(4)
	for i := range count {
		b.WriteString(g.space())
		if object {
			fmt.Fprintf(&b, "%q%s:%s", []string{"a", "b", "hooks", "ü"}[g.IntN(4)], g.space(), g.space())
		}
		b.WriteString(g.value(depth + 1))
		b.WriteString(g.space())
		if i+1 < count || g.lax && g.IntN(4) == 0 {
			b.WriteByte(',')
		}
	}
	b.WriteString(g.space())
	b.WriteByte("]}"[bit(object)])
	return b.String()
}

// FuzzEdit: an edit's output parses, and what it did not name is untouched.
func FuzzEdit(f *testing.F) {
	for seed := range uint64(20) {
		g := generator{Rand: rand.New(rand.NewPCG(seed, 1)), lax: seed%2 == 0}
		f.Add([]byte(g.document()), g.lax)
	}
	f.Add([]byte("{ // x\r\n}"), true)
	f.Add([]byte("{\"a\":1//\r\n,}"), true)
	f.Fuzz(func(t *testing.T, text []byte, lax bool) { checkEdits(t, text, lax) })
}

// FuzzParse compares the strict grammar with the standard library's.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,2.5e-3,"\u00e9",null,true]}`, `[`, "\"\x7f\"", `{"a":1,}`, `-`, `1 2`, `"\x"`, "\ufeff1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := Parse(text, false)
		var at *SyntaxError
		if err != nil && !errors.As(err, &at) {
			t.Fatalf("%T", err)
		}
		if err != nil && strings.Contains(err.Error(), "nested") {
			return
		}
		if valid := json.Valid(text[len(mark(text)):]); valid != (err == nil) {
			t.Fatalf("%q: the library says %t, we say %v", text, valid, err)
		}
	})
}
