package table

import (
	"math"
	"strings"
)

// sniffRows is how many records the choice of a delimiter looks at.
const sniffRows = 200

// sniff chooses delimiter and quote by how regular the rows come out and how many cells look like values, after van den Burg, Nazábal and Sutton,
// "Wrangling messy CSV files by detecting row and type patterns", Data Mining and Knowledge Discovery 33 (2019).
func sniff(text string, lim Limits) dialect {
	head := text[:min(len(text), 1<<18)]
	best, bestScore := dialect{',', '"'}, math.Inf(-1)
	quotes := []byte{'"'}
	if !strings.Contains(head, `"`) && strings.Count(head, "'") >= 2 {
		quotes = append(quotes, '\'')
	}
	lim.CellSize = len(text) + 1 // the limit is for the real reading
	for _, quote := range quotes {
		for _, comma := range [...]byte{',', ';', '\t', '|'} {
			if strings.IndexByte(head, comma) < 0 {
				continue
			}
			d := dialect{comma, quote}
			g, err := parseCSV(head, d, lim, "", sniffRows)
			if err != nil {
				continue
			}
			score := patternScore(g) * (0.1 + typeScore(g))
			if g.loose > 0 {
				score *= 0.5
			}
			if quote == '\'' && !quotesMatter(g, head) {
				continue
			}
			if score > bestScore {
				best, bestScore = d, score
			}
		}
	}
	return best
}

// quotesMatter reports whether single quotes enclose cells, rather than being apostrophes.
func quotesMatter(g *grid, head string) bool {
	return g.loose == 0 && strings.Count(head, "'")*4 >= len(g.cells)
}

// patternScore is great when many rows have the same number of cells, and that is a large number.
func patternScore(g *grid) float64 {
	widths := map[int]int{}
	for _, r := range g.rows {
		widths[r.to-r.from]++
	}
	score := 0.0
	for width, n := range widths {
		score += float64(n) * float64(width-1) / float64(width)
	}
	return score / float64(max(len(widths), 1)) / float64(max(len(g.rows), 1))
}

// typeScore is the share of cells that are empty, numbers, dates or plain words, which wrongly cut cells seldom are.
func typeScore(g *grid) float64 {
	known := 0
	for _, c := range g.cells {
		if knownCell(strings.TrimSpace(c)) {
			known++
		}
	}
	return float64(known) / float64(max(len(g.cells), 1))
}

func knownCell(c string) bool {
	if c == "" || isNullWord(c) {
		return true
	}
	if kind, _, _ := scanNumber(c); kind != notNumber {
		return true
	}
	if _, _, ok := undress(c, '.'); ok {
		return true
	}
	if mayBeDate(c) && len(fittingLayouts([]string{c})) > 0 {
		return true
	}
	return !strings.ContainsAny(c, ",;\t|\"") && c[0] != ' '
}
