package verbs

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Quantiles from the tables of Student's distribution.
func TestStudentQuantile(t *testing.T) {
	for _, test := range []struct {
		level   float64
		freedom int
		want    float64
	}{
		{0.95, 1, 12.706204736432095}, {0.95, 2, 4.302652729696142}, {0.95, 4, 2.7764451051977987},
		{0.95, 10, 2.2281388519649385}, {0.99, 5, 4.032142983557536}, {0.5, 7, 0.7111417778},
	} {
		if got := studentQuantile(test.level, test.freedom); math.Abs(got-test.want) > 1e-9*test.want {
			t.Errorf("level %v, %d degrees: %v, want %v", test.level, test.freedom, got, test.want)
		}
	}
}

// What follows a rule is forecast by it, exactly.
func TestModelsFindRules(t *testing.T) {
	shape := []float64{5, -3, 0, 8, 1, -11}
	line, seasons, wave := make([]float64, 30), make([]float64, 30), make([]float64, 30)
	for i := range line {
		line[i] = 7 + 2.5*float64(i)
		wave[i] = 100 + shape[i%6]
		seasons[i] = line[i] + shape[i%6]
	}
	for name, test := range map[string]struct {
		y     []float64
		model string
	}{
		"line": {line, "straight line"}, "wave": {wave, "value of a season before"},
		"line and wave": {seasons, "straight line with seasons"},
	} {
		best, _ := chosen(test.y[:24], 6, 6)
		if best.model.name != test.model {
			t.Errorf("%s: %s, want %s", name, best.model.name, test.model)
		}
		for i, v := range best.model.next(test.y[:24], 6, 6) {
			if math.Abs(v-test.y[24+i]) > 1e-9 || best.reach(i, 0.95) > 1e-6 {
				t.Errorf("%s, step %d: %v within %v, want %v", name, i, v, best.reach(i, 0.95), test.y[24+i])
			}
		}
	}
}

// Intervals hold about as many of the values that come as they promise, whatever the series is like.
func TestIntervalsHold(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 19))
	const months, ahead, series = 60, 6, 400
	made := map[string]func(y []float64) float64{
		"noise": func([]float64) float64 { return 50 + 9*g.NormFloat64() },
		"walk": func(y []float64) float64 {
			if len(y) == 0 {
				return 0
			}
			return y[len(y)-1] + g.NormFloat64()
		},
		"seasons": func(y []float64) float64 {
			return 40*math.Sin(float64(len(y))/12*2*math.Pi) + 0.5*float64(len(y)) + 6*g.NormFloat64()
		},
	}
	for name, next := range made {
		inside, all := 0, 0
		for range series {
			var y []float64
			for range months + ahead {
				y = append(y, next(y))
			}
			best, _ := chosen(y[:months], 12, ahead)
			for i, v := range best.model.next(y[:months], 12, ahead) {
				if all++; math.Abs(v-y[months+i]) <= best.reach(i, 0.95) {
					inside++
				}
			}
		}
		share := float64(inside) / float64(all)
		t.Logf("%s: %.3f inside", name, share)
		if share < 0.9 {
			t.Errorf("%s: %.3f of the values are inside the bounds", name, share)
		}
	}
}
