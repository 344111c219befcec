package main

import (
	"math"
	"testing"
)

func TestFormula(t *testing.T) {
	names := map[string]number{"a": wholeNumber(7), "b": wholeNumber(-2), "x": {real: 2.5}}
	for text, want := range map[string]float64{
		"a+b*2": 3, "-a**2": -49, "2**-1": 0.5, "2**3**2": 512, "a/b": -3.5, "a//b": -4, "a % b": -1, "(a+b)*x": 12.5,
		"int(x)": 2, "max(a,x)": 7, "gcd(int(a)*6,int(b)*7)": 14, "comb(int(a),2)": 21, "factorial(int(25))//factorial(int(23))": 600,
		"factorial(200)//factorial(199)": 200, "sqrt(x*x)": 2.5, "abs(b)": 2, "floor(0-x)": -3, "1/3*pi": math.Pi / 3,
	} {
		f, err := parseFormula(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := f(names).float(); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %v, not %v", text, got, want)
		}
	}
	for _, text := range []string{"", "a+", "(a", "f(a)", "gcd(a)", "a b", "1..2"} {
		if _, err := parseFormula(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
