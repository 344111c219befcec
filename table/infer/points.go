package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/internal/text"
	"catena/table"
)

// pointNames are the last words of names of columns whose points never separate thousands, whatever the other columns
// are.
var pointNames = text.Set("lat|latitude|lon|lng|long|longitude|version|versions|release|revision|ver|rev")

// SettlePoints reads numbers such as 1.000 beside 500 as thousands where another column proves that the comma is the
// decimal point and none has a point that is one. Where nothing proves it, the locale decides, unless commas delimit
// the cells; without one, in a text that semicolons delimit, as where people write decimal commas, they stay fractions
// and a note says so. The texts of columns come from again; nil gives none.
func SettlePoints(columns []Result, delimiter string, marks LocaleMarks, again func(which []int) []*Texts) {
	if again == nil {
		return
	}
	proof, points := "", false
	var open []int
	for i, c := range columns {
		switch {
		case c.commas == pointCommas:
			if proof == "" {
				proof = c.Column.Name
			}
		case c.commas == groupCommas:
			points = true
		case c.Column.Type != table.Decimal || namedAs(c.Column.Name, pointNames):
		case mayBeGroups(c):
			open = append(open, i)
		default:
			points = true
		}
	}
	hinted := marks.group == "." && delimiter != ","
	if len(open) == 0 || proof == "" && (points || delimiter != ";" && !hinted) {
		return
	}
	texts := again(open)
	if len(texts) != len(open) {
		return
	}
	settled := make([]Result, len(open))
	for k, t := range texts {
		values, words := t.Trimmed()
		example, ok := groupedByPoints(values)
		if !ok {
			points = true
			continue
		}
		if out, ok := DressedNumbers(values, ',', true); ok {
			settled[k] = t.named(out, words)
			settled[k].example = example
		}
	}
	for k, i := range open {
		switch out := settled[k]; {
		case out.Array == nil:
		case proof != "" && !points:
			out.Notes = append(out.Notes, fmt.Sprintf("column %q: %s is %s, as column %q has decimal commas",
				out.Column.Name, out.example, strings.ReplaceAll(out.example, ".", ""), proof))
			columns[i] = out
		case hinted && !points:
			out.Notes = append(out.Notes,
				fmt.Sprintf("column %q: %s is %s, as the locale %s writes it; nothing in the text tells which it is",
					out.Column.Name, out.example, strings.ReplaceAll(out.example, ".", ""), marks.locale))
			columns[i] = out
		case proof != "" || !points:
			columns[i].Notes = append(columns[i].Notes,
				fmt.Sprintf("column %q: %s was read as a number with a fraction, not as %s; nothing in the file "+
					"tells which it is",
					out.Column.Name, out.example, strings.ReplaceAll(out.example, ".", "")))
		}
	}
}

// mayBeGroups reports whether the numbers of a column may all be groups of three digits with points between, as far as
// their values tell: up to 999.999, none a fraction of one.
func mayBeGroups(c Result) bool {
	const one, most = 1000, 1_000_000
	decimals, ok := c.Array.(*array.Decimal128)
	if !ok || c.Column.Scale != 3 {
		return false
	}
	return !slices.ContainsFunc(decimals.Values(), func(n decimal128.Num) bool {
		if !table.FitsInt64(n) {
			return true
		}
		i := int64(n.LowBits())
		return i != 0 && i > -one && i < one || i <= -most || i >= most
	})
}

// groupedByPoints reports whether all numbers have one point before exactly three digits, or are of at most three
// digits, and gives the first with a point.
func groupedByPoints(values []string) (example string, ok bool) {
	for _, s := range values {
		if s == "" {
			continue
		}
		plain, _, ok := Undress(s, '.')
		if !ok {
			return "", false
		}
		digits := strings.TrimPrefix(plain, "-")
		switch {
		case thousandsLike(plain):
			if example == "" {
				example = strings.Clone(s)
			}
		case len(digits) > 3 || !allDigits(digits):
			return "", false
		}
	}
	return example, example != ""
}
