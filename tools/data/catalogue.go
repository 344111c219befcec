package data

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/query/semantic"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
)

// queryData is what query_table takes beside a name.
const queryData = "data"

func (k *Toolkit) listTablesTool() tools.Tool {
	return define("list_tables", "List tables",
		"Lists the tables that can be asked about: name, what a row is and is called, rows, columns, "+
			"which tables it refers to, its metrics, where each comes from. "+
			"Use it to find out which data, tables or files are there.",
		object{"properties": object{}},
		tools.TableSchema(listColumns...), k.listTables)
}

var listColumns = []table.Column{{Name: "table", Type: table.Text}, {Name: "rows", Type: table.Int}, {Name: "columns", Type: table.Int},
	{Name: "column_names", Type: table.Text}, {Name: "source", Type: table.Text}, {Name: "handle", Type: table.Text},
	{Name: "entity", Type: table.Text}, {Name: "refers_to", Type: table.Text}, {Name: "synonyms", Type: table.Text},
	{Name: "metrics", Type: table.Text}}

func (k *Toolkit) listTables(ctx context.Context, call tools.Call) (tools.Result, error) {
	b := table.NewBuilder(listColumns...)
	sources := k.opt.Sources.List(call.Caller, call.Session)
	list := make([]listed, len(sources))
	for i, t := range sources {
		list[i] = listed{name: t.Name, source: t.Source, handle: t.Handle, columns: t.Table.Names(), rows: t.rows()}
	}
	live, notes, err := k.listLive(ctx, call, sources)
	if err != nil {
		return tools.Result{}, err
	}
	list = append(list, live...)
	m, err := k.model(ctx, call.Caller, call.Session)
	if err != nil {
		return tools.Result{}, err
	}
	for _, t := range list {
		e, _ := m.Entity(t.name)
		if err := b.Append(table.TextValue(t.name), table.IntValue(int64(t.rows)), table.IntValue(int64(len(t.columns))),
			table.TextValue(strings.Join(t.columns, ", ")), table.TextValue(t.source), orNull(t.handle),
			orNull(e.Singular), orNull(relatedTables(m, t.name)), orNull(strings.Join(e.Synonyms, ", ")),
			orNull(strings.Join(metricNames(m, t), ", "))); err != nil {
			return tools.Result{}, err
		}
	}
	for _, t := range sources {
		if len(t.LoadNotes("")) > 0 {
			notes = append(notes, fmt.Sprintf("Loading %s changed or left out something; describe_table tells what.", t.Name))
		}
	}
	res := tools.Result{Table: b.Table(), Name: "tables", Title: "Tables", Hide: []string{"handle"}, Notes: notes}
	if len(list) == 0 {
		res.Notes = append(res.Notes, "No table is loaded: start with --data FILE, or attach a file to a message.")
	}
	return res, nil
}

func (k *Toolkit) describeTableTool() tools.Tool {
	return define("describe_table", "Describe a table",
		"Describes a table's columns: what each means, its type, unit, role, range, number of missing and "+
			"of different values, how it adds up, what else it is called and which table it refers to; "+
			"the metrics of the table with their formulas. Use it to learn the columns, fields or schema of a table.",
		object{"properties": object{"table": textSchema("Name or handle of the table.")}, "required": []string{"table"}},
		tools.TableSchema(describeColumns...), k.describeTable)
}

var describeColumns = []table.Column{{Name: "column", Type: table.Text}, {Name: "label", Type: table.Text}, {Name: "type", Type: table.Text},
	{Name: "meaning", Type: table.Text}, {Name: "unit", Type: table.Text}, {Name: "role", Type: table.Text}, {Name: "non_null", Type: table.Int},
	{Name: "missing", Type: table.Int}, {Name: "distinct", Type: table.Int}, {Name: "min", Type: table.Text}, {Name: "max", Type: table.Text},
	{Name: "description", Type: table.Text}, {Name: "adds", Type: table.Text}, {Name: "refers_to", Type: table.Text},
	{Name: "synonyms", Type: table.Text}}

