package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// measures are the ten figures of the Pollock benchmark (Vitagliano et al., VLDB 2023) for one file: whether it was loaded at all, then precision,
// recall and F1 of the header's names, of the records and of the cells. Names of precision and recall are as upstream has them.
type measures [10]float64

// sum is the file's score, 0 to 10.
func (m measures) sum() float64 {
	s := 0.0
	for _, v := range m {
		s += v
	}
	return s
}

// perfect reports whether every measure is 1.
func (m measures) perfect() bool { return m.sum() > 10-1e-9 }

// score compares what was loaded with what should have been: the first row of either is the header.
func score(want, got [][]string) measures {
	if len(want) == 0 {
		return measures{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	}
	var header []string
	if len(got) > 0 {
		header = got[0]
	}
	out := measures{1}
	put := func(at int, want, got []string) { out[at], out[at+1], out[at+2] = overlap(want, got) }
	put(1, normals(want[0]), normals(header))
	put(4, records(want), records(got))
	put(7, cells(want), cells(got))
	return out
}

// overlap gives the share of either list that the other has too, counting repeats, and the harmonic mean of both.
func overlap(want, got []string) (p, r, f1 float64) {
	if len(want) == 0 {
		return 1, 1, 1
	}
	counts := map[string]int{}
	for _, s := range want {
		counts[s]++
	}
	same := 0
	for _, s := range got {
		if counts[s] > 0 {
			counts[s]--
			same++
		}
	}
	if same == 0 {
		return 0, 0, 0
	}
	p, r = float64(same)/float64(len(want)), float64(same)/float64(len(got))
	return p, r, 2 * p * r / (p + r)
}

func normals(row []string) []string {
	out := make([]string, len(row))
	for i, c := range row {
		out[i] = normal(c)
	}
	return out
}

// records are the rows below the header, each as one text.
func records(rows [][]string) []string {
	var out []string
	for i, row := range rows {
		if i > 0 {
			out = append(out, strings.Join(normals(row), ""))
		}
	}
	return out
}

// cells are compared as they are: only names and records are brought into a normal form.
func cells(rows [][]string) []string { return slices.Concat(rows...) }

// readClean reads an expected table as the scorer of the set does: RFC 4180 in UTF-8, else Latin-1. A blank line is a row without cells.
func readClean(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		if data, err = charmap.ISO8859_1.NewDecoder().Bytes(data); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return splitRFC(string(data)), nil
}

// splitRFC cuts text as Python's csv module does by default: quotes count only at a cell's start, and what follows a closing quote is text.
func splitRFC(s string) [][]string {
	var rows [][]string
	var row []string
	var cell strings.Builder
	quoted, started := false, false
	endRow := func() {
		if started || len(row) > 0 {
			row = append(row, cell.String())
		}
		rows = append(rows, row)
		row, started = nil, false
		cell.Reset()
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '"' && i+1 < len(s) && s[i+1] == '"':
			cell.WriteByte('"')
			i++
		case quoted && c == '"':
			quoted = false
		case quoted:
			cell.WriteByte(c)
		case c == '"' && cell.Len() == 0 && (!started || len(row) > 0 && s[i-1] == ','):
			quoted, started = true, true
		case c == ',':
			row, started = append(row, cell.String()), true
			cell.Reset()
		case c == '\n' || c == '\r':
			if c == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
			endRow()
		default:
			cell.WriteByte(c)
			started = true
		}
	}
	if started || len(row) > 0 {
		endRow()
	}
	return rows
}

// writeRFC writes rows as the set's own scorer reads them.
func writeRFC(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	var errs []error
	for _, row := range rows {
		if len(row) == 1 && row[0] == "" { // the writer's own form of it is an empty line
			out.Flush()
			_, err := io.WriteString(w, "\"\"\n")
			errs = append(errs, err)
			continue
		}
		errs = append(errs, out.Write(row))
	}
	out.Flush()
	return errors.Join(append(errs, out.Error())...)
}
