package profiler

import (
	"maps"
	"slices"
	"strings"

	"catena/profiler/shape"
)

// measureText decides on numbers with one unit written at each: "42.8 kg", "$1,200"; named is the unit of the name.
// Several units only get a warning.
func (v *verdict) measureText(s *scan, named string) bool {
	unit, others := "", map[string]bool{}
	ok, bad := fitting(s, func(x string) bool {
		u := writtenUnit(x)
		if unit == "" {
			unit = u
		}
		if u != "" && u != unit {
			others[u] = true
		}
		return u != "" && u == unit
	})
	if len(others) > 0 && mostFit(s, func(x string) bool { return writtenUnit(x) != "" }) {
		others[unit] = true
		what := "numbers in several units (" + strings.Join(slices.Sorted(maps.Keys(others)), ", ") + ")"
		if named != "" {
			what += ", though the name says " + named
		}
		v.warnings = append(v.warnings, what+": they do not add up")
		return false
	}
	if !ok {
		return false
	}
	if named != "" && named != unit {
		v.warnings = append(v.warnings, otherUnit(named, unit))
	}
	v.is(Decimal, RoleMeasure, 0.8)
	switch {
	case unit == "%":
		v.semantic = Percentage
	case currencyCodes[unit]:
		v.semantic = Currency
	}
	v.unit, v.unitSource, v.invalid = unit, UnitFromValues, bad
	v.warnings = append(v.warnings, "numbers stored as text with their unit")
	return true
}

// longestSign is the length of the longest currency sign or code before an amount, in bytes: USD, HK$, Rs., CN¥.
const longestSign = 4

// writtenUnit is the unit written before or behind a number; "" when the text is not a number with a unit. A sign that
// several currencies share stands for itself.
func writtenUnit(x string) string {
	n, ok := shape.ReadNumber(x)
	if !ok || n.Before != "" && (n.After != "" || len(n.Before) > longestSign) {
		return ""
	}
	sign := n.Before + n.After
	if low := strings.ToLower(strings.TrimSpace(sign)); openSigns[low] != nil {
		return low
	}
	if u := unitOf(sign); n.Before == "" || currencyCodes[u] {
		return u
	}
	return ""
}
