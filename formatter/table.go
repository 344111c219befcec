package formatter

import (
	"catena/profiler"
	"catena/profiler/anomaly"
	"catena/table"
	"context"
	"fmt"
	"slices"
)

// Column is one column of a View.
type Column struct {
	Name     string // in the table
	Heading  string // "Revenue YTD (USD)"
	Right    bool   // numbers line up right
	Format   profiler.Suggestion
	Metadata profiler.ColumnMetadata

	derived bool // a share or a change that the options asked for
}

// View is a table made ready to be read. It is immutable and safe for concurrent use.
type View struct {
	Title     string
	Columns   []Column
	Total     int // rows before anything was cut off
	Ranks     []int
	Summary   *Summary // nil when there is none
	Anomalies []Anomaly
	Unusual   []UnusualRow
	Notes     []string

	shown    *table.Table // the rows and columns of the view
	looks    []look       // per column
	visible  []int        // the columns that readers are shown; exports have all
	wide     []string     // what is said of the others
	locale   Locale
	maxCell  int
	describe bool
	raw      bool
	marked   map[[2]int]string // why cells of the view are unusual
}

// Format makes a View of t. meta are t's columns as profiler.Profile or Describe gave them; nil lets Format describe
// them. An unknown column in the options is a *table.UnknownColumnError, another option that cannot be had an
// *OptionError; errors.As reaches them.
func Format(t *table.Table, meta []profiler.ColumnMetadata, opt Options) (*View, error) {
	if err := opt.check(); err != nil {
		return nil, fmt.Errorf("formatting: %w", err)
	}
	if meta == nil {
		meta = profiler.Describe(context.Background(), t)
	}
	if len(meta) != t.NumCols() {
		return nil, fmt.Errorf("formatting a table of %d columns with metadata for %d: profile the same table",
			t.NumCols(), len(meta))
	}
	own := t.NumCols()
	order, err := sorted(t, meta, opt)
	if err != nil {
		return nil, fmt.Errorf("sort_by: %w", err)
	}
	ranks, err := ranking(t, meta, opt)
	if err != nil {
		return nil, fmt.Errorf("rank_by: %w", err)
	}
	t, meta, sources, err := derive(t, meta, order, opt)
	if err != nil {
		return nil, fmt.Errorf("formatting: %w", err)
	}
	cols, err := selected(t, meta, own, sources, opt)
	if err != nil {
		return nil, fmt.Errorf("columns: %w", err)
	}
	v := newView(t, opt)
	rows, all, cut := t, order, opt.Limit > 0 && opt.Limit < len(order)
	if cut {
		order = order[:opt.Limit]
	}
	if opt.SortBy != "" || opt.RankBy != "" || cut {
		if rows, err = t.Take(order); err != nil {
			return nil, fmt.Errorf("formatting: %w", err)
		}
	}
	if v.Columns, err = columnsOf(t, meta, cols, own, opt); err != nil {
		return nil, fmt.Errorf("signed columns: %w", err)
	}
	if v.shown, err = pick(rows, cols); err != nil {
		return nil, fmt.Errorf("columns: %w", err)
	}
	v.looksOf(opt)
	v.rank(ranks, order)
	v.chooseColumns(opt)
	if opt.DetectAnomalies {
		if err := v.findUnusual(t, cols, all, order); err != nil {
			return nil, fmt.Errorf("formatting: %w", err)
		}
	}
	if opt.SummaryRow && rows.NumRows() > 1 {
		v.Summary = summarise(v, t, rows, meta, cols)
	}
	return v, nil
}

// findUnusual looks for unusual cells and rows of t, whose rows are all, of which the view shows those of order.
func (v *View) findUnusual(t *table.Table, cols, all, order []int) (err error) {
	if t.NumRows() < anomaly.FewRows {
		v.Notes = append(v.Notes, anomaly.TooFew(t.NumRows()))
		return nil
	}
	v.Anomalies = v.anomalies(t, cols, all)
	v.marked = v.unusual()
	v.Unusual, err = v.unusualRows(t, cols, order)
	return err
}

// rank gives the rows of the view their places; ranks is nil where none were asked for.
func (v *View) rank(ranks, order []int) {
	if ranks == nil {
		return
	}
	v.Ranks = make([]int, len(order))
	for i, r := range order {
		v.Ranks[i] = ranks[r]
	}
}

// newView is a view without columns.
func newView(t *table.Table, opt Options) *View {
	v := &View{Title: opt.Title, Total: max(opt.Total, t.NumRows()), Notes: slices.Clone(opt.Notes),
		locale: LocaleFor(opt.Locale), maxCell: opt.MaxCell, describe: opt.IncludeDescriptions, raw: opt.Raw}
	if v.maxCell == 0 {
		v.maxCell = defaultMaxCell
	}
	if len(opt.ShareOfTotal) > 0 && opt.Total > t.NumRows() {
		v.Notes = append(v.Notes, "Shares are of the "+v.count(t.NumRows())+" rows that are here.")
	}
	return v
}

// columnsOf makes the view's columns.
func columnsOf(t *table.Table, meta []profiler.ColumnMetadata, cols []int, own int, opt Options) ([]Column, error) {
	signed := map[int]bool{}
	for _, name := range opt.SignedColumns {
		c, err := FindColumn(t, meta, name)
		if err != nil {
			return nil, err
		}
		signed[c] = true
	}
	out := make([]Column, len(cols))
	for i, c := range cols {
		m := &meta[c] // large
		format, err := profiler.ParseSuggestion(m.FormattingSuggestion)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", m.OriginalName, err)
		}
		format.Plus = format.Plus || signed[c] && format.Numeric()
		typ := t.Column(c).Type
		out[i].Name, out[i].Heading, out[i].Format, out[i].Metadata = t.Column(c).Name, heading(m), format, *m
		out[i].Right, out[i].derived = typ.Numeric() && !named(&format) || typ == table.Duration, c >= own
		if opt.Raw {
			out[i].Heading, out[i].Format = out[i].Name, profiler.Suggestion{}
		}
	}
	tellApart(out)
	return out, nil
}

// tellApart adds the unit to headings that are the same, though the cells carry it: a change, and the change in
// percent.
func tellApart(cols []Column) {
	count := make(map[string]int, len(cols))
	for i := range cols {
		count[cols[i].Heading]++
	}
	for i := range cols {
		if c := &cols[i]; count[c.Heading] > 1 && c.Metadata.Units != "" && !unitInHeading(&c.Metadata) {
			c.Heading += " (" + c.Metadata.Units + ")"
		}
	}
}

// named reports whether numbers are shown by names, which line up left.
func named(s *profiler.Suggestion) bool { return s.Kind == "weekday" || s.Kind == "month" }

// heading is the name for people with the unit; percentages carry theirs in the cells.
func heading(m *profiler.ColumnMetadata) string {
	if !unitInHeading(m) || m.CleanedName == m.Units {
		return m.CleanedName
	}
	return m.CleanedName + " (" + m.Units + ")"
}

// NumRows is the number of rows shown.
func (v *View) NumRows() int { return v.shown.NumRows() }

// Truncated reports whether rows were left out.
func (v *View) Truncated() bool { return v.NumRows() < v.Total }

// Table is the rows and columns shown, with their values.
func (v *View) Table() *table.Table { return v.shown }
