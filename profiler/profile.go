package profiler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"catena/internal/lane"
	"catena/table"
)

// Options bound a profile. The zero value asks for everything with the usual caps.
type Options struct {
	// the table's name or title, which says what short forms in its columns' names stand for
	Title string
	// what the source says of columns, by their names, beside what the table's columns carry (table.Column.About)
	About     map[string]About
	Light     bool // only what a heading or a planner needs: no quantiles, sums, means, histogram or top values
	TopValues int  // frequent values at most; 0 is 10
	Bins      int  // bars of a histogram at most; 0 is 20
	// distinct texts (and decimals of more than 64 bits) that are counted exactly in a column, for which 40 bytes each
	// are needed; beyond, they are estimated; 0 is 4,194,304
	MaxDistinct int
}

// Profile describes every column of t in order, with all statistics. The result is never nil for a table with columns
// and belongs to the caller. When the context ends, the columns that were not reached carry what their names and types
// say, and a warning.
//
// All statistics are exact, and rounded once, up to MaxDistinct distinct texts in a column; DistinctError and TopError
// say what is estimated beyond. Numbers, dates and the like are always counted and ranked exactly, in 16 bytes a cell
// at most. Columns of large tables are profiled on as many goroutines as there are processors, which have ended when
// Profile returns.
func Profile(ctx context.Context, t *table.Table) []ColumnMetadata {
	return ProfileWith(ctx, t, Options{})
}

// Describe is Profile without what costs: semantic type, role, unit, label, range, nulls, distinct count, format.
func Describe(ctx context.Context, t *table.Table) []ColumnMetadata {
	return ProfileWith(ctx, t, Options{Light: true})
}

// ProfileWith is Profile by the options.
func ProfileWith(ctx context.Context, t *table.Table, opt Options) []ColumnMetadata {
	if opt.TopValues <= 0 {
		opt.TopValues = 10
	}
	if opt.Bins <= 0 {
		opt.Bins = 20
	}
	out := make([]ColumnMetadata, t.NumCols())
	notes := fieldNotes.Get().(*notebook)
	defer notes.close()
	scans, verdicts := notes.open(t.NumCols())
	names := columnNames(opt.Title, t)
	expected := opt.expected(t)
	eachColumn(t, func(c int, w *workspace) {
		s := scanColumn(ctx, t, c, w, opt.MaxDistinct, scans[c])
		verdicts[c] = infer(names[c], s)
		verdicts[c].consult(names[c], s, expected.of(c))
		verdicts[c].concept = conceptOf(names[c], s, verdicts[c].semantic)
		if !s.stopped && !opt.Light {
			out[c].addStats(s, &verdicts[c], opt)
		}
		s.ords, s.numbers, s.ranks = nil, nil, ranks{} // the next column has their memory
	})
	shareUnits(names, scans, verdicts)
	shareFlags(names, scans, verdicts)
	for c := range out {
		out[c].assemble(names[c], scans[c], verdicts[c])
	}
	distinctLabels(out)
	return out
}

// notebook is what is known of the columns of a table while it is profiled. Small tables are profiled so often that its
// memory is used again.
type notebook struct {
	scans    []scan
	at       []*scan
	verdicts []verdict
}

// fieldNotes are notebooks between profiles, all empty; large ones are not kept.
var fieldNotes = sync.Pool{New: func() any { return new(notebook) }}

// open makes empty notes for so many columns.
func (n *notebook) open(columns int) ([]*scan, []verdict) {
	if cap(n.scans) < columns {
		n.scans, n.at, n.verdicts = make([]scan, columns), make([]*scan, columns), make([]verdict, columns)
	}
	n.scans, n.at, n.verdicts = n.scans[:columns], n.at[:columns], n.verdicts[:columns]
	for c := range n.scans {
		n.at[c] = &n.scans[c]
	}
	return n.at, n.verdicts
}

// close forgets all and keeps the memory.
func (n *notebook) close() {
	const most = 64 // columns
	if len(n.scans) > most {
		return
	}
	clear(n.scans)
	clear(n.verdicts)
	fieldNotes.Put(n)
}

// columnNames reads the names of all columns together. A title that the source gives comes before the name, unless it
// is the name again in another spelling; a unit may stand in either.
func columnNames(title string, t *table.Table) []Name {
	list, titled := make([]string, t.NumCols()), false
	for c := range list {
		col := t.Column(c)
		list[c], titled = col.Name, titled || col.Title != ""
	}
	if !titled {
		return ReadNames(title, list)
	}
	named := ReadNames(title, list)
	for c := range list {
		if title := t.Column(c).Title; title != "" && foldName(title) != foldName(list[c]) {
			list[c] = title
		}
	}
	out := slices.Clone(ReadNames(title, list))
	for c := range out {
		if out[c].Unit == "" {
			out[c].Unit = named[c].Unit
		}
	}
	return out
}

