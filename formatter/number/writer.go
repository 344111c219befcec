package number

import (
	"math"
	"strconv"

	"catena/table"
)

// Writer writes numbers in one format and locale, with what stands around the digits made once. Append gives exactly
// what Format.Append does; for fixed formats and numbers of up to 18 digits it is several times faster. A Writer is
// immutable and safe for concurrent use.
type Writer struct {
	format Format
	locale Locale

	fixed    bool // the quick way serves this format
	whole    bool // integers only: of others the format keeps the fraction
	shift    int  // digits that the point moves to the right: 2 for ratios in percent
	places   int  // digits after the point
	minGroup int  // whole digits from which on there are groups; 0 is none
	point    string
	group    string
	before   [3]string // below, at, above zero
	behind   [3]string
}

const (
	quickDigits = 18
	quickLimit  = 1e18 // 10^quickDigits
)

// In prepares a format for a locale.
func (f Format) In(loc Locale) Writer {
	w := Writer{format: f, locale: loc}
	if !w.quick() {
		return w
	}
	d := loc.data()
	var st style
	f.affixesOf(&st, d)
	byThrees := st.group1 == 3 && st.group2 == 3
	if w.places+w.shift > quickDigits || st.group1 != 0 && !byThrees {
		return w
	}
	w.fixed, w.point, w.group = true, st.point, st.groupMark
	if st.group1 > 0 {
		w.minGroup = st.group1 + max(st.minGroup, 1)
	}
	w.affixes(&st, d)
	return w
}

// quick reports whether the format has a fixed number of places, which it sets; a number is then written without much
// ado.
func (w *Writer) quick() bool {
	f := &w.format
	laidOut := f.pattern != nil || f.d3 || f.Width > 0
	switch {
	case laidOut || f.Symbol == 'w' || !f.Unsigned0:
		return false
	case f.Type == 'f' && !f.Trim:
		w.places = f.precision(6)
		return true
	case f.Type == '%' && !f.Trim:
		w.places, w.shift = f.precision(6), 2
		return true
	}
	w.whole = f.Type == 0 && f.Trim && !f.hasDigits
	if f.money() {
		w.whole = false
	}
	return w.whole
}

// affixes sets what stands before and behind the digits of a negative number, of zero and of a positive number.
func (w *Writer) affixes(st *style, d *data) {
	f := &w.format
	var buf [1]byte
	for i := range w.before {
		n := num{neg: i == 0}
		if i != 1 {
			buf[0] = '1'
			n.d, n.point = buf[:], 1
		}
		prefix, suffix := st.prefix, st.suffix
		if n.neg {
			prefix, suffix = st.nprefix, st.nsuffix
		}
		w.before[i] = string(f.appendLead(nil, &n, st, prefix, d))
		tail := f.appendAffix(nil, suffix, &n, d, false)
		if f.Sign == '(' && n.neg {
			tail = append(tail, ')')
		}
		w.behind[i] = string(tail)
	}
}

// Append writes a number at the end of dst and gives the longer slice, as Format.Append does.
func (w *Writer) Append(dst []byte, v table.Value) []byte { return w.AppendTo(dst, &v) }

// AppendTo is Append without a copy of the cell, which it does not change.
func (w *Writer) AppendTo(dst []byte, v *table.Value) []byte {
	if w.fixed {
		if units, neg, ok := w.units(v); ok {
			return w.write(dst, units, neg)
		}
	}
	return w.format.Append(dst, *v, w.locale)
}

// zeros are as many as a number of quickDigits has behind the point at most.
const zeros = "000000000000000000"

var tens = [quickDigits + 1]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18}

// units is the number in units of its last place, rounded half to even; false where the quick way does not serve it.
func (w *Writer) units(v *table.Value) (units uint64, neg, ok bool) {
	if v.Type() == table.Float {
		return w.floatUnits(v)
	}
	n, ok := v.Unscaled()
	scale := int(v.Scale()) - w.shift - w.places
	if !ok || w.whole && v.Scale() != 0 || n == math.MinInt64 {
		return 0, false, false
	}
	units, neg = uint64(max(n, -n)), n < 0
	switch {
	case scale == 0:
		return units, neg, units < quickLimit
	case scale < 0:
		by := tens[-scale]
		return units * by, neg, units < quickLimit/by
	case scale > quickDigits:
		return 0, false, false
	}
	by := tens[scale]
	rest := units % by
	units /= by
	if half := by / 2; rest > half || rest == half && units&1 == 1 {
		units++
	}
	return units, neg, true
}

// floatUnits takes doubles of up to eleven digits whose place between two units is beyond doubt: what the double is off
// its shortest digits, and what the multiplication adds, is below 4e-5 of a unit there.
func (w *Writer) floatUnits(v *table.Value) (units uint64, neg, ok bool) {
	f, _ := v.Float()
	x := math.Abs(f) * float64(tens[w.places+w.shift])
	if !(x < 1e11) {
		return 0, false, false
	}
	down := math.Floor(x)
	over := x - down
	if math.Abs(over-0.5) < 1e-4 || w.whole && over != 0 {
		return 0, false, false
	}
	units = uint64(down)
	if over > 0.5 {
		units++
	}
	return units, f < 0, true
}

// write puts sign, groups, point and symbols to the units.
func (w *Writer) write(dst []byte, units uint64, neg bool) []byte {
	kind := 2
	switch {
	case units == 0:
		kind = 1
	case neg:
		kind = 0
	}
	dst = append(dst, w.before[kind]...)
	whole := units
	if w.places > 0 {
		whole = units / tens[w.places]
	}
	start := len(dst)
	dst = strconv.AppendUint(dst, whole, 10)
	if n := len(dst) - start; w.minGroup > 0 && n >= w.minGroup {
		dst = w.grouped(dst, start, n)
	}
	if w.places > 0 {
		dst = append(dst, w.point...)
		rest := units - whole*tens[w.places]
		at := len(dst)
		dst = append(dst, zeros[:w.places]...)
		for i := len(dst) - 1; i >= at && rest > 0; i-- {
			dst[i] = byte('0' + rest%10)
			rest /= 10
		}
	}
	return append(dst, w.behind[kind]...)
}

// grouped puts marks between the n digits from start on, from the last one backwards.
func (w *Writer) grouped(dst []byte, start, n int) []byte {
	marks := (n - 1) / 3
	for range marks {
		dst = append(dst, w.group...)
	}
	from, to := start+n, len(dst)
	for range marks {
		from, to = from-3, to-3
		copy(dst[to:to+3], dst[from:from+3])
		to -= len(w.group)
		copy(dst[to:], w.group)
	}
	return dst
}
