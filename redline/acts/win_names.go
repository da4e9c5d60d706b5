package acts

import (
	"sort"
	"strings"
)

// winCmdlet is a cmdlet whose parameters matter to a reader: names in their
// full spelling, switches (which take no value) marked with a leading dash.
type winCmdlet struct {
	name   string
	params string
}

// winCmdlets are sorted by lower-case name for the binary search in winLookup.
// Common parameters (-WhatIf, -Confirm, ...) belong to all of them.
var winCmdlets = [...]winCmdlet{
	{"Add-Content", "Path LiteralPath Value Filter Include Exclude -Force -PassThru -NoNewline Encoding Stream"},
	{"Clear-Content", "Path LiteralPath Filter Include Exclude -Force Stream"},
	{"Clear-Disk", "Number -RemoveData -RemoveOEM"},
	{"Clear-Item", "Path LiteralPath -Force Filter Include Exclude"},
	{"Clear-ItemProperty", "Path LiteralPath Name -Force Filter Include Exclude"},
	{"Clear-RecycleBin", "DriveLetter -Force"},
	{"Compress-Archive", "Path LiteralPath DestinationPath CompressionLevel -Force -Update -PassThru"},
	{"ConvertFrom-Json", "InputObject Depth -AsHashtable -NoEnumerate"},
	{"ConvertTo-Json", "InputObject Depth -Compress -AsArray -EnumsAsStrings"},
	{"Copy-Item", "Path LiteralPath Destination Container -Force Filter Include Exclude -Recurse -PassThru FromSession ToSession"},
	{"Expand-Archive", "Path LiteralPath DestinationPath -Force -PassThru"},
	{"Export-Clixml", "Path LiteralPath InputObject Depth -Force -NoClobber Encoding"},
	{"Export-Csv", "Path LiteralPath InputObject Delimiter -Append -Force -NoClobber -NoTypeInformation Encoding -UseCulture"},
	{"ForEach-Object", "Process Begin End RemainingScripts InputObject MemberName ArgumentList -Parallel ThrottleLimit"},
	{"Format-Volume", "DriveLetter FileSystem NewFileSystemLabel -Full -Force"},
	{"Get-ChildItem", "Path LiteralPath Filter Include Exclude -Recurse Depth -Force -Name -File -Directory -Hidden -ReadOnly -System Attributes"},
	{"Get-Content", "Path LiteralPath ReadCount TotalCount Tail Head Last First Filter Include Exclude -Force Delimiter -Wait -Raw Encoding Stream"},
	{"Get-Item", "Path LiteralPath Filter Include Exclude -Force Stream"},
	{"Get-Process", "Name Id -IncludeUserName ComputerName -Module -FileVersionInfo InputObject"},
	{"Invoke-Command", "ScriptBlock FilePath ComputerName HostName Session ArgumentList InputObject -AsJob Credential Port UserName KeyFilePath VMName ContainerId -NoNewScope"},
	{"Invoke-Expression", "Command"},
	{"Invoke-RestMethod", "Uri Method Body Headers ContentType OutFile InFile Form Credential -UseDefaultCredentials TimeoutSec UserAgent WebSession SessionVariable -UseBasicParsing CustomMethod Authentication Token -SkipCertificateCheck Proxy -PassThru MaximumRedirection -FollowRelLink StatusCodeVariable -SkipHttpErrorCheck"},
	{"Invoke-Sqlcmd", "Query InputFile ServerInstance Database Username Password ConnectionString"},
	{"Invoke-WebRequest", "Uri Method Body Headers ContentType OutFile InFile Form Credential -UseDefaultCredentials TimeoutSec UserAgent WebSession SessionVariable -UseBasicParsing CustomMethod Authentication Token -SkipCertificateCheck Proxy -PassThru MaximumRedirection -SkipHttpErrorCheck"},
	{"Join-Path", "Path ChildPath AdditionalChildPath -Resolve"},
	{"Move-Item", "Path LiteralPath Destination -Force Filter Include Exclude -PassThru"},
	{"Move-ItemProperty", "Path LiteralPath Name Destination -Force"},
	{"New-Item", "Path ItemType Type Value Name -Force Target"},
	{"New-ItemProperty", "Path LiteralPath Name PropertyType Value -Force"},
	{"Out-File", "FilePath LiteralPath Encoding -Append -Force -NoClobber Width -NoNewline InputObject"},
	{"Pop-Location", "-PassThru StackName"},
	{"Publish-Module", "Name Path NuGetApiKey Repository -Force"},
	{"Push-Location", "Path LiteralPath -PassThru StackName"},
	{"Remove-Item", "Path LiteralPath Filter Include Exclude -Recurse -Force Credential Stream"},
	{"Remove-ItemProperty", "Path LiteralPath Name Filter Include Exclude -Force"},
	{"Rename-Item", "Path LiteralPath NewName -Force -PassThru"},
	{"Select-Object", "Property First Last Skip -Unique ExpandProperty ExcludeProperty Index InputObject SkipLast -Wait"},
	{"Select-String", "Pattern Path LiteralPath -SimpleMatch -CaseSensitive -Quiet -List Include Exclude -NotMatch -AllMatches Encoding Context InputObject -Raw"},
	{"Send-MailMessage", "To From Subject Body Attachments Cc Bcc SmtpServer -UseSsl Port Credential -BodyAsHtml"},
	{"Set-Content", "Path LiteralPath Value Filter Include Exclude -Force -PassThru -NoNewline Encoding Stream"},
	{"Set-Item", "Path LiteralPath Value -Force -PassThru Filter Include Exclude"},
	{"Set-ItemProperty", "Path LiteralPath Name Value -Force Type InputObject -PassThru"},
	{"Set-Location", "Path LiteralPath -PassThru StackName"},
	{"Start-Job", "ScriptBlock FilePath Name ArgumentList InitializationScript InputObject WorkingDirectory"},
	{"Start-Process", "FilePath ArgumentList WorkingDirectory Verb WindowStyle -Wait -PassThru -NoNewWindow RedirectStandardOutput RedirectStandardError RedirectStandardInput Credential -LoadUserProfile -UseNewEnvironment Environment"},
	{"Stop-Computer", "ComputerName -Force Credential"},
	{"Stop-Process", "Id Name InputObject -Force -PassThru"},
	{"Tee-Object", "FilePath LiteralPath Variable -Append InputObject"},
	{"Test-Path", "Path LiteralPath Filter Include Exclude PathType -IsValid"},
	{"Where-Object", "FilterScript Property Value InputObject -EQ -NE -Match -Like -NotLike -GT -LT"},
}

