package table

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteCSV writes the table as RFC 4180 CSV in UTF-8 with a header row and line feeds. Cells are their canonical text (Value.Text); nulls are empty. Units
// and zones of columns are not written, nor is the difference between null and an empty text.
func (t *Table) WriteCSV(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	for c, name := range t.Names() {
		if c > 0 {
			out.WriteByte(',')
		}
		writeCell(out, name, t.NumCols() == 1 || c == 0 && strings.HasPrefix(strings.ToLower(name), "sep="))
	}
	out.WriteByte('\n')
	var buf []byte
	for r := range t.NumRows() {
		for c := range t.cells {
			if c > 0 {
				out.WriteByte(',')
			}
			v := t.cells[c].value(r)
			switch v.typ {
			case Text, JSON:
				writeCell(out, v.s, t.NumCols() == 1)
			case Null:
				writeCell(out, "", t.NumCols() == 1)
			default:
				buf = v.appendText(buf[:0])
				out.Write(buf)
			}
		}
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil { // a bufio.Writer keeps its first error for Flush
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	return nil
}

// writeCell quotes where a reader could take the text for something else. In a table of one column an empty cell must be quoted, or its line
// would be blank.
func writeCell(w *bufio.Writer, s string, alone bool) {
	quote := strings.ContainsAny(s, ",\"\n\r;\t|'") || s == "" && alone || s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') || alone && strings.HasPrefix(strings.ToLower(s), "sep=")
	if !quote {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		w.WriteString(s[:i+1])
		w.WriteByte('"')
		s = s[i+1:]
	}
	w.WriteString(s)
	w.WriteByte('"')
}
