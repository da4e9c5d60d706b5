package sortie

// Home is a .spar folder: the state of every sortie flown from one root.
type Home struct {
	Dir  string // the folder itself, absolute
	Root string // what it belongs to: its parent, as a rule
	How  string // which rule found it: "--home", "SPAR_HOME", "session", "project", "git", "here"
}

// HomeQuery is what the search for a home starts from; empty fields are skipped.
type HomeQuery struct {
	Flag    string // --home
	Session string // the harness's session id
	Project string // the harness's project directory
	Cwd     string // the payload's directory
}

// FindHome applies the order of frame.md: flag or SPAR_HOME, the home the
// session is bound to, then the project, the payload's or the process's
// directory: the nearest .spar at or above it (not past the git top level, never
// from $HOME, a file-system root, a scratch root or another owner's folder), else
// the git top level, else the directory itself. It creates nothing.
func FindHome(w World, q HomeQuery) (Home, error) { panic("being built") }

// Create makes the folder (0700) and its .gitignore, where absent.
func (h Home) Create() error { panic("being built") }
