package markup

import (
	"strings"

	"golang.org/x/net/html/atom"

	"catena/table/csv"
)

// headRows counts the rows at the top that name the columns: those of thead, else those of th cells only.
func headRows(rows []htmlRow) int {
	n := 0
	for n < len(rows) && n < csv.MaxHeaderRows && rows[n].part == atom.Thead {
		n++
	}
	for n == 0 || n < len(rows) && n < csv.MaxHeaderRows && rows[0].part != atom.Thead {
		if n == len(rows) || !rows[n].names() {
			break
		}
		n++
	}
	return n
}

// names reports whether a row names columns: it has th cells, and others are empty.
func (r htmlRow) names() bool {
	heads := false
	for _, c := range r.cells {
		if !c.header && c.text != "" {
			return false
		}
		heads = heads || c.header
	}
	return heads
}

func (r htmlRow) joined() string {
	texts := make([]string, len(r.cells))
	for i, c := range r.cells {
		texts[i] = c.text
	}
	return strings.Join(csv.FilledCells(texts), " | ")
}
