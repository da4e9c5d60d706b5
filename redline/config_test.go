package redline

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"spar/ledger"
)

func TestParseConfig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		broken     string   // the error, as a part
		problems   []string // each as line:col: part
		check      func(*Config) bool
	}{
		{name: "empty object", text: `{}`, check: func(c *Config) bool { return len(c.Production) == 0 && c.Stop == 0 }},
		{name: "everything", text: `{"production":["/srv/live/"],"tariff":{"dependency":2},"limit":{"advise":3,"stop":5},"tools":{"mcp__mail__*":["outward"],"mcp__x":[]},"free":["dist/"]}`,
			check: func(c *Config) bool {
				return c.Production[0] == "/srv/live/" && c.Tariff["dependency"] == 2 && c.Advise == 3 && c.Stop == 5 &&
					len(c.Tools) == 2 && c.Tools[0].Kinds[0] == "outward" && len(c.Tools[1].Kinds) == 0 && c.Free[0] == "dist/"
			}},
		{name: "byte-order mark", text: "\xef\xbb\xbf{\"production\":[\"a/\"]}", check: func(c *Config) bool { return c.Production[0] == "a/" }},
		{name: "unknown key, the rest holds", text: "{\n  \"prodution\": [\"/a/\"],\n  \"free\": [\"b/\"]\n}",
			problems: []string{`2:3: unknown key "prodution"; did you mean "production"?`}, check: func(c *Config) bool { return c.Free[0] == "b/" && c.Production == nil }},
		{name: "a key in the wrong case is unknown", text: `{"Production": ["/a/"]}`, problems: []string{`1:2: unknown key "Production"`}, check: func(c *Config) bool { return c.Production == nil }},
		{name: "wrong type", text: "{\"production\": \"/a/\",\n \"limit\": 3}", problems: []string{`1:16: "production" wants a list of strings, got the string "/a/"`, `2:11: "limit" wants an object`}},
		{name: "wrong item", text: `{"production": ["/a/", 3, ["x"], "/b/"]}`, problems: []string{"1:24: \"production\" wants strings, got the number 3", "1:27:"},
			check: func(c *Config) bool { return slices.Equal(c.Production, []string{"/a/", "/b/"}) }},
		{name: "an empty substring would match everything", text: `{"production": [""]}`, problems: []string{"1:17: "}, check: func(c *Config) bool { return len(c.Production) == 0 }},
		{name: "negative points", text: `{"tariff": {"outward": -1, "irreversible": 2.5, "unnamed": 1}}`, problems: []string{"1:24:", "1:44:"},
			check: func(c *Config) bool { return len(c.Tariff) == 1 && c.Tariff["unnamed"] == 1 }},
		{name: "unknown kind", text: `{"tariff": {"outwards": 1}, "tools": {"a": ["outwrd"]}}`, problems: []string{`1:13: unknown kind "outwards"; did you mean "outward"?`, `tool "a": unknown kind "outwrd"`},
			check: func(c *Config) bool { return len(c.Tools) == 0 }},
		{name: "a limit of nothing", text: `{"limit": {"stop": 0}}`, problems: []string{`1:20: limit "stop" wants a whole number from 1 on, got 0`}},
		{name: "a pattern for every tool", text: `{"tools": {"*": []}}`, problems: []string{`1:12: tool pattern "*" names no tool`}, check: func(c *Config) bool { return len(c.Tools) == 0 }},
		{name: "nothing", text: ``, broken: "1:1: not JSON"},
		{name: "null", text: `null`, broken: "1:1: want an object, got null"},
		{name: "a list", text: ` []`, broken: "1:2: want an object, got a list"},
		{name: "cut", text: "{\n\"production\": [\"/a/\"", broken: "2:21: not JSON"},
		{name: "a comment", text: "{\n  // production\n  \"production\": []\n}", broken: "2:3: not JSON"},
		{name: "a trailing comma", text: "{\"production\": [\"a\",]}", broken: "1:21: not JSON"},
		{name: "two objects", text: "{} {}", broken: "something follows"},
		{name: "deep nesting", text: strings.Repeat(`{"x":`, 20_000), broken: "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := ParseConfig("r.json", []byte(tt.text))
			if tt.broken != "" {
				var p *Problem
				if !errors.As(err, &p) || !strings.Contains(err.Error(), tt.broken) {
					t.Fatalf("error %v, want one with %q", err, tt.broken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Problems) != len(tt.problems) {
				t.Fatalf("problems %v, want %q", c.Problems, tt.problems)
			}
			for i, p := range c.Problems {
				if !strings.Contains(p.Error(), tt.problems[i]) {
					t.Errorf("problem %q, want %q", p.Error(), tt.problems[i])
				}
			}
			if tt.check != nil && !tt.check(c) {
				t.Errorf("read as %+v", c)
			}
		})
	}
}