// foldName is a name without what spellings differ in.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// fewCells is the size of a table up to which starting goroutines costs more than it saves.
const fewCells = 20_000

// eachColumn calls do for each column of t, on several goroutines where the table is large; each has a workspace of its
// own.
func eachColumn(t *table.Table, do func(c int, w *workspace)) {
	columns, workers := t.NumCols(), min(lane.Processors(), t.NumCols())
	if t.NumRows()*columns <= fewCells {
		workers = min(workers, 1)
	}
	if workers < 2 {
		w := workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		for c := range columns {
			do(c, w)
		}
		return
	}
	order := costliestFirst(t)
	var next atomic.Int64
	var done sync.WaitGroup
	work := func() {
		w := workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		for i := int(next.Add(1)) - 1; i < columns; i = int(next.Add(1)) - 1 {
			do(order[i], w)
		}
	}
	for range workers - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
}

// costliestFirst orders the columns by what their types cost, so that no goroutine begins with texts when the others
// have finished.
func costliestFirst(t *table.Table) []int {
	cost := map[table.Type]int{table.Text: 3, table.JSON: 3, table.Float: 2, table.Decimal: 1}
	order := make([]int, t.NumCols())
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cost[t.Column(b).Type] - cost[t.Column(a).Type] })
	return order
}

// workspaces are kept between profiles; the garbage collector takes those that rest.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// assemble completes the metadata of one column, which may have its statistics already.
func (m *ColumnMetadata) assemble(n Name, s *scan, v verdict) {
	m.OriginalName, m.CleanedName, m.SemanticType, m.DType, m.PandasDType = s.col.Name, n.Label, v.semantic,
		s.col.Type.String(), pandasDType(s)
	m.Concept = v.concept
	m.Units, m.UnitSource, m.UnitColumn, m.Role, m.Aggregation, m.FormattingSuggestion = v.unit, v.unitSource,
		v.unitColumn, v.role, v.aggregate, v.format.String()
	m.Count, m.NullCount, m.DistinctCount, m.DistinctError, m.InvalidCount, m.Confidence = s.rows, s.nulls, s.kinds,
		s.kindsErr, v.invalid, v.confidence
	m.Warnings = append(v.warnings, m.Warnings...)
	if s.stopped {
		m.Warnings = append(m.Warnings, "the profile was interrupted before the end of this column")
	} else {
		m.Min, m.Max = ownCell(s.min), ownCell(s.max)
		m.Sortedness = s.sortedness()
	}
	if m.DistinctError > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("the number of different cells is estimated, to about %.1f%%",
			100*m.DistinctError))
	}
	if v.invalid > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d cells do not look like the others", v.invalid))
	}
	if s.rows > 0 && s.nulls*2 > s.rows && s.nulls < s.rows {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%.0f%% of the cells are empty",
			100*float64(s.nulls)/float64(s.rows)))
	}
	if n.Unit != v.unit && n.Label == n.Unit && IsCurrency(n.Unit) {
		m.CleanedName = "Amount" // the whole name is a currency that the cells deny
	}
	m.addWords(s)
}

// sortedness of the cells that are not null; a constant column counts as ascending, a single cell as none.
func (s *scan) sortedness() string {
	switch {
	case s.rows-s.nulls < 2:
		return "none"
	case s.ascends:
		return "ascending"
	case s.descends:
		return "descending"
	}
	return "none"
}

// distinctLabels keeps two columns from having the same heading: where label and unit agree, the original names stand.
func distinctLabels(columns []ColumnMetadata) {
	seen := make(map[[2]string]int, len(columns))
	for i := range columns {
		key := [2]string{columns[i].CleanedName, columns[i].Units}
		if first, dup := seen[key]; dup {
			columns[i].CleanedName = columns[i].OriginalName
			columns[first].CleanedName = columns[first].OriginalName
			continue
		}
		seen[key] = i
	}
}

// pandasDType is the name that pandas would give the stored type: a column of whole numbers with empty cells is float64
// there.
func pandasDType(s *scan) string {
	switch s.col.Type {
	case table.Bool:
		if s.nulls > 0 {
			return "object"
		}
		return "bool"
	case table.Int:
		if s.nulls > 0 {
			return "float64"
		}
		return "int64"
	case table.Float, table.Decimal:
		return "float64"
	case table.Date, table.DateTime:
		return "datetime64[ns]"
	case table.Duration:
		return "timedelta64[ns]"
	}
	return "object"
}
