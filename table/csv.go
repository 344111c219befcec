package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// ReadCSV reads delimited text: comma, semicolon, tab or bar, found by looking; UTF-8, UTF-16 or Windows-1252; with or without a header row. Each column gets
// the narrowest type that holds all its cells. Empty cells are null; null, none, NaN, N/A, #N/A, NA, nil, -, --, . and ? are null in columns whose other cells
// are numbers, booleans, dates or times. Rows that are too short are padded with nulls and rows that are too long keep their further
// cells in columns of their own; both are said in the report's Notes. source names the text in errors.
// A text that cannot be read gives a *FormatError; a header without rows gives a table without rows, and a note.
func ReadCSV(r io.Reader, source string, lim Limits) (Named, error) {
	lim = lim.withDefaults()
	data, err := readAll(r, source, lim)
	if err != nil {
		return Named{}, err
	}
	return csvFromBytes(data, source, lim)
}

func csvFromBytes(data []byte, source string, lim Limits) (Named, error) {
	text, encoding, err := decodeText(data, source)
	if err != nil {
		return Named{}, err
	}
	s := string(text)
	report := LoadReport{Source: source, Format: "csv", Encoding: encoding}
	s, forced := sepLine(s)
	if strings.TrimSpace(s) == "" {
		return Named{}, &FormatError{Source: source, Reason: "the file is empty", Hint: "it needs at least a header row"}
	}
	d := sniff(s, lim)
	if forced != 0 {
		d.comma = forced
	}
	report.Comma = string(d.comma)
	if d.comma == '\t' {
		report.Format = "tsv"
	}
	if d.quote != '"' {
		report.Notes = append(report.Notes, "cells are quoted by '")
	}
	g, err := parseCSV(s, d, lim, source, 0)
	if err != nil {
		return Named{}, err
	}
	if g.loose > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("line %d has quotes that do not follow the rules; they were kept as text", g.loose))
	}
	g.dropPreamble(&report)
	report.Header = hasHeader(g)
	t, err := g.table(&report, lim)
	if err != nil {
		return Named{}, err
	}
	return Named{Name: baseName(source), Table: t, Report: report}, nil
}

// sepLine reads the first line "sep=;" that spreadsheets write.
func sepLine(s string) (string, byte) {
	first, rest, _ := strings.Cut(s, "\n")
	first = strings.TrimRight(first, "\r")
	if len(first) == 5 && strings.EqualFold(first[:4], "sep=") {
		return rest, first[4]
	}
	return s, 0
}

// table turns the grid into typed columns.
func (g *grid) table(report *LoadReport, lim Limits) (*Table, error) {
	width := g.width(report)
	cols := make([]Column, width)
	body := g.rows
	if report.Header {
		for i, name := range g.row(0) {
			if i < width {
				cols[i].Name = name
			}
		}
		body = g.rows[1:]
	}
	if tooSparse(len(body), width, len(g.cells)) {
		return nil, sparseError(report.Source)
	}
	if len(body) > lim.Rows {
		return nil, &FormatError{Source: report.Source, Reason: fmt.Sprintf("the text has more than %d rows", lim.Rows), Hint: "split it or raise the limit"}
	}
	nameColumns(cols, report)
	if len(body) == 0 {
		report.Notes = append(report.Notes, "there is a header row but no data below it")
	}
	report.Rows = len(body)
	arrays := make([]arrow.Array, width)
	for c, got := range g.inferColumns(cols, body) {
		cols[c], arrays[c] = got.col, got.array
		report.Notes = append(report.Notes, got.notes...)
	}
	return New(cols, arrays)
}

// inferColumns types the columns.
func (g *grid) inferColumns(cols []Column, body []csvRow) []inferred {
	out := make([]inferred, len(cols))
	eachColumn(len(cols), len(body), func(c int) {
		cells := make([]string, len(body))
		for i, row := range body {
			if row.from+c < row.to {
				cells[i] = g.cells[row.from+c]
			}
		}
		out[c] = (&textCells{name: cols[c].Name, cells: cells}).infer()
	})
	return out
}

// dropPreamble leaves out the lines above the table: those with a single cell where most rows have three or more, such as a title.
func (g *grid) dropPreamble(report *LoadReport) {
	const most = 20
	counts := map[int]int{}
	for i := range g.rows {
		counts[filled(g.row(i))]++
	}
	several := len(g.rows) - counts[0] - counts[1] - counts[2]
	if several*2 <= len(g.rows) {
		return
	}
	n := 0
	for n < most && n < len(g.rows) && filled(g.row(n)) <= 1 {
		text := strings.TrimSpace(strings.Join(g.row(n), " "))
		report.Notes = append(report.Notes, fmt.Sprintf("line %d stands above the table and was left out: %q", g.rows[n].line, clip(text, 60)))
		n++
	}
	g.rows = g.rows[n:]
}

func filled(row []string) int {
	n := 0
	for _, c := range row {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}

// width is the number of columns up to the last one in which any row has a cell. Rows of other widths than the first are reported.
func (g *grid) width(report *LoadReport) int {
	usual, width := len(g.row(0)), 1
	for i := range g.rows {
		row := g.row(i)
		for len(row) > width && strings.TrimSpace(row[len(row)-1]) == "" {
			row = row[:len(row)-1]
		}
		width = max(width, len(row))
	}
	if width < usual {
		report.Notes = append(report.Notes, fmt.Sprintf("%d empty columns at the right were left out", usual-width))
	}
	const most = 5
	odd := 0
	for i, r := range g.rows {
		n := r.to - r.from
		if n > width { // only blank cells
			n = usual
		}
		if n != usual && i > 0 {
			if odd++; odd <= most {
				what := "padded with nulls"
				if n > usual {
					what = "kept in further columns"
				}
				report.Notes = append(report.Notes, fmt.Sprintf("line %d has %d cells instead of %d; it was %s", r.line, n, usual, what))
			}
		}
	}
	if odd > most {
		report.Notes = append(report.Notes, fmt.Sprintf("%d further rows have a different number of cells", odd-most))
	}
	return width
}

// nameColumns cleans the names in place: outer spaces are cut, empty names become column_n, repeated ones get a suffix.
func nameColumns(cols []Column, report *LoadReport) {
	for i := range cols {
		name := strings.Join(strings.Fields(cols[i].Name), " ")
		if name == "" {
			name = "column_" + strconv.Itoa(i+1)
			if report.Header {
				report.Notes = append(report.Notes, fmt.Sprintf("column %d has no name and was called %s", i+1, name))
			}
		}
		cols[i].Name = name
	}
	before := make([]string, len(cols))
	for i, c := range cols {
		before[i] = c.Name
	}
	for _, i := range uniqueNames(cols) {
		report.Notes = append(report.Notes, fmt.Sprintf("the name %q repeats; column %d was called %q", before[i], i+1, cols[i].Name))
	}
}
