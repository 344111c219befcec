package profiler

import (
	"slices"
	"strings"

	"catena/table"
)

// unitColumn is a column of texts that says row by row what the numbers of another one are in: EUR and USD, or kg and
// g. Its cells tell it, not its name.
type unitColumn struct {
	at    int
	money bool     // of currencies
	kinds []string // the different units; a sign that several currencies share stands for itself
	owner int      // the column that its name names: weight for weight_unit; -1 for none
}

// dimensions are units that measure the same, so that a column may hold several of them.
var dimensions = func() map[string]int {
	m := map[string]int{}
	for d, list := range []string{
		"kg g mg t lb oz", "km m cm mm µm mi ft in", "ha m² km² mi² acres", "L mL gal m³ ft³",
		"ns µs ms s min h days weeks months years", "B kB MB GB TB", "°C °F",
		"km/h mph m/s", "W kW MW", "kWh MWh GWh kcal kJ", "Hz kHz MHz GHz", "hPa psi kPa mbar mmHg", "kbps Mbps Gbps",
		"ppm ppb", "mg/dL mg/L g/L mmol/L",
	} {
		for _, unit := range strings.Fields(list) {
			m[unit] = d + 1
		}
	}
	return m
}()

// periods are words that are units of time beside durations, and what something else is counted by, as in a plan that
// is paid by the month.
var periods = set("day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours",
	"minute", "minutes")

// unitColumns finds the columns of currencies and of units.
func unitColumns(names []Name, scans []*scan) []unitColumn {
	const most = 60 // different cells
	var found []unitColumn
	for c, s := range scans {
		if s.col.Type != table.Text || len(s.sample) == 0 || len(s.distinct) != len(s.sample) ||
			len(s.sample) > most && !names[c].any("currency") {
			continue
		}
		u := unitColumn{at: c, owner: -1}
		if u.kinds = currenciesOf(s.sample, names[c].any("currency")); u.kinds != nil {
			u.money = true
		} else if u.kinds = measuresOf(s.sample, names[c].any("unit", "units", "uom")); u.kinds == nil {
			continue
		}
		u.owner = ownerOf(s.col.Name, scans)
		found = append(found, u)
	}
	return found
}

