// Command typing scores how the outputs of other programs become tables.
//
//	go run ./bench/typing [-data DIR] [-v] [-json]
//
// 300 texts with known contents are made by a generator that shares no code with what reads them: a list of records as JSON alone, below keys, beside other
// fields, in a text inside JSON, as JSON Lines, as a Python literal, CSV, a Markdown table, blocks of key: value, with text around. The score is F1 of
// cells: a cell is right when its row, its column's name and its value are. Texts that list nothing must not become tables.
//
// DIR/typing/recorded, where it is given, holds answers to tools/call of servers in the wild, a JSON file each, named SERVER.TOOL.json: each is a
// listing, and should come as a table.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/table"
)

type figures struct {
	F1      float64 `json:"f1"`
	Texts   int     `json:"texts"`
	Tables  int     `json:"tables"`
	Wrong   int     `json:"prose_as_tables"`
	Servers int     `json:"servers"`
	Listed  int     `json:"servers_listed"`
}

func main() {
	data := flag.String("data", "", "folder that holds typing/recorded; none: generated texts alone")
	verbose := flag.Bool("v", false, "tell the misses on standard error")
	asJSON := flag.Bool("json", false, "end with one line of JSON")
	flag.Parse()
	miss := func(format string, args ...any) {
		if *verbose {
			fmt.Fprintf(os.Stderr, format+"\n", args...)
		}
	}
	var f figures
	generated(&f, miss)
	fmt.Printf("%d texts: F1 of cells %.4f, %d as tables; of %d texts that list nothing %d became tables\n", f.Texts, f.F1, f.Tables, len(nothing), f.Wrong)
	if *data != "" {
		if err := recorded(&f, filepath.Join(*data, "typing", "recorded"), miss); err != nil {
			fmt.Fprintln(os.Stderr, "typing:", err)
			os.Exit(1)
		}
		fmt.Printf("%d servers: listings of %d come as tables\n", f.Servers, f.Listed)
	}
	if *asJSON {
		_ = json.NewEncoder(os.Stdout).Encode(f)
	}
}

func generated(f *figures, miss func(string, ...any)) {
	const texts = 300
	r := rand.New(rand.NewPCG(17, 8))
	right, given, wanted := 0, 0, 0
	for i := range texts {
		s := newSample(r)
		form := forms[i%len(forms)]
		text := form.write(r, s)
		wanted += len(s.rows) * len(s.names)
		f.Texts++
		list, ok := table.ReadListing([]byte(text), "bench", table.Limits{})
		if !ok {
			miss("%s: no table\n%s", form.name, text)
			continue
		}
		f.Tables++
		given += list.Table.NumRows() * list.Table.NumCols()
		n := s.rightCells(list.Table)
		if n < len(s.rows)*len(s.names) {
			miss("%s: %d of %d cells: columns %v\n%s", form.name, n, len(s.rows)*len(s.names), list.Table.Names(), text)
		}
		right += n
	}
	f.F1 = 2 * float64(right) / float64(max(1, given+wanted))
	for _, text := range nothing {
		if _, ok := table.ReadListing([]byte(text), "bench", table.Limits{}); ok {
			f.Wrong++
			miss("a table of %s", text)
		}
	}
}

// recorded counts the servers all of whose recorded listings come as tables.
func recorded(f *figures, dir string, miss func(string, ...any)) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	whole := map[string]bool{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var answer struct {
			Content    []struct{ Type, Text string }
			Structured json.RawMessage `json:"structuredContent"`
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		server, _, _ := strings.Cut(filepath.Base(path), ".")
		if _, seen := whole[server]; !seen {
			whole[server] = true
		}
		if !listed(answer.Structured, answer.Content) {
			whole[server] = false
			miss("%s: no table", filepath.Base(path))
		}
	}
	f.Servers = len(whole)
	for _, ok := range whole {
		if ok {
			f.Listed++
		}
	}
	return nil
}

// listed reads an answer as the program does: the structured content where there is some, else the texts, else each text as a record.
func listed(structured json.RawMessage, content []struct{ Type, Text string }) bool {
	if len(structured) > 0 && string(structured) != "null" {
		_, ok := table.ReadListing(structured, "bench", table.Limits{})
		return ok
	}
	var texts []string
	for _, c := range content {
		texts = append(texts, c.Text)
	}
	_, ok := table.ReadListing([]byte(strings.Join(texts, "\n")), "bench", table.Limits{})
	records := len(texts) > 1 && !slices.ContainsFunc(texts, func(s string) bool { return !strings.HasPrefix(s, "{") || !json.Valid([]byte(s)) })
	return ok || records
}
