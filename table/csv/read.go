package csv

import (
	"fmt"
	"io"
	"strings"

	"catena/internal/buffer"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// Read reads delimited text without being told how it is written: delimiter (also of several characters), quote and
// escape are found by looking; UTF-8, UTF-16, UTF-32 or Windows-1252; with or without a header row or several. Titles
// and comments above the table, notes and totals below it, repeated headers, empty rows and empty outer columns are
// left out; outer spaces, invisible characters and ="x" are undone; rows with a delimiter too few or too many, or with
// a stray quote, are repaired where the other rows say how. Each of these is said in the report.
//
// Each column gets
// the narrowest type that holds all its cells. Empty cells are null; null, none, NaN, N/A, #N/A, NA, nil, -, --, –, —,
// . and ? are null in columns whose other cells are numbers, booleans, dates or times. Rows that are too short are
// padded with nulls and rows that are too long keep their further cells in columns of their own. source names the text
// in errors.
//
// Where nothing of that is to be done, which is checked for every record, the text is read straight into columns, by as
// many goroutines as there are processors; the result is the same.
//
// Texts that programs print for people are read, too: ruled by bars and dashes, drawn with box characters, or with
// columns aligned by spaces.
//
// Of several tables in the text, below each other or side by side, those with the names of the first are appended to
// it, with a column of their titles where each has one; others are reported in More and loaded by Tables.
// A text that cannot be read gives a *FormatError; a header without rows gives a table without rows, and a note.
func Read(r io.Reader, source string, lim table.Limits) (table.Named, error) {
	lim, end := lim.Begin()
	defer end()
	data, err := content.ReadAll(r, source, lim)
	if err != nil {
		return table.Named{}, lim.Explain(source, err)
	}
	named, err := ReadBytes(data, source, lim)
	return named, lim.Explain(source, err)
}

// ReadBytes is Read of a text in memory.
func ReadBytes(data []byte, source string, lim table.Limits) (table.Named, error) {
	c, err := openCSV(data, source, lim)
	if err != nil {
		return table.Named{}, err
	}
	if found, err := c.printed(); len(found) > 0 || err != nil {
		return table.FirstNamed(found, err)
	}
	if named, ok := c.readPlain(); ok {
		return named, nil
	}
	found, err := c.sections()
	if err != nil {
		return table.Named{}, err
	}
	return found[0].Load(lim)
}

// ReadTables reads every table of a delimited text.
func ReadTables(data []byte, source string, lim table.Limits) ([]table.Named, error) {
	c, err := openCSV(data, source, lim)
	if err != nil {
		return nil, err
	}
	if found, err := c.printed(); len(found) > 0 || err != nil {
		return found, err
	}
	if named, ok := c.readPlain(); ok { // there is only one
		return []table.Named{named}, nil
	}
	found, err := c.sections()
	if err != nil {
		return nil, err
	}
	out := make([]table.Named, len(found))
	for i := range found {
		if out[i], err = found[i].Load(lim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// csvText is a delimited text whose dialect is known.
type csvText struct {
	text   string
	facts  *content.Facts
	found  guess
	report table.LoadReport
	lim    table.Limits
	passed func(string) // see plain
}

// openCSV decodes a text and finds out how it is written.
func openCSV(data []byte, source string, lim table.Limits) (*csvText, error) {
	given, facts, encoding, err := content.DecodeFacts(data, source)
	if err != nil {
		return nil, err
	}
	c := &csvText{lim: lim, report: table.LoadReport{Source: source, Format: "csv", Encoding: encoding}}
	s, nuls := buffer.String(given), 0
	if facts.Nuls > 0 {
		s, nuls = dropNUL(s)
	}
	s, forced := sepLine(s)
	if len(s) != len(given) {
		facts = content.Scan([]byte(s))
	}
	if strings.TrimSpace(s) == "" {
		return nil, &table.FormatError{
			Source: source,
			Reason: "the file is empty",
			Hint:   "it needs at least a header row",
		}
	}
	c.text, c.facts = s, facts
	if forced == "" {
		c.found = sniff(s, lim)
	} else {
		c.found = sniffWith(s, forced, lim)
	}
	c.unwrap()
	c.found.describe(&c.report)
	if nuls > 0 {
		c.report.Notes = append(
			c.report.Notes,
			fmt.Sprintf("%s left out", text.CountOf(nuls, "NUL character was", "NUL characters were")),
		)
	}
	return c, nil
}

// unwrap undoes quotes around whole lines where there are cells in them.
func (c *csvText) unwrap() {
	if c.found.width > 1 {
		return
	}
	inner, ok := unwrapLines(c.text)
	if !ok {
		return
	}
	if found := sniff(inner, c.lim); found.width > 1 {
		c.text, c.facts, c.found = inner, content.Scan([]byte(inner)), found
		c.report.Notes = append(c.report.Notes, "each line was in quotes as a whole, which were undone")
	}
}

func (c *csvText) parser() *csvParser {
	formulas := c.facts.Formulas
	if c.found.quote != '"' {
		formulas = c.found.quote != 0 && strings.Contains(c.text, "="+string(rune(c.found.quote)))
	}
	p := newParserKnowing(c.text, c.found.dialect, c.lim, c.report.Source, formulas)
	p.want = c.found.width
	return p
}

// sections finds the tables of the text; there is at least one.
func (c *csvText) sections() ([]Section, error) {
	g, err := c.parser().parse(0)
	if err != nil {
		return nil, err
	}
	changed := g.tidy()
	if c.found.quote == '\'' {
		g.undouble()
	}
	report, usual := c.report, c.found.width
	if bands := g.bands(); bands != nil {
		g, usual = g.stack(bands), 0
		report.Notes = append(report.Notes, noteBands)
	}
	l := &layout{g: g, d: c.found.dialect, lim: c.lim}
	parts := l.arrange(usual)
	if err := c.lim.Ended(); err != nil {
		return nil, err
	}
	if len(parts) == 0 { // nothing but empty rows
		return nil, &table.FormatError{
			Source: c.report.Source,
			Reason: "there is nothing but empty rows",
			Hint:   "it needs at least a header row",
		}
	}
	if len(parts) > c.lim.Tables {
		return nil, table.OverLimit(
			c.report.Source,
			0,
			table.LimitTables,
			int64(c.lim.Tables),
			"there are more than %d tables",
			c.lim.Tables,
		)
	}
	for i := range parts {
		if g.text != "" {
			l.repair(&parts[i])
		}
		l.cutMarks(parts[i].body)
	}
	changed.note(&report)
	l.quoteNotes(&report)
	l.report(&report)
	report.Blank = g.blank
	return l.sections(parts, report)
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
