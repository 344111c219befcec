package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// ReadCSV reads delimited text without being told how it is written: delimiter (also of several characters), quote and escape are found by looking; UTF-8,
// UTF-16, UTF-32 or Windows-1252; with or without a header row or several. Titles and comments above the table, notes and totals below it, repeated
// headers, empty rows and empty outer columns are left out; outer spaces, invisible characters and ="x" are undone; rows with a delimiter too few or too
// many, or with a stray quote, are repaired where the other rows say how. Each of these is said in the report.
//
// Each column gets
// the narrowest type that holds all its cells. Empty cells are null; null, none, NaN, N/A, #N/A, NA, nil, -, --, . and ? are null in columns whose other cells
// are numbers, booleans, dates or times. Rows that are too short are padded with nulls and rows that are too long keep their further
// cells in columns of their own. source names the text in errors.
//
// Of several tables in the text, those with the names of the first are appended to it; others are reported in More and loaded by ReadTables.
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
	found, err := readSections(data, source, lim)
	if err != nil {
		return Named{}, err
	}
	return found[0].load(lim)
}

// ReadTables reads every table of a delimited text: the first is what ReadCSV gives. A further table that cannot be loaded is an error.
func ReadTables(data []byte, source string, lim Limits) ([]Named, error) {
	lim = lim.withDefaults()
	if int64(len(data)) > lim.Bytes {
		return nil, tooLarge(source, lim)
	}
	found, err := readSections(data, source, lim)
	if err != nil {
		return nil, err
	}
	out := make([]Named, len(found))
	for i := range found {
		if out[i], err = found[i].load(lim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// section is one table of a text: a grid whose first row is the header, if there is one.
type section struct {
	*grid
	name   string
	report LoadReport
}

func (s *section) load(lim Limits) (Named, error) {
	t, err := s.table(&s.report, lim)
	if err != nil {
		return Named{}, err
	}
	return Named{Name: s.name, Table: t, Report: s.report}, nil
}

// readSections finds the tables of a text; there is at least one.
func readSections(data []byte, source string, lim Limits) ([]section, error) {
	text, encoding, err := decodeText(data, source)
	if err != nil {
		return nil, err
	}
	s := string(text)
	report := LoadReport{Source: source, Format: "csv", Encoding: encoding}
	s, nuls := dropNUL(s)
	s, forced := sepLine(s)
	if strings.TrimSpace(s) == "" {
		return nil, &FormatError{Source: source, Reason: "the file is empty", Hint: "it needs at least a header row"}
	}
	var found guess
	if forced == "" {
		found = sniff(s, lim)
	} else {
		found = sniffWith(s, forced, lim)
	}
	found.describe(&report)
	if nuls > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d NUL characters were left out", nuls))
	}
	p := newParser(s, found.dialect, lim, source)
	p.want = found.width
	g, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	changed := g.tidy()
	if found.quote == '\'' {
		g.undouble()
	}
	l := &layout{g: g, d: found.dialect, lim: lim}
	parts := l.arrange(found.width)
	if len(parts) == 0 { // nothing but empty rows
		return nil, &FormatError{Source: source, Reason: "there is nothing but empty rows", Hint: "it needs at least a header row"}
	}
	for i := range parts {
		l.repair(&parts[i])
	}
	changed.note(&report)
	l.quoteNotes(&report)
	l.report(&report)
	report.Blank = g.blank
	return l.sections(parts, report), nil
}

// sections makes a grid of each part.
func (l *layout) sections(parts []part, report LoadReport) []section {
	base := baseName(report.Source)
	var out []section
	for i := range parts {
		s := l.section(&parts[i])
		s.name = base
		if i > 0 {
			s.name = base + "_" + strconv.Itoa(i+1)
		}
		out = append(out, s)
	}
	for i := 1; i < len(out); i++ {
		rows := len(parts[i].body)
		report.More = append(report.More, FoundTable{Name: out[i].name, Line: out[i].rows[0].line, Rows: rows, Columns: parts[i].width})
		if i > 5 {
			continue
		}
		report.Notes = append(report.Notes, fmt.Sprintf("another table begins in line %d, of %d rows and %d columns; it is not part of this one", out[i].rows[0].line, rows, parts[i].width))
	}
	for i := range out {
		own := out[i].report
		out[i].report = LoadReport{Source: report.Source, Format: report.Format, Encoding: report.Encoding, Comma: report.Comma, Quote: report.Quote, Escape: report.Escape}
		if i == 0 {
			out[i].report = report
		}
		out[i].report.Header, out[i].report.HeaderRows = own.Header, own.HeaderRows
		out[i].report.Notes = append(out[i].report.Notes, own.Notes...)
	}
	return out
}

// section makes a grid of a part, without its empty columns at the left.
func (l *layout) section(p *part) section {
	s := section{grid: &grid{text: l.g.text}}
	left := p.width
	for _, r := range p.head {
		for i := r.from; i < r.to; i++ {
			l.g.cells[i] = strings.Trim(l.g.cells[i], " \t")
		}
	}
	for _, rows := range [][]csvRow{p.head, p.body} {
		for _, r := range rows {
			if left == 0 {
				break
			}
			cells := l.g.of(r)
			for left > 0 && !blankFrom(cells[:min(left, len(cells))], 0) {
				left--
			}
		}
	}
	if len(p.head) > 0 {
		s.report.Header, s.report.HeaderRows = true, len(p.head)
		head := p.head[0]
		if len(p.head) > 1 {
			width := p.width
			for _, r := range p.head {
				width = max(width, r.to-r.from)
			}
			names := l.joinHeader(p.head, width)
			head.from, head.to = len(l.g.cells), len(l.g.cells)+len(names)
			l.g.cells = append(l.g.cells, names...)
			s.report.Notes = append(s.report.Notes, fmt.Sprintf("%d rows name the columns; their texts were joined", len(p.head)))
		}
		s.rows = append(s.rows, head)
	}
	s.rows = append(s.rows, p.body...)
	if left > 0 {
		s.report.Notes = append(s.report.Notes, fmt.Sprintf("%d empty columns at the left were left out", left))
		for i := range s.rows {
			s.rows[i].from = min(s.rows[i].from+left, s.rows[i].to)
		}
	}
	s.cells = l.g.cells
	if len(p.head) > 0 && len(p.body) > 2 && s.rows[0].to-s.rows[0].from < p.width-left {
		s.report.Notes = append(s.report.Notes, fmt.Sprintf("the header has %d names for %d columns; the names may belong to other columns", s.rows[0].to-s.rows[0].from, p.width-left))
	}
	return s
}

// repair mends the rows of a part that have not the usual number of cells, as far as its regular rows say how.
func (l *layout) repair(p *part) {
	var odd []int
	for i, r := range p.body {
		if r.to-r.from != p.width || r.stray {
			if odd = append(odd, i); len(odd) > repairMost {
				return
			}
		}
	}
	if len(odd) == 0 || p.width < 2 {
		return
	}
	s := l.g.shapesOf(p.body, p.width)
	if s == nil {
		return
	}
	for _, i := range odd {
		r := p.body[i]
		cells, what := l.repairRow(r, s)
		if cells == nil {
			continue
		}
		p.body[i].from, p.body[i].to = len(l.g.cells), len(l.g.cells)+len(cells)
		l.g.cells = append(l.g.cells, cells...)
		l.repairs = append(l.repairs, RepairedRow{Line: r.line, Was: clip(l.g.text[r.at:r.end], 200), What: what})
	}
}

// describe puts the dialect into a report.
func (d dialect) describe(report *LoadReport) {
	report.Comma = d.comma
	if d.comma == "\t" {
		report.Format = "tsv"
	}
	if d.quote != 0 {
		report.Quote = string(rune(d.quote))
	}
	if d.quote == '\'' {
		report.Notes = append(report.Notes, "cells are quoted by '")
	}
	if d.escape != 0 {
		if report.Escape = string(rune(d.escape)); report.Escape == escapeNUL {
			report.Escape = "\x00"
		}
	}
}

// note says what tidy changed.
func (t tidied) note(report *LoadReport) {
	if t.padded > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d cells had outer spaces or invisible characters, which were cut", t.padded))
	}
	if t.kept > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d cells have outer spaces, unlike others of their columns; they were kept", t.kept))
	}
	if t.formulas > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d cells were written as =\"x\" and read as x", t.formulas))
	}
}

