package automode

import (
	"strings"

	"spar/sortie/harness"
)

// powershell is why a PowerShell line is not a pipeline of known reading
// cmdlets, or "". It looks at the text alone: a character that can begin a script
// block, an expression, a call or a redirection escalates wherever a string
// doesn't hold it.
func powershell(line string, call *harness.Call, o LocalOptions) string {
	var words []string
	var word strings.Builder
	had := false
	flush := func() {
		if had {
			words = append(words, word.String())
		}
		word.Reset()
		had = false
	}
	check := func() string {
		flush()
		if len(words) == 0 {
			return ""
		}
		why := cmdlet(words)
		words = words[:0]
		return why
	}
	empty := true
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch c {
		case '\'', '"':
			k := strings.IndexByte(line[i+1:], c)
			if k < 0 {
				return "a string that does not end"
			}
			s := line[i+1 : i+1+k]
			if c == '"' && strings.ContainsAny(s, "$`") {
				return "a string that is expanded"
			}
			if i+2+k < len(line) && line[i+2+k] == c {
				return "a string with a doubled quote"
			}
			word.WriteString(s)
			had = true
			i += k + 1
		case ' ', '\t':
			flush()
		case '|', ';', '\n':
			if c == '|' && i+1 < len(line) && line[i+1] == '|' {
				return "a chain that is not judged here"
			}
			flush()
			if len(words) == 0 && c == '|' {
				return "nothing before the pipe"
			}
			if why := check(); why != "" {
				return why
			}
			empty = false
		case '(', ')', '{', '}', '[', ']', '$', '`', '&', '>', '<', '@', '#', '%', '!':
			return "PowerShell with " + string(c) + " is not judged here"
		default:
			if c >= 0x80 {
				return "PowerShell with characters that may be quotes or dashes"
			}
			word.WriteByte(c)
			had = true
		}
	}
	flush()
	if len(words) == 0 {
		if empty {
			return "nothing in it is a command"
		}
		if strings.HasSuffix(strings.TrimSpace(line), "|") {
			return "nothing after the pipe"
		}
		return ""
	}
	return check()
}

