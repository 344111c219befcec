package leastsquares_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"catena/tools/data/leastsquares"
)

func Example() {
	s := leastsquares.Model(1, true)
	for x, y := range []int64{1, 3, 5, 7} {
		s.Add(big.NewFloat(float64(y)), []*big.Float{big.NewFloat(float64(x))})
	}
	fit, err := s.Fit()
	fmt.Println(fit.Coefficients, fit.RSquared, err)
	// Output: [1 2] 1 <nil>
}

// longley is the set of NIST's reference data of that name: total employment by six series, of 1947 to 1962.
const longley = `60323 83.0 234289 2356 1590 107608 1947
61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951
63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962`

func numbers(t *testing.T, line string) (out []*big.Float) {
	t.Helper()
	for _, text := range strings.Fields(line) {
		f, ok := leastsquares.Number(text)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		out = append(out, f)
	}
	return out
}

func TestLongley(t *testing.T) {
	s := leastsquares.Model(6, true)
	for _, line := range strings.Split(longley, "\n") {
		row := numbers(t, line)
		s.Add(row[0], row[1:])
	}
	fit, err := s.Fit()
	if err != nil {
		t.Fatal(err)
	}
	certified := []float64{-3482258.63459582, 15.0618722713733, -0.358191792925910e-1, -2.02022980381683,
		-1.03322686717359, -0.511041056535807e-1, 1829.15146461355}
	deviations := []float64{890420.383607373, 84.9149257747669, 0.334910077722432e-1, 0.488399681651699,
		0.214274163161675, 0.226073200069370, 455.478499142212}
	for i := range certified {
		if math.Abs(fit.Coefficients[i]/certified[i]-1) > 1e-14 || math.Abs(fit.Errors[i]/deviations[i]-1) > 1e-14 {
			t.Errorf("term %d: %v +- %v, want %v +- %v", i, fit.Coefficients[i], fit.Errors[i], certified[i], deviations[i])
		}
	}
	if math.Abs(fit.Rest/836424.055505915-1) > 1e-14 || fit.Freedom != 9 {
		t.Errorf("rest %v, %d degrees of freedom", fit.Rest, fit.Freedom)
	}
}

func TestWithoutAnswer(t *testing.T) {
	s := leastsquares.Model(2, true)
	for i := range 9 {
		x := big.NewFloat(0.1 * float64(i))
		s.Add(big.NewFloat(float64(i*i)), []*big.Float{x, new(big.Float).SetPrec(200).Add(x, x)})
	}
	var dependent *leastsquares.DependentError
	if _, err := s.Fit(); !errors.As(err, &dependent) || dependent.Term != 2 {
		t.Errorf("a predictor twice: %v", err)
	}
	few := leastsquares.Model(1, true)
	few.Add(big.NewFloat(1), []*big.Float{big.NewFloat(1)})
	if _, err := few.Fit(); err == nil {
		t.Error("one row is enough")
	}
	flat := leastsquares.Model(1, true)
	for i := range 3 {
		flat.Add(big.NewFloat(7), []*big.Float{big.NewFloat(float64(i))})
	}
	if fit, err := flat.Fit(); err != nil || fit.Coefficients[0] != 7 || !math.IsNaN(fit.RSquared) {
		t.Errorf("values that are equal: %+v %v", fit, err)
	}
}
