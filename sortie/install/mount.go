package install

import (
	"fmt"
	"slices"

	"spar/sortie/install/internal/jsontext"
)

// Mount writes into a config.json which guards are mounted and which are not:
// `with` and `without` take the names, each leaving the other list. What else the
// file says stays. The file is ours, so no backup is kept of it.
func Mount(o Options, path string, with, without []string) (Report, error) {
	r := Report{File: path}
	w := writer{now: o.Now, step: o.step, own: true}
	draw := func(f file) ([]byte, bool, error) {
		r.Changes = nil
		text := f.text
		if !f.exists() {
			text = []byte("{}\n")
		}
		for _, list := range [...]struct {
			key, other, what string
			names            []string
		}{{"with", "without", "mounted", with}, {"without", "with", "left out", without}} {
			for _, name := range list.names {
				next, err := setName(path, text, list.other, name, false)
				if err == nil {
					next, err = setName(path, next, list.key, name, true)
				}
				if err != nil {
					return nil, false, err
				}
				if string(next) != string(text) {
					r.Changes = append(r.Changes, Change{What: list.what, Detail: name})
				}
				text = next
			}
		}
		if o.DryRun {
			r.Diff = diff(path, f.text, text)
			r.Changed = r.Diff != ""
			return nil, false, errDry
		}
		return text, false, nil
	}
	done, err := w.replace(path, draw)
	if err == errDry { //nolint:errorlint // ours, and never wrapped
		return r, nil
	}
	r.Changed = done.changed
	return r, err
}

// setName puts a name into a list of the configuration or takes it out.
func setName(path string, text []byte, key, name string, in bool) ([]byte, error) {
	doc, err := jsontext.Parse(text, false)
	if err != nil {
		return nil, jsonSheet{path: path}.syntax(err)
	}
	at := func(v *jsontext.Value, problem string) error {
		line, column := doc.Position(v.Start)
		return &FileError{Path: path, Line: line, Column: column, Problem: problem, Next: "repair the file, then install again; nothing was written"}
	}
	if doc.Root.Kind != jsontext.Object {
		return nil, at(doc.Root, fmt.Sprintf("the file is %s where an object is due", doc.Root.Kind))
	}
	list := doc.Root.Get(key)
	if list == nil || list.Kind == jsontext.Null {
		if !in {
			return text, nil
		}
		return doc.Set(doc.Root, key, jsontext.List{name}), nil
	}
	if list.Kind != jsontext.Array {
		return nil, at(list, fmt.Sprintf("%q is %s where a list of names is due", key, list.Kind))
	}
	i := slices.IndexFunc(list.Items, func(it jsontext.Item) bool { return doc.Str(it.Value) == name })
	switch {
	case in == (i >= 0):
		return text, nil
	case in:
		return doc.Append(list, "", name), nil
	default:
		return setName(path, doc.Delete(list, i), key, name, false) // it may stand there twice
	}
}
