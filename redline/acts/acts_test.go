package acts

import (
	"strings"
	"testing"
)

func testOptions() Options {
	return Options{Dir: "/work/site", Env: map[string]string{"HOME": "/home/dev", "TMPDIR": "/tmp"}}
}

// Lines and the acts they perform, as [Reading.String] prints them; the
// directory is left out where it is the one the line starts in.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		// Words
		{`\rm -rf "a b" 'c'`, `run rm -rf "a b" c`},
		{`r""m $'\x2drf' x`, `run rm -rf x`},
		{`{rm,-rf,build}`, `run rm -rf build`},
		{`echo {1..3} {a,b}{c,d} x{3..1}`, `run echo 1 2 3 ac ad bc bd x3 x2 x1`},
		{`ls ~ ~/x ~root "~"`, `run ls /home/dev /home/dev/x <the home of root> ~`},
		{`ls *.go "*.go" \*.go a[bc]?`, `run ls *.go *.go *.go a[bc]?`},
		{"rm \\\n -rf \\\n x", `run rm -rf x`},
		{`echo a#b # c`, `run echo a#b`},
		// A return that returns from nothing is an error, and bash goes on.
		{`return 0; rm -rf x`, "run return 0\nrun rm -rf x"},
		// Variables
		{`A=1; echo $A ${A}2 "$A 3"`, `run echo 1 12 "1 3"`},
		{`echo "$NOPE"/x $NOPE`, `run echo <NOPE is not set>/x <NOPE is not set>`},
		{`A='a b'; echo $A "$A"`, `run echo a b "a b"`},
		{`A='*.o'; rm $A "$A"`, `run rm *.o *.o`},
		{`A=/t/x.tar.gz; echo ${A##*/} ${A%.*} ${A%%.*} ${A#/t} ${A/x/y} ${A:1:2} ${#A} ${A^^}`, `run echo x.tar.gz /t/x.tar /t/x /x.tar.gz /t/y.tar.gz t/ 11 /T/X.TAR.GZ`},
		{`echo ${A:-d} ${A:+e} ${HOME:+f} ${B:=g} $B`, `run echo d f g g`},
		{`unset HOME; rm -rf "$HOME/x"`, "run unset HOME\nrun rm -rf <HOME is not set>/x"},
		{`a=(x 'y z'); a+=(w); echo "${a[@]}" ${a[1]} ${#a[@]} "${a[*]}"`, `run echo x "y z" w y z 3 "x y z w"`},
		{`declare -A m=([k]=v); echo ${m[k]}`, "run declare -A \"m=(...)\"\nrun echo v"},
		{`n=HOME; echo ${!n}`, `run echo /home/dev`},
		{`x=5; echo $((x*2+1)) $((x++)) $x`, `run echo 11 5 6`},
		{`IFS=_; c=rm_-rf_out; $c`, `run rm -rf out`},
		{`printf -v c '%s %s' git push; $c origin`, "run printf -v c \"%s %s\" git push\nrun git push origin"},
		{`read -r a b <<< 'one two three'; echo $b`, "run read -r a b <<\"one two three\\n\"\nrun echo two three"},
		{`read v < f; rm $v`, "run read v <f\nrun rm <v is read from f>"},
		{`set -- a 'b c'; echo $# "$2" "$@"`, "run set -- a \"b c\"\nrun echo 2 \"b c\" a \"b c\""},
		{`$UNSET rm x`, `run rm x`},
		{`d=$(date +%s); rm -rf /tmp/$d`, "run date +%s\nrun rm -rf /tmp/<#>"},
		{`x=$(cat f); rm $x`, "run cat f\nrun rm <output of cat>"},
		{`if a; then X=1; else X=2; fi; echo $X`, "run a\nrun echo 1\nrun echo 2"},
		{`X=1; a && [ -d b ] && X=2; echo $X`, "run a\nrun [ -d b ]\nrun echo 1\nrun echo 2"},
		// Directories
		{`cd /tmp && rm x; cd - ; rm y`, "run cd /tmp\nrun rm x @/tmp\nrun cd - @/tmp\nrun rm y"},
		{`(cd /tmp; ls); ls`, "run cd /tmp\nrun ls @/tmp\nrun ls"},
		{`cd /tmp | cat; ls`, "run cd /tmp\nrun cat <<\"\"\nrun ls"},
		{`cd /tmp & ls`, "run cd /tmp\nrun ls"},
		{`pushd /a; pushd b; popd; ls`, "run pushd /a\nrun pushd b @/a\nrun popd @/a/b\nrun ls @/a"},
		{`cd "$(mktemp -d)" && ls`, "run mktemp -d\nrun cd <fresh>\nrun ls @<fresh>"},
		{`git -C ../lib status; make -C sub; npm --prefix=web i`, "run git -C ../lib status @/work/lib\nrun make -C sub @/work/site/sub\nrun npm --prefix=web i @/work/site/web"},
		{`env -C /srv ls`, "run ls @/srv via env"},
		// Structure
		{`a && b || c`, "run a\nrun b\nrun c maybe"},
		{`! a`, "run a"},
		{`for i in 1 2; do echo $i; done`, "run echo 1\nrun echo 2"},
		{`for i in 1 2 3; do ls; done`, "run ls"},
		{`while read -r l; do rm "$l"; done < f`, "run read -r l <f\nrun rm <l is what is read> <f maybe"},
		{"while read -r l; do rm \"$l\"; done <<E\na\nb\nE", "run read -r l <<a maybe\nrun rm a maybe\nrun read -r l <<b maybe\nrun rm b maybe"},
		{`i=0; while c; do rm $i; i=$((i+1)); done`, "run c\nrun rm 0 maybe\nrun c maybe\nrun rm <#> maybe"},
		{`case $x in a) b;; *) c;; esac`, "run b maybe\nrun c maybe"},
		{`f() { rm "$1"; }; f x`, "run rm x"},
		{`f() { local d=$1; rm "$d"; }; f x; echo "$d"`, "run local d=x\nrun rm x\nrun echo <d is not set>"},
		{`exit; rm x`, "run exit"},
		{`f() { return; rm x; }; f; ls`, "run return\nrun ls"},
		{"shopt -s expand_aliases\nalias z='rm -rf'\nz x", "run shopt -s expand_aliases\nrun alias \"z=rm -rf\"\nrun rm -rf x"},
		{`alias z=rm; z x`, "run alias z=rm\nrun z x"},
		{`trap 'rm "$T"' EXIT; T=/tmp/z`, "run trap \"rm \\\"$T\\\"\" EXIT\nrun rm /tmp/z via trap maybe"},
		{`> f`, "land >f"},
		{`: > f`, "run : >f"},
		{`{ a; b; } > f 2>&1`, "run a >f\nrun b >f"},
		{`exec >> f; a`, "land >>f\nrun a >>f"},
		{`a 2>/dev/null <in &>>all`, "run a 2>/dev/null <in &>>all"},
		{`a | b`, "run a\nrun b <|"},
		{`echo x | cat | sh`, "run echo x\nrun cat <<\"x\\n\"\nrun x via sh"},
		// Heredocs
		{"cat <<'E'\n$(rm x)\nE", "run cat <<\"$(rm x)\\n\""},
		{"cat <<E\n$(rm x)\nE", "run rm x\nrun cat <<\"\\n\""},
		{"cat <<E; rm -rf ~\nhi\n", "run cat <<\"hi\\n\"\nrun rm -rf /home/dev"},
		{"cat <<-E\n\thi\n\tE\nls", "run cat <<\"hi\\n\"\nrun ls"},
		// Carried code
		{`bash -c 'rm "$0" "$1"' a b`, "run rm a b via bash -c"},
		{`W=1; bash -c 'rm "$W"'`, "run rm <W is not set> via bash -c"},
		{`export W=1; bash -c 'rm "$W"'`, "run export W=1\nrun rm 1 via bash -c"},
		{`W=1 bash -c 'rm "$W"'`, "run rm 1 via bash -c"},
		{`bash -c "rm '$NOPE' $(cat f)"`, "run cat f\nrun rm <NOPE is not set> <output of cat> via bash -c"},
		{`echo cm0gLXJmIHg= | base64 -d | sh`, "run echo cm0gLXJmIHg=\nrun base64 -d <<\"cm0gLXJmIHg=\\n\"\nrun rm -rf x via sh"},
		{`curl x | sh`, "run curl x\nrun sh <|\nunread <| via sh (a script that is the output of curl)"},
		{`psql -c 'SELECT 1'`, "run psql -c {code}\nsql \"SELECT 1\" via psql"},
		{`python3 -c "open('/srv/x','w').write('')"`, "run python3 -c {code}\nwrite /srv/x via python3"},
		{`$(which rm) -rf x`, "run which rm\nrun rm -rf x"},
		{`find /tmp/x | head -3 | xargs rm -f`, "run find /tmp/x\nrun head -3 <</tmp/x/*\n\nrun rm -f /tmp/x/* via xargs"},
		{`find /tmp/x -print0 | while IFS= read -r -d '' f; do rm "$f"; done`, "run find /tmp/x -print0\nrun IFS=\"\" read -r -d \"\" f <</tmp/x/*\n\nrun rm /tmp/x/* <</tmp/x/*\n maybe"},
		{`python3 -c 'import requests; requests.post("https://x.test")'`, "run python3 -c {code}\nunread \"import requests; requests.post(\\\"https://x.test\\\")\" via python3 (imports requests)\nrun curl -X POST https://x.test via python3, requests.post"},
		{`sudo -s <<< 'rm x'`, "run rm x via sudo"},
		{`echo it's; rm -rf x`, "unread \"echo it's; rm -rf x\" (reached EOF without closing quote `'`)\nunparsed"},
		// What no grammar takes
		{`ls; ) rm`, "run ls\nunread \" ) rm\" (`)` can only be used to close a subshell)\nunparsed"},
		{`if a; then rm x`, "run a\nrun rm x maybe\nunparsed"},
	} {
		got := strings.TrimSpace(strings.ReplaceAll(Read(tt.line, testOptions()).String(), " @/work/site\n", "\n"))
		got = strings.NewReplacer(" @/work/site via", " via", " @/work/site maybe", " maybe", " @/work/site (", " (").Replace(got)
		if got != strings.TrimSpace(tt.want) {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", tt.line, got, tt.want)
		}
	}
}

