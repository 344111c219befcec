package table

import (
	"path/filepath"
	"strconv"
	"strings"
)

// hasHeader decides whether the first row names the columns. It does unless it holds values of the kind that stand below it: numbers above
// numbers, dates above dates. Years above numbers (2019, 2020, 2021) are names.
func hasHeader(g *grid) bool {
	if len(g.rows) == 0 {
		return false
	}
	first := g.row(0)
	values, names, years := 0, 0, 0
	for i, cell := range first {
		cell = strings.TrimSpace(cell)
		switch {
		case cell == "":
		case !isTypedCell(cell):
			names++
		case isYear(cell) && !g.below(i, isYear):
			years++
		case len(g.rows) == 1 || g.below(i, isTypedCell):
			values++
		default:
			names++ // a number above text
		}
	}
	if values > 0 {
		return false
	}
	return names > 0 || years > 1
}

// below reports whether most of the first cells under column c are of the kind.
func (g *grid) below(c int, kind func(string) bool) bool {
	hits, n := 0, 0
	for i := 1; i < len(g.rows) && n < 50; i++ {
		row := g.row(i)
		if c >= len(row) || strings.TrimSpace(row[c]) == "" || isNullWord(strings.TrimSpace(row[c])) {
			continue
		}
		n++
		if kind(strings.TrimSpace(row[c])) {
			hits++
		}
	}
	return hits*2 > n
}

func isYear(s string) bool {
	y, err := strconv.Atoi(s)
	return err == nil && len(s) == 4 && y >= 1800 && y <= 2200
}

// isTypedCell reports whether the cell is a number or a date.
func isTypedCell(s string) bool {
	if kind, _, _ := scanNumber(s); kind != notNumber {
		return true
	}
	if _, _, ok := undress(s, '.'); ok {
		return true
	}
	return mayBeDate(s) && len(fittingLayouts([]string{s})) > 0
}

// baseName is the file's name without folders and ending.
func baseName(source string) string {
	name := filepath.Base(source)
	if source == "" || name == "." {
		return ""
	}
	name = strings.TrimSuffix(name, ".gz")
	if ext := filepath.Ext(name); ext != "" && ext != name {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
