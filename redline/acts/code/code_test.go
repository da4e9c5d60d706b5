package code

import (
	"fmt"
	"strings"
	"testing"
)

// render is a result as the tables below spell it: effects, then what was not
// read.
func render(r Result) string {
	var out []string
	for _, e := range r.Effects {
		s := e.Kind.String()
		switch e.Kind {
		case Write, Remove:
			if e.Recursive {
				s += " -r"
			}
			if e.PathKnown {
				s += " " + e.Path
			} else {
				s += " " + e.Path + "?"
			}
		case RunArgv:
			s += fmt.Sprintf(" %s", strings.Join(e.Argv, "|"))
			if !e.ArgvKnown {
				s += "|?"
			}
		case RunShell:
			s += " " + e.Shell
		case Network:
			s += " " + e.Path
		}
		out = append(out, s)
	}
	if !r.Readable {
		out = append(out, "! "+r.Why)
	}
	return strings.Join(out, "\n")
}

type row struct{ src, want string }

func testRows(t *testing.T, lang string, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.src, func(t *testing.T) {
			t.Parallel()
			if got := render(Read(lang, tt.src)); got != tt.want {
				t.Errorf("%s\n%s\ngot:\n%s\nwant:\n%s", lang, tt.src, got, tt.want)
			}
		})
	}
}

