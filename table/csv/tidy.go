package csv

import (
	"slices"
	"strings"

	"catena/table/infer"
)

// Invisible are characters that show nothing and that exports leave behind: zero-width space, joiners, word joiner,
// byte order mark, soft hyphen and the marks of writing direction.
const Invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"

// Blanks are the spaces that are cut from a cell's ends: not line ends, which quoted cells hold on purpose.
const Blanks = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\v\f"

// tidied counts the cells that tidy changed: padded by spaces, exotic ones with other spaces than ASCII has or with
// invisible characters. kept ones have outer spaces still.
type tidied struct {
	padded, exotic, formulas, kept int
}

// tidy cleans the cells in place. Outer spaces go where a table or a column is padded throughout, and around values; a
// text that has some where others have none keeps them, and so do quoted cells (RFC 4180, section 2.4). Other spaces
// than ASCII has and invisible characters go from all ends, and ="x" becomes x.
func (g *grid) tidy() tidied {
	var t tidied
	exotic, formulas := false, false
	seen := g.seen
	if seen == nil {
		seen = []string{g.text}
	}
	for _, text := range seen {
		for _, lead := range []string{"\u00a0", "\u00ad", "\u1680", "\u2000"[:2], "\u205f"[:2], "\u3000", "\ufeff"} {
			exotic = exotic || strings.Contains(text, lead)
		}
		formulas = formulas || strings.Contains(text, `="`)
	}
	quoted := g.spaced
	var padded []int
	for i, c := range g.Cells {
		if len(quoted) > 0 && quoted[0] == i {
			quoted = quoted[1:]
			continue
		}
		if c == "" {
			continue
		}
		first, last := c[0], c[len(c)-1]
		if first > ' ' && last > ' ' && (!exotic || first < 0x80 && last < 0x80) && !(formulas && first == '=') {
			continue
		}
		if g.Cells[i] = t.clean(
			c,
			exotic,
		); g.Cells[i] != c && strings.Trim(c, " \t") == g.Cells[i] &&
			!isValue(g.Cells[i]) {
			g.Cells[i] = c
			padded = append(padded, i)
			t.padded--
		}
	}
	if len(padded) > 0 || t.padded+t.exotic > 0 {
		g.trimColumns(padded, &t)
	}
	return t
}

// isValue reports whether a cell is empty or a number, a date or the like: spaces around it mean nothing.
func isValue(c string) bool { return c == "" || infer.IsTypedCell(c) }

// trimColumns cuts the spaces of padded cells in columns where a quarter of the texts are padded, and of quoted ones
// too where the table is padded throughout.
func (g *grid) trimColumns(padded []int, t *tidied) {
	if all := len(padded) + t.padded; all*10 >= len(g.Cells) || t.exotic*20 > len(g.Cells) {
		for _, i := range slices.Concat(padded, g.spaced) {
			g.Cells[i] = t.clean(g.Cells[i], true)
		}
		return
	}
	columns := make(map[int]int, len(padded)) // of each padded cell
	counts, texts := map[int]int{}, map[int]int{}
	next := padded
	for _, r := range g.Rows {
		for i := r.from; i < r.to; i++ {
			if len(next) > 0 && next[0] == i {
				next = next[1:]
				columns[i] = i - r.from
				counts[i-r.from]++
			}
			if g.Cells[i] != "" {
				texts[i-r.from]++
			}
		}
	}
	for _, i := range padded {
		if c := columns[i]; counts[c]*4 >= texts[c] {
			g.Cells[i] = t.clean(g.Cells[i], false)
		} else {
			t.kept++
		}
	}
}

// undouble makes one " of two where cells are quoted by ' and every " of the text is doubled all the same, as some
// exports write.
func (g *grid) undouble() {
	if n := strings.Count(g.text, `""`); n == 0 || n*2 != strings.Count(g.text, `"`) {
		return
	}
	for i, c := range g.Cells {
		if strings.Contains(c, `""`) {
			g.Cells[i] = strings.ReplaceAll(c, `""`, `"`)
		}
	}
}

func (t *tidied) clean(c string, exotic bool) string {
	out := strings.Trim(c, " \t")
	if exotic {
		plain := len(out)
		if out = strings.Trim(out, Blanks+Invisible); len(out) < plain {
			t.exotic++
		}
	}
	if inner, ok := strings.CutPrefix(out, `="`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			if out = inner; strings.Count(inner, `""`)*2 == strings.Count(inner, `"`) {
				out = strings.ReplaceAll(inner, `""`, `"`)
			}
			t.formulas++
		}
	}
	if len(out) != len(c) {
		t.padded++
	}
	return out
}