// winCommonParams belong to every cmdlet.
const winCommonParams = "-WhatIf -Confirm -Verbose -Debug ErrorAction WarningAction InformationAction ErrorVariable WarningVariable InformationVariable OutVariable OutBuffer PipelineVariable ProgressAction"

// winLookup finds a cmdlet of the table by its name in any case.
func winLookup(name string) *winCmdlet {
	low := strings.ToLower(name)
	i := sort.Search(len(winCmdlets), func(i int) bool { return strings.ToLower(winCmdlets[i].name) >= low })
	if i < len(winCmdlets) && strings.EqualFold(winCmdlets[i].name, name) {
		return &winCmdlets[i]
	}
	return nil
}

// winParam completes a parameter: its full spelling with the dash, whether it is
// a switch, and whether it is known at all. An exact name wins over longer ones,
// an ambiguous prefix stays as it was written.
func (c *winCmdlet) winParam(p string) (full string, isSwitch, ok bool) {
	found := ""
	n := 0
	lists := [...]string{"", winCommonParams}
	if c != nil {
		lists[0] = c.params
	}
	for _, list := range lists {
		for list != "" {
			var q string
			q, list, _ = strings.Cut(list, " ")
			bare := strings.TrimPrefix(q, "-")
			if len(bare) < len(p) || !strings.EqualFold(bare[:len(p)], p) {
				continue
			}
			if len(bare) == len(p) {
				return "-" + bare, bare != q, true
			}
			n++
			found = q
		}
		if n > 0 {
			break // a cmdlet's own parameter before a common one
		}
	}
	switch strings.ToLower(p) {
	case "wi":
		return "-WhatIf", true, true
	case "cf":
		return "-Confirm", true, true
	case "ea":
		return "-ErrorAction", false, true
	case "vb":
		return "-Verbose", true, true
	case "psp":
		return "-LiteralPath", false, true
	}
	if n != 1 {
		return "", false, false
	}
	bare := strings.TrimPrefix(found, "-")
	return "-" + bare, bare != found, true
}

