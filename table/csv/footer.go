package csv

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"catena/internal/text"
	"catena/table/infer"
)

// remark is how the lines below a table begin or what they hold: sources, notes, dates of export, numbers of rows.
var remark = regexp.MustCompile(
	`(?i)^(\(?\d+ (rows?|records?|lines?|results?|entries|zeilen|lignes)\b|(source|sources|note|notes|remark|footnote|generated|exported|created|printed|produced|downloaded|retrieved|updated|last updated|copyright|©|disclaimer|contact|end of|page \d|row count|number of (rows|records)|(total )?(rows|records|row count|count)\b|quelle|stand|hinweis|fuente|nota|remarque)\b|[*†‡]|\(\d+\) |-- )|: *\d+ (rows?|records?)$`,
)

// cutFooter leaves out what stands below the table: lines with a single cell that are no rows, and the totals of rows
// above.
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
	body = l.cutTotals(body[:end], usual)
	for _, r := range footer {
		l.drop(r, DropFooter)
	}
	return body
}

// mayBeRemark reports whether a row has a single cell, the first or the only one, that is no value of its column; or
// two cells that say how many rows there are.
func (l *layout) mayBeRemark(r csvRow, usual int, typed []bool) bool {
	cells := l.g.of(r)
	filled := FilledCells(cells)
	if len(filled) == 2 && usual > 2 && cells[0] != "" {
		return remark.MatchString(cells[0]) && (len(cells) < usual || r.gap)
	}
	if typed[0] && len(filled) < usual && strings.HasSuffix(cells[0], ":") {
		return true
	}
	if len(filled) != 1 || cells[0] == "" && len(cells) == usual {
		return false
	}
	if infer.IsTypedCell(filled[0]) {
		return false
	}
	return len(cells) == 1 ||
		cells[0] != "" && (r.gap || remark.MatchString(cells[0]) || len(cells[0]) > 40 || typed[0])
}

// isRemark reports whether the first of such rows is set off from the table.
func (l *layout) isRemark(r csvRow, usual int) bool {
	cells := l.g.of(r)
	return r.gap || remark.MatchString(cells[0]) || strings.HasSuffix(cells[0], ":") && len(FilledCells(cells)) > 1 ||
		len(cells) == 1 && usual > 2 && strings.Contains(cells[0], " ")
}

// footnotes gives the marks that lines below the table begin with: * provisional.
func (l *layout) footnotes() string {
	marks := ""
	for _, d := range l.dropped {
		if d.Why != DropFooter {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(d.Text); strings.ContainsRune("*†‡§¹²³⁴⁵", r) {
			marks += string(r)
		}
	}
	return marks
}

// cutMarks cuts the marks of footnotes behind numbers and dates, where lines below the table explain them.
func (l *layout) cutMarks(body []csvRow) {
	marks := l.footnotes()
	if marks == "" {
		return
	}
	n := 0
	for _, r := range body {
		for i := r.from; i < r.to; i++ {
			if c := strings.TrimRight(l.g.Cells[i], marks+" "); len(c) < len(l.g.Cells[i]) && infer.IsTypedCell(c) {
				l.g.Cells[i] = c
				n++
			}
		}
	}
	if n > 0 {
		l.notes = append(
			l.notes,
			fmt.Sprintf(
				"%s behind a number or date, which was cut (%s)",
				text.CountOf(n, "cell had the mark of a footnote", "cells had the marks of footnotes"),
				marks,
			),
		)
	}
}
