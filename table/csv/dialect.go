package csv

import (
	"maps"
	"slices"
	"strings"

	"catena/table"
	"catena/table/content"
	"catena/table/infer"
)

const (
	sniffRows  = 200     // records that the choice of a dialect looks at
	sniffBytes = 1 << 18 // and bytes
)

// commas are the delimiters that are tried, the usual ones first: on a tie the first wins.
var commas = []string{",", ";", "\t", "|", "\x1f", "\x01", "^", "~", "§", "¦", ":", " "}

// guess is a dialect with how well it fits.
type guess struct {
	dialect
	score float64
	width int // the usual number of cells; 0 when rows have no number in common
}

// sniff chooses delimiter, quote and escape by how regular the rows come out and how many cells look like values, after
// van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting row and type patterns", Data Mining and
// Knowledge Discovery 33 (2019).
func sniff(text string, lim table.Limits) guess {
	head := text[:min(len(text), sniffBytes)]
	lim.CellSize = len(text) + 1 // the limits are for the real reading
	best := guess{dialect: dialect{comma: ",", quote: '"'}, score: -1}
	lines := sampleLines(head)
	ends := endsOf(head)
	try := func(comma string) {
		for _, d := range dialectsOf(comma, head) {
			for _, d.ends = range ends {
				rate := d.rate
				if comma == "::" { // in names of programs, too
					rate = d.rateLong
				}
				if g := rate(head, lim); g.score > best.score {
					best = g
				}
			}
		}
	}
	for i, comma := range commas {
		weak := i >= 4
		if weak && best.score > 0.35 || comma == " " && best.score > 0.2 {
			continue
		}
		n := strings.Count(head, comma)
		if n == 0 || weak && n*2 < lines {
			continue
		}
		try(comma)
		for _, long := range []string{comma + comma, " " + comma + " ", comma + " "} {
			if each := strings.Count(
				long,
				comma,
			); comma != " " && strings.Count(head, long)*each*10 >= n*9 &&
				strings.Count(head, long)*2 >= lines {
				try(long)
			}
		}
	}
	for _, long := range longCommas(head) {
		for _, d := range dialectsOf(long, head) {
			if g := d.rateLong(head, lim); g.score > best.score || g.width > 1 && onlyInside(head, best.comma, long) {
				g.score = max(g.score, best.score)
				best = g
			}
		}
	}
	if best.score < 0 {
		best = best.rate(head, lim)
	}
	return best
}

// endsOf gives the ends of records to try: where nearly all lines end in CR or CR LF, an LF alone may be part of a
// cell.
func endsOf(head string) []lineEnd {
	if first := strings.IndexAny(head, "\r\n"); first < 0 || head[first] == '\n' {
		return []lineEnd{anyEnd} // the first line ends so; others may, too
	}
	lf, cr, crlf := strings.Count(head, "\n"), strings.Count(head, "\r"), strings.Count(head, "\r\n")
	lf, cr = lf-crlf, cr-crlf
	switch {
	case lf == 0:
	case crlf == 0 && cr >= 2*lf:
		return []lineEnd{anyEnd, onlyCR}
	case cr == 0 && crlf >= 2*lf:
		return []lineEnd{anyEnd, onlyCRLF}
	}
	return []lineEnd{anyEnd}
}

// sniffWith chooses quote and escape for a delimiter that the text itself names.
func sniffWith(text, comma string, lim table.Limits) guess {
	head := text[:min(len(text), sniffBytes)]
	lim.CellSize = len(text) + 1
	best := guess{score: -2}
	for _, d := range dialectsOf(comma, head) {
		for _, d.ends = range endsOf(head) {
			if g := d.rate(head, lim); g.score > best.score {
				best = g
			}
		}
	}
	return best
}

// sampleLines counts the lines that the choice looks at.
func sampleLines(head string) int { return min(content.LineEnds(head)+1, sniffRows) }

// dialectsOf gives the quotes and escapes to try with a delimiter.
func dialectsOf(comma, head string) []dialect {
	d := dialect{comma: comma, quote: '"'}
	if single := enclosed(
		head,
		comma,
		'\'',
	); single >= 2 && single > enclosed(head, comma, '"') &&
		single*20 >= sampleLines(head) {
		d.quote = '\''
	}
	if strings.Contains(head, escapeNUL+`"`) {
		d.escape = escapeNUL[0]
		return []dialect{d}
	}
	out := []dialect{d}
	if strings.Contains(head, `\`+string(rune(d.quote))) &&
		(d.quote == '"' || strings.Count(head, `\'`)*2 >= innerQuotes(head, comma, d.quote)) {
		d.escape = '\\'
		out = append([]dialect{d}, out...)
	}
	return out
}