// TestSchemaAgreesWithTheParser holds the schema that editors use against the
// parser: a file is without problems in both or in neither.
func TestSchemaAgreesWithTheParser(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "redline.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{}`, `{"production":[]}`, `{"production":["/a/"]}`, `{"production":[1]}`, `{"production":"a"}`, `{"production":[" "]}`, `{"prod":[]}`,
		`{"tariff":{}}`, `{"tariff":{"irreversible":0,"outward":1,"production":2,"dependency":3,"unnamed":4}}`, `{"tariff":{"outward":-1}}`, `{"tariff":{"x":1}}`, `{"tariff":{"outward":1.5}}`, `{"tariff":{"outward":1000001}}`, `{"tariff":[]}`,
		`{"limit":{}}`, `{"limit":{"advise":1,"stop":2}}`, `{"limit":{"stop":0}}`, `{"limit":{"halt":1}}`, `{"limit":"3"}`,
		`{"tools":{}}`, `{"tools":{"mcp__*":["outward"]}}`, `{"tools":{"a":[]}}`, `{"tools":{"a":"outward"}}`, `{"tools":{"a":["x"]}}`, `{"tools":{"*":["outward"]}}`,
		`{"free":["a/"]}`, `{"free":[""]}`, `{"free":{}}`, `{"$schema":"x"}`, `null`, `[]`,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		bySchema := schema.Validate(v) == nil
		c, err := ParseConfig("r.json", []byte(text))
		byParser := err == nil && len(c.Problems) == 0
		if bySchema != byParser {
			t.Errorf("%s: the schema says %v, the parser %v", text, bySchema, byParser)
		}
	}
}

func TestStarterIsUnderstood(t *testing.T) {
	t.Parallel()
	c, err := ParseConfig(ConfigName, []byte(Starter()))
	if err != nil || len(c.Problems) > 0 {
		t.Fatalf("%v %v", err, c)
	}
}

