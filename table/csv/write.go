package csv

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/table"
)

// flushAt is how many bytes writers collect before they pass them on.
const flushAt = 1 << 16

// Write writes the table as RFC 4180 CSV in UTF-8 with a header row and line feeds. Cells are their canonical text
// (Value.Text); nulls are empty. Units and zones of columns are not written, nor is the difference between null and an
// empty text. It ends when ctx does.
func Write(ctx context.Context, w io.Writer, t *table.Table) error {
	return write(ctx, w, t, func(s string) string { return s })
}

// WriteHarmless is WriteCSV for files that people open in spreadsheets: names and texts go through Harmless, so that
// none runs as a formula.
func WriteHarmless(ctx context.Context, w io.Writer, t *table.Table) error {
	return write(ctx, w, t, Harmless)
}

// unseen reports whether a character before a formula is not seen: blanks but those that are dangerous themselves,
// marks of no width, the byte order mark.
func unseen(r rune) bool {
	return r == ' ' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

// Harmless puts an apostrophe before a text that a spreadsheet would run as a formula. Those are, by the list of
// OWASP's page "CSV Injection", texts that begin with = + - @, a tab, a carriage return or a line feed, or with one of
// the full-width forms of these signs; a vertical bar too. Blanks and characters of no width before any of them do not
// help, since some programs cut them. A text that is a signed number is no formula and stays.
func Harmless(s string) string {
	trimmed := s
	if s != "" && (s[0] == ' ' || s[0] >= utf8.RuneSelf) {
		trimmed = strings.TrimLeftFunc(s, unseen)
	}
	if trimmed == "" || trimmed[0] < utf8.RuneSelf && strings.IndexByte("=+-@\t\r\n|", trimmed[0]) < 0 {
		return s
	}
	if first, _ := utf8.DecodeRuneInString(trimmed); !strings.ContainsRune("=+-@\t\r\n|＝＋－＠", first) {
		return s
	}
	if _, err := table.ParseDecimal(s); err == nil {
		return s
	}
	return "'" + s
}

// write writes the table with its names and texts as shown makes them.
func write(ctx context.Context, w io.Writer, t *table.Table, shown func(string) string) error {
	w = table.Until(ctx, w)
	alone := t.NumCols() == 1
	b := make([]byte, 0, flushAt+4096)
	for c, name := range t.Names() {
		if c > 0 {
			b = append(b, ',')
		}
		name = shown(name)
		b = AppendCell(b, name, alone || c == 0 && isSepLine(name))
	}
	b = append(b, '\n')
	for r := range t.NumRows() {
		for c := range t.NumCols() {
			if c > 0 {
				b = append(b, ',')
			}
			switch v := t.Value(r, c); v.Type() {
			case table.Text, table.JSON, table.Null:
				b = AppendCell(b, shown(v.Text()), alone)
			default:
				b = v.AppendText(b)
			}
		}
		b = append(b, '\n')
		if len(b) >= flushAt {
			if _, err := w.Write(b); err != nil {
				return fmt.Errorf("table: writing CSV: %w", err)
			}
			b = b[:0]
		}
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	return nil
}

func isSepLine(s string) bool { return len(s) >= 4 && strings.EqualFold(s[:4], "sep=") }

// outerBlank reports whether a text begins or ends with something that a reader may cut.
func outerBlank(s string) bool {
	first, last := s[0], s[len(s)-1]
	return first <= ' ' || last <= ' ' || (first >= 0x80 || last >= 0x80) && strings.Trim(s, Blanks+Invisible) != s
}

// AppendCell appends a text as a cell of RFC 4180 CSV, in quotes where a reader could take it for something else. A
// cell that is alone in its row is always quoted: if it is empty its line would be blank.
func AppendCell(b []byte, s string, alone bool) []byte {
	if !alone && (s == "" || !strings.ContainsAny(s, ",\"\n\r;\t|'") && !outerBlank(s)) {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