func TestPython(t *testing.T) {
	t.Parallel()
	testRows(t, "python3", []row{
		// Plain readers and printers.
		{`print(1 + 1)`, ""},
		{`print('rm -rf / is a string here')`, ""},
		{`import json; print(json.load(open('/srv/live/acme/settings.json'))['theme'])`, ""},
		{`import json,sys; d=json.load(sys.stdin); print(d["name"], d.get("version"))`, ""},
		{"import sys\nfor line in sys.stdin:\n    parts = line.split(',')\n    print(parts[0].strip())", ""},
		{"import pathlib, re\ntext = pathlib.Path('docs/HOWTO.md').read_text()\nprint(re.findall(r'git push.*', text))", ""},
		{`import sys, json, re, pathlib, textwrap, collections, itertools, datetime, csv, hashlib, base64, glob, os.path, io`, ""},
		{`import os; print(os.environ["HOME"], os.getcwd(), os.listdir('.'))`, ""},
		{`import os; print([f for f in os.listdir('.') if f.endswith('.py')])`, ""},
		{`from collections import Counter; print(Counter(open('a.txt').read().split()).most_common(3))`, ""},
		{`import sys; sys.exit(0 if open('VERSION').read().strip() == '1.2' else 1)`, ""},
		{`print(sum(1 for _ in open('data.csv', 'rb')))`, ""},
		{`import ast; ast.parse(open('a.py').read()); print('ok')`, ""},
		{`import re; p = re.compile('a'); print(p.sub('b', 'abc'))`, ""},
		{`print("import os; os.system('rm -rf /')")`, ""},
		{"# os.system('rm -rf /')\nprint(1)", ""},
		{`"""doc: subprocess.run(['rm'])"""` + "\nprint(2)", ""},
		{"def f(a, b=2):\n    return a + b\nprint(f(1))", ""},
		{"class A:\n    def __init__(self, x):\n        self.x = x\nprint(A(3).x)", ""},
		{`import urllib.parse; print(urllib.parse.quote('a b'))`, ""},
		{`import hashlib; print(hashlib.sha256(open('x','rb').read()).hexdigest())`, ""},
		{"import yaml\nprint(yaml.safe_load(open('a.yml')))", ""},
		{"try:\n    import json\nexcept ImportError as e:\n    print(e)", ""},
		{"d = {'a': 1, 'b': [1, 2, 3]}\nprint({k: v for k, v in d.items()})", ""},
		{`x = [1,2]; x.remove(1); print(x)`, ""},
		{`s = 'a-b'.replace('-', '_'); print(f"{s!r:>10} {len(s)}")`, ""},
		{`from datetime import datetime, timedelta; print((datetime.now() - timedelta(days=1)).strftime('%Y'))`, ""},
		{`import inspect, json; print(inspect.getsource(json.dumps))`, ""},
		{`print(sorted(open('a').readlines(), key=lambda l: l.split()[0])[:10])`, ""},
		{"with open('a.json') as f, open('b.json') as g:\n    print(f.read() == g.read())", ""},
		{"import sys\nsys.stdout.write(sys.stdin.read().upper())", ""},
		{"import time; time.sleep(1); print(time.time())", ""},
		{"import shutil; print(shutil.which('git'), shutil.disk_usage('/').free)", ""},
		{"import platform, sys; print(platform.python_version(), sys.version_info[:2])", ""},
		{"x: int = 3\nprint(x)", ""},
		{"import statistics as st; print(st.mean([1,2,3]))", ""},
		{"import os\nfor root, dirs, files in os.walk('.'):\n    print(root, len(files))", ""},
		{"print(getattr(x, 'name', None)) if (x := 3) else None", ""},

		// Writes.
		{`open('/tmp/r.md','w').write('never run mkfs /dev/sda or npm publish')`, "write /tmp/r.md"},
		{"with open('out.json', 'w') as f:\n    json.dump({}, f)", "write out.json"},
		{"p = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))", "write src/a.py"},
		{"from pathlib import Path\np = Path('docs') / 'a.md'\np.write_text(p.read_text().replace('x','y'))", "write docs/a.md"},
		{"import pathlib; pathlib.Path('/srv/live/acme/x').write_bytes(b'')", "write /srv/live/acme/x"},
		{`import os; open(os.path.join('/srv/live', 'a', 'b.txt'), mode='a').write('x')`, "write /srv/live/a/b.txt"},
		{`open("/etc/" "app.conf", "w")`, "write /etc/app.conf"},
		{`d='/srv/live'; open(f"{d}/x.html", 'w')`, "write /srv/live/x.html"},
		{`import sys; open(sys.argv[1], 'w')`, "write ?"},
		{`import sys; open('/srv/live/' + sys.argv[1], 'w')`, "write /srv/live/?"},
		{`import sys; open(f'/srv/live/{sys.argv[1]}.html', 'w')`, "write /srv/live/?"},
		{"for n in ['a.txt', 'b.txt']:\n    open(n, 'w').close()", "write a.txt\nwrite b.txt"},
		{"import shutil; shutil.copy('a', '/srv/live/a')", "write /srv/live/a"},
		{"import shutil; shutil.move('/srv/live/a', 'b')", "write /srv/live/a\nwrite b"},
		{"import os; os.rename('a', 'b')", "write a\nwrite b"},
		{"import os; os.makedirs('/srv/live/new', exist_ok=True)", "write /srv/live/new"},
		{"import os; os.chdir('/srv/live'); open('a.html', 'w')", "write /srv/live/a.html"},
		{"import os, sys; os.chdir(sys.argv[1]); open('a.html', 'w')", "write ?"},
		{"p='a'\np='b'\nopen(p,'w')", "write ?"},
		{"def save(p):\n    open(p, 'w').write('x')\nsave('a')", "write ?"},
		{"m='w'; open('a', m)", "write a"},
		{"import sys; open('a', sys.argv[1])", "write a"},
		{"import tempfile, os; d = tempfile.mkdtemp(); open(os.path.join(d, 'a'), 'w')", ""},
		{"import fileinput\nfor l in fileinput.input('a.txt', inplace=True): print(l)", "write a.txt"},
		{"import zipfile; zipfile.ZipFile('a.zip').extractall('/srv/live')", "write /srv/live"},
		{"from pathlib import Path\nfor p in Path('/srv/live').glob('*.html'):\n    p.write_text('x')", "write /srv/live/?"},
		{"import gzip; gzip.open('a.gz').read(); gzip.open('b.gz', 'wt')", "write b.gz"},
		{"open(1, 'w').write('x')", ""},
		{"o = open\no('a', 'w')", "write a"},
		{"import pathlib; pathlib.Path.home().joinpath('.bashrc').open('a').write('x')", "write ~/.bashrc"},
		{"import os; os.path.expanduser('~/x'); open(os.path.expanduser('~/x'), 'w')", "write ~/x"},

		// Removals.
		{"import shutil; shutil.rmtree('build')", "remove -r build"},
		{"import shutil as s; s.rmtree('/tmp/x', ignore_errors=True)", "remove -r /tmp/x"},
		{"from shutil import rmtree as r; r('build')", "remove -r build"},
		{"import os; os.remove('a.txt'); os.unlink('b.txt')", "remove a.txt\nremove b.txt"},
		{"import pathlib; pathlib.Path('a').unlink(missing_ok=True)", "remove a"},
		{"import glob, os\nfor f in glob.glob('/srv/live/*.bak'): os.remove(f)", "remove /srv/live/?"},
		{"import os; [os.remove(f) for f in os.listdir('.')]", "remove ?"},
		{"import os; list(map(os.remove, ['a']))", "remove ?"},
		{"from pathlib import Path\nfor p in Path('.').rglob('*.pyc'): p.unlink()", "remove ./?"},

		// Children.
		{`import os; os.system('rm -rf dist')`, "shell rm -rf dist"},
		{`import subprocess; subprocess.run('git push origin main', shell=True, check=True)`, "shell git push origin main"},
		{`import subprocess; subprocess.run(['git', 'push', '--force'])`, "argv git|push|--force"},
		{`import subprocess as sp; print(sp.check_output(['git', 'log', '-1']).decode())`, "argv git|log|-1"},
		{`from subprocess import *; run(["npm","publish"])`, "argv npm|publish"},
		{`from os import system as s; s("npm publish")`, "shell npm publish"},
		{`import os; os.execvp('git', ['git', 'push'])`, "argv git|push"},
		{`import os; os.execlp('npm', 'npm', 'publish')`, "argv npm|publish"},
		{`import pty; pty.spawn(['/bin/sh', '-c', 'npm publish'])`, "argv /bin/sh|-c|npm publish"},
		{`import subprocess; cmd = ['git', 'push']; subprocess.call(cmd)`, "argv git|push"},
		{`import subprocess; subprocess.run("git push".split())`, "argv git|push"},
		{`import subprocess, shlex; subprocess.run(shlex.split("git push"))`, "argv git|push"},
		{`import subprocess; print(subprocess.getoutput("git status"))`, "shell git status"},
		{`import os; print(os.popen('ls').read())`, "shell ls"},
		{`import os; f = os.system; f('npm publish')`, "shell npm publish"},
		{"import subprocess, sys; subprocess.run([sys.executable, '-m', 'pip', 'install', 'x'])", "argv python3|-m|pip|install|x"},
		{"import subprocess\nfor b in ['a', 'b']:\n    subprocess.run(['git', 'branch', '-D', b])", "argv git|branch|-D|a\nargv git|branch|-D|b"},
		{`import subprocess, sys; subprocess.run(sys.argv[1:])`, "argv |?\n! subprocess.run runs a program that is not literal"},
		{`import os, sys; os.system(sys.argv[1])`, "shell \n! os.system runs a command that is not literal"},
		{`import requests, os; os.system('npm publish')`, "shell npm publish\n! imports requests"},
		{`import os; list(map(os.system, ['npm publish']))`, "shell \n! os.system runs a command that is not literal"},
		{`import asyncio; asyncio.run(asyncio.create_subprocess_exec('git', 'push'))`, "argv git|push"},
		{`f"{__import__('os').system('rm -rf x')}"`, "shell rm -rf x"},
		{`__import__(input()).system('x')`, "shell x\n! calls __import__"},
		{`import importlib; importlib.import_module('os').system('rm -rf x')`, "shell rm -rf x"},
		{`import importlib.util; importlib.util.spec_from_file_location('a', 'a.py')`, "! calls importlib.util.spec_from_file_location"},
		{`import importlib.util as u; print(u.find_spec('yaml') is not None)`, ""},
		{`import numpy as np; a = np.loadtxt('a.txt'); print(a.mean()); np.save('b.npy', a)`, "write b.npy"},
		{`import os; print(f"{os.system('rm -rf x')}")`, "shell rm -rf x"},
		{`import sys; sys.modules['os'].system('rm -rf x')`, "shell rm -rf x\n! uses sys.modules"},

		// Not readable.
		{`eval(input())`, "! calls eval"},
		{`exec(open('x.py').read())`, "! calls exec"},
		{`import os; getattr(os, 'sys' + 'tem')('ls')`, "! passes os on"},
		{`import importlib; importlib.import_module('app.main')`, "! imports app.main"},
		{`from mypkg import x; x.run()`, "! imports mypkg"},
		{`from . import x`, "! imports a module of the project"},
		{`().__class__.__bases__[0].__subclasses__()`, "! uses __class__"},
		{`import requests; requests.post('https://api.example.test/x', json={})`, "network https://api.example.test/x\n! imports requests"},
		{`import urllib.request; urllib.request.urlopen('http://localhost:3000/x')`, "network http://localhost:3000/x\n! imports urllib.request"},
		{`from urllib.request import urlopen; urlopen('http://a.test')`, "network http://a.test\n! imports urllib.request"},
		{`import pickle; pickle.load(open('x','rb'))`, "! imports pickle"},
		{`import ctypes`, "! imports ctypes"},
		{`import sqlite3; sqlite3.connect('a.db').execute('DELETE FROM x')`, "! imports sqlite3"},
		{`m = eval; m('1')`, "! calls eval"},
		{`print('unterminated`, "! unterminated string"},
		{`f = [eval][0]; f('1')`, "! passes eval on"},
	})
}

