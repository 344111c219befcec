package anomaly

import (
	"math"
	"math/rand/v2"
	"testing"
)

// cleanShapes are columns without errors, as they come in business tables.
func cleanShapes(r *rand.Rand, n int) map[string][]float64 {
	walk, year := 1000.0, 12.0
	draw := map[string]func(i int) float64{
		"normal":      func(int) float64 { return 50 + 8*r.NormFloat64() },
		"uniform":     func(int) float64 { return 10 + 90*r.Float64() },
		"lognormal":   func(int) float64 { return math.Exp(8 + 1.2*r.NormFloat64()) },
		"exponential": func(int) float64 { return 20 * r.ExpFloat64() },
		"pareto":      func(int) float64 { return 100 / math.Pow(1-r.Float64(), 1/1.5) },
		"counts":      func(int) float64 { return math.Floor(6 * r.ExpFloat64()) },
		"ratings":     func(int) float64 { return []float64{5, 5, 4, 4, 4, 3, 2, 1}[r.IntN(8)] },
		"growth":      func(int) float64 { return math.Round(20+100*r.NormFloat64()) / 10 },
		"two groups":  func(i int) float64 { return []float64{10, 10, 50}[r.IntN(3)] + r.NormFloat64() },
		"sparse": func(int) float64 {
			if r.IntN(5) == 0 {
				return math.Round(1000 * r.Float64())
			}
			return 0
		},
		"season": func(i int) float64 { return 500 + 200*math.Sin(2*math.Pi*float64(i)/year) + 20*r.NormFloat64() },
		"week": func(i int) float64 {
			return []float64{90, 100, 110, 105, 160, 60, 20}[i%7] * math.Exp(0.1*r.NormFloat64())
		},
		"peaks": func(i int) float64 {
			if i%12 == 11 {
				return 400 + 30*r.NormFloat64()
			}
			return 100 + float64(i)/10 + 10*r.NormFloat64()
		},
		"alternating": func(i int) float64 { return float64(i%2) * math.Round(100+20*r.NormFloat64()) },
		"trend":       func(i int) float64 { return 100*math.Pow(1.01, float64(i)) + 3*r.NormFloat64() },
		"walk":        func(int) float64 { walk += 10 * r.NormFloat64(); return walk },
		"ranked":      func(i int) float64 { return 50_000 / math.Pow(float64(i+1), 0.8) },
		"prices":      func(int) float64 { return math.Round(100*math.Exp(3+0.7*r.NormFloat64())) - 0.01 },
	}
	out := map[string][]float64{}
	for name, f := range draw {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		out[name] = x
	}
	return out
}

// Clean columns have few false alarms: less than one in a thousand cells of each shape, over columns of all sizes.
func TestFewFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	flags, cells := map[string]int{}, map[string]int{}
	for _, n := range []int{8, 12, 24, 50, 120, 365, 1000} {
		for range 20 {
			for name, x := range cleanShapes(r, n) {
				if name == "peaks" && n < 60 {
					continue // a peak in four years or less is no season yet
				}
				flags[name] += len(outliers(x))
				cells[name] += n
			}
		}
	}
	for name := range cells {
		rate := 1000 * float64(flags[name]) / float64(cells[name])
		if rate > 1 {
			t.Errorf("%s: %d false alarms in %d cells", name, flags[name], cells[name])
		}
	}
}

// Outliers are rows of the column, are few, have finite scores, and there are none in a constant column.
func FuzzOutliers(f *testing.F) {
	f.Add([]byte("\x10\x11\x12\x13\x10\x11\x12\x13\xff\x10\x11\x12"), 1.0)
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"), 1e300)
	f.Fuzz(func(t *testing.T, data []byte, unit float64) {
		if math.IsNaN(unit) || math.IsInf(unit*256, 0) {
			return
		}
		data = data[:min(len(data), 300)]
		x := make([]float64, len(data))
		for i, b := range data {
			x[i] = (float64(b) - 16) * unit
		}
		found := outliers(x)
		if len(found) > max(outlierMin, len(x)/4) {
			t.Errorf("%d of %d numbers stand out", len(found), len(x))
		}
		for _, o := range found {
			if x[o.Row] != o.Value || math.IsNaN(o.Score) || math.IsInf(o.Score, 0) || math.IsNaN(o.Usual) || o.Why == "" {
				t.Errorf("%+v", o)
			}
		}
		for i := range x {
			x[i] = unit
		}
		if found := outliers(x); found != nil {
			t.Errorf("in a constant column: %+v", found)
		}
	})
}

// Columns that are profiled side by side are what they are one by one.
