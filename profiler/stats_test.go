package profiler

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/table"
)

// exactly computes what moments and quantiles are, with rationals throughout.
type exactly struct{ sum, mean, variance, lag *big.Rat }

func exactlyOf(x []*big.Rat) exactly {
	n := new(big.Rat).SetInt64(int64(len(x)))
	e := exactly{sum: new(big.Rat)}
	for _, v := range x {
		e.sum.Add(e.sum, v)
	}
	e.mean = new(big.Rat).Quo(e.sum, n)
	squares, products := new(big.Rat), new(big.Rat)
	var last *big.Rat
	for _, v := range x {
		d := new(big.Rat).Sub(v, e.mean)
		squares.Add(squares, new(big.Rat).Mul(d, d))
		if last != nil {
			products.Add(products, new(big.Rat).Mul(d, last))
		}
		last = d
	}
	if len(x) > 1 {
		e.variance = new(big.Rat).Quo(squares, new(big.Rat).SetInt64(int64(len(x)-1)))
	}
	if len(x) > 2 && squares.Sign() != 0 {
		e.lag = new(big.Rat).Quo(products, squares)
	}
	return e
}

// rationalQuantile is type 7 of sorted numbers.
func rationalQuantile(sorted []*big.Rat, percent int64) *big.Rat {
	h := percent * int64(len(sorted)-1)
	lo := sorted[h/100]
	if h%100 == 0 {
		return lo
	}
	step := new(big.Rat).Sub(sorted[h/100+1], lo)
	return new(big.Rat).Add(lo, step.Mul(step, big.NewRat(h%100, 100)))
}

// closeTo reports whether got has 15 digits of want.
func closeTo(got *float64, want *big.Rat) bool {
	if want == nil || got == nil {
		return (want == nil) == (got == nil)
	}
	diff := new(big.Rat).SetFloat64(*got)
	if diff.Sub(diff, want).Sign() == 0 {
		return true
	}
	f, _ := diff.Quo(diff, want).Float64()
	return math.Abs(f) < 1e-15
}

// checkStatistics compares the profile of cells with rationals.
func checkStatistics(t *testing.T, typ table.Type, scale int32, cells []table.Value) {
	t.Helper()
	m := profileOf(t, typ, scale, cells)
	var x []*big.Rat
	for _, v := range cells {
		if !v.IsNull() {
			r, _ := new(big.Rat).SetString(v.Apd().Text('f'))
			x = append(x, r)
		}
	}
	if m.NullCount != len(cells)-len(x) {
		t.Fatalf("%d nulls, want %d", m.NullCount, len(cells)-len(x))
	}
	if len(x) == 0 || m.Mean == nil {
		return
	}
	want := exactlyOf(x)
	if m.Sum != nil {
		if sum, ok := new(big.Rat).SetString(fmt.Sprint(m.Sum)); !ok || typ != table.Float && sum.Cmp(want.sum) != 0 {
			t.Errorf("sum %v, want %s", m.Sum, want.sum.FloatString(int(scale)))
		}
	}
	var root *big.Rat
	if want.variance != nil {
		exact := new(big.Float).SetPrec(200).SetRat(want.variance)
		root, _ = exact.Sqrt(exact).Rat(nil)
	}
	if !closeTo(m.Stddev, root) {
		t.Errorf("stddev %v, variance %v", m.Stddev, want.variance)
	}
	if !closeTo(m.Mean, want.mean) {
		t.Errorf("mean %v, want %s", *m.Mean, want.mean.FloatString(30))
	}
	if typ != table.Float && !closeTo(m.Autocorrelation, want.lag) {
		t.Errorf("lag %v, want %v", m.Autocorrelation, want.lag)
	}
	slices.SortFunc(x, (*big.Rat).Cmp)
	q := m.Quantiles
	for percent, got := range map[int64]float64{5: q.P5, 25: q.P25, 50: q.P50, 75: q.P75, 95: q.P95} {
		if exact := rationalQuantile(x, percent); !closeTo(&got, exact) {
			t.Errorf("quantile %d is %v, want %s", percent, got, exact.FloatString(30))
		}
	}
	kinds := slices.CompactFunc(x, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	if m.DistinctCount != len(kinds) || m.DistinctError != 0 {
		t.Errorf("%d distinct, want %d", m.DistinctCount, len(kinds))
	}
}

func TestStatisticsAreThoseOfRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, n := range []int{1, 2, 3, 7, 100, 700} {
		for _, bits := range []uint{3, 20, 50, 63} {
			for typ, value := range map[table.Type]func(int64) table.Value{
				table.Int:     table.IntValue,
				table.Decimal: func(i int64) table.Value { return table.DecimalValue(i>>63, uint64(i), 7) },
				table.Float:   func(i int64) table.Value { return table.FloatValue(float64(i) / 1000) },
			} {
				cells := make([]table.Value, n)
				for i := range cells {
					cells[i] = value(r.Int64()>>(63-bits) - 1<<(bits-1))
					if r.IntN(9) == 0 {
						cells[i] = table.NullValue
					}
				}
				checkStatistics(t, typ, 7, cells)
			}
		}
	}
	wide := make([]table.Value, 50)
	for i := range wide {
		wide[i] = table.DecimalValue(r.Int64N(1000)-500, r.Uint64(), 7)
	}
	checkStatistics(t, table.Decimal, 7, wide)
}

