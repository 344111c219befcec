package csv

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"

	"catena/table/infer"
)

// mayBeAligned reports whether the beginning of a text, which no delimiter cuts, has lines with columns that spaces
// part.
func (c *csvText) mayBeAligned() bool {
	const near = 60
	if c.found.comma != " " && c.found.width > 1 {
		return false
	}
	head, n, several := c.text, 0, 0
	for n < near && head != "" {
		var line string
		line, head, _ = strings.Cut(head, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n++; segments(line) > 1 {
			several++
		}
	}
	return several > 2 && several*2 >= n
}

// segments counts the parts of a line between which two spaces stand, or more.
func segments(line string) int {
	n, blanks := 0, 2
	for _, r := range line {
		switch r {
		case ' ', '\t', '\r':
			if blanks++; r == '\t' {
				blanks++
			}
		default:
			if blanks > 1 {
				n++
			}
			blanks = 0
		}
	}
	return n
}

// isSpacedRule reports whether a line is the rule below names that tells how wide the columns are: ---- ------.
func isSpacedRule(line string) bool {
	if first := strings.TrimLeft(line, " \t"); first == "" || first[0] != '-' && first[0] != '=' {
		return false
	}
	fields := strings.Fields(line)
	return len(fields) > 1 && !slices.ContainsFunc(fields, func(f string) bool { return strings.Trim(f, "-=") != "" })
}

// printLine is a line as it is shown: where each character begins, counted in columns of a terminal.
type printLine struct {
	text   string
	places []int // by byte; empty where each byte takes one
}

// set places the characters of a line: a tab goes on to the next eighth column, East Asian characters take two. The
// room for the places is used again.
func (p *printLine) set(text string) {
	p.text, p.places = strings.TrimRight(text, " \t\r"), p.places[:0]
	if isPlaced(p.text) {
		return
	}
	at := 0
	for _, r := range p.text {
		for range max(1, utf8.RuneLen(r)) {
			p.places = append(p.places, at)
		}
		switch kind := width.LookupRune(r).Kind(); {
		case r == '\t':
			at = (at/8 + 1) * 8
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			at += 2
		default:
			at++
		}
	}
	p.places = append(p.places, at)
}

// isPlaced reports whether each byte of a text takes one column: ASCII without tabs.
func isPlaced(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '\t' {
			return false
		}
	}
	return true
}

// place is the column where byte i begins; the length of the text gives where the line ends.
func (p *printLine) place(i int) int {
	if len(p.places) == 0 {
		return i
	}
	return p.places[i]
}

// byteAt is the first byte at a column or behind it, at most the length of the text.
func (p *printLine) byteAt(place int) int {
	if len(p.places) == 0 {
		return min(place, len(p.text))
	}
	i, _ := slices.BinarySearch(p.places, place)
	return min(i, len(p.text))
}

// cut gives what stands in the columns of the terminal from..to-1.
func (p *printLine) cut(from, to int) string {
	return strings.TrimSpace(p.text[p.byteAt(from):p.byteAt(to)])
}

// mark sets the places of a line that hold something.
func (p *printLine) mark(held []bool) {
	for i := range len(p.text) {
		if p.text[i] != ' ' && p.text[i] != '\t' {
			for at := p.place(i); at < max(p.place(i)+1, p.place(i+1)) && at < len(held); at++ {
				held[at] = true
			}
		}
	}
}

// Cells cuts a line where columns start, up to the last column that it reaches. A line with a word across a start is
// one text.
func (p *printLine) cells(cells []string, starts []int, end int) []string {
	if p.crosses(starts) {
		return append(cells, strings.TrimSpace(p.text))
	}
	reach, _ := slices.BinarySearch(starts, p.place(len(p.text)))
	for c := range max(1, reach) {
		from := starts[c]
		to := end + 1
		if c+1 < len(starts) {
			to = starts[c+1]
		}
		if c == 0 {
			from = 0
		}
		cells = append(cells, p.cut(from, to))
	}
	return cells
}

// crosses reports whether a word of the line stands on both sides of a start.
func (p *printLine) crosses(starts []int) bool {
	for _, s := range starts[1:] {
		if s >= p.place(len(p.text)) {
			return false
		}
		if i := p.byteAt(s); i > 0 && i < len(p.text) && p.text[i] != ' ' && p.text[i-1] != ' ' {
			return true
		}
	}
	return false
}

// runStarts gives where the runs of dashes of a rule begin.
func runStarts(rule *printLine) []int {
	var starts []int
	for i := range len(rule.text) {
		if rule.text[i] != ' ' && (i == 0 || rule.text[i-1] == ' ') {
			starts = append(starts, rule.place(i))
		}
	}
	return starts
}

// commonStarts gives where columns begin: behind two places or more that are empty in all lines with several parts, or
// one where numbers stand beside it. The sample tells whether columns hold numbers.
func commonStarts(held []bool, sample []*printLine) []int {
	var starts []int
	for at := range held {
		if !held[at] || at > 0 && held[at-1] {
			continue
		}
		if at < 2 || !held[at-2] || len(starts) == 0 || typedBeside(sample, starts[len(starts)-1], at, held) {
			starts = append(starts, at)
		}
	}
	return starts
}

// typedBeside reports whether numbers or dates stand in most lines between two starts of columns, or behind the second
// one.
func typedBeside(lines []*printLine, from, at int, held []bool) bool {
	end := at
	for end < len(held) && held[end] {
		end++
	}
	left, right, n := 0, 0, len(lines)
	for _, p := range lines {
		if infer.IsTypedCell(p.cut(from, at)) {
			left++
		}
		if infer.IsTypedCell(p.cut(at, end)) {
			right++
		}
	}
	return n > 3 && (left*4 >= n*3 || right*4 >= n*3)
}