func TestNode(t *testing.T) {
	t.Parallel()
	testRows(t, "node", []row{
		{"console.log(require('./package.json').version)", ""},
		{"console.log('npm publish --access public')", ""},
		{"const fs = require('fs');\nconst s = JSON.parse(fs.readFileSync('settings.json', 'utf8'));\nconsole.log(s.hooks ? 'DROP TABLE is only a string' : 'none');", ""},
		{"require('./package.json').version", ""},
		{"Object.keys(require('./package.json').dependencies).forEach(d => console.log(d))", ""},
		{"const p=require('path');console.log(p.resolve('a'),process.argv.slice(2),process.env.HOME)", ""},
		{"process.stdin.on('data', d => process.stdout.write(d.toString().toUpperCase()))", ""},
		{"let s='';process.stdin.on('data',c=>s+=c).on('end',()=>console.log(JSON.stringify(JSON.parse(s),null,2)))", ""},
		{"import fs from 'node:fs'; console.log(fs.readdirSync('.').filter(f => /\\.ts$/.test(f)).length)", ""},
		{"import { readFile } from 'fs/promises'; console.log((await readFile('a','utf8')).split('\\n').length)", ""},
		{"console.log(crypto.randomUUID?.() ?? 1)", ""},
		{"const crypto=require('crypto');console.log(crypto.createHash('sha1').update('a').digest('hex'))", ""},
		{"// require('child_process').execSync('rm -rf x')\nconsole.log(1)", ""},
		{"/* eval(x) */ console.log(`a ${1 + 1} b`)", ""},
		{"const r = /eval\\(['\"]/g; console.log('x'.replace(r, ''))", ""},
		{"for (const [k, v] of Object.entries({a: 1})) { console.log(k, v) }", ""},
		{"const a = [1,2,3]; a.push(4); console.log(a.reduce((x, y) => x + y, 0) / 2)", ""},
		{"async function main() { const x = await Promise.all([1,2]); console.log(x) }\nmain()", ""},
		{"try { JSON.parse('x') } catch (e) { console.error(e.message); process.exit(1) }", ""},
		{"class A { constructor(x) { this.x = x } get y() { return this.x } }\nconsole.log(new A(1).y)", ""},
		{"const {version, name: n} = require('./package.json'); console.log(version, n)", ""},
		{"new Date().toISOString()", ""},
		{"console.log(require('semver').gt('1.2.3','1.2.0'))", ""},
		{"const m = new Map(); m.set('a', 1); m.delete('a'); console.log(m.size)", ""},

		{"require('fs').writeFileSync('/srv/live/acme/x.json', JSON.stringify({a:1}))", "write /srv/live/acme/x.json"},
		{"const fs = require('fs'); let s = fs.readFileSync('a.js','utf8'); s = s.replace(/a/g,'b'); fs.writeFileSync('a.js', s)", "write a.js"},
		{"const f='src/a.ts', fs=require('fs'); fs.writeFileSync(f, fs.readFileSync(f,'utf8').replace('x','y'))", "write src/a.ts"},
		{"import {writeFile} from 'fs/promises'; await writeFile('a.txt','x')", "write a.txt"},
		{"const { writeFileSync: w } = require('node:fs'); w('a', '')", "write a"},
		{"const fs=require('fs').promises; fs.appendFile('log.txt','x')", "write log.txt"},
		{"require('fs').promises.rm('build',{recursive:true,force:true})", "remove -r build"},
		{"require('fs').rmSync('dist', { recursive: true })", "remove -r dist"},
		{"require('fs').rmSync('a.txt', {force: true})", "remove a.txt"},
		{"require('fs').unlinkSync(`/srv/live/a`)", "remove /srv/live/a"},
		{"const d='/srv/live'; require('fs').unlinkSync(`${d}/a`)", "remove /srv/live/a"},
		{"require('fs').unlinkSync(process.argv[2])", "remove ?"},
		{"require('fs').renameSync('a','b')", "write a\nwrite b"},
		{"require('fs').copyFileSync('a','/srv/live/a')", "write /srv/live/a"},
		{"const fs=require('fs'),path=require('path'); fs.writeFileSync(path.join('/srv','live','x'),'')", "write /srv/live/x"},
		{"const fs=require('fs'); ['a','b'].forEach(f => fs.rmSync(f))", "remove a\nremove b"},
		{"const fs=require('fs'); for (const f of ['a','b']) fs.unlinkSync(f)", "remove a\nremove b"},
		{"const fs=require('fs'); fs.readdirSync('.').forEach(f => fs.unlinkSync(f))", "remove ?"},
		{"const fs=require('fs'); fs['unlink'+'Sync']('a')", "remove a"},
		{"process.chdir('/srv/live'); require('fs').writeFileSync('a','')", "write /srv/live/a"},
		{"require('fs').createWriteStream('a.log').end('x')", "write a.log"},
		{"require('fs').openSync('a','r'); require('fs').openSync('b','w')", "write b"},
		{"['a'].map(require('fs').unlinkSync)", "remove ?"},
		{"require('fs-extra').removeSync('build')", "remove -r build"},
		{"Deno.writeTextFileSync('a','b'); await Deno.remove('d',{recursive:true})", "write a\nremove -r d"},
		{"await Bun.write('a.txt', 'x'); await Bun.file('b.txt').delete()", "write a.txt\nremove b.txt"},

		{"require('child_process').execSync('npm publish', {stdio:'inherit'})", "shell npm publish"},
		{"const {execSync: x} = require('child_process'); x('git push')", "shell git push"},
		{"const cp = require('node:child_process'); cp.spawnSync('git', ['push','--force'])", "argv git|push|--force"},
		{"require('child_process').spawn('git', ['push'], {shell: true})", "shell git push"},
		{"import { exec } from 'child_process'; exec(`npm publish`)", "shell npm publish"},
		{"import {exec} from 'child_process'; import {promisify} from 'util'; const run = promisify(exec); await run('npm publish')", "shell npm publish"},
		{"require('child_process').execFileSync('rm', ['-rf', 'x'])", "argv rm|-rf|x"},
		{"require('child_process').fork('worker.js', ['a'])", "argv node|worker.js|a"},
		{"const t='v1'; require('child_process').execSync(`git tag ${t}`)", "shell git tag v1"},
		{"require('child_process').execSync('git tag ' + process.argv[2])", "shell git tag $1\n! execSync runs a command that is not literal"},
		{"require('child_process').spawnSync(process.argv[2])", "argv |?\n! spawnSync runs a program that is not literal"},
		{"await Bun.$`rm -rf dist`", "shell rm -rf dist"},
		{"import { $ } from 'bun'; await $`npm publish`", "shell npm publish"},
		{"new Deno.Command('git', {args: ['push']}).outputSync()", "argv git|push"},
		{"Bun.spawn(['npm','publish'])", "argv npm|publish"},
		{"console.log(`${require('child_process').execSync('npm publish')}`)", "shell npm publish"},
		{"process.mainModule.require('child_process').execSync('ls')", "shell ls"},
		{"require('node:child_process')['execSync']('ls')", "shell ls"},
		{"(await import('child_process')).execSync('ls')", "shell ls"},
		{"require('fs').readFile('a', () => require('child_process').exec('npm publish'))", "shell npm publish"},

		{"eval('1')", "! calls eval"},
		{"new Function('return 1')()", "! calls Function"},
		{"[].filter.constructor('return 1')()", "! uses constructor"},
		{"require('child_' + 'process').execSync('ls')", "shell ls"},
		{"require(process.argv[2])", "! require of a name that is not literal"},
		{"const x = 'http'; import(process.env.X)", "! import() of a name that is not literal"},
		{"const {build} = require('./scripts/build'); build()", "! imports ./scripts/build"},
		{"fetch('https://api.example.test/x', {method:'POST'})", "network https://api.example.test/x\n! reaches the network: fetch POST"},
		{"fetch('http://localhost:3000/health').then(r => r.text()).then(console.log)", "network http://localhost:3000/health\n! reaches the network: fetch"},
		{"const axios = require('axios'); axios.post('https://a.test')", "network https://a.test\n! imports axios"},
		{"require('vm').runInNewContext('1')", "! imports vm"},
		{"const r = require; r('child_process').execSync('ls')", "shell ls"},
		{"module.constructor._load('child_process').execSync('ls')", "shell ls\n! uses constructor"},
		{"setTimeout('eval(1)', 1)", "! calls setTimeout with text"},
		{"console.log('a", "! unterminated string"},
	})
}