// Sums keep their digits where doubles lose them.
func TestFloatSumsKeepDigits(t *testing.T) {
	m := profileOf(t, table.Float, 0, floats([]float64{1e16, 1, -1e16, 1, 1e100, 0.5, -1e100}))
	if m.Sum != 2.5 {
		t.Errorf("sum %v", m.Sum)
	}
	tiny := MomentsOf([]float64{1e-200, 3e-200, 1e300, -1e300})
	if f, _ := tiny.sum.Float(); f < 0 || *tiny.Mean < 0 {
		t.Errorf("%+v", tiny)
	}
	if d := MomentsOf([]float64{1e-200, 3e-200}).Stddev; math.Abs(*d/(math.Sqrt2*1e-200)-1) > 1e-15 {
		t.Errorf("deviation of tiny numbers: %v", *d)
	}
	if d := MomentsOf([]float64{-1e300, 1e300}).Stddev; math.Abs(*d/(math.Sqrt2*1e300)-1) > 1e-15 {
		t.Errorf("deviation of huge numbers: %v", *d)
	}
}

// Beyond the limit what is distinct is estimated, and what is frequent is still found.
func TestSketches(t *testing.T) {
	const rows, limit = 200_000, 5000
	r := rand.New(rand.NewPCG(31, 32))
	often := map[table.Type][]string{table.Text: {"0", "1", "2"}, table.Decimal: {"0", "19342813113834066795298816", "38685626227668133590597632"}}
	for typ := range often {
		b := table.NewBuilder(table.Column{Name: "measured", Type: typ})
		seen := map[int]int{}
		for i := range rows {
			v := 100 + i
			if i%4 == 0 {
				v = r.IntN(3)
			} else if i%2 == 0 {
				v = 100 + r.IntN(rows)
			}
			seen[v]++
			cell := table.DecimalValue(int64(v)<<20, 0, 0)
			if typ == table.Text {
				cell = table.TextValue(fmt.Sprint(v))
			}
			if err := b.Append(cell); err != nil {
				t.Fatal(err)
			}
		}
		m := ProfileWith(context.Background(), b.Table(), Options{MaxDistinct: limit, TopValues: 3})[0]
		if off := math.Abs(float64(m.DistinctCount)/float64(len(seen)) - 1); m.DistinctError == 0 || off > 4*m.DistinctError {
			t.Errorf("%s: %d distinct, %d true: %.2f%% off, error %v", typ, m.DistinctCount, len(seen), 100*off, m.DistinctError)
		}
		for _, top := range m.TopValues {
			v := slices.Index(often[typ], top.Value)
			if v < 0 || top.Count > seen[v] || top.Count < seen[v]-m.TopError {
				t.Errorf("%s: %v, true %d, error %d", typ, top, seen[v], m.TopError)
			}
		}
		if len(m.Warnings) < 2 {
			t.Errorf("%s: warnings %q", typ, m.Warnings)
		}
	}
}

// Whole numbers stored as doubles differ in their upper bits only: the hash must spread them.
func TestHashSpreadsWholeDoubles(t *testing.T) {
	const n, slots = 1 << 14, 1 << 15
	var used [slots]uint8
	most := uint8(0)
	for i := range n {
		at := mix(uint64(floatOrdinal(float64(i))), 0) % slots
		used[at]++
		most = max(most, used[at])
	}
	if most > 10 {
		t.Errorf("%d of %d keys share a slot", most, n)
	}
}

