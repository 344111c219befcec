package anomaly

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"catena/internal/lane"
	"catena/profiler"
	"catena/table"
)

// RowOptions say what RowScores and UnusualRows look at. The zero value takes the measures and at most ten rows.
type RowOptions struct {
	Columns []int // indexes of numeric columns; nil takes those that Describe calls measures
	Limit   int   // rows that UnusualRows reports at most; 0 is 10
}

// UnusualRow is a row whose numbers, taken together, are unlike those of other rows.
type UnusualRow struct {
	Row     int       // from 0, in the table
	Score   float64   // from 0 to 1: the part of the rows that are less unusual, about
	Apart   float64   // how many times as far from its neighbours as a usual row is from its own
	Columns []Unusual // what makes it so, the most first; three at most
	Why     string    // a sentence for people
}

// Unusual is one column's part in an unusual row.
type Unusual struct {
	Column    int     // index in the table
	Deviation float64 // from the column's median, in robust standard deviations
}

const (
	neighbours    = 20      // how many near rows make a neighbourhood
	minNeighbours = 5       // among sampled rows
	comparedRows  = 1024    // every row is compared with at most so many, drawn with a fixed seed
	comparisons   = 6e7     // numbers compared in all, about; fewer rows are compared where tables are large
	fewCompared   = 128     // but not fewer than these
	nearRows      = 100_000 // rows that are compared at all: those that deviate most
	rowMin        = 12      // fewer rows have no shape
	rowsReported  = 10
	rowColumns    = 3
)

// measuredRows are the rows to be compared and their distances from their neighbours. The rows are nil where there are
// too few to compare.
func measuredRows(ctx context.Context, t *table.Table, opt RowOptions) (*matrix, []float64, error) {
	m := rowMatrix(ctx, t, opt)
	if m == nil {
		return nil, nil, ctx.Err()
	}
	distance, err := m.distances(ctx)
	return m, distance, err
}

// RowScores gives each row a score from 0 to 1 of how unusual its numbers are together: the higher, the more. It is the
// mean of two ranks. The first, which counts twice, is that of the distance to the 20th nearest row, columns being
// scaled by their median absolute deviations: it finds rows in empty regions, whether or not any number of theirs is
// extreme (Ramaswamy, Rastogi and Shim, SIGMOD 2000). The other is that of the sum of the row's deviations from the
// medians, which finds rows at the edges. Each row is compared with at most 1,024 rows, drawn with a fixed seed, so
// that the time grows with the table's size only; of more than 100,000 rows, those with the smallest sums are not
// compared and rank last in the first. Empty cells count as medians. The result is nil where there are fewer than
// twelve rows or no columns with different numbers. The error is the context's.
func RowScores(ctx context.Context, t *table.Table, opt RowOptions) ([]float64, error) {
	m, distance, err := measuredRows(ctx, t, opt)
	if m == nil || err != nil {
		return nil, err
	}
	return m.scores(distance), nil
}

// UnusualRows finds the rows that stand clearly apart: their distances from their neighbours lie beyond a gap among
// those of all rows, by the test that Outliers makes. The farthest come first. No more than one row in a hundred (but
// up to three) is reported. Errors are those of RowScores.
func UnusualRows(ctx context.Context, t *table.Table, opt RowOptions) ([]UnusualRow, error) {
	m, distance, err := measuredRows(ctx, t, opt)
	if m == nil || err != nil {
		return nil, err
	}
	usual, limit := usualDistance(distance)
	if limit == 0 {
		return nil, nil
	}
	scores := m.scores(distance)
	var rows []int
	for r, d := range distance {
		if d >= limit {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(distance[b], distance[a]) })
	if opt.Limit <= 0 {
		opt.Limit = rowsReported
	}
	rows = rows[:min(len(rows), opt.Limit, max(3, m.rows/100))]
	out := make([]UnusualRow, len(rows))
	for i, r := range rows {
		out[i] = UnusualRow{Row: r, Score: scores[r], Apart: distance[r] / usual, Columns: m.reasons(r)}
		out[i].Why = out[i].why(t)
	}
	return out, nil
}

