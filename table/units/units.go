// Package units converts numbers between units of one kind: grams and kilograms, miles and meters.
//
// Units are written as table.Column.Unit has them. All functions are safe for concurrent use.
package units

import (
	"github.com/cockroachdb/apd/v3"

	"catena/table"
)

// kinds are the units that convert into each other, each with how many of the smallest of its kind it is (the SI
// brochure; the pound, foot and mile of the agreement of 1959). Bytes count by thousands.
var kinds = []map[string]string{
	{"mg": "1", "g": "1000", "kg": "1000000", "t": "1000000000", "oz": "28349.523125", "lb": "453592.37"},
	{"mm": "1", "cm": "10", "m": "1000", "km": "1000000", "in": "25.4", "ft": "304.8", "yd": "914.4", "mi": "1609344"},
	{"ms": "1", "s": "1000", "min": "60000", "h": "3600000", "days": "86400000", "weeks": "604800000"},
	{"mL": "1", "cL": "10", "L": "1000"},
	{"B": "1", "kB": "1000", "MB": "1000000", "GB": "1000000000", "TB": "1000000000000"},
	{"Wh": "1", "kWh": "1000", "MWh": "1000000", "GWh": "1000000000"},
}

// exact computes with enough digits for two 38-digit decimals.
var exact = apd.BaseContext.WithPrecision(80)

// Scale is how large a unit is beside the others of its kind, and which of the kinds that is, from 0; false for a unit
// that converts into no other.
func Scale(unit string) (kind int, size *apd.Decimal, ok bool) {
	for i, scales := range kinds {
		if s, is := scales[unit]; is {
			d, _, err := apd.NewFromString(s)
			return i, d, err == nil
		}
	}
	return 0, nil, false
}

// Alike reports whether all of the units convert into each other.
func Alike(list ...string) bool {
	first := -1
	for _, u := range list {
		kind, _, ok := Scale(u)
		if !ok || first >= 0 && kind != first {
			return false
		}
		first = kind
	}
	return first >= 0
}

// Convert gives a number of one unit in another, as a decimal, or as a float where that has too many digits; null and
// false where the units do not convert into each other or the result is no finite number.
func Convert(n table.Value, from, to string) (table.Value, bool) {
	a, size, ok := Scale(from)
	b, other, also := Scale(to)
	if !ok || !also || a != b {
		return table.NullValue, false
	}
	var out apd.Decimal
	if _, err := exact.Mul(&out, n.Apd(), size); err != nil {
		return table.NullValue, false
	}
	if _, err := exact.Quo(&out, &out, other); err != nil {
		return table.NullValue, false
	}
	if got, err := table.DecimalFromApd(&out); err == nil {
		return got, true
	}
	f, err := out.Float64()
	if err != nil {
		return table.NullValue, false
	}
	return table.FloatValue(f), true
}