// currenciesOf reads cells that are all ISO 4217 codes or signs of currencies; nil for others. Codes that are words
// count beside one that is none, or under a name that says so.
func currenciesOf(cells []string, named bool) []string {
	var kinds []string
	sure, upper := named, false
	for _, x := range cells {
		const longest = 4 // bytes of a code or sign
		if len(x) > longest {
			return nil
		}
		low := strings.ToLower(x)
		kind := strings.ToUpper(x)
		switch sign := symbolUnits[low]; {
		case currencyCodes[kind]:
			sure, upper = sure || !wordCodes[low], upper || x == kind
		case currencyCodes[sign]:
			kind, sure = sign, true
		case openSigns[low] != nil:
			kind = low
		default:
			return nil
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if !sure {
		return nil
	}
	return kinds
}

// measuresOf reads cells that are all units: of one dimension, or of any where the name says that it holds units. Nil
// for others.
func measuresOf(cells []string, named bool) []string {
	var kinds []string
	dimension := 0
	for _, x := range cells {
		const longest = 12 // bytes of a unit
		low := strings.ToLower(x)
		if len(x) > longest || periods[low] && !named {
			return nil
		}
		kind := symbolUnits[low]
		if kind == "" {
			kind = unitWords[low]
		}
		if dimensions[kind] == 0 || dimension != 0 && dimensions[kind] != dimension && !named {
			return nil
		}
		if dimension = dimensions[kind]; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// ownerOf is the column whose name another one repeats with a word behind it: weight for weight_unit; -1 for none.
func ownerOf(name string, scans []*scan) int {
	for _, of := range [...]string{"unit", "units", "uom", "currency", "ccy", "cur", "curr"} {
		stem, ok := strings.CutSuffix(strings.ToLower(name), of)
		if stem = strings.TrimRight(stem, " _-."); !ok || stem == "" {
			continue
		}
		return slices.IndexFunc(scans, func(s *scan) bool { return strings.EqualFold(s.col.Name, stem) })
	}
	return -1
}

// unitColumnOf is the column among found that says what column c is in; nil for none. One that names c comes first.
// Money takes the nearest column of currencies. Other numbers have to stand beside theirs, and to be no count or no
// money by their name.
func unitColumnOf(c int, found []unitColumn, names []Name, scans []*scan, verdicts []verdict) *unitColumn {
	v := &verdicts[c]
	if !scans[c].col.Type.Numeric() || v.role != RoleMeasure || v.semantic == Percentage {
		return nil
	}
	var best *unitColumn
	far := func(u *unitColumn) int { return max(u.at-c, c-u.at) }
	for i := range found {
		switch u := &found[i]; {
		case u.owner == c:
			return u
		case v.semantic == Currency && u.money:
			if best == nil || u.owner < 0 && best.owner >= 0 ||
				(u.owner < 0) == (best.owner < 0) && far(u) <= far(best) {
				best = u
			}
		case best == nil && u.owner < 0 && far(u) == 1 && u.neighbour(names, scans, verdicts) == c:
			best = u
		}
	}
	return best
}

// neighbour is the column beside u that it is of, when no name says so: the one on its left before the one on its
// right, but quantities before counts; -1 for none.
func (u *unitColumn) neighbour(names []Name, scans []*scan, verdicts []verdict) int {
	if u.money && slices.ContainsFunc(verdicts, func(v verdict) bool { return v.semantic == Currency }) {
		return -1 // the money is elsewhere
	}
	counted := -1
	for _, c := range [...]int{u.at - 1, u.at + 1} {
		if c < 0 || c >= len(scans) || !scans[c].col.Type.Numeric() || verdicts[c].role != RoleMeasure ||
			verdicts[c].unit != "" || verdicts[c].semantic == Percentage {
			continue
		}
		switch {
		case verdicts[c].semantic == Currency && !names[c].any("amount"):
		case !names[c].counts():
			return c
		case counted < 0 && !u.money:
			counted = c
		}
	}
	return counted
}

// shareUnits gives money of unknown currency the currency of a column beside it that names one: all rows alike, it is
// the unit; else the amounts must not be added, nor numbers in several units. A sign that several currencies share is
// settled by such a column too, or by other amounts of the table.
func shareUnits(names []Name, scans []*scan, verdicts []verdict) {
	found := unitColumns(names, scans)
	for c := range verdicts {
		v := &verdicts[c]
		open := openSigns[v.unit]
		if v.unit != "" && open == nil || len(found) == 0 && open == nil {
			continue
		}
		u := unitColumnOf(c, found, names, scans, verdicts)
		if v.semantic == Currency {
			v.settle(u, open, scans, verdicts)
		}
		if u == nil || len(u.kinds) < 2 || v.unit != "" && openSigns[v.unit] == nil {
			continue
		}
		v.aggregate, v.unitColumn = AggregateNone, scans[u.at].col.Name
		what := "numbers in several units"
		if u.money {
			what = "amounts in several currencies"
		}
		v.warnings = append(v.warnings, what+", by the column "+v.unitColumn+": they do not add up")
	}
}

// settle gives money its one currency, or warns that its sign is that of several.
func (v *verdict) settle(u *unitColumn, open []string, scans []*scan, verdicts []verdict) {
	code := ""
	switch {
	case u != nil && u.money && len(u.kinds) == 1 && scans[u.at].nulls == 0 && IsCurrency(u.kinds[0]):
		code = u.kinds[0]
	case open != nil && u == nil:
		code = onlyCurrency(verdicts)
	}
	switch {
	case open != nil && !slices.Contains(open, code):
		v.warnings = append(v.warnings, v.unit+" is the sign of several currencies ("+strings.Join(open, ", ")+
			"): which one is meant stays open")
	case code != "":
		v.unit, v.unitSource = code, UnitFromValues
		v.format.Kind, v.format.Code, v.format.Digits = "currency", code, currencyDigits(code)
	}
}

// onlyCurrency is the currency of the table's other amounts; "" when they have several or none.
func onlyCurrency(verdicts []verdict) string {
	only := ""
	for _, v := range verdicts {
		if !IsCurrency(v.unit) {
			continue
		}
		if only != "" && v.unit != only {
			return ""
		}
		only = v.unit
	}
	return only
}
