// Package sql reads the text that a database client would execute into
// statements and says what each does to the data: reads it, writes it, destroys
// it, or only changes the session.
//
// It knows no dialect by name. The clients share one argument (`-c`, `-e`, a
// heredoc), so the reader takes the union of what PostgreSQL, MySQL, SQLite,
// SQL Server, DuckDB and ClickHouse accept, and where two of them disagree it
// prefers the reading in which more is executed. It never fails and never
// panics: a statement nobody knows is [Unknown].
package sql