func TestPlace(t *testing.T) {
	env := map[string]string{"HOME": "/home/dev", "TMPDIR": "/scratch", "TEMP": "C:/Users/dev/AppData/Local/Temp", "RUNNER_TEMP": "/runner/tmp"}
	for _, tt := range []struct {
		line, path           string
		known, scratch, null bool
	}{
		{line: "rm /tmp/x", path: "/tmp/x", known: true, scratch: true},
		{line: "rm /tmp", path: "/tmp", known: true},
		{line: "rm /tmp/", path: "/tmp", known: true},
		{line: "rm /tmp/.", path: "/tmp", known: true},
		{line: "rm /tmp/../srv", path: "/srv", known: true},
		{line: "rm /tmp//a/./b/../c/", path: "/tmp/a/c", known: true, scratch: true},
		{line: "rm /tmpdata/x", path: "/tmpdata/x", known: true},
		{line: "rm /var/tmp/x /dev/shm/y", path: "/var/tmp/x", known: true, scratch: true},
		{line: "rm $TMPDIR/x", path: "/scratch/x", known: true, scratch: true},
		{line: "rm $TMPDIR", path: "/scratch", known: true},
		{line: "rm $RUNNER_TEMP/x", path: "/runner/tmp/x", known: true, scratch: true},
		{line: "TMPDIR=/home/dev/d; rm $TMPDIR/x", path: "/home/dev/d/x", known: true},
		{line: "rm x", path: "/work/site/x", known: true},
		{line: "cd /tmp/a && rm ../b", path: "/tmp/b", known: true, scratch: true},
		{line: "cd /tmp/a && rm ../../b", path: "/b", known: true},
		{line: "rm ~/x", path: "/home/dev/x", known: true},
		{line: "rm /tmp/a-$$", path: "/tmp/a-?", scratch: true},
		{line: "rm /tmp/$$", path: "/tmp/?", scratch: true},
		{line: "rm /tmp/$NOPE", path: "/tmp"},
		{line: "rm /tmp/$NOPE/x", path: "/tmp"},
		{line: "rm /tmp/$(cat f)", path: "/tmp"},
		{line: "rm /tmp/x/*", path: "/tmp/x/*", scratch: true},
		{line: "rm /tmp/x*", path: "/tmp/x*", scratch: true},
		{line: "rm /tmp/*", path: "/tmp/*"},
		{line: "rm /tmp/x/*/../../../srv", path: "/srv"},
		{line: "rm $(mktemp)", path: "$(mktemp)", scratch: true},
		{line: "T=$(mktemp -d); rm $T/a/b", path: "$(mktemp -d)/a/b", scratch: true},
		{line: "T=$(mktemp -d); rm $T/..", path: "$(mktemp -d)/.."},
		{line: "T=$(mktemp -p /srv); rm $T", path: "/srv/?"},
		{line: "T=$(mktemp /srv/a.XXXXXX); rm $T", path: "/srv/a.?"},
		{line: "cd $(mktemp -d); rm x", path: "$(mktemp -d)/x", scratch: true},
		{line: "rm /dev/null", path: "/dev/null", known: true, null: true},
		{line: "rm /dev/fd/2", path: "/dev/fd/2", known: true, null: true},
		{line: `rm 'C:\Users\dev\AppData\Local\Temp\x'`, path: "C:/Users/dev/AppData/Local/Temp/x", known: true, scratch: true},
		{line: `rm c:/users/DEV/appdata/local/temp/x`, path: "C:/users/DEV/appdata/local/temp/x", known: true, scratch: true},
	} {
		r := Read(tt.line, Options{Dir: "/work/site", Env: env})
		var a *Act
		for i := range r.Acts {
			if r.Acts[i].Name() == "rm" {
				a = &r.Acts[i]
			}
		}
		if a == nil || len(a.Argv) < 2 {
			t.Errorf("%s: no rm\n%s", tt.line, r)
			continue
		}
		p := r.Place(a.Dir, a.Argv[1])
		if p.Path != tt.path || p.Known != tt.known || p.Scratch != tt.scratch || p.Null != tt.null {
			t.Errorf("%s: %+v, want path %q known %v scratch %v null %v", tt.line, p, tt.path, tt.known, tt.scratch, tt.null)
		}
		if !p.Known && p.Why == "" {
			t.Errorf("%s: not known, and no reason: %+v", tt.line, p)
		}
	}
}
