package acts

// readWindows reads src, a command line of PowerShell or cmd.exe, into s.
func readWindows(d Dialect, src string, s sink) {
	s.Emit(Act{Kind: Unread, Text: src, Why: "not read as " + d.String(), Source: clip(src)})
}

// looksWindows is PowerShell or Cmd where src can only be theirs, else Auto.
func looksWindows(src string) Dialect {
	return Auto
}

// clip caps a piece of source as [Act.Source] promises.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200]
	}
	return s
}
