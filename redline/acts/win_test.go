package acts

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// winSink is a sink for tests: it renders acts and reads nested Windows text.
type winSink struct {
	out   []string
	dir   Word
	env   map[string]string
	via   []string
	depth int
}

func (s *winSink) Emit(a Act) int {
	s.out = append(s.out, winRender(a, s.via))
	return len(s.out) - 1
}

func (s *winSink) Nested(d Dialect, src string, dir Word, via []string) {
	if s.depth >= 16 {
		return
	}
	if d == Bourne {
		s.out = append(s.out, "bourne: "+src)
		return
	}
	outer, at := s.via, s.dir
	s.via = append(append([]string(nil), outer...), via...)
	s.depth++
	readWindows(d, src, s)
	s.depth--
	s.via, s.dir = outer, at
}

func (s *winSink) Dir() Word     { return s.dir }
func (s *winSink) SetDir(w Word) { s.dir = w }
func (s *winSink) Lookup(n string) (string, bool) {
	v, ok := s.env[n]
	return v, ok
}
func (s *winSink) More() bool { return len(s.out) < 10_000 }

func winRenderWord(w Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p.Kind {
		case Lit, Glob:
			b.WriteString(p.Text)
		case Unset:
			b.WriteString("<unset " + p.Text + ">")
		case Opaque:
			b.WriteString("<#>")
		case TempPath:
			b.WriteString("<fresh>")
		default:
			b.WriteString("<?>")
		}
	}
	if b.Len() == 0 {
		return `""`
	}
	return b.String()
}

func winRender(a Act, via []string) string {
	var b strings.Builder
	if a.Kind != Run {
		b.WriteString(a.Kind.String() + ": ")
	}
	for i, w := range a.Argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(winRenderWord(w))
	}
	if a.Kind == Write || a.Kind == Remove {
		b.WriteString(winRenderWord(a.Target))
	}
	if a.Recursive {
		b.WriteString(" -r")
	}
	if a.Kind == Unread {
		b.WriteString(a.Why)
	}
	if a.Appended {
		b.WriteString(" ...")
	}
	for _, r := range a.Redirs {
		b.WriteString([...]string{" <", " >", " >>", " <>"}[r.Op] + winRenderWord(r.Target))
	}
	if a.Stdin.HasText {
		b.WriteString(" <<" + winRenderWord(a.Stdin.Text))
	}
	if v := append(append([]string(nil), via...), a.Via...); len(v) > 0 {
		b.WriteString(" via " + strings.Join(v, ", "))
	}
	if a.Remote != "" {
		b.WriteString(" on " + a.Remote)
	}
	return b.String()
}

func winEncode(s string) string {
	var raw []byte
	for _, u := range utf16.Encode([]rune(s)) {
		raw = append(raw, byte(u), byte(u>>8))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func winTestRead(d Dialect, src string) []string {
	s := &winSink{dir: Text("C:/src/tool"), env: map[string]string{
		"TEMP": `C:\Users\dev\AppData\Local\Temp`, "USERPROFILE": `C:\Users\dev`,
	}}
	readWindows(d, src, s)
	return s.out
}

type winRow struct {
	src  string
	want []string
}

func winTestRows(t *testing.T, d Dialect, rows []winRow) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.src, func(t *testing.T) {
			t.Parallel()
			if got := winTestRead(d, tt.src); !slices.Equal(got, tt.want) {
				t.Errorf("%s\ngot:\n  %s\nwant:\n  %s", tt.src, strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
			}
		})
	}
}

