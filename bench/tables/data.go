package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// The ten kinds of columns that all data here are made of. Text that must be quoted, exponents, nulls and values far apart are in on purpose.
var kinds = []struct {
	name string
	cell func(r *rand.Rand, row int) string // "" is a null
}{
	{"id", func(_ *rand.Rand, row int) string { return strconv.Itoa(row + 1) }},
	{"client", func(r *rand.Rand, _ int) string { return fmt.Sprintf("Client %04d Ltd", r.IntN(8000)) }},
	{"region", func(r *rand.Rand, _ int) string { return regions[r.IntN(len(regions))] }},
	{"day", func(r *rand.Rand, _ int) string {
		return fmt.Sprintf("%d-%02d-%02d", 2015+r.IntN(11), 1+r.IntN(12), 1+r.IntN(28))
	}},
	{"price", func(r *rand.Rand, _ int) string { return fmt.Sprintf("%d.%02d", r.IntN(100_000), r.IntN(100)) }},
	{"score", func(r *rand.Rand, _ int) string { return strconv.FormatFloat(r.NormFloat64()*1e-3, 'g', -1, 64) }},
	{"quantity", func(r *rand.Rand, _ int) string { return sometimes(r, 0.05, strconv.Itoa(r.IntN(500))) }},
	{"discount", func(r *rand.Rand, _ int) string { return sometimes(r, 0.3, fmt.Sprintf("0.%02d", r.IntN(60))) }},
	{"active", func(r *rand.Rand, _ int) string { return strconv.FormatBool(r.IntN(3) > 0) }},
	{"note", func(r *rand.Rand, row int) string {
		return sometimes(r, 0.1, fmt.Sprintf("order %d, batch %x", row, r.Uint32()))
	}},
}

var regions = []string{"North", "South", "East", "West", "Centre", "Overseas"}

func sometimes(r *rand.Rand, null float64, text string) string {
	if r.Float64() < null {
		return ""
	}
	return text
}

func columnName(c int) string {
	name := kinds[c%len(kinds)].name
	if c >= len(kinds) {
		name += "_" + strconv.Itoa(c/len(kinds)+1)
	}
	return name
}

// writeCSV makes rows x columns of the kinds in turn, the same on each run, and says where.
func writeCSV(dir string, rows, columns int) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%dx%d.csv", rows, columns))
	return path, writeFile(path, func(w *bufio.Writer) {
		for c := range columns {
			if c > 0 {
				w.WriteByte(',')
			}
			w.WriteString(columnName(c))
		}
		w.WriteByte('\n')
		eachCell(rows, columns, func(_, c int, text string) {
			if c > 0 {
				w.WriteByte(',')
			}
			if kinds[c%len(kinds)].name == "note" && text != "" {
				text = `"` + text + `"`
			}
			w.WriteString(text)
			if c == columns-1 {
				w.WriteByte('\n')
			}
		})
	})
}

// writeJSON makes the same rows as a list of records.
func writeJSON(dir string, rows, columns int) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%dx%d.json", rows, columns))
	return path, writeFile(path, func(w *bufio.Writer) { recordsJSON(w, rows, columns) })
}

func recordsJSON(w *bufio.Writer, rows, columns int) {
	w.WriteByte('[')
	eachCell(rows, columns, func(r, c int, text string) {
		switch {
		case c > 0:
			w.WriteByte(',')
		case r > 0:
			w.WriteString(",{")
		default:
			w.WriteByte('{')
		}
		w.WriteString(`"` + columnName(c) + `":`)
		switch kinds[c%len(kinds)].name {
		case "client", "region", "day", "note":
			if text != "" {
				quoted, _ := json.Marshal(text) // a string always has a JSON form
				text = string(quoted)
			}
		}
		if text == "" {
			text = "null"
		}
		w.WriteString(text)
		if c == columns-1 {
			w.WriteByte('}')
		}
	})
	w.WriteByte(']')
}

func eachCell(rows, columns int, do func(r, c int, text string)) {
	random := rand.New(rand.NewPCG(4, 2026))
	for r := range rows {
		for c := range columns {
			do(r, c, kinds[c%len(kinds)].cell(random, r))
		}
	}
}

func writeFile(path string, fill func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fill(w)
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// smallResult is what a tool gives: 20 rows of 8 columns, as JSON.
func smallResult(w io.Writer) {
	b := bufio.NewWriter(w)
	recordsJSON(b, 20, 8)
	b.Flush()
}
