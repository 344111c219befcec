// Command typing scores how the outputs of other programs become tables.
//
//	go -C bench run ./typing [-data DIR [-record] [-server NAME]] [-v] [-json]
//
// 300 texts with known contents are made by a generator that shares no code with what reads them: a list of
// records as JSON alone, below keys, beside other fields, in a text inside JSON, as JSON Lines, as a Python
// literal, CSV, a Markdown table, blocks of key: value, with text around. The score is F1 of cells: a cell is
// right when its row, its column's name and its value are. Texts that list nothing must not become tables.
//
// DIR/typing/servers.json, where it is given, names servers in the wild, the calls that list something, and how
// many rows and which cells a person knows these to have; -record calls them and keeps their answers in
// DIR/typing/recorded. A server counts when all its listings come as those tables, and what lists nothing does
// not.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"catena/table"
	"catena/table/load"
	"catena/tools/upstream"
)

type figures struct {
	F1      float64 `json:"f1"`
	Texts   int     `json:"texts"`
	Tables  int     `json:"tables"`
	Wrong   int     `json:"prose_as_tables"`
	Servers int     `json:"servers"`
	Listed  int     `json:"servers_listed"`
	// Fresh are those that nobody looked at while the reader was mended.
	Fresh       int `json:"fresh_servers"`
	FreshListed int `json:"fresh_servers_listed"`
}

func main() {
	data := flag.String("data", "", "folder that holds typing/servers.json; none: generated texts alone")
	recording := flag.Bool("record", false, "call the servers first and keep their answers")
	server := flag.String("server", "", "record this one alone")
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
	fmt.Printf("%d texts: F1 of cells %.4f, %d as tables; ", f.Texts, f.F1, f.Tables)
	fmt.Printf("of %d texts that list nothing %d became tables\n", len(nothing), f.Wrong)
	if *data != "" {
		dir := filepath.Join(*data, "typing")
		var err error
		if *recording {
			err = record(dir, *server)
		}
		if err == nil {
			err = recorded(&f, dir, miss)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "typing:", err)
			os.Exit(1)
		}
		fmt.Printf("%d servers: listings of %d come as tables; ", f.Servers, f.Listed)
		fmt.Printf("of %d that nobody looked at, %d\n", f.Fresh, f.FreshListed)
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
		list, ok := load.ReadListing([]byte(text), "bench", table.Limits{})
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
		if _, ok := load.ReadListing([]byte(text), "bench", table.Limits{}); ok {
			f.Wrong++
			miss("a table of %s", text)
		}
	}
}

// recorded counts the servers all of whose listings come as the tables that they are, through what the program itself
// makes of an answer.
func recorded(f *figures, dir string, miss func(string, ...any)) error {
	list, err := readServers(dir)
	if err != nil {
		return err
	}
	for _, s := range list {
		whole, any := true, false
		for n, c := range s.Calls {
			if c.Quiet {
				continue
			}
			answer, err := os.ReadFile(recordedPath(dir, s, n))
			if err != nil {
				continue // it was not recorded: the server could not be run
			}
			any = true
			if why := c.misses(answer); why != "" {
				whole = false
				miss("%s: %s: %s", s.Name, c.Tool, why)
			}
		}
		f.count(s, any, whole)
	}
	return nil
}

func (f *figures) count(s worldServer, any, whole bool) {
	if !any {
		return
	}
	f.Servers++
	if s.HeldOut {
		f.Fresh++
	}
	if whole {
		f.Listed++
	}
	if whole && s.HeldOut {
		f.FreshListed++
	}
}

// misses says what is wrong with the table that comes of an answer, "" for nothing.
func (c worldCall) misses(answer json.RawMessage) string {
	res, err := upstream.ReadResult(context.Background(), c.Tool, answer)
	switch {
	case err != nil:
		return err.Error()
	case res.IsError:
		return "it failed: " + res.Text
	case res.Table == nil && c.Rows > 0:
		return "no table of " + string(answer)
	case res.Table == nil:
		return ""
	case res.Table.NumRows() != c.Rows:
		return fmt.Sprintf("%d rows of %d: %s", res.Table.NumRows(), c.Rows, answer)
	}
	for _, cell := range c.Cells {
		if !hasCell(res.Table, cell) {
			return fmt.Sprintf("no cell %q in %v: %s", cell, res.Table.Names(), answer)
		}
	}
	return ""
}

func hasCell(t *table.Table, text string) bool {
	for i := range t.NumRows() {
		for c := range t.NumCols() {
			if t.Value(i, c).String() == text {
				return true
			}
		}
	}
	return false
}
