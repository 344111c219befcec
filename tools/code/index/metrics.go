package index

import (
	"math"

	"catena/tools/code/parse"
)

const (
	metricInts  = 9
	metricReals = 4
)

// addMetrics keeps the metrics of a function and returns 1 + its row.
func (s *segment) addMetrics(m *parse.Metrics) uint32 {
	if m == nil {
		return 0
	}
	h := m.Halstead
	for _, v := range [metricInts]int{
		m.Cyclomatic, m.Cognitive, h.Operators, h.Operands, h.UniqueOperators, h.UniqueOpds, m.Lines, m.Params, m.Nesting,
	} {
		s.metrics = append(s.metrics, uint32(v))
	}
	for _, v := range [metricReals]float64{h.Volume, h.Difficulty, h.Effort, h.Bugs} {
		s.metricFloats = append(s.metricFloats, math.Float64bits(v))
	}
	return uint32(len(s.metrics) / metricInts)
}

func (s *segment) metric(row uint32) *parse.Metrics {
	n, r := s.metrics[row*metricInts:], s.metricFloats[row*metricReals:]
	real := math.Float64frombits
	return &parse.Metrics{
		Cyclomatic: int(n[0]), Cognitive: int(n[1]), Lines: int(n[6]), Params: int(n[7]), Nesting: int(n[8]),
		Halstead: parse.Halstead{
			Operators: int(n[2]), Operands: int(n[3]), UniqueOperators: int(n[4]), UniqueOpds: int(n[5]),
			Volume: real(r[0]), Difficulty: real(r[1]), Effort: real(r[2]), Bugs: real(r[3]),
		},
	}
}
