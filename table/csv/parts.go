package csv

import (
	"fmt"
	"slices"
	"strings"
)

// beginsTable reports whether another table begins at row i, which has another width than the table or comes after a
// gap: it has the look of a header, and the rows below it are as wide as it is and unlike those above.
func (l *layout) beginsTable(rows []csvRow, i, usual int, typed []bool) bool {
	r := rows[i]
	width := r.to - r.from
	cells := l.g.of(r)
	if filledCount(cells) < 2 || l.hasTyped(r) {
		return false
	}
	if slices.Equal(cells, l.header) {
		return false
	}
	run := 1
	for run < 8 && i+run < len(rows) && rows[i+run].to-rows[i+run].from == width {
		run++
	}
	if run < 2 {
		return false
	}
	if width == usual { // of the same width: names stand where values were
		over := 0
		for c, t := range typed {
			if t && c < len(cells) && cells[c] != "" {
				over++
			}
		}
		return over > 0 && l.hasTyped(rows[i+1])
	}
	return r.gap || run >= 5 || i+run == len(rows) && run >= 3
}

// titlesTable reports whether row i is the title of another table: a text by itself, set off, above a header and rows
// below it, or above the header that the table has.
func (l *layout) titlesTable(rows []csvRow, i, usual int, typed []bool) bool {
	const most = 3 // lines of a title
	if usual < 2 || !l.isTitle(rows[i]) {
		return false
	}
	at := i
	for at < min(len(rows), i+most) && l.isTitle(rows[at]) {
		at++
	}
	if at == i || at+1 >= len(rows) {
		return false
	}
	if l.header != nil && slices.Equal(l.g.of(rows[at]), l.header) {
		return true
	}
	if !rows[i].gap && !rows[at].gap {
		return false
	}
	gap := rows[at].gap
	rows[at].gap = true // of the title
	begins := l.beginsTable(rows, at, usual, typed)
	rows[at].gap = gap
	return begins
}

// isTitle reports whether a row is a single text at its beginning, which is no value.
func (l *layout) isTitle(r csvRow) bool {
	cells := l.g.of(r)
	return cells[0] != "" && blankFrom(cells, 1) && !l.look(r.from).value()
}

// titleOf is the text of a row that is a title, "" for others and for remarks such as numbers of pages.
func (l *layout) titleOf(r csvRow) string {
	const longest = 100
	if cells := l.g.of(r); l.isTitle(r) && len(cells[0]) <= longest && !remark.MatchString(cells[0]) {
		return cells[0]
	}
	return ""
}

// joinParts appends tables that have the same names to the first such one, unless they only repeat its rows.
func (l *layout) joinParts(parts []part) []part {
	out, rows := make([]part, 0, len(parts)), 0
	for _, p := range parts {
		out = l.splitRepeats(out, p)
		rows += len(p.body)
	}
	if len(out) < 2 {
		return out
	}
	first := &out[0]
	kept, grown := out[:1], false
	titles := []titledRows{{first.title, len(first.body)}}
	for _, p := range out[1:] {
		same := len(p.head) > 0 && len(first.head) > 0 && slices.Equal(l.g.of(p.head[0]), l.g.of(first.head[0]))
		if same && !l.copies(p.body, first.body) {
			for _, r := range p.head {
				l.drop(r, DropRepeat)
			}
			if !grown {
				first.body, grown = append(make([]csvRow, 0, rows), first.body...), true
			}
			first.body = append(first.body, p.body...)
			titles = append(titles, titledRows{p.title, len(p.body)})
			continue
		}
		kept = append(kept, p)
	}
	if len(first.body) > 0 {
		if grown && !l.cutJoined(first, &titles[len(titles)-1]) {
			return kept // which rows are whose is not known any more
		}
		l.addTitles(first, titles)
	}
	return kept
}

