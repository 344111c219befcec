package csv

import (
	"slices"
	"strings"

	"catena/table"
	"catena/table/infer"
)

// longCommas gives the delimiters of several characters to try: marks that stand in the first line and equally often in
// nearly all others. Spaces, quotes, letters and digits are in none.
func longCommas(head string) []string {
	const near, longest, most = 40, 8, 6 // lines that are looked at; characters; delimiters
	var lines []string
	for len(lines) < near && head != "" {
		line, rest, whole := strings.Cut(head, "\n")
		if head = rest; strings.TrimSpace(line) != "" && (whole || len(lines) == 0) {
			lines = append(lines, strings.TrimRight(line, "\r"))
		}
	}
	if len(lines) < 3 {
		return nil
	}
	var out []string
	for _, run := range strings.FieldsFunc(lines[0], notMark) {
		if len(run) < 2 || len(run) > longest || slices.Contains(out, run) {
			continue
		}
		if bare := strings.Trim(run, "%$"); len(bare) == 1 && len(bare) < len(run) {
			continue // a sign of percentages or money beside a plain delimiter belongs to the cells
		}
		n, same := strings.Count(lines[0], run), 0
		for _, line := range lines {
			if strings.Count(line, run) == n {
				same++
			}
		}
		if same*10 >= len(lines)*9 {
			out = append(out, run)
		}
	}
	return out[:min(len(out), most)]
}

// notMark reports whether a character is none that a delimiter of several has.
func notMark(r rune) bool {
	return r <= ' ' || r >= 0x80 || r == '"' || r == '\'' || r >= '0' && r <= '9' || isLetter(byte(r))
}

// rateLong is rate for a delimiter of several characters. Marks inside of cells, as in addresses, are regular, too: of
// two columns one must hold values.
func (d dialect) rateLong(head string, lim table.Limits) guess {
	g := d.rate(head, lim)
	if g.width == 2 {
		cut, err := parseCSV(head, d, lim, "", sniffRows)
		if err != nil || !typedColumn(cut, g.width) {
			g.width = 0
		}
	}
	if g.width < 2 {
		g.score = -1
	}
	return g
}

// onlyInside reports whether a delimiter stands nowhere but in a longer one, of which it is a part.
func onlyInside(head, comma, long string) bool {
	each := strings.Count(long, comma)
	return each > 0 && comma != long && strings.Count(head, comma) == each*strings.Count(head, long)
}

// fractions reports whether nearly all rows have two numbers of which one has a fraction: no dates with times, and no
// groups of digits.
func (g *grid) fractions() bool {
	n := 0
	for i := range g.Rows {
		row := g.row(i)
		if len(row) != 2 {
			continue
		}
		a, _, _ := infer.ScanNumber(row[0])
		b, _, _ := infer.ScanNumber(row[1])
		if a != infer.NotNumber && b != infer.NotNumber && (a == infer.Fraction || b == infer.Fraction) {
			n++
		}
	}
	return n > 2 && n*10 >= len(g.Rows)*7
}

// typedColumn reports whether a column holds mostly numbers or dates.
func typedColumn(g *grid, width int) bool {
	for c := range width {
		n := 0
		for i := range g.Rows {
			if row := g.row(i); c < len(row) && infer.IsTypedCell(strings.TrimSpace(row[c])) {
				n++
			}
		}
		if n*3 > len(g.Rows)*2-2 {
			return true
		}
	}
	return false
}