// winAlias is the cmdlet an alias stands for in Windows PowerShell, or "". sure
// is set on aliases that name no program of a Unix.
func winAlias(name string) (cmdlet string, sure bool) {
	switch strings.ToLower(name) {
	case "ri":
		return "Remove-Item", false
	case "del", "erase", "rd":
		return "Remove-Item", true
	case "rm", "rmdir":
		return "Remove-Item", false
	case "rni":
		return "Rename-Item", true
	case "ren":
		return "Rename-Item", true
	case "rp":
		return "Remove-ItemProperty", false
	case "cp":
		return "Copy-Item", false
	case "copy", "cpi":
		return "Copy-Item", true
	case "mv":
		return "Move-Item", false
	case "move", "mi":
		return "Move-Item", true
	case "ni", "md", "mkdir":
		return "New-Item", false
	case "sc":
		return "Set-Content", false
	case "ac":
		return "Add-Content", false
	case "clc":
		return "Clear-Content", true
	case "cli":
		return "Clear-Item", false
	case "clp":
		return "Clear-ItemProperty", false
	case "gc", "cat", "type":
		return "Get-Content", false
	case "gci":
		return "Get-ChildItem", true
	case "ls", "dir":
		return "Get-ChildItem", false
	case "gi":
		return "Get-Item", false
	case "gp":
		return "Get-ItemProperty", false
	case "si":
		return "Set-Item", false
	case "sp":
		return "Set-ItemProperty", false
	case "sl", "cd", "chdir":
		return "Set-Location", false
	case "pushd":
		return "Push-Location", false
	case "popd":
		return "Pop-Location", false
	case "gl", "pwd":
		return "Get-Location", false
	case "iwr":
		return "Invoke-WebRequest", true
	case "curl", "wget":
		return "Invoke-WebRequest", false
	case "irm":
		return "Invoke-RestMethod", true
	case "iex":
		return "Invoke-Expression", false
	case "icm":
		return "Invoke-Command", true
	case "ii":
		return "Invoke-Item", false
	case "saps", "start":
		return "Start-Process", false
	case "sajb":
		return "Start-Job", true
	case "spps", "kill":
		return "Stop-Process", false
	case "spsv":
		return "Stop-Service", true
	case "gps", "ps":
		return "Get-Process", false
	case "gsv":
		return "Get-Service", true
	case "gcm":
		return "Get-Command", true
	case "gm":
		return "Get-Member", false
	case "echo", "write":
		return "Write-Output", false
	case "sls":
		return "Select-String", true
	case "select":
		return "Select-Object", false
	case "where", "?":
		return "Where-Object", false
	case "foreach", "%":
		return "ForEach-Object", false
	case "sort":
		return "Sort-Object", false
	case "group":
		return "Group-Object", false
	case "measure":
		return "Measure-Object", false
	case "ft":
		return "Format-Table", false
	case "fl":
		return "Format-List", false
	case "oh":
		return "Out-Host", false
	case "tee":
		return "Tee-Object", false
	case "sleep":
		return "Start-Sleep", false
	case "cls", "clear":
		return "Clear-Host", false
	case "h", "history":
		return "Get-History", false
	case "man", "help":
		return "Get-Help", false
	case "compare", "diff":
		return "Compare-Object", false
	case "epcsv":
		return "Export-Csv", true
	case "ipmo":
		return "Import-Module", true
	case "sv":
		return "Set-Variable", false
	case "gv":
		return "Get-Variable", false
	case "rv":
		return "Remove-Variable", false
	case "nal", "sal":
		return "Set-Alias", false
	case "rwmi":
		return "Remove-WmiObject", true
	case "iwmi":
		return "Invoke-WmiMethod", true
	}
	return "", false
}

// winVerb reports whether v is a verb that cmdlets begin with.
func winVerb(v string) bool {
	switch strings.ToLower(v) {
	case "add", "clear", "close", "copy", "enter", "exit", "find", "format", "get", "hide", "join", "lock", "move", "new", "open", "pop", "push",
		"redo", "remove", "rename", "reset", "resize", "search", "select", "set", "show", "skip", "split", "step", "switch", "undo", "unlock", "watch",
		"connect", "disconnect", "read", "receive", "send", "write", "backup", "checkpoint", "compare", "compress", "convert", "convertfrom",
		"convertto", "dismount", "edit", "expand", "export", "group", "import", "initialize", "limit", "merge", "mount", "out", "publish",
		"restore", "save", "sync", "unpublish", "update", "debug", "measure", "ping", "repair", "resolve", "test", "trace", "approve", "assert",
		"build", "complete", "confirm", "deny", "deploy", "disable", "enable", "install", "invoke", "register", "request", "restart", "resume",
		"start", "stop", "submit", "suspend", "uninstall", "unregister", "wait", "block", "grant", "protect", "revoke", "unblock", "unprotect",
		"use", "foreach", "where", "sort", "tee":
		return true
	}
	return false
}

// winVerbNoun reports whether w has the shape of a cmdlet's name.
func winVerbNoun(w string) bool {
	v, noun, ok := strings.Cut(w, "-")
	if !ok || noun == "" || !winLetter(noun[0]) || !winVerb(v) {
		return false
	}
	for i := 0; i < len(noun); i++ {
		if c := noun[i]; !winLetter(c) && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func winLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// winCanon is a cmdlet's usual spelling: from the table, else the capitals that
// PowerShell's own names have.
func winCanon(name string) string {
	if c := winLookup(name); c != nil {
		return c.name
	}
	if name != strings.ToLower(name) {
		return name
	}
	v, noun, _ := strings.Cut(name, "-")
	return strings.ToUpper(v[:1]) + v[1:] + "-" + strings.ToUpper(noun[:1]) + noun[1:]
}