func TestPowerShell(t *testing.T) {
	t.Parallel()
	const temp = `C:\Users\dev\AppData\Local\Temp`
	winTestRows(t, PowerShell, []winRow{
		// Names, aliases, parameters.
		{`Remove-Item -Recurse -Force .\build`, []string{`Remove-Item -Recurse -Force .\build`}},
		{`ri .\dist -Rec -Fo`, []string{`Remove-Item .\dist -Recurse -Force`}},
		{`rm -r -force x`, []string{`Remove-Item -Recurse -Force x`}},
		{`ri .\api -r`, []string{`Remove-Item .\api -Recurse`}},
		{`del a, b,c`, []string{`Remove-Item a b c`}},
		{`remove-item x`, []string{`Remove-Item x`}},
		{`Microsoft.PowerShell.Management\Remove-Item x`, []string{`Remove-Item x`}},
		{`Remove-Item -Path:x -Recurse:$false -Force:$true`, []string{`Remove-Item -Path x -Force`}},
		{`Remove-Item x -WhatIf`, []string{`Remove-Item x -WhatIf`}},
		{`Remove-Item x -wi`, []string{`Remove-Item x -WhatIf`}},
		{`Remove-Item x -WhatIf:$false`, []string{`Remove-Item x`}},
		{`Remove-Item x -ErrorAction SilentlyContinue`, []string{`Remove-Item x -ErrorAction SilentlyContinue`}},
		{`Copy-Item .\out\karte.html S:\clients\acme\index.html -Force`, []string{`Copy-Item .\out\karte.html S:\clients\acme\index.html -Force`}},
		{`cp a b -Dest c`, []string{`Copy-Item a b -Destination c`}},
		{`Clear-Content .\CHANGES.md`, []string{`Clear-Content .\CHANGES.md`}},
		{`get-foobar -x 1`, []string{`Get-Foobar -x 1`}},
		{`git.exe push origin main`, []string{`bourne: git.exe push origin main`}},
		{`msbuild /t:Build app.sln`, []string{`msbuild /t:Build app.sln`}},
		{`git log --format=%h,%s -1`, []string{`bourne: git log --format=%h,%s -1`}},
		{`git stash drop stash@{0}`, []string{`bourne: git stash drop 'stash@{0}'`}},
		{`prog --% -rf "a b"`, []string{`prog -rf a b`}},

		// Quotes, escapes, comments, here-strings.
		{`Write-Host 'Use Remove-Item -Recurse -Force .\build to clean'`, []string{`Write-Host Use Remove-Item -Recurse -Force .\build to clean`}},
		{"Write-Host \"a `\"b`\" `$x\"", []string{`Write-Host a "b" $x`}},
		{`Write-Host 'it''s'`, []string{`Write-Host it's`}},
		{"# Remove-Item x\nGet-Date", []string{`Get-Date`}},
		{"<# Remove-Item x #> Get-Date", []string{`Get-Date`}},
		{"@'\nRemove-Item x\n'@ | Set-Content a.ps1", []string{`Set-Content a.ps1 <<Remove-Item x`}},
		{"$d = 'x'\n@\"\n$d y\n\"@ | Out-File a", []string{`Out-File a <<x y`}},
		{"Remove-Item `\n  -Recurse `\n  x", []string{`Remove-Item -Recurse x`}},
		{"git commit -m 'Remove-Item -Recurse'", []string{`bourne: git commit -m 'Remove-Item -Recurse'`}},

		// Pipelines.
		{`Get-ChildItem *.log | Remove-Item`, []string{`Get-ChildItem *.log`, `Remove-Item *.log`}},
		{`Get-ChildItem C:\a -Recurse | Remove-Item -Force`, []string{`Get-ChildItem C:\a -Recurse`, `Remove-Item -Force C:\a\*`}},
		{`gci C:\a | ? { $_.Length -gt 5 } | ri`, []string{`Get-ChildItem C:\a`, `Remove-Item C:\a\*`}},
		{`Get-ChildItem $env:TEMP\x | ForEach-Object { Remove-Item $_.FullName }`, []string{`Get-ChildItem ` + temp + `\x`, `Remove-Item ` + temp + `\x\* via ForEach-Object`}},
		{`'a','b' | % { ri $_ }`, []string{`Remove-Item a via ForEach-Object`, `Remove-Item b via ForEach-Object`}},
		{`Get-Process node | Format-Table Id, CPU`, []string{`Get-Process node`, `Format-Table Id CPU`}},
		{`Get-Content .\a.txt | Set-Content .\b.txt`, []string{`Get-Content .\a.txt`, `Set-Content .\b.txt`}},
		{`foo | Remove-Item`, []string{`foo`, `Remove-Item ...`}},
		{`gci a | Move-Item -Destination b`, []string{`Get-ChildItem a`, `Move-Item -Destination b -Path a\*`}},
		{`Get-Item x | % Delete`, []string{`Get-Item x`, `remove: x`}},

		// Separators and redirections.
		{`Get-Date; Remove-Item x`, []string{`Get-Date`, `Remove-Item x`}},
		{"Get-Date\nRemove-Item x", []string{`Get-Date`, `Remove-Item x`}},
		{`dotnet build && Remove-Item x`, []string{`dotnet build`, `Remove-Item x`}},
		{`dotnet build || Remove-Item x`, []string{`dotnet build`, `Remove-Item x`}},
		{`Get-Process > procs.txt`, []string{`Get-Process >procs.txt`}},
		{`Get-Process 2>$null`, []string{`Get-Process >$null`}},
		{`'x' >> a.txt`, []string{`land:  >>a.txt`}},
		{`dotnet build 2>&1 | Tee-Object log.txt`, []string{`dotnet build`, `Tee-Object log.txt`}},

		// Variables.
		{`$d = "$env:TEMP\x"; Remove-Item -Recurse $d`, []string{`Remove-Item -Recurse ` + temp + `\x`}},
		{`$d = Join-Path $env:TEMP 'x'; ri $d -r`, []string{`Join-Path ` + temp + ` x`, `Remove-Item ` + temp + `\x -Recurse`}},
		{`ri (Join-Path $env:TEMP x) -r`, []string{`Join-Path ` + temp + ` x`, `Remove-Item ` + temp + `\x -Recurse`}},
		{`ri "$d\x" -r`, []string{`Remove-Item <unset $d>\x -Recurse`}},
		{`$d = Get-Foo; ri "$d\x"`, []string{`Get-Foo`, `Remove-Item <?>\x`}},
		{`$env:X = 'a'; ri $env:X`, []string{`Remove-Item a`}},
		{`ri $env:NOPE\x`, []string{`Remove-Item <unset $env:NOPE>\x`}},
		{`$a = 'x'; $a += '\y'; ri $a`, []string{`Remove-Item x\y`}},
		{`$a = 'x','y'; ri $a`, []string{`Remove-Item x y`}},
		{`ri ('x' + '\y')`, []string{`Remove-Item x\y`}},
		{`ri ('{0}\{1}' -f 'x','y')`, []string{`Remove-Item x\y`}},
		{`[string]$p = 'x'; ri $p`, []string{`Remove-Item x`}},
		{`ri "$($env:TEMP)\x"`, []string{`Remove-Item ` + temp + `\x`}},
		{`ri ${env:TEMP}\x`, []string{`Remove-Item ` + temp + `\x`}},
		{`$p = @{ Path = 'x'; Recurse = $true }; Remove-Item @p`, []string{`Remove-Item -Path x -Recurse`}},
		{`Remove-Item @nope`, []string{`Remove-Item <?>`}},
		{`ri $HOME\x`, []string{`Remove-Item C:\Users\dev\x`}},
		{`$t = New-TemporaryFile; ri $t`, []string{`New-TemporaryFile`, `Remove-Item <fresh>`}},
		{`ri "$env:TEMP\$(New-Guid)"`, []string{`New-Guid`, `Remove-Item ` + temp + `\<#>`}},
		{`Remove-Item Env:\FOO`, []string{`Remove-Variable Env:\FOO`}},
		{`Invoke-RestMethod -Uri https://api.example.test/v1/jobs -Method Post -Body $json -ContentType 'application/json'`,
			[]string{`Invoke-RestMethod -Uri https://api.example.test/v1/jobs -Method Post -Body <unset $json> -ContentType application/json`}},
		{`irm https://a.test -Me POST -Bo @{a=1}`, []string{`Invoke-RestMethod https://a.test -Method POST -Body <?>`}},

		// Blocks.
		{`if (Test-Path .\out) { Remove-Item .\out -Recurse -Force }`, []string{`Test-Path .\out`, `Remove-Item .\out -Recurse -Force`}},
		{`if ($x) { ri a } elseif ($y) { ri b } else { ri c }`, []string{`Remove-Item a`, `Remove-Item b`, `Remove-Item c`}},
		{`foreach ($f in 'a','b') { ri $f }`, []string{`Remove-Item a`, `Remove-Item b`}},
		{`foreach ($f in Get-ChildItem C:\a) { ri $f }`, []string{`Get-ChildItem C:\a`, `Remove-Item C:\a\*`}},
		{`for ($i = 0; $i -lt 3; $i++) { ri "a$i" }`, []string{`Remove-Item a0`}},
		{`while ($true) { ri a; break }`, []string{`Remove-Item a`}},
		{`do { ri a } while ($x)`, []string{`Remove-Item a`}},
		{`switch ($x) { 'a' { ri a } default { ri b } }`, []string{`Remove-Item a`, `Remove-Item b`}},
		{`try { ri a } catch [IO.IOException] { ri b } finally { ri c }`, []string{`Remove-Item a`, `Remove-Item b`, `Remove-Item c`}},
		{`function Clean { Remove-Item x }`, nil},
		{`function Clean { param($p) Remove-Item $p }; Clean x`, []string{`Remove-Item x`}},
		{`function Clean($p) { Remove-Item $p }; Clean -p x`, []string{`Remove-Item x`}},
		{`$sb = { Remove-Item x }`, nil},
		{`$sb = { Remove-Item x }; & $sb`, []string{`Remove-Item x`}},
		{`& { Remove-Item x }`, []string{`Remove-Item x`}},
		{`& "C:\Program Files\Git\bin\git.exe" push`, []string{`bourne: 'C:\Program Files\Git\bin\git.exe' push`}},
		{`. .\tools.ps1`, []string{`.\tools.ps1`}},
		{`Invoke-Command -ComputerName web01 { Remove-Item x }`, []string{`Remove-Item x via Invoke-Command on Invoke-Command web01`}},
		{`icm -ScriptBlock { Remove-Item $args[0] } -Arg x`, []string{`Remove-Item <?> via Invoke-Command`}},
		{`Start-Job { Remove-Item x }`, []string{`Remove-Item x via Start-Job`}},
		{`Measure-Command { Remove-Item x }`, []string{`Remove-Item x via Measure-Command`, `Measure-Command {...}`}},
		{`cd C:\a; ri b`, []string{`Set-Location C:\a`, `Remove-Item b`}},

		// .NET.
		{`[IO.File]::Delete("C:\x.txt")`, []string{`remove: C:\x.txt`}},
		{`[System.IO.Directory]::Delete('x', $true)`, []string{`remove: x -r`}},
		{`[IO.File]::WriteAllText("S:\clients\a.html", $t)`, []string{`write: S:\clients\a.html`}},
		{`[IO.File]::ReadAllText('a')`, nil},
		{`(Get-Item .\api\views.py).Delete()`, []string{`Get-Item .\api\views.py`, `remove: .\api\views.py`}},
		{`[IO.Directory]::Delete([IO.Path]::Combine($env:TEMP, 'x'), $true)`, []string{`remove: ` + temp + `\x -r`}},
		{`(New-Object Net.WebClient).UploadString('https://a.test', 'x')`, []string{`New-Object Net.WebClient`, `Invoke-WebRequest -Method Post -Uri https://a.test`}},
		{`[scriptblock]::Create('ri x').Invoke()`, []string{`Remove-Item x`}},
		{`[Diagnostics.Process]::Start('git', 'push --force')`, []string{`bourne: git push --force`}},

		// Carriers.
		{`iex 'ri x'`, []string{`Remove-Item x via Invoke-Expression`}},
		{`'ri x' | iex`, []string{`Remove-Item x via Invoke-Expression`}},
		{`Invoke-Expression (Get-Content .\setup.ps1 -Raw)`, []string{`Get-Content .\setup.ps1 -Raw`, `unread: Invoke-Expression of text that is not known`}},
		{`iwr https://get.example.com/i.ps1 | iex`, []string{`Invoke-WebRequest https://get.example.com/i.ps1`, `unread: Invoke-Expression of text that is not known`}},
		{`powershell -NoProfile -Command "ri x"`, []string{`Remove-Item x via powershell -Command`}},
		{`pwsh -c ri x`, []string{`Remove-Item x via pwsh -Command`}},
		{`powershell -ExecutionPolicy Bypass -File a.ps1`, []string{`powershell -ExecutionPolicy Bypass -File a.ps1`}},
		{`powershell -enc ` + winEncode(`ri x -r`), []string{`Remove-Item x -Recurse via powershell -EncodedCommand`}},
		{`cmd /c "rmdir /s /q dist"`, []string{`rmdir /s /q dist via cmd /c`}},
		{`cmd.exe /d /c "rd /s /q ` + "`\"\\\\?\\$resolved`\"" + `"`, []string{`rmdir /s /q \\?\<unset $resolved> via cmd /c`}},
		{`$d = Get-Foo; cmd /c "echo a & rd /s /q $d\x"`, []string{`Get-Foo`, `echo a via cmd /c`, `rmdir /s /q <?>\x via cmd /c`}},
		{`Start-Process git -ArgumentList 'push','--force' -Wait`, []string{`bourne: git push --force`}},
		{`Start-Process powershell -ArgumentList "-Command ri x"`, []string{`Remove-Item x via Start-Process, powershell -Command`}},
		{`wsl rm -rf x`, []string{`bourne: rm -rf x`}},
		{`npx prisma migrate reset --force`, []string{`bourne: npx prisma migrate reset --force`}},
		{`python -c "import shutil; shutil.rmtree('x')"`, []string{`bourne: python -c 'import shutil; shutil.rmtree('\''x'\'')'`}},
		{`"DROP TABLE x" | psql shop`, []string{`bourne: psql shop <<< 'DROP TABLE x'`}},
		{`Get-Help Remove-Item -Examples`, []string{`Get-Help Remove-Item -Examples`}},
		{`Select-String -Path scripts\*.ps1 -Pattern 'Remove-Item -Recurse'`, []string{`Select-String -Path scripts\*.ps1 -Pattern Remove-Item -Recurse`}},
		{`"unterminated`, []string{`unread: a string without an end`}},
	})
}

