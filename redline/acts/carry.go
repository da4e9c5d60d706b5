package acts

func (s *shell) carrier(name string, c call) bool { return false }

func codeLang(name string) string { return "" }

func (s *shell) code(lang string, w Word, c call, mask uint64) {}

func (s *shell) windows(d Dialect, src string) {}
