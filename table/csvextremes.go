package table

import (
	"math/big"
	"strings"
)

// lowest and highest are the names of rows that hold the least and the most of each column. Max is also a person, so such a row counts only
// beside a total or an average that was left out.
var (
	lowest  = words("min|minimum|lowest|smallest")
	highest = words("max|maximum|highest|largest")
)

// cutExtremes leaves out the last rows that hold the least or the most of all columns of numbers, where the last row that was left out
// is at cut or stands right beside them.
func (l *layout) cutExtremes(body []csvRow, width, cut int) []csvRow {
	const most = 4
	from := len(body)
	for from > 0 && len(body)-from < most && l.isExtreme(body[from-1]) {
		from--
	}
	if from == len(body) || from < 2 || from*width > mostWork || cut < body[from-1].line || cut > body[len(body)-1].line+1 {
		return body
	}
	for _, r := range body[from:] {
		if !l.extremeFits(body[:from], r, width) {
			return body
		}
	}
	for _, r := range body[from:] {
		l.drop(r, dropExtreme)
	}
	return body[:from]
}

func (l *layout) isExtreme(r csvRow) bool {
	cells := l.g.of(r)
	if len(cells) == 0 {
		return false
	}
	name := strings.ToLower(strings.TrimRight(cells[0], ": "))
	return lowest[name] || highest[name]
}

// extremeFits holds each number of a row against the least or the most of its column.
func (l *layout) extremeFits(body []csvRow, r csvRow, width int) bool {
	cells := l.g.of(r)
	sign := -1
	if highest[strings.ToLower(strings.TrimRight(cells[0], ": "))] {
		sign = 1
	}
	proved := 0
	for c := 1; c < min(width, len(cells)); c++ {
		if cells[c] == "" {
			continue
		}
		point, ok := l.pointOf(body, c)
		if !ok {
			return false
		}
		n, _, ok := sumNumber(cells[c], point)
		if !ok || n.Cmp(l.extremeOf(body, c, point, sign)) != 0 {
			return false
		}
		proved++
	}
	return proved > 0
}

// extremeOf is the largest number of a column, or with a negative sign the smallest.
func (l *layout) extremeOf(body []csvRow, c int, point byte, sign int) *big.Int {
	out := new(big.Int)
	first := true
	for _, r := range body {
		cells := l.g.of(r)
		if c >= len(cells) || cells[c] == "" {
			continue
		}
		if n, _, ok := sumNumber(cells[c], point); ok && (first || sign*n.Cmp(out) > 0) {
			out, first = n, false
		}
	}
	return out
}