func TestCmd(t *testing.T) {
	t.Parallel()
	const temp = `C:\Users\dev\AppData\Local\Temp`
	winTestRows(t, Cmd, []winRow{
		{`del /s /q *.obj`, []string{`del /s /q *.obj`}},
		{`rd/s/q dist`, []string{`rmdir /s /q dist`}},
		{`erase /s/q a`, []string{`del /s /q a`}},
		{`RMDIR /S /Q "%TEMP%\x"`, []string{`rmdir /S /Q ` + temp + `\x`}},
		{`rd /s /q %NOPE%\x`, []string{`rmdir /s /q <unset %NOPE%>\x`}},
		{`set D=%TEMP%\x& rd /s /q %D%`, []string{`rmdir /s /q ` + temp + `\x`}},
		{`set "D=a b" && rd /s /q "%D%"`, []string{`rmdir /s /q a b`}},
		{`set D=abc&echo %D:b=x%`, []string{`echo axc`}},
		{`set /p D=name: & rd /s /q %D%`, []string{`rmdir /s /q <?>`}},
		{`echo rd /s /q dist`, []string{`echo rd /s /q dist`}},
		{`echo a ^& del b`, []string{`echo a & del b`}},
		{`echo "a & del b"`, []string{`echo a & del b`}},
		{`rem del /s /q *`, nil},
		{`:: del /s /q *`, nil},
		{"@echo off\ndel a", []string{`echo off`, `del a`}},
		{`cd /d S:\clients && del a`, []string{`cd /d S:\clients`, `del a`}},
		{`dir /b 2>nul`, []string{`dir /b >nul`}},
		{`type a.txt > S:\x.txt`, []string{`type a.txt >S:\x.txt`}},
		{`echo x>>a.log`, []string{`echo x >>a.log`}},
		{`if exist dist rd /s /q dist`, []string{`rmdir /s /q dist`}},
		{`if not exist dist (mkdir dist) else (rd /s /q dist)`, []string{`mkdir dist`, `rmdir /s /q dist`}},
		{`if "%X%"=="1" del a`, []string{`del a`}},
		{`if /i %X% EQU 1 del a`, []string{`del a`}},
		{`for %f in (a b) do del %f`, []string{`del a`, `del b`}},
		{`for %%f in (*.obj) do del "%%f"`, []string{`del *.obj`}},
		{`for /d %d in (*) do rd /s /q %d`, []string{`rmdir /s /q *`}},
		{`for /f "tokens=1" %i in ('git rev-parse HEAD') do echo %i`, []string{`bourne: git rev-parse HEAD`, `echo <?>`}},
		{`for /l %i in (1,1,3) do echo %i`, []string{`echo <#>`}},
		{`call del a`, []string{`del a via call`}},
		{`call build.bat x`, []string{`build.bat x via call`}},
		{`start "" /b notepad a`, []string{`notepad a via start`}},
		{`git push --force`, []string{`bourne: git push --force`}},
		{`robocopy a S:\b /mir`, []string{`robocopy a S:\b /mir`}},
		{`copy /y a S:\b`, []string{`copy /y a S:\b`}},
		{`powershell -Command "ri x"`, []string{`Remove-Item x via powershell -Command`}},
		{`powershell -Command Remove-Item -Recurse x`, []string{`Remove-Item -Recurse x via powershell -Command`}},
		{`cmd /c rd /s /q %NOPE%`, []string{`rmdir /s /q <unset %NOPE%> via cmd /c`}},
		{`cmd /c rd /s /q x`, []string{`rmdir /s /q x via cmd /c`}},
		{`cmd /c "rd /s /q x & del y"`, []string{`rmdir /s /q x via cmd /c`, `del y via cmd /c`}},
		{`forfiles /p a /c "cmd /c del @file"`, []string{`del @file via forfiles, cmd /c`}},
		{`echo y|del *`, []string{`echo y`, `del * <<y`}},
		{`echo DROP TABLE x | mysql -u root`, []string{`echo DROP TABLE x`, `bourne: mysql -u root <<< 'DROP TABLE x'`}},
		{`(del a & del b) > log.txt`, []string{`del a`, `del b`, `land:  >log.txt`}},
		{`S: & del a`, []string{`del a`}},
		{`wsl -d Ubuntu -- rm -rf x`, []string{`bourne: rm -rf x`}},
		{`setlocal enabledelayedexpansion & set D=x& rd /s /q !D!`, []string{`rmdir /s /q x`}},
		{"del ^\n a", []string{`del a`}},
	})
}

