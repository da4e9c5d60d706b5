package redline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	docBegin = "<!-- rows: generated from the tariff; SPAR_UPDATE=1 go test ./redline -run TestTariffDoc writes them -->"
	docEnd   = "<!-- end of rows -->"
)

// TestTariffDoc keeps the table of docs/tariff.md what the data says.
func TestTariffDoc(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "docs", "tariff.md")
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(have), docBegin)
	if !ok {
		t.Fatalf("%s has no line %q", file, docBegin)
	}
	_, foot, ok := strings.Cut(rest, docEnd)
	if !ok {
		t.Fatalf("%s has no line %q", file, docEnd)
	}
	want := head + docBegin + "\n\n" + docRows() + docEnd + foot
	if want == string(have) {
		return
	}
	if os.Getenv("SPAR_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not what the tariff says; SPAR_UPDATE=1 go test ./redline -run TestTariffDoc writes it", file)
}

func docRows() string {
	var b strings.Builder
	titles := [...]string{
		"Files", "Version control", "Forges", "Registries and build tools", "HTTP and file transfer", "Mail and messages",
		"Clouds and hosting", "Containers and clusters", "Infrastructure", "Databases and schema tools", "This machine", "Packages",
	}
	for i, table := range tables() {
		fmt.Fprintf(&b, "### %s\n\n| what | kind | why | charged | free |\n| --- | --- | --- | --- | --- |\n", titles[i])
		for k := range table {
			for j := range table[k].Rows {
				r := &table[k].Rows[j]
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(rowName(&table[k], r)), strings.Join(r.Kinds(), ", "), r.Why, cell(r.Charged), cell(r.Free))
			}
			if len(table[k].Also) > 0 {
				fmt.Fprintf(&b, "| %s | | the same as `%s` | | |\n", cell(strings.Join(table[k].Also, ", ")), table[k].Name)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell is text as code in a table's cell.
func cell(s string) string {
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}
