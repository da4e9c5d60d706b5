//go:build ignore

// gen turns the rule file of gitleaks, which others keep up to date, into the
// test data that says which shapes of secret the scanner must know:
//
//	go mod download -json github.com/zricethezav/gitleaks/v8@latest
//	go run gen.go DIR/config/gitleaks.toml > testdata/gitleaks.tsv
//
// One rule a line: its id and its pattern, parted by a tab. The file is written
// by a generator of its own and regular enough to be read line by line.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run gen.go gitleaks.toml")
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, "# Rule ids and patterns of gitleaks. MIT License, Copyright (c) 2019 Zachary Rice.")
	fmt.Fprintln(out, "# Written by gen.go; do not edit.")
	id, allow := "", false
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		switch {
		case strings.HasPrefix(line, "[["):
			allow = line != "[[rules]]"
		case allow:
		case strings.HasPrefix(line, "id = "):
			if id, err = strconv.Unquote(strings.TrimPrefix(line, "id = ")); err != nil {
				log.Fatal(err)
			}
		case strings.HasPrefix(line, "regex = '''") && id != "":
			fmt.Fprintf(out, "%s\t%s\n", id, strings.TrimSuffix(strings.TrimPrefix(line, "regex = '''"), "'''"))
			id = ""
		}
	}
}
