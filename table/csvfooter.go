package table

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// remark is how the lines below a table begin or what they hold: sources, notes, dates of export, numbers of rows.
var remark = regexp.MustCompile(`(?i)^(\(?\d+ (rows?|records?|lines?|results?|entries|zeilen|lignes)\b|(source|sources|note|notes|remark|footnote|generated|exported|created|printed|produced|downloaded|retrieved|updated|last updated|copyright|©|disclaimer|contact|end of|page \d|row count|number of (rows|records)|(total )?(rows|records|row count|count)\b|quelle|stand|hinweis|fuente|nota|remarque)\b|[*†‡]|\(\d+\) |-- )|: *\d+ (rows?|records?)$`)

// totals are the names that total rows go by.
var totals = []string{"total", "totals", "grand total", "sum", "overall total", "sum total", "all", "gesamt", "gesamtsumme", "summe", "total general", "total général", "totale", "totaal", "合計"}

// cutFooter leaves out what stands below the table: lines with a single cell that are no rows, and the total of the rows above where it is one.
func (l *layout) cutFooter(body []csvRow, usual int, typed []bool) []csvRow {
	if usual < 2 {
		return body
	}
	end := len(body)
	for end > 0 && l.mayBeRemark(body[end-1], usual, typed) {
		end--
	}
	// the run of such lines is a footer where it is set off, or says so
	for end < len(body) && !l.isRemark(body[end], usual) {
		end++
	}
	if end == 0 {
		return body
	}
	footer := body[end:]
	body = body[:end]
	if n := len(body) - 1; n >= 2 && l.isTotal(body[:n], body[n], typed) {
		l.drop(body[n], dropTotal)
		body = body[:n]
	}
	for _, r := range footer {
		l.drop(r, dropFooter)
	}
	return body
}

// mayBeRemark reports whether a row has a single cell, the first or the only one, that is no value of its column; or two cells that say how many rows there are.
func (l *layout) mayBeRemark(r csvRow, usual int, typed []bool) bool {
	cells := l.g.of(r)
	filled := filledCells(cells)
	if len(filled) == 2 && usual > 2 && cells[0] != "" {
		return remark.MatchString(cells[0]) && (len(cells) < usual || r.gap)
	}
	if len(filled) != 1 || cells[0] == "" && len(cells) == usual {
		return false
	}
	if isTypedCell(filled[0]) {
		return false
	}
	return len(cells) == 1 || cells[0] != "" && (r.gap || remark.MatchString(cells[0]) || len(cells[0]) > 40 || typed[0])
}

// isRemark reports whether the first of such rows is set off from the table.
func (l *layout) isRemark(r csvRow, usual int) bool {
	cells := l.g.of(r)
	return r.gap || remark.MatchString(cells[0]) || len(cells) == 1 && usual > 2 && strings.Contains(cells[0], " ")
}

// isTotal reports whether a row called a total holds the sums of the rows above: every column of numbers that it fills, and at least one.
func (l *layout) isTotal(body []csvRow, r csvRow, typed []bool) bool {
	cells := l.g.of(r)
	label := slices.IndexFunc(cells, func(c string) bool { return c != "" })
	if label < 0 || !slices.Contains(totals, strings.ToLower(strings.TrimRight(cells[label], ": "))) {
		return false
	}
	l.needsAll = l.middle > 0
	if l.g.sums[r.line] {
		return true
	}
	sums := 0
	for c := label + 1; c < len(cells) && c < len(typed); c++ {
		if cells[c] == "" || !typed[c] {
			continue
		}
		want, ok := exactNumber(cells[c])
		if !ok {
			return false
		}
		sum := new(big.Rat)
		for _, above := range body {
			row := l.g.of(above)
			if c < len(row) && row[c] != "" {
				n, ok := exactNumber(row[c])
				if !ok {
					continue
				}
				sum.Add(sum, n)
			}
		}
		if sum.Cmp(want) != 0 {
			return false
		}
		sums++
	}
	return sums > 0
}

// exactNumber reads a number with its separators, currency and percent signs.
func exactNumber(s string) (*big.Rat, bool) {
	if len(s) > 40 {
		return nil, false
	}
	if plain, _, ok := undress(s, '.'); ok {
		s = plain
	}
	if kind, _, _ := scanNumber(s); kind == notNumber || strings.ContainsAny(s, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(strings.TrimPrefix(s, "+"))
}
