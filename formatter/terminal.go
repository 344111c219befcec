package formatter

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// SGR sequences of ECMA-48.
const (
	sgrBold  = "\x1b[1m"
	sgrDim   = "\x1b[2m"
	sgrReset = "\x1b[0m"
)

const (
	gapWidth     = 2  // between columns
	minTextWidth = 8  // of a text column that is made narrower
	minNameWidth = 16 // of the first one, which says what a row is about
	defaultWidth = 80 // where the width is not known
)

// Terminal is the view as aligned plain text, at most columns wide (80 when columns is not positive). Texts are cut with "…" where they do
// not fit; numbers are never cut: columns that have no room are left out from the right, and a line says which. Wide East Asian characters
// count as two. With color, headings and totals are bold and rules dim.
func (v *View) Terminal(columns int, color bool) string {
	if columns <= 0 {
		columns = defaultWidth
	}
	var b strings.Builder
	if title := v.caption(); title != "" {
		b.WriteString(paint(title, sgrBold, color) + "\n\n")
	}
	if v.NumRows() == 0 {
		b.WriteString(plain(strings.ReplaceAll(v.empty(), "\\", "")) + "\n")
	} else {
		v.grid(&b, columns, color)
	}
	gap := "\n"
	for _, text := range v.remarks() {
		b.WriteString(gap + "- " + wrap(plain(text), columns-2) + "\n")
		gap = ""
	}
	return b.String()
}

// track is one column on a terminal.
type track struct {
	head  string
	cells []string
	foot  string
	right bool
	width int
	least int // width below which it is not made narrower
}

func (v *View) grid(b *strings.Builder, columns int, color bool) {
	tracks := v.tracks()
	if total(tracks) > columns {
		narrowHeads(tracks)
	}
	left := fit(tracks, columns)
	shown := tracks[:len(tracks)-left]
	rules, foots := make([]string, len(shown)), make([]string, len(shown))
	for i, t := range shown {
		rules[i], foots[i] = strings.Repeat("─", t.width), t.foot
	}
	for _, heads := range headLines(shown) {
		b.WriteString(paint(line(shown, heads), sgrBold, color) + "\n")
	}
	b.WriteString(paint(line(shown, rules), sgrDim, color) + "\n")
	cells := make([]string, len(shown))
	for r := range v.NumRows() {
		for i, t := range shown {
			cells[i] = t.cells[r]
		}
		b.WriteString(line(shown, cells) + "\n")
	}
	if v.Summary != nil {
		b.WriteString(paint(line(shown, rules), sgrDim, color) + "\n")
		b.WriteString(paint(line(shown, foots), sgrBold, color) + "\n")
		if v.Summary.Detail != "" {
			b.WriteString(wrap("("+plain(v.Summary.Detail)+")", columns) + "\n")
		}
	}
	if left > 0 {
		names := make([]string, left)
		for i, t := range tracks[len(tracks)-left:] {
			names[i] = t.head
		}
		b.WriteString(wrap("… not shown for lack of width: "+strings.Join(names, ", "), columns) + "\n")
	}
}

// tracks lays the view out, with natural widths.
func (v *View) tracks() []track {
	var out []track
	if v.Ranks != nil {
		t := track{head: "#", right: true}
		for _, place := range v.Ranks {
			t.cells = append(t.cells, string(appendRank(nil, place)))
		}
		out = append(out, t)
	}
	label := ""
	if v.Summary != nil {
		label = v.Summary.Label
	}
	if v.leads() {
		out = append(out, track{cells: make([]string, v.NumRows()), foot: label})
		label = ""
	}
	for _, c := range v.visible {
		col := v.Columns[c]
		t := track{head: plain(col.Heading), right: col.Right, cells: make([]string, v.NumRows())}
		for r := range t.cells {
			t.cells[r] = plain(v.Cell(r, c))
		}
		if v.Summary != nil {
			if t.foot = v.summaryCell(c); t.foot == "" {
				t.foot, label = label, ""
			}
		}
		out = append(out, t)
	}
	first := true
	for i := range out {
		t := &out[i]
		t.least = minTextWidth
		if !t.right && first {
			t.least, first = minNameWidth, false
		}
		t.width = max(displayWidth(t.head), displayWidth(t.foot))
		for _, cell := range t.cells {
			t.width = max(t.width, displayWidth(cell))
		}
	}
	return out
}