func (k *Toolkit) describeTable(ctx context.Context, call tools.Call) (tools.Result, error) {
	t, err := k.lookUp(ctx, call.Caller, call.Session, call.Text("table"))
	if err != nil {
		return tools.Result{}, err
	}
	t.Table = t.Table.In(ctx)
	model, err := k.model(ctx, call.Caller, call.Session)
	if err != nil {
		return tools.Result{}, err
	}
	if t.Handle != "" && t.Source != sourceUpload {
		model = &semantic.Model{} // a result may be called as a table is
	}
	e, _ := model.Entity(t.Name)
	refers := references(model, t.Name)
	b := table.NewBuilder(describeColumns...)
	for i, m := range k.describe(ctx, t) {
		low, high := ends(t.Table, i)
		if err := b.Append(table.TextValue(m.OriginalName), table.TextValue(m.CleanedName), table.TextValue(m.DType), table.TextValue(m.Meaning()),
			orNull(m.Units), table.TextValue(m.Role), table.IntValue(int64(m.Count-m.NullCount)), table.IntValue(int64(m.NullCount)),
			table.IntValue(int64(m.DistinctCount)), low, high, table.TextValue(m.Description),
			orNull(addsUp(e, m.OriginalName)), orNull(refers[m.OriginalName]),
			orNull(fieldSynonyms(e, m.OriginalName))); err != nil {
			return tools.Result{}, err
		}
	}
	notes := slices.Concat(t.Notes, t.sampled(), asOfNotes(t), meaningNotes(model, t.Name),
		k.metricNotes(ctx, call, model, t))
	for _, f := range k.totals(ctx, t) {
		notes = append(notes, "Some rows sum up others: "+f.String()+".")
	}
	return tools.Result{Table: b.Table(), Name: t.Name + "_columns", Title: fmt.Sprintf("Columns of %s (%s)", t.Name, text.Count(t.rows(), "row")),
		Notes: notes, AsOf: t.AsOf, Untrusted: t.outside()}, nil
}

// ends are the smallest and the greatest cell of numbers and dates, as text; null for other columns.
func ends(t *table.Table, col int) (low, high table.Value) {
	low, high = extremes(t, col)
	return orNull(low.Text()), orNull(high.Text())
}

// extremes are the least and the greatest value of a column of numbers or times.
func extremes(t *table.Table, col int) (low, high table.Value) {
	if typ := t.Column(col).Type; !typ.Numeric() && !typ.Temporal() {
		return low, high
	}
	for row := range t.Rows() {
		v := t.Value(row, col)
		if v.IsNull() {
			continue
		}
		if low.IsNull() || table.Compare(v, low) < 0 {
			low = v
		}
		if high.IsNull() || table.Compare(v, high) > 0 {
			high = v
		}
	}
	return low, high
}

func orNull(s string) table.Value {
	if s == "" {
		return table.Value{}
	}
	return table.TextValue(s)
}

// asOfNotes says which date the data speak of.
func asOfNotes(t SourceTable) []string {
	if t.AsOf.IsZero() {
		return nil
	}
	kind := "Data"
	if t.Source == "demo" {
		kind = "Demo data"
	}
	return []string{kind + " as of " + t.AsOf.Format("2006-01-02") + "."}
}

// HasColumn reports whether a column of a table is called name, or shown as that.
func HasColumn(t *table.Table, name string) bool {
	return t.Index(name) >= 0 ||
		slices.ContainsFunc(profiler.ReadApart(t.Names()), func(n profiler.Name) bool { return strings.EqualFold(n.Label, name) })
}

func (k *Toolkit) queryTableTool() tools.Tool {
	t := define("query_table", "Query a table",
		"Answers questions about a table: filter rows, group by columns or by year, quarter and month, aggregate (sum, mean, median, min, max, count), join, sort, take the top n, shares of a total, ranks. Give table (a name or handle) or data; or give sql, one SELECT statement over several tables, with joins, subqueries and window functions.",
		object{}, tools.TableSchema(), k.queryTable)
	t.Def.RawInputSchema = QuerySchema()
	return t
}

