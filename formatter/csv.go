package formatter

import (
	"strings"

	"catena/table"
	"catena/table/csv"
)

// CSV is the rows as RFC 4180 with the table's own names, so that it loads again: all columns, numbers and dates in
// canonical text, without title, counts and summary row, which would be taken for data.
//
// A text that a spreadsheet would run as a formula gets an apostrophe in front; see csv.Harmless.
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
		name := csv.Harmless(col.Name)
		head = csv.AppendCell(
			head,
			name,
			alone || len(name) >= 4 && strings.EqualFold(name[:4], "sep="),
		) // sep= in front is a dialect to Excel
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
				b = csv.AppendCell(b, csv.Harmless(value.Text()), alone)
			case table.Null:
				b = csv.AppendCell(b, "", alone)
			default:
				b = value.AppendText(b)
			}
		}
		return append(b, '\n')
	})
}