func TestAwk(t *testing.T) {
	t.Parallel()
	testRows(t, "awk", []row{
		{`NR>1 {s+=$4} END {print s}`, ""},
		{`$9 == 500`, ""},
		{`NR >= 10 && NR <= 20`, ""},
		{`$1 > min { n++ } END { print n }`, ""},
		{`!seen[$1]++`, ""},
		{`$1 ~ /^>/ { n++ } END { print n }`, ""},
		{`{ print $1 > 3 ? "a" : "b" }`, "write 3?"},
		{`{ print ($1 > 3 ? "a" : "b") }`, ""},
		{`{ if ($3 > 100) print $1 }`, ""},
		{`/rm -rf/ { print "system(" $0 ")" }`, ""},
		{`{ print | "cat 1>&2" }`, "shell cat 1>&2"},
		{`# system("rm")` + "\n{ print $1 / 2 / 3 }", ""},
		{`{ gsub(/"/, ""); printf "%s\n", $2 }`, ""},
		{`BEGIN { while ((getline line < "a.txt") > 0) n++; print n }`, ""},
		{`{ a[$1] = a[$1] ? a[$1] "," $2 : $2 } END { for (k in a) print k, a[k] }`, ""},
		{`BEGIN { system("rm -rf out") }`, "shell rm -rf out"},
		{`{ system("rm " $1) }`, "shell rm $1\n! system runs a command that is not literal"},
		{`BEGIN { while (("npm run seed" | getline line) > 0) print line }`, "shell npm run seed"},
		{`BEGIN { "date" | getline d; print d }`, "shell date"},
		{`{ print $2 | "sh" }`, "shell sh"},
		{`{ print $1 / 2 > "half.csv"; s += $2 / 4 }`, "write half.csv"},
		{`{ print > "/srv/live/" $1 ".txt" }`, "write /srv/live/?"},
		{`{ print $0 >> "all.log" }`, "write all.log"},
		{`{ print "x" > "/dev/stderr" }`, ""},
		{`{ print > $1 }`, "write ?"},
		{`{ printf("%s", $1) > "o" }`, "write o"},
		{`{ f = "system"; @f("ls") }`, "! calls a function by its name in a variable"},
		{`{ print "a }`, "! unterminated string"},
	})
}