func TestLooksWindows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src  string
		want Dialect
	}{
		{`Get-ChildItem -Recurse`, PowerShell},
		{`get-childitem .`, PowerShell},
		{`rm -Recurse -Force x`, PowerShell},
		{`rm -rf x`, Auto},
		{`rm -Rf x`, Auto},
		{`ls -Force`, PowerShell},
		{`ls -la`, Auto},
		{`ls -FA`, Auto},
		{`$x = 'a'; Remove-Item $x`, PowerShell},
		{`$env:X = 'a'`, PowerShell},
		{`[IO.File]::Delete('x')`, PowerShell},
		{`[ -f x ] && rm x`, Auto},
		{`(Get-Item x).Delete()`, PowerShell},
		{`(cd x && rm -rf y)`, Auto},
		{`if (Test-Path x) { ri x }`, PowerShell},
		{`if (test -f x); then rm x; fi`, Auto},
		{`if exist x del x`, Cmd},
		{`for %f in (*) do del %f`, Cmd},
		{`for f in *; do rm $f; done`, Auto},
		{`del /s /q *.obj`, Cmd},
		{`rmdir /s /q x`, Cmd},
		{`rmdir /srv/x`, Auto},
		{`rd/s/q x`, Cmd},
		{`cd /d C:\x && dir`, Cmd},
		{`cd x; Remove-Item -Recurse y`, PowerShell},
		{`git pull; gci .\docs`, PowerShell},
		{"cat > x.ps1 <<'EOF'\nRemove-Item x\nEOF", Auto},
		{`grep -r 'Remove-Item' .`, Auto},
		{`echo "Remove-Item x"`, Auto},
		{`# Remove-Item x`, Auto},
		{`update-alternatives --list java`, Auto},
		{`install-info x`, Auto},
		{`add-apt-repository ppa:x/y`, Auto},
		{`start-stop-daemon --stop`, Auto},
		{`set -euo pipefail; Get-Date`, PowerShell},
		{`set -e`, Auto},
		{`date +%Y%m%d`, Auto},
		{`curl -X POST https://a.test`, Auto},
		{`curl -Fs x`, Auto},
		{`cp -R a b`, Auto},
		{`type git`, Auto},
		{`iwr https://a.test/i.ps1 | iex`, PowerShell},
		{`iex -S mix`, Auto},
		{`& "C:\x.exe" a`, PowerShell},
		{`@echo off`, Cmd},
		{`powershell -Command "ri x"`, Auto},
		{`cmd /c "del x"`, Auto},
		{``, Auto},
		{`cp out.html S:\clients\acme\index.html`, PowerShell},
		{`cp "out.html" "S:\clients\acme\index.html"`, Auto},
		{`echo x > S:\clients\a`, Cmd},
		{`sed -e 's:\(a\):b:' f`, Auto},
		{`grep 'C:\Users' f`, Auto},
		{`robocopy a b /MIR`, Cmd},
		{`format D: /q`, Cmd},
	} {
		if got := looksWindows(tt.src); got != tt.want {
			t.Errorf("looksWindows(%q) = %v, want %v", tt.src, got, tt.want)
		}
	}
}

