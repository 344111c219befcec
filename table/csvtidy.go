package table

import (
	"strings"
)

// invisible are characters that show nothing and that exports leave behind: zero-width space, joiners, word joiner, byte order mark,
// soft hyphen and the marks of writing direction.
const invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"

// blanks are the spaces that are cut from a cell's ends: not line ends, which quoted cells hold on purpose.
const blanks = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\v\f"

// tidied counts the cells that tidy changed; exotic ones had other spaces than ASCII has, or invisible characters.
type tidied struct {
	padded, exotic, formulas int
}

// tidy cleans the cells in place: outer spaces of all kinds and invisible characters at the ends go, ="x" becomes x. Spaces in quotes are there on
// purpose (RFC 4180, section 2.4), unless the unquoted cells are padded as well.
func (g *grid) tidy() tidied {
	var t tidied
	exotic := false
	for _, lead := range []string{"\u00a0", "\u00ad", "\u1680", "\u2000"[:2], "\u205f"[:2], "\u3000", "\ufeff"} {
		exotic = exotic || strings.Contains(g.text, lead)
	}
	formulas := strings.Contains(g.text, `="`)
	kept := g.spaced
	for i, c := range g.cells {
		if len(kept) > 0 && kept[0] == i {
			kept = kept[1:]
			continue
		}
		if c == "" {
			continue
		}
		first, last := c[0], c[len(c)-1]
		if first > ' ' && last > ' ' && (!exotic || first < 0x80 && last < 0x80) && !(formulas && first == '=') {
			continue
		}
		g.cells[i] = t.clean(c, exotic)
	}
	if t.exotic > 0 || t.padded*10 > len(g.cells) {
		for _, i := range g.spaced {
			g.cells[i] = t.clean(g.cells[i], exotic)
		}
	}
	return t
}

// undouble makes one " of two where cells are quoted by ' and every " of the text is doubled all the same, as some exports write.
func (g *grid) undouble() {
	if n := strings.Count(g.text, `""`); n == 0 || n*2 != strings.Count(g.text, `"`) {
		return
	}
	for i, c := range g.cells {
		if strings.Contains(c, `""`) {
			g.cells[i] = strings.ReplaceAll(c, `""`, `"`)
		}
	}
}

func (t *tidied) clean(c string, exotic bool) string {
	out := strings.Trim(c, " \t")
	if exotic {
		plain := len(out)
		if out = strings.Trim(out, blanks+invisible); len(out) < plain {
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
