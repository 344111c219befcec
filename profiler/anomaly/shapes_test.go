package anomaly

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/table"
)

// outlierRows are the rows of outliers, ascending.
func outlierRows(found []Outlier) []int {
	rows := make([]int, len(found))
	for i, o := range found {
		rows[i] = o.Row
	}
	slices.Sort(rows)
	return rows
}

// A far number does not hide a nearer one, whatever the shape.
func TestOutliersAreNotMasked(t *testing.T) {
	var r *rand.Rand
	draw := map[string]func(i int) float64{
		"normal":  func(int) float64 { return math.Round(1000+50*r.NormFloat64()) / 10 },
		"counts":  func(int) float64 { return float64(90 + r.IntN(20)) },
		"signed":  func(int) float64 { return 10 * r.NormFloat64() },
		"steps":   func(i int) float64 { return float64(100 + 10*(i/12)) },
		"growing": func(i int) float64 { return 100 + 2*float64(i) + r.NormFloat64() },
	}
	for name, f := range draw {
		for _, n := range []int{12, 16, 20, 24, 40, 60, 200} {
			for _, put := range []map[int]float64{
				{3: 1e9, n - 4: 2000}, {3: 1e9, n - 4: -1500}, {2: 1e9, 5: 5e6, n - 4: 3000}, {n / 2: 1e9, n/2 + 1: 2000}, {n / 2: -1e7, n/2 + 2: 2000},
			} {
				if len(put)*10 > n && len(put) > 2 {
					continue
				}
				r = rand.New(rand.NewPCG(21, uint64(n)))
				x := make([]float64, n)
				var want []int
				for i := range x {
					x[i] = f(i)
					if v, ok := put[i]; ok {
						x[i], want = v, append(want, i)
					}
				}
				got := outlierRows(outliers(x))
				for _, row := range want {
					if !slices.Contains(got, row) {
						t.Errorf("%s, %d numbers with %v: rows %v", name, n, put, got)
						break
					}
				}
			}
		}
	}
}

// Among many zeros the others are judged by themselves.
func TestOutliersAmongZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, every := range []int{2, 5, 10, 20} {
		x := make([]float64, 600)
		for i := range x {
			if i%every == 0 {
				x[i] = math.Round(100 + 20*r.NormFloat64())
			}
		}
		if got := outliers(x); len(got) > 0 {
			t.Errorf("one in %d is not zero: %+v", every, got)
		}
		x[every*11], x[every*20] = 90_000, 700
		if got, want := outlierRows(outliers(x)), []int{every * 11, every * 20}; !slices.Equal(got, want) {
			t.Errorf("one in %d is not zero: rows %v, want %v", every, got, want)
		}
	}
	for _, tt := range []struct{ n, others, want int }{{40, 1, 0}, {60, 1, 1}, {1000, 1, 1}, {1000, 3, 3}, {1000, 15, 0}, {5000, 90, 0}} {
		x := make([]float64, tt.n)
		for i := range tt.others {
			x[i*tt.n/tt.others] = float64(40 + r.IntN(30))
		}
		if got := outliers(x); len(got) != tt.want {
			t.Errorf("%d of %d are not zero: %+v", tt.others, tt.n, got)
		}
	}
}

