// Package leastsquares fits linear models. Sums are kept with 1,024 bits, so that predictors which are almost one
// another, such as the powers of a column, lose no digit of the result.
package leastsquares

import (
	"fmt"
	"math"
	"math/big"
)

// Digits that count, in bits: of all numbers, and of a pivot or a rest below which there is nothing but rounding.
const (
	precision = 1024
	nothing   = 400
)

// Sums are what rows add up to. They are for one goroutine; Model makes them.
type Sums struct {
	intercept bool
	n         int
	xx        [][]*big.Float // by row and column, from the diagonal on
	xy        []*big.Float
	y, yy     *big.Float
	product   *big.Float
}

// Model starts the sums of a model with so many predictors, and with a constant or without one.
func Model(predictors int, intercept bool) *Sums {
	if intercept {
		predictors++
	}
	s := &Sums{intercept: intercept, xy: zeros(predictors), y: zero(), yy: zero(), product: zero()}
	for range predictors {
		s.xx = append(s.xx, zeros(predictors))
	}
	return s
}

func zero() *big.Float { return new(big.Float).SetPrec(precision) }

func zeros(n int) []*big.Float {
	out := make([]*big.Float, n)
	for i := range out {
		out[i] = zero()
	}
	return out
}

// Number is a number as it is written, with all of its digits; false for a text that is none.
func Number(text string) (*big.Float, bool) {
	f, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
	return f, err == nil && !f.IsInf()
}

// Add adds a row: its value, and those of the predictors in their order.
func (s *Sums) Add(y *big.Float, x []*big.Float) {
	if s.intercept {
		one := zero().SetInt64(1)
		x = append([]*big.Float{one}, x...)
	}
	s.n++
	s.y.Add(s.y, y)
	s.add(s.yy, y, y)
	for i, v := range x {
		s.add(s.xy[i], v, y)
		for j := i; j < len(x); j++ {
			s.add(s.xx[i][j], v, x[j])
		}
	}
}

func (s *Sums) add(to, a, b *big.Float) { to.Add(to, s.product.Mul(a, b)) }

// Fit is a fitted model. Coefficients and Errors have the constant first, where there is one.
type Fit struct {
	Coefficients []float64
	Errors       []float64 // standard errors of the coefficients
	Rows         int
	Freedom      int     // rows less coefficients
	Explained    float64 // the sum of squares that the model explains, about the mean where there is a constant
	Rest         float64 // the sum of the squared residuals
	RSquared     float64 // the share of the squares that is explained; NaN where all values are equal
	Deviation    float64 // the standard deviation of the residuals
	F            float64 // of the model against none; +Inf where nothing is left
}

// DependentError says that a predictor is a sum of multiples of those before it. Term counts from 0, the constant first
// where there is one.
type DependentError struct{ Term int }

// Error says which predictor it is.
func (e *DependentError) Error() string {
	return fmt.Sprintf("the predictor %d depends on those before it", e.Term)
}

// Fit solves the normal equations. Errors are *DependentError, or that there are not more rows than coefficients.
func (s *Sums) Fit() (Fit, error) {
	p := len(s.xy)
	f := Fit{Rows: s.n, Freedom: s.n - p}
	if f.Freedom < 1 {
		return f, fmt.Errorf("%d rows are too few for %d coefficients", s.n, p)
	}
	inverse, err := s.inverse()
	if err != nil {
		return f, err
	}
	rest := zero().Set(s.yy)
	b := zeros(p)
	for i := range b {
		for j := range b {
			s.add(b[i], inverse[i][j], s.xy[j])
		}
		rest.Sub(rest, s.product.Mul(b[i], s.xy[i]))
	}
	if negligible(rest, s.yy) {
		rest = zero()
	}
	total := zero().Set(s.yy)
	if s.intercept {
		total.Sub(total, s.product.Quo(s.product.Mul(s.y, s.y), zero().SetInt64(int64(s.n))))
	}
	variance := zero().Quo(rest, zero().SetInt64(int64(f.Freedom)))
	for i := range b {
		f.Coefficients = append(f.Coefficients, float(b[i]))
		f.Errors = append(f.Errors, float(root(zero().Mul(variance, inverse[i][i]))))
	}
	s.judge(&f, total, rest, variance)
	return f, nil
}

// judge fills in what says how good a fit is.
func (s *Sums) judge(f *Fit, total, rest, variance *big.Float) {
	explained := zero().Sub(total, rest)
	f.Explained, f.Rest, f.Deviation = float(explained), float(rest), float(root(variance))
	f.RSquared, f.F = math.NaN(), math.NaN()
	if !negligible(total, s.yy) {
		f.RSquared = float(zero().Quo(explained, total))
	}
	terms := len(s.xy)
	if s.intercept {
		terms--
	}
	switch {
	case terms == 0:
	case rest.Sign() == 0:
		f.F = math.Inf(1)
	default:
		f.F = float(zero().Quo(explained.Quo(explained, zero().SetInt64(int64(terms))), variance))
	}
}

// inverse is that of the products, by Gauss and Jordan: they are symmetric and positive definite, so the pivots stand
// on the diagonal.
func (s *Sums) inverse() ([][]*big.Float, error) {
	p := len(s.xy)
	a, out := make([][]*big.Float, p), make([][]*big.Float, p)
	for i := range p {
		a[i], out[i] = zeros(p), zeros(p)
		for j := range p {
			a[i][j].Set(s.xx[min(i, j)][max(i, j)])
		}
		out[i][i].SetInt64(1)
	}
	for k := range p {
		if negligible(a[k][k], s.xx[k][k]) {
			return nil, &DependentError{Term: k}
		}
		pivot := zero().Set(a[k][k])
		for j := range p {
			a[k][j].Quo(a[k][j], pivot)
			out[k][j].Quo(out[k][j], pivot)
		}
		for i := range p {
			if factor := zero().Set(a[i][k]); i != k {
				for j := range p {
					a[i][j].Sub(a[i][j], s.product.Mul(factor, a[k][j]))
					out[i][j].Sub(out[i][j], s.product.Mul(factor, out[k][j]))
				}
			}
		}
	}
	return out, nil
}

// negligible reports whether nothing is left of a number of the size of another.
func negligible(rest, of *big.Float) bool {
	return rest.Sign() <= 0 || of.Sign() == 0 || rest.MantExp(nil) < of.MantExp(nil)-nothing
}

func root(f *big.Float) *big.Float {
	if f.Sign() <= 0 {
		return zero()
	}
	return zero().Sqrt(f)
}

func float(f *big.Float) float64 {
	out, _ := f.Float64()
	return out
}
