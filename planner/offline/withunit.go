package offline

import (
	"fmt"

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