// total is the width of a line.
func total(tracks []track) int {
	n := -gapWidth
	for _, t := range tracks {
		n += t.width + gapWidth
	}
	return n
}

// narrowHeads makes columns as narrow as their cells and the longest word of their heading, which then takes several lines.
func narrowHeads(tracks []track) {
	for i := range tracks {
		t := &tracks[i]
		t.width = displayWidth(t.foot)
		for _, word := range strings.Fields(t.head) {
			t.width = max(t.width, displayWidth(word))
		}
		for _, cell := range t.cells {
			t.width = max(t.width, displayWidth(cell))
		}
	}
}

// headLines breaks the headings to the widths of their columns; short ones stand at the bottom.
func headLines(tracks []track) [][]string {
	heads := make([][]string, len(tracks))
	most := 0
	for i, t := range tracks {
		heads[i] = strings.Split(strings.ReplaceAll(wrap(t.head, t.width), "\n  ", "\n"), "\n")
		most = max(most, len(heads[i]))
	}
	lines := make([][]string, most)
	for n := range lines {
		lines[n] = make([]string, len(tracks))
		for i, h := range heads {
			if at := n - (most - len(h)); at >= 0 {
				lines[n][i] = h[at]
			}
		}
	}
	return lines
}

// fit narrows the widest text columns until all stand in the width; when that is not enough it gives the number of columns to leave out
// from the right.
func fit(tracks []track, columns int) (leftOut int) {
	for {
		widest := -1
		shown := tracks[:len(tracks)-leftOut]
		over := total(shown) - columns
		for i, t := range shown {
			if !t.right && t.width > t.least && (widest < 0 || t.width > shown[widest].width) {
				widest = i
			}
		}
		switch {
		case over <= 0:
			return leftOut
		case widest >= 0:
			tracks[widest].width = max(tracks[widest].least, tracks[widest].width-over, secondWidth(shown, widest))
		case leftOut < len(tracks)-1:
			leftOut++
		default:
			return leftOut
		}
	}
}

// secondWidth is one less than the width of the widest text column, so that columns of like width shrink together.
func secondWidth(tracks []track, widest int) int {
	second := 0
	for i, t := range tracks {
		if i != widest && !t.right {
			second = max(second, t.width)
		}
	}
	return min(second, tracks[widest].width-1)
}

// line pads and joins cells; spaces at the end are left out.
func line(tracks []track, cells []string) string {
	var b strings.Builder
	for i, t := range tracks {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gapWidth))
		}
		cell := cells[i]
		if !t.right || displayWidth(cell) > t.width {
			cell = cutWidth(cell, t.width)
		}
		pad := strings.Repeat(" ", max(0, t.width-displayWidth(cell)))
		if t.right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// wrap breaks text at spaces to the width; lines after the first are set in by two.
func wrap(text string, limit int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		w := displayWidth(word)
		switch {
		case i > 0 && n+1+w > limit:
			b.WriteString("\n  ")
			n = 0
		case i > 0:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += w
	}
	return b.String()
}

func paint(s, sgr string, color bool) string {
	if !color {
		return s
	}
	return sgr + s + sgrReset
}

// runeWidth is how many columns a character takes: two for East Asian wide and fullwidth ones and for emoji, none for marks and formats
// (Unicode Standard Annex 11).
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// cutWidth shortens text to a display width and marks the cut.
func cutWidth(s string, limit int) string {
	if displayWidth(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > limit-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}