func (k *Toolkit) queryTable(ctx context.Context, call tools.Call) (tools.Result, error) {
	switch {
	case call.Args[querySQL] != nil:
		return k.runSQL(ctx, call)
	case call.Args[queryAlgebra] != nil:
		return k.runAlgebraJSON(ctx, call)
	}
	args := maps.Clone(call.Args)
	var src SourceTable
	var err error
	switch {
	case args[queryData] != nil:
		src, err = k.source(ctx, call)
	case call.Text("table") != "":
		src, err = k.lookUp(ctx, call.Caller, call.Session, call.Text("table"))
	default:
		err = &tools.ArgumentError{Argument: "table", Code: tools.CodeInvalidArguments, Reason: "give table (a name or handle) or data; list_tables says what there is"}
	}
	if err != nil {
		return tools.Result{}, err
	}
	delete(args, queryData)
	delete(args, "table")
	args["table"] = src.Name
	q, err := plan.ParseQuery(args)
	if err != nil {
		return tools.Failed("bad_query", strings.TrimPrefix(err.Error(), "query: ")), nil
	}
	if src, err = src.here(ctx, needed(src, q, call.Args)...); err != nil {
		return tools.Result{}, err
	}
	src.Table = src.Table.In(ctx)
	asked := src
	joined, named := []SourceTable{}, map[string]SourceTable{}
	resolve := func(name string) (*table.Table, error) {
		t, err := k.find(ctx, call.Caller, call.Session, name)
		joined, named[name] = append(joined, t), t
		return t.Table, err
	}
	united := q.Union
	if src.Table, err = pipeline.United(src.Table, q.Union, resolve); err != nil {
		return tools.Result{}, err
	}
	meta := k.meaning(ctx, src, q)
	q.Data, q.Union = pipeline.WithUnits(unitsBeyondNames(src.Table, q), meta), nil
	computed, err := pipeline.Compute(ctx, q, resolve, meta, united...)
	if err != nil {
		return tools.Result{}, err
	}
	out, notes := computed.Table, computed.Notes
	if len(united) == 0 {
		notes = append(notes, k.totalsCounted(ctx, src, q)...)
	}
	res := tools.Result{Table: out, Name: resultName(src, q), Title: queryTitle(src, q), Notes: notes, AsOf: src.AsOf}
	for _, t := range append([]SourceTable{src}, joined...) {
		res.Untrusted = res.Untrusted || t.outside()
		if t.key != "" {
			res.Notes = append(res.Notes, t.Notes...) // what a live table says of itself holds for this answer
		}
		res.Hide, res.Signed = stillThere(res.Hide, t.Hide, out), stillThere(res.Signed, t.Signed, out)
		for _, n := range sourceNotes(t) {
			if !slices.Contains(res.Notes, n) {
				res.Notes = append(res.Notes, n)
			}
		}
	}
	if len(q.Select) > 0 {
		res.Hide = nil // columns that were asked for are shown
	}
	if computed.Total > out.NumRows() {
		res.Total = computed.Total
	}
	named[""] = asked
	res.Made = madeOf(computed.Made, named)
	return res, nil
}

// meaning gives what the profile knows of the columns, for a query that needs to know: one that folds or shows columns
// whose names do not say their unit, or sums what may not add up. Nil for others.
func (k *Toolkit) meaning(ctx context.Context, src SourceTable, q plan.Query) []profiler.ColumnMetadata {
	for _, s := range q.Select {
		unit := profiler.UnitOf(s.Column)
		sums := s.Expr == "sum" && !profiler.IsCurrency(unit)
		if shows := unit == "" && (s.Expr == "" || pipeline.NeedsOneUnit(s.Expr)); shows || sums {
			return k.describe(ctx, src)
		}
	}
	return nil
}