// why names the columns, without numbers out of cells.
func (u UnusualRow) why(t *table.Table) string {
	parts := make([]string, len(u.Columns))
	for i, c := range u.Columns {
		side := "above"
		if c.Deviation < 0 {
			side = "below"
		}
		parts[i] = fmt.Sprintf("%s %.1f robust deviations %s the median", t.Column(c.Column).Name,
			math.Abs(c.Deviation), side)
	}
	return fmt.Sprintf("%.1f times as far from similar rows as usual: %s", u.Apart, strings.Join(parts, ", "))
}

// usualDistance is the typical distance, and the least one beyond a gap at the upper end of all; 0 where there is none.
func usualDistance(distance []float64) (usual, limit float64) {
	sorted := slices.DeleteFunc(slices.Clone(distance), func(d float64) bool { return d == 0 })
	if 2*len(sorted) < len(distance) || len(sorted) < rowMin {
		return 0, 0
	}
	slices.Sort(sorted)
	s := newSample(sorted)
	if high := s.above(); high > 0 {
		return s.median, sorted[len(sorted)-high]
	}
	return 0, 0
}

// spreadAround is the robust standard deviation of x around its middle.
func spreadAround(x []float64, middle float64) float64 {
	dist := make([]float64, len(x))
	for i, v := range x {
		dist[i] = math.Abs(v - middle)
	}
	slices.Sort(dist)
	return madToSigma * sortedQuantile(dist, 0.5)
}

// matrix holds the numbers of a table's columns in robust deviations from their medians, row after row.
type matrix struct {
	cells     []float64
	rows, dim int
	columns   []int
	sums      []float64 // of each row's deviations
}

// rowMatrix scales the columns; nil when there is nothing to compare.
func rowMatrix(ctx context.Context, t *table.Table, opt RowOptions) *matrix {
	if t.NumRows() < rowMin {
		return nil
	}
	if opt.Columns == nil {
		for c, d := range profiler.Describe(ctx, t) {
			if d.Role == profiler.RoleMeasure {
				opt.Columns = append(opt.Columns, c)
			}
		}
	}
	m := &matrix{rows: t.NumRows()}
	var scaled [][]float64
	for _, c := range opt.Columns {
		if ctx.Err() != nil {
			return nil
		}
		if z := deviations(t, c); z != nil {
			scaled, m.columns = append(scaled, z), append(m.columns, c)
		}
	}
	if m.dim = len(scaled); m.dim == 0 {
		return nil
	}
	m.cells, m.sums = make([]float64, m.rows*m.dim), make([]float64, m.rows)
	for c, z := range scaled {
		for r, v := range z {
			m.cells[r*m.dim+c] = v
			m.sums[r] += math.Abs(v)
		}
	}
	return m
}

// deviations gives the numbers of a column as robust deviations from the median; nil for columns without different
// numbers. The scale is the median absolute deviation, the quartiles' distance where most numbers are one, else the
// standard deviation.
func deviations(t *table.Table, c int) []float64 {
	if !t.Column(c).Type.Numeric() {
		return nil
	}
	x, rows := numbersOf(t, c)
	if len(x) < 2 {
		return nil
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	middle := sortedQuantile(sorted, 0.5)
	scale := spreadAround(sorted, middle)
	if scale == 0 {
		scale = (sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25)) / quartileSigmas
	}
	if scale == 0 {
		scale = *profiler.MomentsOf(x).Stddev
	}
	if !(scale > 0) || math.IsInf(scale, 0) {
		return nil
	}
	out := make([]float64, t.NumRows())
	for i, v := range x {
		out[rows[i]] = (v - middle) / scale
	}
	return out
}

// numbersOf gives the numbers of a numeric column with their rows.
func numbersOf(t *table.Table, c int) (x []float64, rows []int) {
	x, rows = make([]float64, 0, t.NumRows()), make([]int, 0, t.NumRows())
	for r := range t.NumRows() {
		if f, ok := t.Value(r, c).Float(); ok {
			x, rows = append(x, f), append(rows, r)
		}
	}
	return x, rows
}