// Cells that were chosen to meet by a hash that anybody can compute do not meet.
func TestHashIsSeeded(t *testing.T) {
	const slots = 1 << 12
	fold := func(key uint64) uint64 {
		hi, lo := bits.Mul64(key^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		return hi ^ lo
	}
	used, met := map[uint64]int{}, 0
	for key := uint64(0); met < 64; key++ {
		if fold(key)%slots == 0 {
			met++
			used[mix(key, 0)%slots]++
		}
	}
	if len(used) < 32 {
		t.Errorf("64 chosen keys fall into %d slots", len(used))
	}
	wide := map[uint64]bool{}
	for high := range uint64(1000) {
		wide[mix(high*0x9e3779b97f4a7c15^42, high)] = true
	}
	if len(wide) < 999 {
		t.Errorf("1000 chosen wide decimals have %d hashes", len(wide))
	}
}

// ordinals keep order and come back.
func FuzzOrdinals(f *testing.F) {
	f.Add(1.5, math.Copysign(0, -1))
	f.Add(-1e300, 5e-324)
	f.Fuzz(func(t *testing.T, a, b float64) {
		if math.IsNaN(a) || math.IsNaN(b) {
			return
		}
		x, y := floatOrdinal(a), floatOrdinal(b)
		if (a < b) != (x < y) || (a == b) != (x == y) || ordinalFloat(x) != a {
			t.Errorf("%v and %v have the ordinals %d and %d", a, b, x, y)
		}
	})
}

// Statistics of small columns are those of rationals, and those that do not speak of order stay when the rows are turned round.
func FuzzStatistics(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\x00\x00\x00\x00\x00\x00\x00\x00"), byte(2), byte(0))
	f.Add([]byte("aaaaaaaabbbbbbbbccccccccaaaaaaaa"), byte(9), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, scale, kind byte) {
		scale %= 19
		typ := []table.Type{table.Int, table.Decimal}[kind%2]
		var cells []table.Value
		for ; len(data) >= 8 && len(cells) < 200; data = data[8:] {
			i := int64(binary.LittleEndian.Uint64(data))
			switch {
			case i%7 == 0:
				cells = append(cells, table.NullValue)
			case typ == table.Int:
				cells = append(cells, table.IntValue(i))
			default:
				cells = append(cells, table.DecimalValue(i>>63, uint64(i), int32(scale)))
			}
		}
		checkStatistics(t, typ, int32(scale), cells)
		first := profileOf(t, typ, int32(scale), cells)
		slices.Reverse(cells)
		second := profileOf(t, typ, int32(scale), cells)
		for _, m := range []*ColumnMetadata{&first, &second} {
			m.Sortedness, m.Autocorrelation = "", nil
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("turned round: %s", diff)
		}
	})
}

func TestColumnsSideBySide(t *testing.T) {
	big := bigTable(t, 3000)
	got := Profile(context.Background(), big)
	for c, name := range big.Names() {
		one, err := big.Select(name)
		if err != nil {
			t.Fatal(err)
		}
		alone := Profile(context.Background(), one)[0]
		for _, m := range []*ColumnMetadata{&alone, &got[c]} {
			if m.SemanticType == Currency {
				m.Units, m.UnitSource, m.FormattingSuggestion, m.Description, m.ProfileSummary, m.CleanedName = "", "", "", "", "", "" // may come from a column beside it
			}
		}
		if diff := cmp.Diff(alone, got[c]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The moments of durations are in seconds, their sum is a duration.
func TestDurations(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "took", Type: table.Duration})
	for _, d := range []time.Duration{time.Minute, 90 * time.Second, 1500 * time.Microsecond, -time.Second} {
		if err := b.Append(table.DurationValue(d)); err != nil {
			t.Fatal(err)
		}
	}
	m := Profile(context.Background(), b.Table())[0]
	if m.Sum != "2m29.0015s" || *m.Mean != 37.250375 || *m.Median != 30.00075 || m.Quantiles.P25 != -0.248875 || m.Histogram[0].Low != -1 {
		t.Errorf("sum %v mean %v median %v p25 %v histogram %v", m.Sum, *m.Mean, *m.Median, m.Quantiles.P25, m.Histogram)
	}
	if want := "Took: Duration/measure, 4 rows, 4 distinct, range -1s to 1m30s, mean 37.25s, median 30.001s"; m.ProfileSummary != want {
		t.Errorf("summary %q", m.ProfileSummary)
	}
	for us, want := range map[int64]any{math.MaxInt64 / 2000: "3843071h40m55.282161s", math.MaxInt64 / 2: nil} { // beyond 292 years, and beyond what is stored
		b = table.NewBuilder(table.Column{Name: "took", Type: table.Duration})
		for range 3 {
			if err := b.Append(table.DurationOfMicros(us)); err != nil {
				t.Fatal(err)
			}
		}
		if m = Profile(context.Background(), b.Table())[0]; m.Sum != want || len(m.Warnings) == 1 != (want == nil) {
			t.Errorf("sum %v, warnings %q", m.Sum, m.Warnings)
		}
	}
}

// Postal codes and phone numbers have no mean, lists in texts are lists.
func TestWhatHasNoMean(t *testing.T) {
	for name, cells := range map[string]string{"zip_code": "10115|10117|10119|10121", "mobile": "4915112345|4915112346|4915112349|4915112399"} {
		if m := Profile(context.Background(), column(t, name, cells))[0]; m.Mean != nil || m.Histogram != nil || strings.Contains(m.ProfileSummary, "range") {
			t.Errorf("%s: %s", name, m.ProfileSummary)
		}
	}
	if m := Profile(context.Background(), column(t, "tags", `["a"]|["b"]|[]|["a"]`))[0]; m.SemanticType != List {
		t.Errorf("lists are %s", m.SemanticType)
	}
}
