package offline

import (
	"fmt"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// cellUnits are signs of units that stand behind the numbers of texts only: alone, most of them are letters like others.
var cellUnits = plan.WordSet("t m h s l ml mg oz kb mb gb tb wh kwh mwh gwh yd ms")

// writtenUnit gives the unit that stands behind a number at token i, as it is written; "" without one. Money and percents are none.
func (r *reader) writtenUnit(i int) string {
	t := r.tokenAt(i)
	u, ok := units[t.low]
	if !ok {
		u, ok = units[t.lemma]
	}
	if t.kind != wordToken || !cellUnits[t.low] && (!ok || u.kind == "money" || u.kind == "percent" || u.kind == "ratio") {
		return ""
	}
	if sign := unitSigns[t.lemma]; sign != "" {
		return sign
	}
	return t.text
}

// unitSigns are the signs of units whose words questions use and cells do not.
var unitSigns = map[string]string{
	"gram": "g", "kilo": "kg", "kilogram": "kg", "pound": "lb", "ton": "t", "tonne": "t", "meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km",
	"centimeter": "cm", "millimeter": "mm", "mile": "mi", "foot": "ft", "inch": "in", "minute": "min", "hour": "h", "hr": "h", "second": "s", "sec": "s",
}

// rangeEnd gives the number that ends a range which begins with the number at i; 0 without one. Both may have their units behind them, "300 g
// and 2 kg", where these convert.
func (r *reader) rangeEnd(i int) int {
	unit := r.writtenUnit(i + 1)
	at := i + 1
	if unit != "" {
		at++
	}
	if w := r.low(at); w != "and" && w != "to" || r.tokenAt(at+1).kind != numberToken {
		return 0
	}
	if unit != "" && r.low(i+1) != r.low(at+2) && (units[r.low(i+1)].kind == "" || units[r.low(i+1)].kind != units[r.low(at+2)].kind) {
		return 0
	}
	return at + 1
}

// inCells puts the unit behind the number at i behind the limits of a condition on a column of texts, whose cells have units of their own. It
// reports the token behind the unit, and whether there was one.
func (r *reader) inCells(c *plan.Condition, i int) (end int, ok bool) {
	unit := r.writtenUnit(i + 1)
	if unit == "" {
		return 0, false
	}
	with := func(v any) any { return fmt.Sprintf("%v %s", v, unit) }
	if list, is := c.Value.([]any); is {
		for k, v := range list {
			list[k] = with(v)
		}
	} else {
		c.Value = with(c.Value)
	}
	return i + 2, true
}

// scale multiplies a decimal text by a power of ten.
func scale(num string, zeros int) string {
	num, neg := strings.CutPrefix(num, "-")
	whole, frac, _ := strings.Cut(num, ".")
	if zeros >= 0 {
		frac += strings.Repeat("0", max(0, zeros-len(frac)))
		whole, frac = whole+frac[:zeros], frac[zeros:]
	} else {
		whole = strings.Repeat("0", max(0, 1-zeros-len(whole))) + whole
		at := len(whole) + zeros
		whole, frac = whole[:at], whole[at:]+frac
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if frac = strings.TrimRight(frac, "0"); frac != "" {
		whole += "." + frac
	}
	if neg {
		return "-" + whole
	}
	return whole
}

// mostZeros is the largest exponent of a number that is written out. One beyond it stays as it is written, and is
// refused as every number that cannot be worked with.
const mostZeros = 308

// exponent reads the rest of a number from start in scientific notation at i, e3 or E-06: the zeros that it adds and
// where it ends, i for none. Behind several digits a capital E is that of a code: 12E4.
func exponent(s string, start, i int) (zeros, end int) {
	if i >= len(s) || s[i] != 'e' && s[i] != 'E' {
		return 0, i
	}
	if s[i] == 'E' && i-start > 1 && strings.Trim(s[start:i], "0123456789") == "" {
		return 0, i
	}
	end = i + 1
	if end < len(s) && (s[end] == '+' || s[end] == '-') {
		end++
	}
	from := end
	for digitAt(s, end) {
		end++
	}
	if end == from || end < len(s) && (wordByte(s[end]) && s[end] != ')' || s[end] == '_') {
		return 0, i // a code such as 1e3x
	}
	zeros, err := strconv.Atoi(s[i+1 : end])
	if err != nil {
		zeros = mostZeros + 1
	}
	return zeros, end
}
