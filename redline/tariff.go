package redline

// Row is one line of the tariff: what it is about, what it costs, and an example
// of each side.
type Row struct {
	Kinds bit
	Why   string
}
