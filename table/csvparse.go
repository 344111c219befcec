package table

import (
	"fmt"
	"strconv"
	"strings"
)

// dialect is how a delimited text is written.
type dialect struct {
	comma byte
	quote byte // 0 for none
}

// csvRow is one record: cells[from:to] of its grid and the line where it begins.
type csvRow struct {
	from, to int
	line     int
}

// grid is a delimited text cut into cells. The cells are parts of the text except where quotes had to be undone.
type grid struct {
	cells []string
	rows  []csvRow
	loose int // the first line whose quotes do not follow the rules, 0 for none
}

func (g *grid) row(i int) []string { return g.cells[g.rows[i].from:g.rows[i].to] }

// parseCSV cuts text by the rules of RFC 4180, and beyond them: any line ending, a quote inside an unquoted cell is text, text after a
// closing quote stays, an unclosed quote ends its cell at the end of the text. Blank lines are skipped. maxRows 0 means no limit.
func parseCSV(text string, d dialect, lim Limits, source string, maxRows int) (*grid, error) {
	g := &grid{}
	line, pos := 1, 0
	if n := strings.Count(text[:min(len(text), 1<<16)], string(d.comma)); n > 0 && maxRows == 0 {
		g.cells = make([]string, 0, int(float64(n)*1.15*float64(len(text))/float64(min(len(text), 1<<16)))+16)
	}
	for pos < len(text) {
		if maxRows > 0 && len(g.rows) >= maxRows {
			break
		}
		if end := blankLine(text, pos); end > pos {
			pos = end
			line++
			continue
		}
		row := csvRow{from: len(g.cells), line: line}
		var err error
		if pos, line, err = g.record(text, pos, line, d, lim, source); err != nil {
			return nil, err
		}
		row.to = len(g.cells)
		g.rows = append(g.rows, row)
		if row.to-row.from > lim.Columns {
			return nil, &FormatError{Source: source, Line: row.line, Reason: fmt.Sprintf("the row has more than %d cells", lim.Columns), Hint: "raise the limit of columns"}
		}
		if len(g.rows) > lim.Rows+1 { // one may be the header
			return nil, &FormatError{Source: source, Line: row.line, Reason: fmt.Sprintf("the text has more than %d rows", lim.Rows), Hint: "split it or raise the limit"}
		}
	}
	return g, nil
}

// blankLine gives the start of the next line when the one at pos is empty, else pos.
func blankLine(text string, pos int) int {
	switch text[pos] {
	case '\n':
		return pos + 1
	case '\r':
		if pos+1 < len(text) && text[pos+1] == '\n' {
			return pos + 2
		}
		return pos + 1
	}
	return pos
}

// record reads one record from pos and gives where the next begins.
func (g *grid) record(text string, pos, line int, d dialect, lim Limits, source string) (int, int, error) {
	for {
		start := pos
		var cell string
		quoted := d.quote != 0 && pos < len(text) && text[pos] == d.quote
		if quoted {
			var crossed int
			var clean bool
			cell, pos, crossed, clean = quotedCell(text, pos, d)
			if !clean && g.loose == 0 {
				g.loose = line
			}
			line += crossed
		} else {
			for pos < len(text) && text[pos] != d.comma && text[pos] != '\n' && text[pos] != '\r' {
				pos++
			}
			cell = text[start:pos]
		}
		if len(cell) > lim.CellSize {
			return 0, 0, &FormatError{Source: source, Line: line, Reason: "a cell is larger than " + byteCount(int64(lim.CellSize)), Hint: "check the quotes, or raise the limit"}
		}
		g.cells = append(g.cells, cell)
		switch {
		case pos >= len(text):
			return pos, line, nil
		case text[pos] == d.comma:
			pos++
		default:
			return blankLine(text, pos), line + 1, nil
		}
	}
}

// quotedCell reads a cell that begins with a quote at pos; clean is false where it does not follow RFC 4180.
func quotedCell(text string, pos int, d dialect) (cell string, next, lines int, clean bool) {
	var parts strings.Builder // only for cells with doubled quotes
	pos++
	from := pos
	for {
		i := strings.IndexByte(text[pos:], d.quote)
		if i < 0 {
			cell = text[from:]
			return joined(&parts, cell), len(text), strings.Count(cell, "\n"), false
		}
		pos += i + 1
		if pos < len(text) && text[pos] == d.quote {
			parts.WriteString(text[from:pos])
			pos++
			from = pos
			continue
		}
		break
	}
	cell = joined(&parts, text[from:pos-1])
	rest := pos
	for pos < len(text) && text[pos] != d.comma && text[pos] != '\n' && text[pos] != '\r' {
		pos++
	}
	tail := text[rest:pos]
	if strings.TrimSpace(tail) != "" {
		return cell + string(d.quote) + tail, pos, strings.Count(cell, "\n"), false
	}
	return cell, pos, strings.Count(cell, "\n"), tail == ""
}

func joined(parts *strings.Builder, last string) string {
	if parts.Len() == 0 {
		return last
	}
	parts.WriteString(last)
	return parts.String()
}

func byteCount(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