// cmdlet is why one command of a pipeline is not a known read, or "".
func cmdlet(words []string) string {
	name := strings.ToLower(words[0])
	const common = " -erroraction -ea -warningaction -verbose -debug "
	params, ok := reading(name)
	if !ok {
		if name == "git" {
			return "git under PowerShell is not judged here"
		}
		return words[0] + " is not known to only read"
	}
	for _, w := range words[1:] {
		l := strings.ToLower(w)
		if strings.HasPrefix(l, "-") && len(l) > 1 && (l[1] < '0' || l[1] > '9') {
			p, _, _ := strings.Cut(l, ":")
			if !strings.Contains(params, " "+p+" ") && !strings.Contains(common, " "+p+" ") {
				return words[0] + " " + w + " is not known to be harmless"
			}
			if _, v, ok := strings.Cut(w, ":"); ok {
				l = strings.ToLower(v)
			} else {
				continue
			}
		}
		if strings.HasPrefix(l, "env:") || strings.Contains(l, ":env:") || strings.HasPrefix(l, "variable:") || strings.HasPrefix(l, "cert:") || strings.HasPrefix(l, "hklm:") || strings.HasPrefix(l, "hkcu:") || strings.HasPrefix(l, "function:") || strings.HasPrefix(l, "alias:") || strings.Contains(l, "::") || strings.HasPrefix(l, `\\`) || strings.HasPrefix(l, "//") {
			return w + " is another drive than the files'"
		}
		unix := strings.ReplaceAll(w, `\`, "/")
		for _, one := range strings.Split(unix, ",") {
			one = strings.TrimPrefix(strings.TrimSpace(one), "./")
			if content(name) && (secretText(one) || strings.ContainsAny(one, "*?") && secretPattern(one)) {
				return "it shows " + w
			}
		}
	}
	return ""
}

// content reports whether a cmdlet shows what is in its files.
func content(name string) bool {
	switch name {
	case "get-content", "gc", "cat", "type", "select-string", "sls", "import-csv", "ipcsv", "compare-object", "format-hex", "import-clixml":
		return true
	}
	return false
}

// reading are the parameters that keep a cmdlet a read.
func reading(name string) (string, bool) {
	switch name {
	case "get-childitem", "gci", "dir", "ls":
		return " -path -literalpath -filter -include -exclude -recurse -r -depth -name -file -directory -force -hidden -readonly -system -attributes ", true
	case "get-content", "gc", "cat", "type":
		return " -path -literalpath -raw -totalcount -head -first -tail -last -encoding -readcount -delimiter -asbytestream ", true
	case "select-string", "sls":
		return " -path -literalpath -pattern -simplematch -casesensitive -quiet -list -include -exclude -notmatch -allmatches -context -encoding -raw -noemphasis ", true
	case "select-object", "select":
		return " -first -last -skip -property -expandproperty -unique -index -excludeproperty -skiplast ", true
	case "sort-object", "sort":
		return " -property -descending -unique -casesensitive -top -bottom -stable -culture ", true
	case "measure-object", "measure":
		return " -property -line -word -character -sum -average -minimum -maximum -ignorewhitespace ", true
	case "group-object", "group":
		return " -property -noelement -casesensitive ", true
	case "where-object", "where":
		return " -property -value -eq -ne -gt -lt -ge -le -like -notlike -match -notmatch -contains -in -notin -ceq -clike -cmatch -is ", true
	case "get-process", "gps", "ps":
		return " -name -id -includeusername -fileversioninfo ", true
	case "get-service", "gsv":
		return " -name -displayname -include -exclude -dependentservices -requiredservices ", true
	case "get-command", "gcm":
		return " -name -commandtype -module -all -syntax -totalcount -noun -verb ", true
	case "get-help", "help", "man":
		return " -name -full -examples -detailed -parameter ", true
	case "get-item", "gi":
		return " -path -literalpath -force -filter -include -exclude ", true
	case "get-itemproperty", "gp":
		return " -path -literalpath -name ", true
	case "get-location", "gl", "pwd":
		return "", true
	case "get-date":
		return " -format -uformat -asutc ", true
	case "get-filehash":
		return " -path -literalpath -algorithm ", true
	case "get-acl":
		return " -path ", true
	case "get-member", "gm":
		return " -membertype -name -static -force ", true
	case "get-module", "gmo":
		return " -name -listavailable -all ", true
	case "get-host", "get-uptime", "get-psdrive", "get-culture", "get-timezone", "get-computerinfo", "get-hotfix":
		return " -name -psprovider ", true
	case "get-nettcpconnection":
		return " -localport -remoteport -state -owningprocess -localaddress ", true
	case "get-alias", "gal":
		return " -name -definition ", true
	case "get-history", "h":
		return "", false
	case "test-path":
		return " -path -literalpath -pathtype -isvalid ", true
	case "resolve-path", "rvpa", "split-path", "convert-path":
		return " -path -literalpath -relative -leaf -parent -leafbase -extension -qualifier ", true
	case "join-path":
		return " -path -childpath -resolve ", true
	case "convertfrom-json", "convertto-json":
		return " -depth -compress -ashashtable -asarray -inputobject ", true
	case "convertfrom-csv", "convertto-csv", "import-csv", "ipcsv":
		return " -path -delimiter -header -notypeinformation -encoding ", true
	case "format-table", "ft", "format-list", "fl", "format-wide", "fw", "format-custom", "format-hex":
		return " -property -autosize -wrap -groupby -hidetableheaders -column -path -count ", true
	case "out-string", "out-host", "out-default", "out-null":
		return " -width -stream ", true
	case "write-output", "echo", "write-host":
		return " -nonewline -foregroundcolor -inputobject ", true
	case "compare-object", "diff":
		return " -referenceobject -differenceobject -property -includeequal -excludedifferent ", true
	case "set-location", "cd", "sl":
		return " -path -literalpath ", true
	case "hostname", "whoami":
		return "", true
	case "tee-object":
		return "", false
	}
	return "", false
}