func TestSed(t *testing.T) {
	t.Parallel()
	testRows(t, "sed", []row{
		{`1,80p`, ""},
		{`/npm publish/p`, ""},
		{`s/we/e/g`, ""},
		{`s#/usr/w#/opt/e#`, ""},
		{`s/([0-9]+)-([0-9]+)/\2-\1/`, ""},
		{`s#/$##`, ""},
		{`/^\s*#/d;/^$/d`, ""},
		{`y/we/ew/`, ""},
		{`s/'/\"/g`, ""},
		{`$!N; s/\n/ /; P; D`, ""},
		{`/start/,/end/{s/a/b/;p}`, ""},
		{`5q`, ""},
		{`0~3d`, ""},
		{`1i\
w not a file
2d`, ""},
		{`a e rm -rf x`, ""},
		{`:a;N;$!ba;s/\n/,/g`, ""},
		{`s/[/]w/x/e2`, "shell x$1\n! s///e runs a command that is not literal"},
		{`s/[/x/`, "! unterminated command"},
		{`\,/tmp,d`, ""},
		{`# w file`, ""},
		{`r header.txt`, ""},
		{`/ERROR/w errors.txt`, "write errors.txt"},
		{`s/a/b/w /srv/live/out`, "write /srv/live/out"},
		{`s/a/b/gpw out`, "write out"},
		{`w /dev/stdout`, ""},
		{`1e git push origin main`, "shell git push origin main"},
		{`e`, "shell \n! e runs a command that is not literal"},
		{`s/.*/rm -rf &/e`, "shell \n! s///e runs a command that is not literal"},
		{`s/^.*$/date/e`, "shell date$1\n! s///e runs a command that is not literal"},
		{`s/a`, "! unterminated command"},
		{`K`, "! has the unknown command K"},
	})
}

