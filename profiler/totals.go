package profiler

import (
	"math"
	"slices"
	"strings"

	"catena/table"
	"catena/table/csv"
)

// Totals is a value of a column of text whose rows are the sum of the table's other rows: of all of them, or of those
// that are the same in all other columns that are no measures, such as the rows of a year. Sums over the whole table
// count everything twice there.
type Totals struct {
	Column int    // of the label
	Value  string // of the label; "" where the cells are empty
	Rows   int    // how many rows there are of it
}

// Bounds of the search for totals.
const (
	totalRows    = 200_000 // a table of more is taken to have none: it was exported from a database
	totalLabels  = 60      // different values of a column that may have totals per group
	totalRounds  = 3       // totals of totals: subtotals go first
	totalDigits  = 5.0     // of the numbers that agree, at least: fewer agree by chance
	emptyDigits  = 2.5     // the same for an empty label
	namedDigits  = 1.0     // the same for a label that says total
	totalSources = 2       // rows that a total sums up, at least
)

// TotalsOf finds the totals of a table by its numbers: in each column that adds up, the number is the sum of the other
// rows', within what rounding allows. It never goes by the label alone. Columns that do not add up (rates, prices,
// identifiers) are not looked at. The result is in the order in which totals have to be left out; nil for none.
func TotalsOf(t *table.Table, meta []ColumnMetadata) []Totals {
	if t.NumRows() <= totalSources || t.NumRows() > totalRows || len(meta) < t.NumCols() {
		return nil
	}
	s := &totalSearch{t: t, gone: make([]bool, t.NumRows()), codes: map[int]*coded{}}
	for c := range t.NumCols() {
		switch m := &meta[c]; {
		case m.Role == RoleMeasure && m.Aggregation == AggregateSum && t.Column(c).Type.Numeric():
			s.read(c)
		case t.Column(c).Type == table.Text:
			s.labels, s.keys = append(s.labels, c), append(s.keys, c)
		case m.Role != RoleMeasure:
			s.keys = append(s.keys, c)
		}
	}
	var out []Totals
	for range totalRounds {
		found := s.round()
		if found == nil {
			break
		}
		out = append(out, *found)
	}
	return out
}

// totalSearch is a table whose totals are looked for.
type totalSearch struct {
	t      *table.Table
	labels []int // columns of text
	keys   []int // columns that tell groups apart
	sums   []addends
	gone   []bool         // rows that are known as totals
	codes  map[int]*coded // columns as numbers, read when they are first asked for
}

// addends is a column that adds up.
type addends struct {
	values []float64 // NaN for none
	unit   float64   // of the last digit that is written
}

func (s *totalSearch) read(c int) {
	a := addends{values: make([]float64, s.t.NumRows()), unit: math.Inf(1)}
	for r := range a.values {
		v := s.t.Value(r, c)
		if a.values[r] = math.NaN(); v.IsNull() {
			continue
		}
		f, ok := v.Float()
		if !ok {
			continue
		}
		a.values[r] = f
		if f != 0 {
			a.unit = min(a.unit, lastDigit(v.Text()))
		}
	}
	s.sums = append(s.sums, a)
}

// lastDigit is the unit of the last digit of a number that is no zero: 0.01 of 1.25, 1000 of 27000.
func lastDigit(text string) float64 {
	const most = 9
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.ContainsAny(text, "eE") {
		return 1
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return math.Pow10(-min(len(fraction), most))
	}
	return math.Pow10(len(whole) - len(strings.TrimRight(whole, "0")))
}

// round finds one label more: subtotals of groups before totals of all.
func (s *totalSearch) round() *Totals {
	if len(s.sums) == 0 {
		return nil
	}
	for _, whole := range []bool{false, true} {
		for _, c := range s.labels {
			if found := s.of(c, whole); found != nil {
				return found
			}
		}
	}
	return nil
}

// of looks for the totals that a column labels: of the whole table, or per group of the other keys.
func (s *totalSearch) of(c int, whole bool) *Totals {
	groups := make([]uint32, s.t.NumRows())
	count := 1
	if !whole {
		if groups, count = s.groups(c); count < 2 || s.distinct(c) > totalLabels {
			return nil
		}
	}
	proofs := map[uint32]*proof{}
	for _, rows := range s.together(groups, count) {
		s.prove(c, rows, whole, proofs)
	}
	overAll := func(label uint32) int {
		if whole {
			return 0 // all rows are one group, and were held against their sum
		}
		return s.overAll(c, label, groups, count)
	}
	best := s.bestOf(c, proofs, whole, overAll)
	if best != nil {
		labels := s.coded(c)
		for r := range s.gone {
			s.gone[r] = s.gone[r] || labels.names[labels.codes[r]] == best.Value
		}
	}
	return best
}

