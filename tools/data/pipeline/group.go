package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// shape groups and aggregates, or notes which plain columns to keep at the end.
func (p *pipeline) shape() error {
	aggregates := slices.ContainsFunc(p.q.Select, func(s plan.Select) bool { return s.Expr != "" })
	if !aggregates && len(p.q.GroupBy) == 0 {
		return p.plain()
	}
	names, err := p.keyNames()
	if err != nil {
		return err
	}
	g := &grouping{pipeline: p}
	for i, k := range p.q.GroupBy {
		key, err := p.key(k)
		if err != nil {
			return err
		}
		g.Keys = append(g.Keys, query.Named{As: names[i], Expr: key})
	}
	for _, s := range p.q.Select {
		if err := g.selected(s); err != nil {
			return err
		}
	}
	if len(p.q.Select) == 0 || !aggregates {
		g.Aggregates = append(g.Aggregates, query.Aggregate{As: "count", Func: "count"})
		g.shown = append(g.shown, "count")
	}
	if err := g.run(); err != nil {
		return err
	}
	p.shown = append(slices.Clone(names), g.shown...)
	p.renamed(names)
	p.markedKeys(names)
	return nil
}

// grouping is a group that is being put together.
type grouping struct {
	*pipeline
	query.Group
	shares []plan.Select
	shown  []string
}

// selected adds what one member of select asks for.
func (g *grouping) selected(s plan.Select) error {
	isKey := func(k plan.GroupKey) bool { return k.Column == s.Column || k.As == s.Column }
	switch {
	case s.Expr == "" && slices.ContainsFunc(g.q.GroupBy, isKey):
		return nil
	case s.Expr == "":
		return Errorf("column %q is neither grouped by nor aggregated", s.Column)
	case s.Expr == "share":
		part := plan.Select{Expr: "count", Column: s.Column, Filter: s.Filter, As: partOf(s)}
		if s.Column != "" && s.Column != "*" {
			part.Expr = "sum"
		}
		whole := part
		whole.Filter, whole.As = nil, wholeOf(s)
		g.shares, g.shown = append(g.shares, s), append(g.shown, s.Name())
		if err := g.add(part); err != nil {
			return err
		}
		return g.add(whole)
	}
	g.shown = append(g.shown, s.Name())
	return g.add(s)
}

func partOf(s plan.Select) string  { return hidden + s.Name() + " part" }
func wholeOf(s plan.Select) string { return hidden + s.Name() + " whole" }

// add adds an aggregate. A number that texts were read as is told with the cells that are none.
func (g *grouping) add(s plan.Select) error {
	if why := notSums[g.adds[s.Column]]; why != "" && s.Expr == "sum" {
		g.note("%s %s.", Label(s.Column), why)
	}
	a, bad, err := g.aggregate("select of "+s.Name(), s)
	if bad > 0 {
		t := g.tables[g.base]
		c := t.Index(s.Column)
		values, _, _ := NumbersOf(t, c)
		g.note("%s", NotNumbers(t, c, values, bad))
	}
	g.Aggregates = append(g.Aggregates, a)
	return err
}

// notSums say what is right in place of a sum of what does not add up.
var notSums = map[query.Adds]string{
	query.AddsRate:       "is a rate, which does not add up: its mean says more",
	query.AddsIdentifier: "names something, which does not add up: count it",
	query.AddsTime:       "is a part of a date, which does not add up",
}

// rowCount is the hidden count of the rows of a group without keys.
const rowCount = hidden + "rows"

// run makes the groups. What is empty in all of them is told, and why.
func (g *grouping) run() error {
	if err := g.onceEach(); err != nil {
		return err
	}
	if len(g.Keys) == 0 {
		g.Aggregates = append(g.Aggregates, query.Aggregate{As: rowCount, Func: "count"})
	}
	if err := g.then("group_by", g.Group); err != nil {
		return err
	}
	t, err := g.table()
	if err != nil {
		return err
	}
	none := t.NumRows() == 0
	if c := t.Index(rowCount); c >= 0 {
		n, _ := t.Value(0, c).Int()
		none = n == 0
	}
	if none && g.before.From != "" {
		if err := g.outside(); err != nil {
			return err
		}
	}
	for _, s := range g.shares {
		e, err := g.percentage(query.Col(partOf(s)), query.Col(wholeOf(s)), Label(s.Name()))
		if err != nil {
			return err
		}
		if err := g.then("select", added(s.Name(), e)); err != nil {
			return err
		}
		g.setUnit(s.Name(), "%")
	}
	if t, err = g.table(); err == nil {
		g.noteNulls(t)
	}
	return err
}