func TestRuby(t *testing.T) {
	t.Parallel()
	testRows(t, "ruby", []row{
		{`puts 1 + 1`, ""},
		{`puts "rm -rf / is a string"`, ""},
		{`require 'json'; puts JSON.parse(File.read('a.json'))['name']`, ""},
		{`require "yaml"; p YAML.load_file("a.yml")`, ""},
		{`ARGF.each_line { |l| puts l.upcase if l =~ /git push/ }`, ""},
		{`puts Dir["*.rb"].sort.map { |f| File.size(f) }.sum`, ""},
		{`puts $stdin.read.scan(/\w+/).tally.sort_by { |k, v| -v }.first(5).inspect`, ""},
		{"# system('rm')\nputs 1", ""},
		{"=begin\nsystem('rm -rf x')\n=end\nputs 1", ""},
		{`puts %w[a b].join(","), %q(system "rm")`, ""},
		{`puts ENV["HOME"], ENV.fetch("X", "1")`, ""},
		{`a = [1, 2]; a.delete(1); puts a.length / 2`, ""},
		{`puts Time.now.strftime("%Y")`, ""},
		{`system("rm -rf tmp/cache")`, "shell rm -rf tmp/cache"},
		{`system "git", "push", "--force"`, "argv git|push|--force"},
		{"puts `git status`", "shell git status"},
		{`puts %x(git status)`, "shell git status"},
		{`exec "npm publish"`, "shell npm publish"},
		{`Kernel.system("npm publish")`, "shell npm publish"},
		{`require 'open3'; o, s = Open3.capture2("git", "push")`, "argv git|push"},
		{`IO.popen(["git", "push"])`, "argv git|push"},
		{`IO.popen("npm publish") { |io| puts io.read }`, "shell npm publish"},
		{`puts "#{` + "`npm publish`" + `}"`, "shell npm publish"},
		{`system({"A" => "1"}, "npm publish")`, "shell npm publish"},
		{`system("rm #{ARGV[0]}")`, "shell rm $1\n! system runs a command that is not literal"},
		{`send(:system, "npm publish")`, "shell npm publish"},
		{`open("|npm publish")`, "shell npm publish"},
		{`File.write("a.txt", "x")`, "write a.txt"},
		{`File.write "a.txt", "x"`, "write a.txt"},
		{`File.open("a", "w") { |f| f.puts "x" }`, "write a"},
		{`File.open("a") { |f| puts f.read }`, ""},
		{`f = "a.rb"; File.write(f, File.read(f).gsub(/x/, "y"))`, "write a.rb"},
		{`require 'fileutils'; FileUtils.rm_rf("build")`, "remove -r build"},
		{`require 'fileutils'; FileUtils.rm_rf %w[a b]`, "remove -r a\nremove -r b"},
		{`File.delete("a", "b")`, "remove a\nremove b"},
		{`%w[a b].each { |f| File.delete(f) }`, "remove a\nremove b"},
		{`Dir.glob("x/*").each { |f| File.delete(f) }`, "remove ?"},
		{`require 'pathname'; (Pathname.new("a") + "b").write("x")`, "write a/b"},
		{`File.rename("a", "b")`, "write a\nwrite b"},
		{`File.write(File.join("/srv", "live", "x"), "")`, "write /srv/live/x"},
		{`eval("1")`, "! calls eval"},
		{`require 'net/http'; puts 1`, "! requires net/http"},
		{`require_relative "lib/x"`, "! loads code by require_relative"},
		{`Object.const_get(:Kernel)`, "! calls Object.const_get"},
		{`puts "a`, "! unterminated string"},
		{"puts <<~EOS\n  system('rm')\nEOS\nputs 2", ""},
		{"puts <<~EOS\n  #{` rm -rf x`}\nEOS\n", "shell  rm -rf x"},
	})
}

