package formatter

import (
	"strings"
	"unicode/utf8"

	"catena/table"
)

// CSV is the rows as RFC 4180 with the table's own names, so that it loads again: all columns, numbers and dates in canonical text, without title,
// counts and summary row, which would be taken for data.
//
// A text that a spreadsheet would run as a formula gets an apostrophe in front. Those are, by the list of OWASP's page "CSV Injection", texts that
// begin with = + - @, a tab, a carriage return or a line feed, or with one of the full-width forms of these signs; a vertical bar too, and spaces before any of
// them do not help, since some programs cut them. Numbers stay numbers: a negative one is no formula, nor is a text that is a signed number.
func (v *View) CSV() string {
	ranked := v.ranked()
	alone := len(v.Columns) == 1 && !ranked
	var head []byte
	if ranked {
		head = append(head, rankName...)
	}
	for c, col := range v.Columns {
		if c > 0 || ranked {
			head = append(head, ',')
		}
		name := harmless(col.Name)
		head = table.AppendCSV(head, name, alone || len(name) >= 4 && strings.EqualFold(name[:4], "sep=")) // sep= in front is a dialect to Excel
	}
	return v.writeText(append(head, '\n'), nil, 12*(len(v.Columns)+1), func(b []byte, r int) []byte {
		if ranked {
			b = appendRank(b, v.Ranks[r])
		}
		for c := range v.Columns {
			if c > 0 || ranked {
				b = append(b, ',')
			}
			value := v.shown.Value(r, c)
			switch value.Type() {
			case table.Text, table.JSON:
				b = table.AppendCSV(b, harmless(value.Text()), alone)
			case table.Null:
				b = table.AppendCSV(b, "", alone)
			default:
				b = value.AppendText(b)
			}
		}
		return append(b, '\n')
	})
}

// harmless puts an apostrophe before text that spreadsheets take for a formula.
func harmless(s string) string {
	trimmed := strings.TrimLeft(s, " ")
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