// noteNulls says which aggregates had no value at all to work on.
func (g *grouping) noteNulls(t *table.Table) {
	for _, a := range g.Aggregates {
		i := t.Index(a.As)
		if made := strings.HasPrefix(a.As, hidden); t.NumRows() == 0 || a.Func == "count" || made {
			continue
		}
		empty := true
		for row := 0; row < t.NumRows() && empty; row++ {
			empty = t.IsNull(row, i)
		}
		if empty {
			g.note("%s is empty: no row that was asked for holds a value.", Label(a.As))
		}
	}
}

// key is what a group key says of each row: texts that differ in case or outer space only are one.
func (p *pipeline) key(k plan.GroupKey) (query.Expr, error) {
	f, err := p.field(k.Column)
	if err != nil {
		return nil, err
	}
	if k.Period == "" {
		if f.Type == table.Text {
			return p.alike(f.Name, true)
		}
		return query.Col(f.Name), nil
	}
	of, err := cut(compared{Expr: query.Col(f.Name), Field: f}, table.Period(k.Period))
	return of.Expr, err
}

// functionsOf are the algebra's names of aggregates, where they are others.
var functionsOf = map[string]string{"count_distinct": "count"}

// numeric are the aggregates that need numbers; text that mostly holds some is read as those. So it is for the least
// and the greatest.
var numeric = []string{"sum", "mean", "median", "stddev"}

// summable refuses a column that an aggregate of numbers does not work on.
func summable(f query.Field, expr string) error {
	if f.Type.Numeric() || f.Type == table.Duration || f.Type == table.Null {
		return nil
	}
	return &table.TypeError{Column: f.Name, Type: f.Type, Reason: expr + " needs numbers"}
}

// aggregate is the algebra's aggregate, and how many cells of text are none of the numbers that it needs.
func (p *pipeline) aggregate(path string, s plan.Select) (a query.Aggregate, bad int, err error) {
	a = query.Aggregate{As: s.Name(), Func: s.Expr, Distinct: s.Expr == "count_distinct"}
	if f, ok := functionsOf[s.Expr]; ok {
		a.Func = f
	}
	where, err := p.where(path+".filter", s.Filter)
	if err != nil {
		return a, 0, err
	}
	a.Where = where
	if s.Column == "" || s.Column == "*" {
		if s.Expr != "count" {
			_, err = p.field(s.Column)
		}
		return a, 0, err
	}
	f, err := p.field(s.Column)
	if err != nil {
		return a, 0, err
	}
	arg, bad, err := p.argument(f, s)
	if err != nil {
		return a, 0, err
	}
	a.Args = []query.Expr{arg}
	if s.Expr == "first" || s.Expr == "last" {
		a.Where = notNull(arg)
		if where != nil {
			a.Where = query.Do("and", where, a.Where)
		}
	}
	return a, bad, nil
}

// argument is what an aggregate looks at of each row.
func (p *pipeline) argument(f query.Field, s plan.Select) (e query.Expr, bad int, err error) {
	if s.Period != "" {
		of, err := cut(compared{Expr: query.Col(f.Name), Field: f}, table.Period(s.Period))
		return of.Expr, 0, err
	}
	needs := slices.Contains(numeric, s.Expr)
	switch {
	case f.Type != table.Text:
	case s.Expr == "count_distinct":
		e, err := p.alike(f.Name, false)
		return e, 0, err
	case needs || s.Expr == "min" || s.Expr == "max":
		e, bad, ok, err := p.numbers(f.Name)
		if ok || err != nil {
			return e, bad, err
		}
	}
	if needs {
		err = summable(f, s.Expr)
	}
	return query.Col(f.Name), 0, err
}