func TestPerl(t *testing.T) {
	t.Parallel()
	testRows(t, "perl", []row{
		{`print 1 + 1, "\n";`, ""},
		{`s/foo/bar/g`, ""},
		{`print if /git push/`, ""},
		{`s{a/b}{c/d}; tr/a-z/A-Z/; print`, ""},
		{`my %h; while (<>) { $h{$_}++ } print "$_ $h{$_}" for sort keys %h`, ""},
		{`use strict; use warnings; use JSON::PP; print decode_json(do { local $/; <STDIN> })->{name}`, ""},
		{`print "system('rm -rf x')"`, ""},
		{`# system("rm")` + "\nprint 1", ""},
		{`open(my $f, '<', 'a.txt') or die; print while <$f>;`, ""},
		{`my @a = split /,/, $_; print $a[0] / 2`, ""},
		{`printf("%d\n", scalar(@ARGV))`, ""},
		{`BEGIN { $/ = undef } s/a\nb/c/; print`, ""},
		{`print "ok" if -s $file`, ""},
		{`s/(\d+)/$1+1/e`, ""},
		{`eval { die "x" }; print $@`, ""},
		{`system("rm -rf dist")`, "shell rm -rf dist"},
		{`system "rm", "-rf", "dist"`, "argv rm|-rf|dist"},
		{`exec 'npm publish'`, "shell npm publish"},
		{"print `git status`", "shell git status"},
		{`my $o = qx{git push}; print $o`, "shell git push"},
		{`system qw(git push --force)`, "argv git|push|--force"},
		{`open(my $p, "-|", "git", "log")`, "argv git|log"},
		{`open(P, "npm publish |")`, "shell npm publish"},
		{`open P, "| sendmail -t"`, "shell sendmail -t"},
		{`s/x/system("npm publish")/e`, "shell npm publish"},
		{`system("rm $f")`, "shell rm $1\n! system runs a command that is not literal"},
		{`print "@{[ system('npm publish') ]}"`, "shell npm publish"},
		{`unlink "a", "b"`, "remove a\nremove b"},
		{`unlink glob("x/*")`, "remove x/?"},
		{`use File::Path; rmtree("build")`, "remove -r build"},
		{`use File::Copy; move("a", "b"); copy("c", "d")`, "write a\nwrite b\nwrite d"},
		{`open(my $f, '>', 'a.txt'); print $f "x"`, "write a.txt"},
		{`open(F, ">>a.log") || die`, "write a.log"},
		{`my $p = "a"; open(my $f, ">", "$p/b")`, "write a/b"},
		{`rename "a", "b"`, "write a\nwrite b"},
		{`mkdir "/srv/live/x"`, "write /srv/live/x"},
		{`foreach my $f ("a", "b") { unlink $f }`, "remove a\nremove b"},
		{`eval "1"`, "! calls eval"},
		{`eval $x`, "! calls eval"},
		{`s/x/y/ee`, "! evaluates a replacement twice"},
		{`/(?{ system("rm") })/`, "! runs code in a pattern"},
		{`use LWP::Simple; get("http://a.test")`, "! uses LWP::Simple"},
		{`&{"system"}("ls")`, "! calls a function by its name in a variable"},
		{`do "x.pl"`, "! runs another file"},
		{`print "a`, "! unterminated string"},
	})
}

func TestPHP(t *testing.T) {
	t.Parallel()
	testRows(t, "php", []row{
		{`echo 1 + 1;`, ""},
		{`echo phpversion(), PHP_EOL;`, ""},
		{`print_r(json_decode(file_get_contents("composer.json"), true)["require"]);`, ""},
		{`echo "system('rm -rf x')";`, ""},
		{`// unlink("a")` + "\necho 1;", ""},
		{`foreach (range(1,3) as $i) { echo $i, "\n"; }`, ""},
		{`var_dump(array_map(fn($x) => $x * 2, [1,2]));`, ""},
		{`echo preg_replace('/a/', 'b', "abc");`, ""},
		{`<?php echo date("Y"); ?> unlink("a")`, ""},
		{`$a = ["x" => 1]; echo $a["x"] / 2;`, ""},
		{`unlink("a");`, "remove a"},
		{`file_put_contents('/srv/live/a.html', 'x');`, "write /srv/live/a.html"},
		{`file_put_contents(__DIR__ . '/a', 'x');`, "write ./a"},
		{`$f = 'a'; file_put_contents($f, str_replace('x', 'y', file_get_contents($f)));`, "write a"},
		{`file_put_contents("$dir/a", "x");`, "write ?"},
		{`fclose(fopen("a", "w")); fopen("b", "r");`, "write a"},
		{`array_map('unlink', glob('x/*'));`, "remove ?"},
		{`foreach (glob('x/*') as $f) unlink($f);`, "remove x/?"},
		{`rename("a", "b"); copy("c", "d"); mkdir("e");`, "write a\nwrite b\nwrite d\nwrite e"},
		{`exec("npm publish");`, "shell npm publish"},
		{`echo shell_exec('git status');`, "shell git status"},
		{"echo `git status`;", "shell git status"},
		{`passthru("rm -rf " . $argv[1]);`, "shell rm -rf $1\n! passthru runs a command that is not literal"},
		{`proc_open(["git", "push"], [], $p);`, "argv git|push"},
		{`$f = "system"; $f("npm publish");`, "shell npm publish"},
		{`$f = $argv[1]; $f("npm publish");`, "! calls a function by its name in a variable"},
		{`call_user_func("system", "npm publish");`, "shell npm publish"},
		{`eval("1;");`, "! calls eval"},
		{`include "x.php";`, "! includes a file"},
		{`mail("a@b.test", "s", "b");`, "network a@b.test\n! reaches the network: mail"},
		{`file_get_contents("https://a.test");`, "network https://a.test\n! reaches the network: file_get_contents"},
		{`new PDO("sqlite:a");`, "! uses PDO"},
		{`SYSTEM("npm publish");`, "shell npm publish"},
		{`echo "a`, "! unterminated string"},
	})
}

