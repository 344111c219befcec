package csv

import (
	"strings"

	"catena/table/infer"
)

// cellLook is what the layout asks of single cells. The rows around each table of a text are asked for it anew, so it
// is remembered: a text of many small tables takes no more time for each byte than one of a large table.
type cellLook uint8

const (
	looked    cellLook = 1 << iota // the others are known
	looksFull                      // with a value: a number or a date
	looksYear                      // 1800 to 2200
	looksNull                      // a word for a missing value
)

func lookAt(cell string) cellLook {
	look := looked
	if cell == "" {
		return look
	}
	if infer.IsTypedCell(cell) {
		look |= looksFull
	}
	if isYear(cell) {
		look |= looksYear
	}
	if infer.IsNullWord(cell) {
		look |= looksNull
	}
	return look
}

// look gives the look of cell i of the grid. Cells may be appended to the grid meanwhile, but not changed.
func (l *layout) look(i int) cellLook {
	if i >= len(l.looks) {
		l.looks = append(l.looks, make([]cellLook, len(l.g.Cells)-len(l.looks))...)
	}
	if l.looks[i] == 0 {
		l.looks[i] = lookAt(l.g.Cells[i])
	}
	return l.looks[i]
}

// trimmedLook is look without the outer spaces that quoted cells may have, and whether there is nothing else.
func (l *layout) trimmedLook(i int) (look cellLook, empty bool) {
	cell := l.g.Cells[i]
	trimmed := strings.TrimSpace(cell)
	if len(trimmed) == len(cell) {
		return l.look(i), cell == ""
	}
	return lookAt(trimmed), trimmed == ""
}

func (k cellLook) typed() bool { return k&looksFull != 0 }
func (k cellLook) year() bool  { return k&looksYear != 0 }
func (k cellLook) null() bool  { return k&looksNull != 0 }

// Value reports a number or a date that is no year: years name columns, too.
func (k cellLook) value() bool { return k&(looksFull|looksYear) == looksFull }
