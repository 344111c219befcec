package table

import "math"

// floatSum is Neumaier's compensated sum (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974). What an
// addition rounds off is found without a branch, as D. E. Knuth has it (The Art of Computer Programming 2, section
// 4.2.2).
type floatSum struct {
	n         int64
	sum, comp float64
}

func (s *floatSum) add(f float64) {
	s.n++
	t := s.sum + f
	b := t - s.sum
	s.comp += (s.sum - (t - b)) + (f - b)
	s.sum = t
}

func (s *floatSum) value() float64 { return s.sum + s.comp }

func (s *floatSum) mean() float64 { return s.value() / float64(s.n) }

// floatAggregates gives the sum, mean or standard deviation of each group of Floats. The deviation takes a second pass
// around the mean, which is stable for any offset.
func floatAggregates(f AggFunc, c *cells, g grouping) ([]Value, error) {
	sums := make([]floatSum, len(g.first))
	for r, id := range g.group {
		if !c.isNull(r) {
			sums[id].add(c.floats[r])
		}
	}
	var squares, rests []floatSum
	if f == Stddev {
		squares, rests = aroundMeans(c, g, sums)
	}
	values := make([]Value, len(sums))
	for id := range sums {
		s := &sums[id]
		if s.n == 0 || f == Stddev && s.n == 1 {
			continue
		}
		var x float64
		switch f {
		case Sum:
			x = s.value()
		case Mean:
			x = s.mean()
		default:
			n, rest := float64(s.n), rests[id].value()
			x = math.Sqrt((squares[id].value() - rest*rest/n) / (n - 1))
		}
		if values[id] = FloatValue(x); values[id].typ == Null {
			return nil, errTooLarge
		}
	}
	return values, nil
}

// aroundMeans gives Σ(x−mean)² and Σ(x−mean) of each group; the latter is what rounding left of zero: Chan, Golub &
// LeVeque, The American Statistician 37, 1983.
func aroundMeans(c *cells, g grouping, sums []floatSum) (squares, rests []floatSum) {
	means := make([]float64, len(sums))
	for id := range sums {
		means[id] = sums[id].mean()
	}
	squares, rests = make([]floatSum, len(sums)), make([]floatSum, len(sums))
	for r, id := range g.group {
		if !c.isNull(r) {
			x := c.floats[r] - means[id]
			squares[id].add(x * x)
			rests[id].add(x)
		}
	}
	return squares, rests
}