// langs are all the languages that are read.
var langs = []string{"python", "node", "ruby", "perl", "php", "awk", "sed"}

// TestCommentsAreFree holds the law that code in a comment or a string is none.
func TestCommentsAreFree(t *testing.T) {
	t.Parallel()
	acts := map[string]string{
		"python": "import os; os.system('rm -rf x')", "node": "require('child_process').execSync('rm -rf x')",
		"ruby": "system('rm -rf x')", "perl": "system('rm -rf x')", "php": "system('rm -rf x');", "awk": `BEGIN { system("rm") }`,
	}
	for lang, code := range acts {
		if r := Read(lang, code); len(r.Effects) != 1 {
			t.Errorf("%s: %s: effects %v", lang, code, r.Effects)
		}
		mark := "# "
		if lang == "node" || lang == "php" {
			mark = "// "
		}
		quoted := `print "` + strings.ReplaceAll(code, `"`, `\"`) + `"`
		switch lang {
		case "python", "node":
			quoted = strings.Replace(quoted, "print ", "x = ", 1)
		case "php":
			quoted += ";"
		case "awk":
			quoted = "{ " + quoted + " }"
		}
		for _, src := range []string{mark + code, quoted} {
			if r := Read(lang, src); len(r.Effects) > 0 || !r.Readable {
				t.Errorf("%s: %s: %s", lang, src, render(r))
			}
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	if r := Read("cobol", "STOP RUN."); r.Readable || r.Why == "" {
		t.Errorf("a language nobody reads: %+v", r)
	}
	if r := Read("python", strings.Repeat("#", maxBytes+1)); r.Readable {
		t.Error("code past the bound counts as read")
	}
	for _, lang := range []string{"python3.12", "nodejs", "gawk", "deno", "bun", "gsed", "perl5"} {
		if r := Read(lang, ""); !r.Readable {
			t.Errorf("%s: %s", lang, r.Why)
		}
	}
}

// FuzzRead holds every language's reader to: no panic, and a reason wherever the
// code was not read.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"import os as o, sys\nfrom a.b import (c as d, e)\nwith open(f'{x!r:>{w}}', 'w') as f: [g(h) for h in (i, *j)]",
		"const {a: b, ...c} = require('x'); for (const [k, v] of m) { `${`${k}`}`; /[/]x/g.test(a?.b[c]) }",
		"x = <<~A + %w[a b].map { |y| \"#{y}\" }.join(' ')\n  #{z}\nA\nFile.open 'a', 'w' do |f| end",
		"my ($a, %b) = @_; s{a}{b($1)}ge; open(my $f, '>', \"$a/$b{c}\") or die; print {$f} <<\"E\";\n@{[ d ]}\nE\n",
		"<?php foreach ($a as $k => $v) { echo \"{$a['b']} $v[0]\", <<<E\n $x\n E; } ?> text",
		`BEGIN { while (("a" b | getline c) > 0) print c > "d" e } /x[/]/ && !f[$1]++`,
		"1,$s/[]/x]\\/\\n/\\1/gw a\n/b/{y/a/b/;e\n}",
	} {
		for i := range langs {
			f.Add(uint8(i), s)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, src string) {
		r := Read(langs[int(i)%len(langs)], src)
		if r.Readable != (r.Why == "") {
			t.Errorf("readable %v, why %q", r.Readable, r.Why)
		}
	})
}

// TestLarge holds the readers to linear work: inputs that repeat one piece. What
// is quadratic takes minutes here.
func TestLarge(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"(", "[", "{", "'", "\"", "`", "/", "/[", "f'{", "${", "#{", "\"#{", "`${", "'a'+", "a.", "a(", "a=", "a\n", "$a", "s/a/b/", "q(", "<<A\n", "<<<A\n", "%w[", "lambda ", "import a;", "def a(", "print \"x\" > ", "|", "w a\n", "y/a/b/;", "@{[", "for a in b:", "=>", "/*", "a:", "x ", "a,"} {
		src := strings.Repeat(piece, (1<<16)/len(piece))
		for _, lang := range langs {
			Read(lang, src)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, lang := range []string{"python", "node", "awk", "sed"} {
		src := map[string]string{
			"python": "import json; print(json.load(open('/srv/live/acme/settings.json'))['theme'])",
			"node":   "const fs = require('fs'); console.log(JSON.parse(fs.readFileSync('a.json')).version)",
			"awk":    "NR>1 {s+=$4} END {print s}", "sed": "s/a/b/g;1,20p",
		}[lang]
		b.Run(lang, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(lang, src)
			}
		})
	}
}
