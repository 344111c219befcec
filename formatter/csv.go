package formatter

import (
	"strings"

	"catena/table"
)

// CSV is the rows as RFC 4180 with the table's own names, so that it loads again: all columns, numbers and dates in canonical text, without title,
// counts and summary row, which would be taken for data.
//
// A text that a spreadsheet would run as a formula gets an apostrophe in front; see table.Harmless.
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
		name := table.Harmless(col.Name)
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
				b = table.AppendCSV(b, table.Harmless(value.Text()), alone)
			case table.Null:
				b = table.AppendCSV(b, "", alone)
			default:
				b = value.AppendText(b)
			}
		}
		return append(b, '\n')
	})
}
