package install

import "fmt"

// A FileError says which settings file was refused, where in it, and what a
// person can do. Nothing was written.
type FileError struct {
	Path         string
	Line, Column int    // from 1; 0 where the whole file is meant
	Problem      string // what is the matter
	Next         string // one imperative sentence, or empty
	Err          error  // the cause, or nil
}

func (e *FileError) Error() string {
	where := e.Path
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.Path, e.Line, e.Column)
	}
	text := where + ": " + e.Problem
	if e.Next != "" {
		text += "; " + e.Next
	}
	return text
}

func (e *FileError) Unwrap() error { return e.Err }