// cutJoined leaves out of a table that was joined what is no total of its part but one of all. It reports whether
// nothing but the last row went, which the last part had.
func (l *layout) cutJoined(p *part, from *titledRows) bool {
	l.notes = slices.DeleteFunc(l.notes, func(n string) bool { return strings.Contains(n, noteNoTotal) })
	l.header = l.g.of(p.head[len(p.head)-1])
	n := len(p.body)
	last := p.body[n-1].line
	p.body = l.cutTotals(p.body, p.width)
	left := len(p.body)
	if left == n-1 && left > 0 && p.body[left-1].line != last {
		from.rows--
		return true
	}
	return left == n
}

// titledRows are rows with the title of the table that they come from.
type titledRows struct {
	title string
	rows  int
}

// addTitles gives a table that was joined a column of the titles, if each of its parts has one of its own: nothing else
// tells their rows apart.
func (l *layout) addTitles(p *part, titles []titledRows) {
	seen := map[string]bool{"": true}
	for _, t := range titles {
		if seen[t.title] {
			return
		}
		seen[t.title] = true
	}
	odd := func(r csvRow) bool { return r.to-r.from > p.width }
	if len(titles) < 2 || slices.ContainsFunc(p.head, odd) || slices.ContainsFunc(p.body, func(r csvRow) bool { return r.to-r.from != p.width }) {
		return
	}
	l.needsAll = true // the rows between would need the column, too
	head := slices.Clone(p.head)
	for i := range head {
		name := ""
		if i == 0 {
			name = "section"
		}
		l.widen(&head[i], p.width, name)
	}
	at := 0
	for _, t := range titles {
		for range t.rows {
			l.widen(&p.body[at], p.width, t.title)
			at++
		}
	}
	p.head, p.width = head, p.width+1
	l.notes = slices.Insert(l.notes, 0,
		fmt.Sprintf("%d tables with the same columns were joined; their titles are in the column \"section\"",
			len(titles)))
}

// widen puts a cell behind the cells of a row, which is padded to the width before.
func (l *layout) widen(r *csvRow, width int, cell string) {
	from := len(l.g.Cells)
	l.g.Cells = append(append(l.g.Cells, l.g.of(*r)...), make([]string, width-(r.to-r.from))...)
	l.g.Cells = append(l.g.Cells, cell)
	if l.g.Typed != nil {
		l.g.Typed = append(append(l.g.Typed, l.g.Typed[r.from:r.to]...), make([]int32, width-(r.to-r.from))...)
		l.g.Typed = append(l.g.Typed, AddedText)
	}
	r.from, r.to = from, len(l.g.Cells)
}

// splitRepeats appends a part, cut where its header is repeated.
func (l *layout) splitRepeats(out []part, p part) []part {
	if len(p.head) == 0 {
		return append(out, p)
	}
	const few = 3
	names := l.g.of(p.head[len(p.head)-1])
	repeats := func(r csvRow) bool { return l.g.Cells[r.from] == names[0] && slices.Equal(l.g.of(r), names) }
	n := 0
	for _, r := range p.body {
		if repeats(r) {
			n++
		}
	}
	if n == 0 || n > few && n*2 > len(p.body) { // rows that are all alike
		return append(out, p)
	}
	out = slices.Grow(out, n+1)
	first, from := len(out), 0
	for i, r := range p.body {
		if repeats(r) {
			head := p.head
			if from > 0 {
				head = p.body[from-1 : from]
			}
			out = append(out, part{head: head, body: p.body[from:i:i], width: p.width})
			from = i + 1
		}
	}
	out = append(out, part{head: p.body[from-1 : from], body: p.body[from:], width: p.width})
	out[first].head, out[first].title = p.head, p.title
	return out
}

// copies reports whether nine in ten rows repeat rows of another table in their order, and most of these: the same
// table given twice is not twice the data.
func (l *layout) copies(rows, of []csvRow) bool {
	const near = 20 // rows of the other table that may be missing in between
	if len(rows) < 5 || len(rows)*10 < len(of)*8 {
		return false
	}
	at, same := 0, 0
	for _, r := range rows {
		for i := at; i < min(len(of), at+near); i++ {
			if slices.Equal(l.g.of(r), l.g.of(of[i])) {
				at = i + 1
				same++
				break
			}
		}
	}
	return same*10 >= len(rows)*9
}