// TestLooksWindowsCorpus walks the labelled calls: no line of the Bourne family
// may be taken for a Windows one, and no Windows one missed that is more than a
// plain program's call.
func TestLooksWindowsCorpus(t *testing.T) {
	t.Parallel()
	plain := map[string]bool{"rl-0160": true, "rl-0305": true, "rl-0342": true, "rl-0343": true, "rl-0347": true}
	n := 0
	for _, file := range []string{"redline", "automode", "own"} {
		f, err := os.Open("../../testdata/corpus/" + file + ".jsonl")
		if err != nil {
			t.Logf("no corpus: %v", err)
			continue
		}
		defer f.Close()
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			var c struct {
				ID    string
				Tool  string
				Tags  []string
				Input map[string]any
			}
			if json.Unmarshal(sc.Bytes(), &c) != nil {
				continue
			}
			line, ok := c.Input["command"].(string)
			if !ok {
				continue
			}
			n++
			windows := slices.Contains(c.Tags, "windows") && !plain[c.ID]
			ps := c.Tool == "PowerShell"
			got := dialectOf(line, false)
			// The project's own cases tag programs of Windows too; these are read as
			// any program is.
			if windows && got == Auto && file != "own" {
				t.Errorf("%s: not taken for Windows: %s", c.ID, line)
			}
			if !windows && !ps && !slices.Contains(c.Tags, "windows") && got != Auto {
				t.Errorf("%s: taken for %v: %s", c.ID, got, line)
			}
		}
	}
	if n == 0 {
		t.Skip("the corpus is not there")
	}
}