func (m *matrix) row(r int) []float64 { return m.cells[r*m.dim : (r+1)*m.dim] }

// distances gives each row the distance to its nearest rows, on as many goroutines as there are processors.
func (m *matrix) distances(ctx context.Context) ([]float64, error) {
	compared := m.drawn()
	near := min(neighbours, max(minNeighbours, neighbours*len(compared)/m.rows), max(1, (len(compared)-1)/4))
	out := make([]float64, m.rows)
	rows := m.farthest(nearRows)
	const block = 64
	var next atomic.Int64
	var done sync.WaitGroup
	work := func() {
		best := make([]float64, 0, near+1)
		for {
			from := int(next.Add(block)) - block
			if from >= len(rows) || ctx.Err() != nil {
				return
			}
			for _, r := range rows[from:min(from+block, len(rows))] {
				out[r] = m.distance(r, compared, near, best)
			}
		}
	}
	for range min(lane.Processors(), len(rows)/block) - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
	return out, ctx.Err()
}

// distance of row r from the one of the rows that is the near-th nearest; best is memory for near+1 numbers.
func (m *matrix) distance(r int, compared []int, near int, best []float64) float64 {
	own := m.row(r)
	best = best[:0]
	worst := math.Inf(1)
	for _, q := range compared {
		if q == r {
			continue
		}
		d := 0.0
		for i, v := range m.row(q) {
			d += (v - own[i]) * (v - own[i])
		}
		if d >= worst {
			continue
		}
		at, _ := slices.BinarySearch(best, d)
		best = slices.Insert(best, at, d)
		if len(best) > near {
			best = best[:near]
		}
		if len(best) == near {
			worst = best[near-1]
		}
	}
	if len(best) == 0 {
		return 0
	}
	return math.Sqrt(best[len(best)-1])
}

// drawn are the rows to compare with, in order.
func (m *matrix) drawn() []int {
	n := min(m.rows, comparedRows, max(fewCompared, int(comparisons/float64(min(m.rows, nearRows)*(m.dim+3)))))
	rows := make([]int, m.rows)
	for i := range rows {
		rows[i] = i
	}
	if n < m.rows {
		rng := rand.New(rand.NewPCG(20, uint64(m.rows))) // fixed: the same table always has the same scores
		for i := range n {
			j := i + rng.IntN(m.rows-i)
			rows[i], rows[j] = rows[j], rows[i]
		}
		slices.Sort(rows[:n])
	}
	return rows[:n]
}

// farthest are the n rows whose deviations have the greatest sums, in no order; all of them when there are not more.
func (m *matrix) farthest(n int) []int {
	rows := make([]int, m.rows)
	for i := range rows {
		rows[i] = i
	}
	if n < m.rows {
		slices.SortFunc(rows, func(a, b int) int {
			return cmp.Or(cmp.Compare(m.sums[b], m.sums[a]), cmp.Compare(a, b))
		})
	}
	return rows[:min(n, m.rows)]
}

// scores blends the ranks of distances and of sums.
func (m *matrix) scores(distance []float64) []float64 {
	out := ranksOf(distance)
	for r, rank := range ranksOf(m.sums) {
		out[r] = (2*out[r] + rank) / 3
	}
	return out
}

// ranksOf gives the part of the numbers that are below each, equal ones counting half.
func ranksOf(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j) / 2 / float64(len(x))
		}
		i = j
	}
	return out
}

// reasons are the columns in which a row deviates most.
func (m *matrix) reasons(r int) []Unusual {
	out := make([]Unusual, m.dim)
	for i, v := range m.row(r) {
		out[i] = Unusual{m.columns[i], v}
	}
	slices.SortStableFunc(out, func(a, b Unusual) int {
		return cmp.Compare(math.Abs(b.Deviation), math.Abs(a.Deviation))
	})
	return out[:min(len(out), rowColumns)]
}