// alike is a text column with one spelling for each value: "acme ltd" and "Acme Ltd" are one, as they are to filters.
// Where that changes something it is told, if tells says so.
func (p *pipeline) alike(name string, tells bool) (query.Expr, error) {
	if _, err := p.table(); err != nil {
		return nil, err
	}
	counts, err := p.run(p.query().With(query.Group{
		Keys:       []query.Named{{As: "value", Expr: query.Col(name)}},
		Aggregates: []query.Aggregate{{As: "rows", Func: "count"}},
	}))
	if err != nil {
		return nil, err
	}
	as, merged := oneSpelling(counts)
	if as == nil {
		return query.Col(name), nil
	}
	if tells {
		p.note("In %s, spellings that differ in capitals only were counted as one: %s.", name, merged)
	}
	t := p.tables[p.base]
	c, values := t.Index(name), t.NewValues()
	for row := range t.Rows() {
		if v := t.Value(row, c); !v.IsNull() {
			values[row] = as[v.Text()]
		}
	}
	return p.prepared(hidden+"spelling "+name, table.Column{Type: table.Text}, values)
}

// oneSpelling gives each text as it is most often written, of a table of texts and how often each is there. merged
// names some that were brought together; nil means that nothing was.
func oneSpelling(counts *table.Table) (as map[string]table.Value, merged string) {
	usual, rows, different := map[string]string{}, map[string]int64{}, false
	var order []string
	for row := range counts.Rows() {
		if counts.IsNull(row, 0) {
			continue
		}
		s := counts.Value(row, 0).Text()
		order = append(order, s)
		rows[s], _ = counts.Value(row, 1).Int()
		key := foldText(s)
		have, ok := usual[key]
		if different = different || ok; !ok || rows[s] > rows[have] {
			usual[key] = s
		}
	}
	if !different {
		return nil, ""
	}
	as = make(map[string]table.Value, len(order))
	var told []string
	for _, s := range order {
		u := usual[foldText(s)]
		as[s] = table.TextValue(u)
		if u != s && len(told) < 3 {
			told = append(told, fmt.Sprintf("“%s” with “%s”", strings.TrimSpace(s), strings.TrimSpace(u)))
		}
	}
	return as, strings.Join(told, ", ")
}

// NotNumbers says which cells of a column are no numbers: how many, and the first two with their rows.
func NotNumbers(t *table.Table, col int, values []table.Value, bad int) string {
	const most, longest = 2, 24
	var shown []string
	for row := 0; row < t.NumRows() && len(shown) < most; row++ {
		v := t.Value(row, col)
		if !values[row].IsNull() || Blank(v) {
			continue
		}
		if text := strings.TrimSpace(v.Text()); len(text) <= longest && plan.SafeName(text) {
			shown = append(shown, fmt.Sprintf("“%s” in row %d", text, row+1))
		} else {
			shown = append(shown, fmt.Sprintf("row %d", row+1))
		}
	}
	list := strings.Join(shown, ", ")
	if bad > len(shown) {
		list += " ..."
	}
	is := map[bool]string{true: "is", false: "are"}[bad == 1]
	const told = "%s of %s %s no number and %s left out: %s."
	return fmt.Sprintf(told, text.Count(bad, "cell"), t.Column(col).Name, is, text.Was(bad), list)
}

// plain renames what Select renames and keeps for the end which columns to show.
func (p *pipeline) plain() error {
	if len(p.q.Select) == 0 {
		return p.noRows()
	}
	var columns []query.Named
	has := func(name string) bool {
		return slices.ContainsFunc(columns, func(c query.Named) bool { return c.As == name })
	}
	p.shown = []string{}
	for _, s := range p.q.Select {
		f, err := p.field(s.Column)
		if err != nil {
			return err
		}
		name := f.Name
		if s.As != "" {
			name = s.As
		}
		if !has(name) {
			columns = append(columns, query.Named{As: name, Expr: query.Col(f.Name)})
		}
		for _, n := range []string{name, p.besideOf(f.Name)} {
			if n != "" && !slices.Contains(p.shown, n) {
				p.shown = append(p.shown, n)
			}
		}
	}
	if !slices.ContainsFunc(columns, func(c query.Named) bool { return c.Expr != query.Col(c.As) }) {
		return p.noRows()
	}
	for _, name := range p.schema.Names() { // others can be filtered and sorted by
		if !has(name) {
			columns = append(columns, query.Named{As: name, Expr: query.Col(name)})
		}
	}
	if err := p.then("select", query.Project{Columns: columns}); err != nil {
		return err
	}
	return p.noRows()
}

// noRows says what the conditions left nothing of.
func (p *pipeline) noRows() error {
	if p.before.From == "" {
		return nil
	}
	t, err := p.table()
	if err != nil || t.NumRows() > 0 {
		return err
	}
	return p.outside()
}