// timed is a table of one number for each step of time.
func timed(tb testing.TB, typ table.Type, at func(i int) time.Time, x []float64) *table.Table {
	tb.Helper()
	b := table.NewBuilder(table.Column{Name: "shop", Type: table.Text}, table.Column{Name: "sold_at", Type: typ}, table.Column{Name: "units", Type: table.Float})
	for i, v := range x {
		when := table.DateTimeValue(at(i))
		if typ == table.Date {
			when = table.DateValue(at(i).Date())
		}
		if err := b.Append(table.TextValue("here"), when, table.FloatValue(v)); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Table()
}

// What is usual for the column may be wrong for its phase, and the other way round.
func TestOutliersOfSeasons(t *testing.T) {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) // a Monday
	tests := []struct {
		name  string
		typ   table.Type
		n     int
		at    func(i int) time.Time
		usual func(at time.Time, i int) float64
		row   int
		value float64
		phase string
	}{
		{"week", table.Date, 120, func(i int) time.Time { return start.AddDate(0, 0, i) }, func(at time.Time, _ int) float64 {
			if at.Weekday() == time.Sunday || at.Weekday() == time.Saturday {
				return 20
			}
			return 100
		}, 62, 99, "on Sundays"},
		{"days of trade", table.Date, 150, func(i int) time.Time { return start.AddDate(0, 0, i/5*7+i%5) }, func(at time.Time, _ int) float64 {
			return 200 + 60*float64(at.Weekday())
		}, 70, 500, "on Mondays"},
		{"year", table.Date, 60, func(i int) time.Time { return start.AddDate(0, i, 0) }, func(at time.Time, i int) float64 {
			if at.Month() == time.December {
				return 3 * (100 + float64(i))
			}
			return 100 + float64(i)
		}, 35, 140, "in December"},
		{"quarters", table.Date, 32, func(i int) time.Time { return start.AddDate(0, 3*i, 0) }, func(at time.Time, i int) float64 {
			return 500 + 5*float64(i) + 200*float64((int(at.Month())-1)/3)
		}, 17, 1200, "in Q2"},
		{"hours", table.DateTime, 24 * 20, func(i int) time.Time { return start.Add(time.Duration(i) * time.Hour) }, func(at time.Time, _ int) float64 {
			return 300 - 250*math.Cos(2*math.Pi*float64(at.Hour())/24)
		}, 24*9 + 3, 400, "at 03:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(41, 42))
			x := make([]float64, tt.n)
			for i := range x {
				x[i] = tt.usual(tt.at(i), i) + 3*r.NormFloat64()
			}
			if got := Outliers(timed(t, tt.typ, tt.at, x), 2); len(got) > 0 {
				t.Errorf("false alarms: %+v", got)
			}
			x[tt.row] = tt.value
			check := func(name string, got []Outlier, row int) {
				if len(got) != 1 || got[0].Row != row || got[0].Method != MethodSeason || got[0].Phase != tt.phase || !strings.Contains(got[0].Why, "usual "+tt.phase) {
					t.Errorf("%s: %+v, want row %d %s", name, got, row, tt.phase)
				}
			}
			check("in order", Outliers(timed(t, tt.typ, tt.at, x), 2), tt.row)
			mixed := r.Perm(tt.n)
			y := make([]float64, tt.n)
			for i, from := range mixed {
				y[i] = x[from]
			}
			check("mixed", Outliers(timed(t, tt.typ, func(i int) time.Time { return tt.at(mixed[i]) }, y), 2), slices.Index(mixed, tt.row))
			x[(tt.row+tt.n/2)%tt.n] = 1e7
			if got := outlierRows(Outliers(timed(t, tt.typ, tt.at, x), 2)); !slices.Contains(got, tt.row) || len(got) != 2 {
				t.Errorf("a far number besides: rows %v", got)
			}
		})
	}
}

// Without a column of times, the order of the rows may carry a season.
func TestOutliersOfRowSeasons(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	x := make([]float64, 84)
	for i := range x {
		x[i] = []float64{100, 120, 110, 130, 180, 40, 20}[i%7] + 2*r.NormFloat64()
	}
	if got := outliers(x); len(got) > 0 {
		t.Errorf("false alarms: %+v", got)
	}
	x[41] = 115
	if got := outliers(x); len(got) != 1 || got[0].Row != 41 || got[0].Phase != "in every 7th row, from row 7" {
		t.Errorf("%+v", got)
	}
}

// Short and gappy series, and numbers of any size, end in no panic and no number twice.
func TestOutliersOfAnySeries(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	start := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	extreme := []float64{0, -1, 1e308, -1e308, 5e-324, math.Inf(1), math.Inf(-1), 9999}
	for range 4000 {
		var at []time.Time
		var x []float64
		step := r.IntN(4)
		for i := range 8 + r.IntN(60) {
			if r.IntN(6) == 0 {
				continue
			}
			at = append(at, []time.Time{start.AddDate(0, 3*i, 0), start.AddDate(0, i, 0), start.AddDate(0, 0, 7*i), start.AddDate(0, 0, i)}[step])
			v := math.Round(10 * r.NormFloat64())
			if r.IntN(9) == 0 {
				v = extreme[r.IntN(len(extreme))]
			}
			x = append(x, v+float64(100*(i%4)*r.IntN(2)))
		}
		rows := outlierRows(Outliers(timed(t, table.Date, func(i int) time.Time { return at[i] }, x), 2))
		if len(slices.Compact(slices.Clone(rows))) != len(rows) {
			t.Errorf("a row twice: %v of %v", rows, x)
		}
	}
}

func BenchmarkOutliersHours(b *testing.B) {
	x := make([]float64, 40_000)
	r := rand.New(rand.NewPCG(61, 62))
	for i := range x {
		x[i] = 100 + 50*math.Sin(2*math.Pi*float64(i)/24) + 3*r.NormFloat64()
	}
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	cells := timed(b, table.DateTime, func(i int) time.Time { return start.Add(time.Duration(i) * time.Hour) }, x)
	for b.Loop() {
		Outliers(cells, 2)
	}
}