// TestCmdlets holds the table to its order, which the search needs, and to
// parameters that can be told apart.
func TestCmdlets(t *testing.T) {
	t.Parallel()
	for i := range winCmdlets {
		c := &winCmdlets[i]
		if got := winLookup(strings.ToUpper(c.name)); got != c {
			t.Errorf("%s is not found by its name: the table is out of order", c.name)
		}
		if !winVerbNoun(c.name) {
			t.Errorf("%s has no cmdlet's name", c.name)
		}
		seen := map[string]bool{}
		for _, p := range strings.Fields(c.params) {
			bare := strings.TrimPrefix(p, "-")
			if seen[strings.ToLower(bare)] {
				t.Errorf("%s has %s twice", c.name, bare)
			}
			seen[strings.ToLower(bare)] = true
			full, isSwitch, ok := c.winParam(strings.ToLower(bare))
			if !ok || full != "-"+bare || isSwitch != (bare != p) {
				t.Errorf("%s %s: got %s, switch %v, %v", c.name, p, full, isSwitch, ok)
			}
		}
	}
}

// BenchmarkLooksWindows runs on every line that is read, so it has to be cheap
// on those of the Bourne family.
func BenchmarkLooksWindows(b *testing.B) {
	lines := []string{
		`git status --short && git diff --stat | head -20`, `rm -rf "$TMPDIR/x"`, `for f in *.go; do gofmt -l "$f"; done`,
		"cat > a.md <<'EOF'\nsome text\nEOF", `grep -rn 'Remove-Item' docs | wc -l`,
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			looksWindows(l)
		}
	}
}

