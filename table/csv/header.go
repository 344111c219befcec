package csv

import (
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
)

// MaxHeaderRows is how many rows can name the columns together.
const MaxHeaderRows = 6

// headerRows gives how many of the first rows name the columns. The first does unless it holds values of the kind that
// stand below it. Further rows do where they have texts only and the columns below have values: units, the second line
// of long names, or the names below names of groups.
func (l *layout) headerRows(rows []csvRow, usual int) int {
	if len(rows) == 0 || !l.hasHeader(rows[:min(len(rows), 60)]) {
		return 0
	}
	n := 1
	for n < MaxHeaderRows && n+1 < len(rows) {
		typed := l.typedColumns(rows[n+1:], usual)
		if !l.continuesHeader(rows[:n], rows[n], typed) {
			break
		}
		n++
	}
	for n > 1 && slices.Index(l.typedColumns(rows[n:], usual), true) < 0 {
		n--
	}
	return l.spannedHead(rows, n)
}

func (l *layout) continuesHeader(head []csvRow, r csvRow, typed []bool) bool {
	cells, above := l.g.of(r), l.g.of(head[len(head)-1])
	texts, values, outside := 0, 0, 0
	columns := 0
	for c, t := range typed {
		if t {
			columns++
		}
		if c >= len(cells) || cells[c] == "" || l.look(r.from+c).null() {
			continue
		}
		switch {
		case !t:
			outside++
		case l.look(r.from + c).value():
			values++
		default:
			texts++
		}
	}
	if values > 0 || texts == 0 || len(cells) != len(typed) {
		return false
	}
	if slices.Equal(cells, above) {
		return true
	}
	gaps := filledCount(above)*4 <= len(above)*3 || cells[0] == "" && above[0] != ""
	return gaps && (texts > 1 || outside == 0 || columns == 1) || columns > 1 && texts == columns
}

// joinHeader gives the names of the columns. Where several rows name them, a column's names are joined by spaces from
// top to bottom, and the name of a group counts for all columns up to the next one.
func (l *layout) joinHeader(head []csvRow, width int) []string {
	names := make([]string, width)
	for i, r := range head {
		cells := l.g.of(r)
		group := ""
		for c := range names {
			cell := ""
			if c < len(cells) {
				cell = cells[c]
			}
			if below := i+1 < len(head) && l.spans == nil; below && cell == "" && l.namedBelow(head[i+1:], c) {
				cell = group
			} else {
				group = cell
			}
			if cell != "" {
				names[c] = strings.TrimSpace(names[c] + " " + cell)
			}
		}
	}
	return names
}

func (l *layout) namedBelow(head []csvRow, c int) bool {
	return slices.ContainsFunc(head, func(r csvRow) bool { return c < r.to-r.from && l.g.Cells[r.from+c] != "" })
}

// repairHeader mends a single header row that has another number of cells than the rows: another delimiter, one too
// many with an empty name, or a missing one beside a quote.
func (l *layout) repairHeader(p *part) {
	r := p.head[0]
	row := l.g.of(r)
	width := p.width
	if l.g.text == "" || len(p.head) > 1 || len(row) == width || len(p.body) < 2 || r.end-r.at > repairLine {
		return
	}
	raw := l.g.text[r.at:r.end]
	full := func(cells []string) bool {
		return len(cells) == width && !slices.Contains(cells[:width-1], "")
	}
	fix := func(cells []string, what string) {
		l.g.Cells = append(l.g.Cells, cells...)
		p.head = []csvRow{r}
		p.head[0].from, p.head[0].to = len(l.g.Cells)-len(cells), len(l.g.Cells)
		l.repairs = append(
			l.repairs,
			table.RepairedRow{Line: r.line, Was: strings.Clone(text.Clip(raw, 200)), What: what},
		)
	}
	if len(row) == width+1 && row[width] != "" {
		if i := slices.Index(row, ""); i >= 0 {
			fix(slices.Delete(slices.Clone(row), i, i+1), "a delimiter too many was left out")
		}
		return
	}
	if len(row) > width {
		return
	}
	for _, other := range commas {
		od := l.d
		od.comma = other
		if cells := splitLine(raw, od, l.lim); other != l.d.comma && full(cells) {
			fix(cells, "it is delimited by "+nameOf(other))
			return
		}
	}
	for i := 1; i < len(raw); i++ {
		if raw[i] == l.d.quote || raw[i-1] == l.d.quote {
			if cells := splitLine(raw[:i]+l.d.comma+raw[i:], l.d, l.lim); full(cells) {
				fix(cells, "a missing delimiter was put in")
				return
			}
		}
	}
}

// hasHeader decides whether the first row names the columns. It does unless it holds values of the kind that stand
// below it: numbers above numbers, dates above dates. Years above numbers (2019, 2020, 2021) are names.
func (l *layout) hasHeader(rows []csvRow) bool {
	values, names, years := 0, 0, 0
	first := rows[0]
	for i := range first.to - first.from {
		look, empty := l.trimmedLook(first.from + i)
		switch {
		case empty:
		case !look.typed():
			names++
		case look.year() && !l.below(rows, i, cellLook.year):
			years++
		case len(rows) == 1 || l.below(rows, i, cellLook.typed):
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
func (l *layout) below(rows []csvRow, c int, kind func(cellLook) bool) bool {
	hits, n := 0, 0
	for i := 1; i < len(rows) && n < 50; i++ {
		if c >= rows[i].to-rows[i].from {
			continue
		}
		look, empty := l.trimmedLook(rows[i].from + c)
		if empty || look.null() {
			continue
		}
		n++
		if kind(look) {
			hits++
		}
	}
	return hits*2 > n
}

func isYear(s string) bool {
	if len(s) != 4 || s[0] < '0' || s[0] > '9' { // most cells: the error of a number that is none takes memory
		return false
	}
	y, err := strconv.Atoi(s)
	return err == nil && y >= 1800 && y <= 2200
}
