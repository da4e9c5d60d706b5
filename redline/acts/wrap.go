package acts

func (s *shell) wrapper(name string, c call) bool { return false }