// put writes files below a fresh directory and returns it.
func put(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLoad(t *testing.T) {
	t.Parallel()
	root := put(t, map[string]string{
		"home/.redline.json":         `{"production":["home/"],"limit":{"stop":9},"free":["h/"]}`,
		"site/.redline.json":         `{"production":["site/"],"tariff":{"outward":1}}`,
		"site/pkg/deep/x":            "",
		"share/.redline.json":        `{"production":["share/"],"tariff":{"irreversible":0},"limit":{"stop":99},"free":["dist/"],"tools":{"mcp__a":[]}}`,
		"share/client/a":             "",
		"share/broken/.redline.json": `{"production": [`,
		"share/broken/a":             "",
		"both/.redline.json":         `{"production":["dot/"],"limit":{"stop":4}}`,
		"both/redline.json":          `{"production":["plain/"],"limit":{"stop":7},"free":["f/"]}`,
	})
	at := func(p string) string { return filepath.Join(root, p) }
	t.Run("upward, then home", func(t *testing.T) {
		f := Load(Look{Own: []string{at("site/pkg/deep")}, Home: at("home")})
		if !slices.Equal(f.Rules.Production, []string{"site/", "home/"}) || f.Rules.tariff().Outward != 1 || f.Rules.Bounds().Stop != 9 || f.Rules.Free[0] != "h/" {
			t.Errorf("%+v", f.Rules)
		}
	})
	t.Run("a tree that is touched only adds production", func(t *testing.T) {
		f := Load(Look{Own: []string{at("site")}, Trees: []string{at("share/client")}})
		if !slices.Equal(f.Rules.Production, []string{"site/", "share/"}) {
			t.Errorf("production %q", f.Rules.Production)
		}
		if f.Rules.tariff().Irreversible != 3 || f.Rules.Bounds().Stop != 3 || f.Rules.Free != nil || f.Rules.Tools != nil {
			t.Errorf("a touched tree made the limiter quieter: %+v", f.Rules)
		}
	})
	t.Run("a file that does not parse is skipped and told", func(t *testing.T) {
		f := Load(Look{Own: []string{at("site")}, Trees: []string{at("share/broken")}})
		if !slices.Equal(f.Rules.Production, []string{"site/", "share/"}) {
			t.Errorf("production %q", f.Rules.Production)
		}
		if len(f.Problems) != 1 || f.Problems[0].File != at("share/broken/.redline.json") {
			t.Errorf("problems %v", f.Problems)
		}
	})
	t.Run("R081: the config is found from the written path though the session stands elsewhere", func(t *testing.T) {
		f := Load(Look{Own: []string{at("home")}, Trees: []string{at("share/client")}, Home: at("home")})
		if !slices.Contains(f.Rules.Production, "share/") {
			t.Errorf("production %q", f.Rules.Production)
		}
	})
	t.Run("both names in one directory", func(t *testing.T) {
		f := Load(Look{Own: []string{at("both")}})
		if !slices.Equal(f.Rules.Production, []string{"dot/", "plain/"}) || f.Rules.Bounds().Stop != 4 || f.Rules.Free[0] != "f/" || len(f.Files) != 2 {
			t.Errorf("%+v %q", f.Rules, f.Files)
		}
	})
	t.Run("REDLINE_PRODUCTION is added, never ignored", func(t *testing.T) {
		f := Load(Look{Own: []string{at("site")}, Extra: ` X:/a/ ;; /b/;`})
		if !slices.Equal(f.Rules.Production, []string{"site/", "X:/a/", "/b/"}) {
			t.Errorf("production %q", f.Rules.Production)
		}
	})
	t.Run("R083: the trees of project and worktree are united", func(t *testing.T) {
		f := Load(Look{Own: []string{at("site")}, Trees: []string{at("both")}})
		if !slices.Equal(f.Rules.Production, []string{"site/", "dot/", "plain/"}) {
			t.Errorf("production %q", f.Rules.Production)
		}
	})
	t.Run("R082: near misses are named", func(t *testing.T) {
		dir := put(t, map[string]string{"Redline.json": "{}", ".redlinerc": "{}", ".redline.yml": "", "redline.json": "{}", "headline.json": ""})
		got := NearMisses(dir)
		for i := range got {
			got[i] = filepath.Base(got[i])
		}
		slices.Sort(got)
		if !slices.Equal(got, []string{".redline.yml", ".redlinerc", "Redline.json"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestGrade(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]ledger.Severity{0: ledger.Note, 1: ledger.Note, 2: ledger.Warn, 3: ledger.Stop, 30: ledger.Stop} {
		if got := DefaultLimit().Grade(n); got != want {
			t.Errorf("grade of %d is %s, want %s", n, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		free, path string
		want       bool
	}{
		{"node_modules/", "/w/site/node_modules", true},
		{"node_modules/", "/w/site/node_modules/a", true},
		{"node_modules/", "/w/site/my_node_modules", false},
		{"dist", "/w/dist", true},
		{"dist", "/w/dist-old", false},
		{"dist", "/w/predist", false},
		{"/w/out/", "/w/out/a", true},
		{"/w/out/", "/w/outer", false},
		{"/w/out/../src", "/w/src/a", true},
		{"/", "/w", false},
	} {
		if _, got := within([]string{tt.free}, tt.path); got != tt.want {
			t.Errorf("%s in %s: %v", tt.path, tt.free, got)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"production":["/a/"],"tariff":{"outward":1},"limit":{"stop":3},"tools":{"a":["outward"]},"free":["b"]}`))
	f.Add([]byte(`{"production":`))
	f.Add([]byte(`[{}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseConfig("f", text)
		if err != nil {
			var p *Problem
			if !errors.As(err, &p) || p.Line < 1 || p.Col < 1 {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(string(text), "\xef\xbb\xbf"))) {
			t.Fatalf("took what is no JSON: %q", text)
		}
		for _, s := range append(slices.Clone(c.Production), c.Free...) {
			if strings.TrimSpace(s) == "" {
				t.Fatalf("took an empty substring from %q", text)
			}
		}
	})
}
