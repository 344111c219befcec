package table

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// flushAt is how many bytes writers collect before they pass them on.
const flushAt = 1 << 16

// until is a writer that takes nothing once its context has ended.
type until struct {
	ctx context.Context
	w   io.Writer
}

// Until gives a writer whose writes give the error of ctx when that has ended, so that what writes much ends with its
// request.
func Until(ctx context.Context, w io.Writer) io.Writer { return until{ctx, w} }

// Write implements io.Writer.
func (u until) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}

// WriteCSV writes the table as RFC 4180 CSV in UTF-8 with a header row and line feeds. Cells are their canonical text (Value.Text); nulls are empty. Units
// and zones of columns are not written, nor is the difference between null and an empty text. It ends when ctx does.
func (t *Table) WriteCSV(ctx context.Context, w io.Writer) error {
	return t.writeCSV(ctx, w, func(s string) string { return s })
}

// WriteHarmlessCSV is WriteCSV for files that people open in spreadsheets: names and texts go through Harmless, so that none runs as a formula.
func (t *Table) WriteHarmlessCSV(ctx context.Context, w io.Writer) error {
	return t.writeCSV(ctx, w, Harmless)
}

// unseen reports whether a character before a formula is not seen: blanks but those that are dangerous themselves, marks of no width, the byte order mark.
func unseen(r rune) bool {
	return r == ' ' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

// Harmless puts an apostrophe before a text that a spreadsheet would run as a formula. Those are, by the list of OWASP's page "CSV Injection", texts that
// begin with = + - @, a tab, a carriage return or a line feed, or with one of the full-width forms of these signs; a vertical bar too. Blanks and
// characters of no width before any of them do not help, since some programs cut them. A text that is a signed number is no formula and stays.
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
	if _, err := ParseDecimal(s); err == nil {
		return s
	}
	return "'" + s
}

// writeCSV writes the table with its names and texts as shown makes them.
func (t *Table) writeCSV(ctx context.Context, w io.Writer, shown func(string) string) error {
	w = Until(ctx, w)
	alone := t.NumCols() == 1
	b := make([]byte, 0, flushAt+4096)
	for c, name := range t.Names() {
		if c > 0 {
			b = append(b, ',')
		}
		name = shown(name)
		b = appendCSV(b, name, alone || c == 0 && isSepLine(name))
	}
	b = append(b, '\n')
	for r := range t.NumRows() {
		for c := range t.cells {
			if c > 0 {
				b = append(b, ',')
			}
			switch v := t.cells[c].value(r); v.typ {
			case Text, JSON, Null:
				b = appendCSV(b, shown(v.s), alone)
			default:
				b = v.appendText(b)
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
	return first <= ' ' || last <= ' ' || (first >= 0x80 || last >= 0x80) && strings.Trim(s, blanks+invisible) != s
}

// appendCSV appends a cell, in quotes where a reader could take it for something else. A cell that is alone in its row is always quoted: if it is
// empty its line would be blank.
func appendCSV(b []byte, s string, alone bool) []byte {
	if !alone && (s == "" || !strings.ContainsAny(s, ",\"\n\r;\t|'") && !outerBlank(s)) {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