func FuzzWindows(f *testing.F) {
	for _, s := range []string{
		`if (Test-Path .\out) { Remove-Item .\out -Recurse -Force }`, `$a = @{x=1;y='b'}; f @a | % { "$_ $($a.x)" }`,
		"@'\nx\n'@ | iex", `for /f "tokens=*" %i in ('dir') do @if exist %i (del "%i") else echo %~nxi`, `set A=b&echo %A:~1% !A!`,
		`function F($a) { F $a; & { F } }; F`, `foreach ($x in 1,2) { foreach ($y in $x) { $z += $x } }`, `[a.b]::c(1, (d), { e })[0].f`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<14 {
			return
		}
		for _, d := range []Dialect{PowerShell, Cmd} {
			for _, line := range winTestRead(d, src) {
				if line == "" {
					t.Errorf("an act without anything in it: %q", src)
				}
			}
		}
		looksWindows(src)
	})
}

// TestWindowsLarge holds the readers to linear work: inputs that repeat one
// piece. A quadratic reader does not finish within the test's
// time limit.
func TestWindowsLarge(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"(", "{", "[", "\"", "'", "$(", "@{", "@(", "a|", "a,", "$a.", "$a=", "%a%", "%a", "for %a in (", "if a==b ", "^", "`", "&", "<#", "@'\n",
		"a'b' ", "$x+'a'", "'a'+", "if(1){", "ri x;", "echo a&", "!a!", ":a\n", "{}", "x -a:", "\\", "-f ", "[a]", "::a", "function a{", "$_.a(",
	} {
		src := strings.Repeat(piece, (1<<16)/len(piece))
		winTestRead(PowerShell, src)
		winTestRead(Cmd, src)
		looksWindows(src)
	}
}