// bestOf is the first label of the alphabet whose every row is shown to be a total; nil for none.
func (s *totalSearch) bestOf(c int, proofs map[uint32]*proof, whole bool, overAll func(uint32) int) (best *Totals) {
	if len(proofs) == 0 {
		return nil
	}
	labels := s.coded(c)
	rows := make([]int, len(labels.names))
	for r, gone := range s.gone {
		if !gone {
			rows[labels.codes[r]]++
		}
	}
	for code, p := range proofs {
		label := labels.names[code]
		if p.digits < digitsFor(label) || !whole && p.rows < 2 || p.rows+p.alone+overAll(code) != rows[code] {
			continue
		}
		if best == nil || label < best.Value {
			best = &Totals{Column: c, Value: label, Rows: rows[code]}
		}
	}
	return best
}

// digitsFor is how many digits have to agree before a label is that of totals.
func digitsFor(label string) float64 {
	switch {
	case label == "":
		return emptyDigits
	case csv.SaysTotal(label):
		return namedDigits
	}
	return totalDigits
}

// overAll counts the rows of a label that are the sum of all rows without it, and in groups of their own: the grand
// total below subtotals.
func (s *totalSearch) overAll(c int, label uint32, groups []uint32, count int) (n int) {
	var rows, of []int
	sizes := make([]int, count)
	labels := s.coded(c)
	for r, gone := range s.gone {
		if gone {
			continue
		}
		sizes[groups[r]]++
		if labels.codes[r] == label {
			of = append(of, r)
		} else {
			rows = append(rows, r)
		}
	}
	others, numbers := s.addUp(rows)
	for _, r := range of {
		if sizes[groups[r]] != 1 {
			continue
		}
		sums, counts := s.with(others, numbers, r)
		if digits, ok := s.agrees(r, sums, counts); ok && digits > 0 {
			n++
		}
	}
	return n
}

// proof is what shows that the rows of a label are totals.
type proof struct {
	rows   int
	alone  int     // rows that repeat the only other row of their group: they fit, and prove nothing
	digits float64 // that agree, in all columns and rows
}

// prove adds up the rows of a group, and holds each row against the sum of the others.
func (s *totalSearch) prove(c int, rows []int, whole bool, proofs map[uint32]*proof) {
	if len(rows) < totalSources {
		return
	}
	sums, counts := s.addUp(rows)
	for at, r := range rows {
		digits, ok := s.agrees(r, sums, counts)
		if !ok {
			continue
		}
		labels := s.coded(c)
		code := labels.codes[r]
		ends := at == 0 || at == len(rows)-1 // where the total of a table stands; elsewhere the label has to say it
		if label := labels.names[code]; whole && !ends && label != "" && !csv.SaysTotal(label) {
			continue
		}
		p := proofs[code]
		if p == nil {
			p = &proof{}
			proofs[code] = p
		}
		if len(rows) == totalSources {
			p.alone++
			continue
		}
		p.rows++
		p.digits += digits
	}
}

// addUp gives the sums of rows, and how many numbers they are of.
func (s *totalSearch) addUp(rows []int) (sums []float64, counts []int) {
	sums, counts = make([]float64, len(s.sums)), make([]int, len(s.sums))
	for i, a := range s.sums {
		for _, r := range rows {
			if !math.IsNaN(a.values[r]) {
				sums[i] += a.values[r]
				counts[i]++
			}
		}
	}
	return sums, counts
}

// with gives the sums and counts of other rows and one more.
func (s *totalSearch) with(sums []float64, counts []int, r int) ([]float64, []int) {
	sums, counts = slices.Clone(sums), slices.Clone(counts)
	for i, a := range s.sums {
		if !math.IsNaN(a.values[r]) {
			sums[i] += a.values[r]
			counts[i]++
		}
	}
	return sums, counts
}

// agrees reports whether a row is the sum of the others in every column that adds up, and by how many digits.
func (s *totalSearch) agrees(r int, sums []float64, counts []int) (digits float64, ok bool) {
	for i, a := range s.sums {
		v := a.values[r]
		if math.IsNaN(v) || counts[i] < totalSources {
			continue // nothing is said, or nothing is summed up
		}
		more, adds := csv.SumDigits(v, sums[i]-v, a.unit, counts[i])
		if !adds {
			return 0, false
		}
		ok = ok || v != 0
		digits += more
	}
	return digits, ok
}