// unitsBeyondNames gives amounts the currency that their name tells, where a query calls what comes of them by a name that does not.
func unitsBeyondNames(t *table.Table, q plan.Query) *table.Table {
	units := map[string]string{}
	for _, s := range q.Select {
		unit := profiler.UnitOf(s.Column)
		own := profiler.UnitOf(s.Name())
		if i := t.Index(s.Column); i >= 0 && own == "" && profiler.IsCurrency(unit) && t.Column(i).Unit == "" && t.Column(i).Type.Numeric() {
			units[t.Column(i).Name] = unit
		}
	}
	return t.WithUnits(units)
}

// stillThere adds the names that out has.
func stillThere(have, names []string, out *table.Table) []string {
	for _, n := range names {
		if out.Index(n) >= 0 && !slices.Contains(have, n) {
			have = append(have, n)
		}
	}
	return have
}

func resultName(src SourceTable, q plan.Query) string {
	if len(q.GroupBy) > 0 {
		return src.Name + "_by_" + safeName(q.GroupBy[0].Column)
	}
	return src.Name
}

// queryTitle is a heading for a query's result: "Revenue: total revenue by region and year in 2025, segment Small".
func queryTitle(src SourceTable, q plan.Query) string {
	var what, by []string
	for _, s := range q.Select {
		if text := aggregateLabel(s); s.Expr != "" && !slices.Contains(what, text) {
			what = append(what, text)
		}
	}
	for _, d := range q.Derive {
		if len(q.Select) > 0 && !slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Column == d.As }) {
			continue // it only serves a condition or the order
		}
		if len(what) == 0 || !slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Expr != "" }) {
			if text := strings.ToLower(pipeline.Label(d.As)); !slices.Contains(what, text) {
				what = append(what, text)
			}
		}
	}
	for _, g := range q.GroupBy {
		if g.Period == "" {
			by = append(by, strings.ToLower(pipeline.Label(g.Column)))
		} else {
			by = append(by, strings.ReplaceAll(g.Period, "_", " "))
		}
	}
	title := profiler.TableLabel(src.Name)
	if src.Title != "" {
		title = src.Title
	}
	if len(what) > 0 {
		title += ": "
		if q.Change != nil {
			title += "change of "
		}
		title += joinWords(what)
		if len(by) > 0 {
			title += " by " + joinWords(by)
		}
	} else if len(by) > 0 {
		title += " by " + joinWords(by)
	}
	title = pipeline.WithScope(title, q)
	if len(q.OrderBy) > 0 && q.Limit > 0 {
		end := "lowest"
		if q.OrderBy[0].Desc {
			end = "highest"
		}
		title += fmt.Sprintf(", %d %s by %s", q.Limit, end, strings.ToLower(pipeline.Label(q.OrderBy[0].Column)))
		if q.Offset > 0 {
			title += fmt.Sprintf(" after the first %d", q.Offset)
		}
	}
	return title
}

func aggregateLabel(s plan.Select) string {
	names := map[string]string{"sum": "total", "mean": "average", "median": "median", "min": "lowest", "max": "highest", "count": "number",
		"count_distinct": "different", "stddev": "standard deviation of", "first": "first", "last": "last"}
	if s.Expr == "count" && (s.Column == "" || s.Column == "*") {
		return "number of rows"
	}
	if s.Expr == "share" {
		return shareLabel(s)
	}
	word := names[s.Expr]
	if s.Expr == "count" {
		word = "number of"
	}
	return word + " " + strings.ToLower(pipeline.Label(s.Column))
}

// shareLabel says what a share is of, and the part of it: "share of rows with status open".
func shareLabel(s plan.Select) string {
	text, sep := "share of rows", " with "
	if s.Column != "" && s.Column != "*" {
		text = "share of " + strings.ToLower(pipeline.Label(s.Column))
	}
	for _, c := range s.Filter {
		if part, dated := pipeline.ConditionText(c); dated && pipeline.StartsTime(part) {
			text += " " + part
		} else if part != "" {
			text, sep = text+sep+part, " and "
		}
	}
	return text
}

func joinWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
