package formatter

import (
	"fmt"
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
	v.lists(&b, "\n", plain)
	return b.String()
}

// track is one column on a terminal.
type track struct {
	head  string
	cells []string
	foot  string
	right bool
	width int
}

func (v *View) grid(b *strings.Builder, columns int, color bool) {
	tracks := v.tracks()
	left := fit(tracks, columns)
	shown := tracks[:len(tracks)-left]
	heads, rules, foots := make([]string, len(shown)), make([]string, len(shown)), make([]string, len(shown))
	for i, t := range shown {
		heads[i], rules[i], foots[i] = t.head, strings.Repeat("─", t.width), t.foot
	}
	b.WriteString(paint(line(shown, heads), sgrBold, color) + "\n")
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
			fmt.Fprintf(b, "%s: %s\n", v.Summary.Label, plain(v.Summary.Detail))
		}
	}
	if left > 0 {
		names := make([]string, left)
		for i, t := range tracks[len(tracks)-left:] {
			names[i] = t.head
		}
		fmt.Fprintf(b, "… not shown for lack of width: %s\n", strings.Join(names, ", "))
	}
}

// tracks lays the view out, with natural widths.
func (v *View) tracks() []track {
	var out []track
	if v.Ranks != nil {
		t := track{head: "#", right: true}
		for _, place := range v.Ranks {
			t.cells = append(t.cells, rank(place))
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
	for c, col := range v.Columns {
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
	for i := range out {
		t := &out[i]
		t.width = max(displayWidth(t.head), displayWidth(t.foot))
		for _, cell := range t.cells {
			t.width = max(t.width, displayWidth(cell))
		}
	}
	return out
}

// fit narrows the widest text columns until all stand in the width; when that is not enough it gives the number of columns to leave out
// from the right.
func fit(tracks []track, columns int) (leftOut int) {
	for {
		total := -gapWidth
		widest := -1
		shown := tracks[:len(tracks)-leftOut]
		for i, t := range shown {
			total += t.width + gapWidth
			if !t.right && t.width > minTextWidth && (widest < 0 || t.width > shown[widest].width) {
				widest = i
			}
		}
		switch {
		case total <= columns:
			return leftOut
		case widest >= 0:
			tracks[widest].width = max(minTextWidth, tracks[widest].width-(total-columns), secondWidth(shown, widest))
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