// enclosed counts cells that begin and end with the quote, on one line.
func enclosed(head, comma string, quote byte) int {
	const longest = 400
	n := 0
	for pos := 0; pos < len(head); {
		i := strings.IndexByte(head[pos:], quote)
		if i < 0 {
			break
		}
		at := pos + i
		pos = at + 1
		before := strings.TrimRight(head[max(0, at-8):at], " ")
		if at > 0 && before != "" && !strings.HasSuffix(before, comma) && !endsLine(before) {
			continue
		}
		for end := at + 1; end < min(len(head), at+longest) && head[end] != '\n' && head[end] != '\r'; end++ {
			if head[end] != quote {
				continue
			}
			if rest := head[end+1:]; rest == "" || strings.HasPrefix(rest, comma) || rest[0] == '\n' ||
				rest[0] == '\r' {
				n++
				pos = end + 1
				break
			}
		}
	}
	return n
}

func endsLine(s string) bool { return s[len(s)-1] == '\n' || s[len(s)-1] == '\r' }

// innerQuotes counts quotes between letters: apostrophes, when the quote is '.
func innerQuotes(head, comma string, quote byte) int {
	n := 0
	for i := 1; i+1 < len(head); i++ {
		if head[i] == quote && isLetter(head[i-1]) && isLetter(head[i+1]) {
			n++
		}
	}
	return n
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// rate cuts the beginning of a text and says how well the dialect fits.
func (d dialect) rate(head string, lim table.Limits) guess {
	out := guess{dialect: d, score: -1}
	g, err := parseCSV(head, d, lim, "", sniffRows)
	if err != nil || len(g.Rows) == 0 {
		return out
	}
	if len(g.Rows) > 2 && len(g.Rows) < sniffRows && len(head) == sniffBytes {
		g.Rows = g.Rows[:len(g.Rows)-1] // it may be cut
	}
	if d.comma == " " { // words of comments are no cells
		if rows := slices.DeleteFunc(
			slices.Clone(g.Rows),
			func(r csvRow) bool { return strings.HasPrefix(g.Cells[r.from], "#") },
		); len(
			rows,
		) > 2 {
			g.Rows = rows
		}
	}
	width, share := g.usualWidth()
	if share >= 0.5 && width > 1 {
		out.width = width
	}
	out.score = g.patternScore() * (0.1 + typeScore(g))
	if d.comma == " " || d.comma == ":" { // between words and in times of day they stand regularly, too
		if share < 0.7 || width < 2 || !severalTyped(g, width) || width == 2 && !g.fractions() {
			return guess{dialect: d, score: -1}
		}
		out.score *= 0.6
	}
	if len(d.comma) == 1 && g.everySecondBlank(width) { // the delimiter is two of it
		out.score *= 0.5
	}
	out.score *= 1 - min(0.5, 2*float64(len(g.loose))/float64(len(g.Rows)))
	if (d.escape == 0) == escapesInside(head, d.quote) { // on a tie, what stands inside cells decides
		out.score *= 0.999
	}
	return out
}

// everySecondBlank reports whether the second, fourth ... cells of all rows are empty.
func (g *grid) everySecondBlank(width int) bool {
	if width < 3 || width%2 == 0 {
		return false
	}
	for i := range g.Rows {
		row := g.row(i)
		for c := 1; c < len(row); c += 2 {
			if row[c] != "" {
				return false
			}
		}
	}
	return true
}

// escapesInside reports whether a backslash stands before a quote that neither ends a cell nor is doubled: so it
// escapes it. At the end of a cell it may be that of a folder's name.
func escapesInside(head string, quote byte) bool {
	mark := string([]byte{'\\', quote})
	for {
		i := strings.Index(head, mark)
		if i < 0 {
			return strings.Contains(head, escapeNUL+`"`)
		}
		head = head[i+2:]
		if head != "" && head[0] != quote && (isLetter(head[0]) || head[0] == ' ' || head[0] >= '0' && head[0] <= '9') {
			return true
		}
	}
}

// patternScore is great when most rows have the same number of cells, and that is a large number.
func (g *grid) patternScore() float64 {
	widths := map[int]int{}
	for _, r := range g.Rows {
		widths[r.to-r.from]++
	}
	score, rows := 0.0, float64(max(len(g.Rows), 1))
	for _, width := range slices.Sorted(maps.Keys(widths)) { // in one order: sums of floats differ by it
		share := float64(widths[width]) / rows
		score += share * share * float64(width-1) / float64(width)
	}
	return score
}

// typeScore is the share of cells that are empty, numbers, dates or plain words, which wrongly cut cells seldom are.
func typeScore(g *grid) float64 {
	known := 0
	for _, c := range g.Cells {
		if infer.KnownCell(strings.TrimSpace(c)) {
			known++
		}
	}
	return float64(known) / float64(max(len(g.Cells), 1))
}

// severalTyped reports whether at least two columns hold mostly numbers or dates, or quotes enclose cells.
func severalTyped(g *grid, width int) bool {
	typed := make([]int, width)
	n := 0
	for i := range g.Rows {
		row := g.row(i)
		if len(row) != width {
			continue
		}
		n++
		for c, cell := range row {
			if infer.IsTypedCell(strings.TrimSpace(cell)) {
				typed[c]++
			}
		}
	}
	several := 0
	for _, t := range typed {
		if t*3 > n*2 {
			several++
		}
	}
	return several >= 2
}