// quoteNotes says which lines have quotes against the rules.
func (l *layout) quoteNotes(report *LoadReport) {
	for _, line := range l.g.fixed {
		if len(l.repairs) < maxListed {
			l.repairs = append(l.repairs, RepairedRow{Line: line, What: "it has a quote that encloses nothing; it was kept as text"})
		}
	}
	if len(l.g.loose) > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("line %d has quotes that do not follow the rules; they were kept as text", l.g.loose[0]))
	}
}

// escapeNUL stands for NUL characters that escape quotes.
const escapeNUL = "\x1a"

// dropNUL leaves NUL characters out, except where most of them stand before quotes, which they escape in some exports.
func dropNUL(s string) (string, int) {
	n := strings.Count(s, "\x00")
	if n == 0 {
		return s, 0
	}
	if escapes := strings.Count(s, "\x00\""); escapes*2 > n && !strings.Contains(s, escapeNUL) {
		return strings.ReplaceAll(strings.ReplaceAll(s, "\x00\"", escapeNUL+`"`), "\x00", ""), n - escapes
	}
	return strings.ReplaceAll(s, "\x00", ""), n
}

// sepLine reads the first line "sep=;" that spreadsheets write.
func sepLine(s string) (rest, comma string) {
	end := strings.IndexAny(s[:min(len(s), 32)], "\r\n")
	if end < 5 || !strings.EqualFold(s[:4], "sep=") {
		return s, ""
	}
	comma = s[4:end]
	if comma == `\t` {
		comma = "\t"
	}
	if strings.ContainsAny(comma, "\"'") || len(comma) > 4 {
		return s, ""
	}
	return s[blankLine(s, end):], comma
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
		column := g.column(cols[c].Name, c, body, g.kind(c, body))
		if column.failed {
			column = g.column(cols[c].Name, c, body, rawCells)
		}
		out[c] = column.finish()
	})
	return out
}

// column reads column c of the rows by a kind.
func (g *grid) column(name string, c int, body []csvRow, kind cellKind) *cellColumn {
	column := newCellColumn(name, kind, len(body))
	for _, row := range body {
		column.add(g.cell(row, c))
	}
	column.flush()
	return column
}

// cell is cell c of a row, empty where the row has none.
func (g *grid) cell(row csvRow, c int) string {
	if row.from+c < row.to {
		return g.cells[row.from+c]
	}
	return ""
}

// kind guesses the kind of a column by its first cells.
func (g *grid) kind(c int, body []csvRow) cellKind {
	const most = 200 // rows that are looked at
	var few [most]string
	cells := few[:0]
	for _, row := range body[:min(len(body), most)] {
		cells = append(cells, g.cell(row, c))
	}
	return kindOfCells(cells)
}

// width is the number of columns up to the last one in which any row has a cell. Rows of other widths than the first are reported.
func (g *grid) width(report *LoadReport) int {
	usual, width := len(g.row(0)), 1
	if !report.Header { // where no name says that a column is none, it stays, empty as it may be
		width = usual
	}
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
