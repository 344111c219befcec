package verbs

import (
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

func diffTables() Verb {
	return Verb{
		Name:  "diff_tables",
		Title: "Differences between two tables",
		Description: "Compares two versions of a table by their key: which rows were added, which were removed, " +
			"and each cell that changed with its value before and after. Use it for the difference between two " +
			"exports, what changed, reconciling tables.",
		Tables: []string{"before", "after"},
		Properties: schema{
			"before":  data("The table as it was."),
			"after":   data("The table as it is."),
			"key":     texts("The columns that identify a row in both; found without it where one column does."),
			"columns": texts("Only changes of these columns; all that both have without it."),
		},
		Required: []string{"before", "after"},
		Columns: []table.Column{{Name: "change", Type: table.Text}, {Name: "column", Type: table.Text},
			{Name: "before", Type: table.Text}, {Name: "after", Type: table.Text}},
		Example: map[string]any{"before": "clients", "after": "clients", "key": []any{"client_id"}},
		build:   (*ask).diff,
	}
}

func (a *ask) diff() (*Answer, error) {
	before, err := a.relation("before")
	if err != nil {
		return nil, err
	}
	after, err := a.relation("after")
	if err != nil {
		return nil, err
	}
	key, err := a.identity(before, after)
	if err != nil {
		return nil, err
	}
	columns, err := a.compared(before, after, key)
	if err != nil {
		return nil, err
	}
	d := difference{before: before, after: after, key: key, columns: columns}
	for i := range key {
		d.keyAs = append(
			d.keyAs,
			fresh(key[i].Left, append([]string{"change", "column", "before", "after", "shown"}, d.keyAs...)),
		)
	}
	q := d.query()
	n, err := a.counts(d.rows().With(query.Group{Aggregates: []query.Aggregate{
		countOf("added"), countOf("removed"), countOf("changed"), countOf("same")}}))
	if err != nil {
		return nil, err
	}
	a.note("%s added, %s removed, %s changed, %s the same.", rows(n[0]), rows(n[1]), rows(n[2]), rows(n[3]))
	return &Answer{
		Name:  "differences",
		Title: "What changed from " + a.names["before"] + " to " + a.names["after"],
		Notes: a.notes,
		Query: q,
	}, nil
}

func countOf(change string) query.Aggregate {
	return query.Aggregate{As: change, Func: "count", Where: query.Do("eq", query.Col("change"), word(change))}
}

// identity is the key: the one that is given, else the first column of one name that identifies rows on both sides.
func (a *ask) identity(before, after relation) ([]Pair, error) {
	if names := a.Texts("key"); len(names) > 0 {
		var out []Pair
		for _, name := range names {
			x, err := before.column("key", name)
			if err != nil {
				return nil, err
			}
			y, err := after.column("key", name)
			if err != nil {
				return nil, err
			}
			out = append(out, Pair{x.Name, y.Name})
		}
		if err := comparableKeys(before, after, out); err != nil {
			return nil, err
		}
		return out, a.identifies(before, after, out, true)
	}
	both := common(before, after)
	slices.SortStableFunc(
		both,
		func(x, y Pair) int { return identifierFirst(before, x) - identifierFirst(before, y) },
	)
	for _, p := range both {
		if comparableKeys(before, after, []Pair{p}) != nil || a.identifies(before, after, []Pair{p}, false) != nil {
			continue
		}
		a.note("Rows are identified by %s.", p.Left)
		return []Pair{p}, nil
	}
	return nil, wrong(
		"key",
		"no single column identifies the rows of both tables; name the columns that do%s",
		shared(before, after),
	)
}

func identifierFirst(r relation, p Pair) int {
	if c, err := r.column("key", p.Left); err == nil && c.Adds == query.AddsIdentifier {
		return 0
	}
	return 1
}

// common are the columns that both tables have.
func common(before, after relation) (out []Pair) {
	for _, c := range before.columns {
		for _, d := range after.columns {
			if strings.EqualFold(c.Name, d.Name) {
				out = append(out, Pair{c.Name, d.Name})
				break
			}
		}
	}
	return out
}

// identifies asks that a key has no missing part and no value twice, on either side.
func (a *ask) identifies(before, after relation, key []Pair, given bool) error {
	for i, r := range []relation{before, after} {
		of := func(p Pair) string { return []string{p.Left, p.Right}[i] }
		var none []query.Expr
		for _, p := range key {
			none = append(none, query.Do("is_null", query.Col(of(p))))
		}
		where := none[0]
		if len(none) > 1 {
			where = query.Do("or", none...)
		}
		missing, err := a.counts(
			r.With(query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count", Where: where}}}),
		)
		if err != nil {
			return err
		}
		twice, err := a.counts(repeated(r, key, of))
		if err != nil {
			return err
		}
		side := []string{"before", "after"}[i]
		if missing[0] > 0 {
			return wrong("key", "%s of %s have no key", rows(missing[0]), side)
		}
		if twice[0] > 0 {
			return wrong(
				"key",
				"%s of %s %s: add a column that tells those rows apart",
				keyCount(twice[0]),
				side,
				repeats(twice[0]),
			)
		}
	}
	return nil
}

// compared are the columns whose cells are compared. What only one table has is told.
func (a *ask) compared(before, after relation, key []Pair) (out []Pair, err error) {
	both := slices.DeleteFunc(common(before, after), func(p Pair) bool { return slices.Contains(key, p) })
	if names := a.Texts("columns"); len(names) > 0 {
		for _, name := range names {
			at := slices.IndexFunc(both, func(p Pair) bool { return strings.EqualFold(p.Left, name) })
			if at < 0 {
				return nil, wrong(
					"columns",
					"%q is no column that both tables have beside the key%s",
					name,
					shared(before, after),
				)
			}
			out = append(out, both[at])
		}
		return out, nil
	}
	for i, r := range []relation{before, after} {
		var alone []string
		for _, c := range r.columns {
			in := func(p Pair) bool { return []string{p.Left, p.Right}[i] == c.Name }
			if !slices.ContainsFunc(both, in) && !slices.ContainsFunc(key, in) {
				alone = append(alone, c.Name)
			}
		}
		if len(alone) > 0 {
			a.note("Only %s has %s.", []string{"before", "after"}[i], listed(alone))
		}
	}
	return both, nil
}

// difference is two versions of a table, put side by side by their key.
type difference struct {
	before, after relation
	key, columns  []Pair
	keyAs         []string
}

// Names of the columns of both sides while they are compared.
func old(i int) string   { return "old " + strconv.Itoa(i) }
func young(i int) string { return "new " + strconv.Itoa(i) }

// rows has a row for each key of either side, with what became of it.
func (d difference) rows() query.Query {
	project := func(r relation, of func(Pair) string, as func(int) string) query.Query {
		columns := []query.Named{{As: as(-1), Expr: query.Lit(table.BoolValue(true))}}
		for i, p := range append(slices.Clone(d.key), d.columns...) {
			columns = append(columns, query.Named{As: as(i), Expr: query.Col(of(p))})
		}
		return r.With(query.Project{Columns: columns})
	}
	var on, same []query.Expr
	for i := range d.key {
		on = append(on, query.Do("eq", query.Col(old(i)), query.Col(young(i))))
	}
	for i := range d.columns {
		same = append(same, d.same(i))
	}
	if same == nil {
		same = []query.Expr{query.Lit(table.BoolValue(true))}
	}
	change := query.Case{Branches: []query.Branch{
		{When: query.Do("is_null", query.Col(old(-1))), Then: word("added")},
		{When: query.Do("is_null", query.Col(young(-1))), Then: word("removed")},
		{When: query.Conjunction(same), Then: word("same")}}, Else: word("changed")}
	return project(d.before, func(p Pair) string { return p.Left }, old).With(
		query.Join{
			Kind: query.Full,
			With: project(d.after, func(p Pair) string { return p.Right }, young),
			On:   query.Conjunction(on),
		},
		query.Derive{Columns: []query.Named{{As: "change", Expr: change}}})
}

// same is that a compared cell did not change. Cells of types that cannot be compared are taken as their texts.
func (d difference) same(i int) query.Expr {
	x, y := query.Col(old(len(d.key)+i)), query.Col(young(len(d.key)+i))
	if comparableKeys(d.before, d.after, d.columns[i:i+1]) != nil {
		return query.Do("same", asText(x), asText(y))
	}
	return query.Do("same", x, y)
}

// query has a row for each row that came or went, and for each cell that changed.
func (d difference) query() query.Query {
	var keep []query.Named
	for i, as := range d.keyAs {
		keep = append(keep, query.Named{As: as, Expr: query.Do("coalesce", query.Col(old(i)), query.Col(young(i)))})
	}
	nothing := query.Lit(table.NullValue)
	is := func(change string) query.Expr { return query.Do("eq", query.Col("change"), word(change)) }
	list := [][]query.Expr{{nothing, nothing, nothing, query.Do("or", is("added"), is("removed"))}}
	for i, p := range d.columns {
		at := len(d.key) + i
		list = append(list, []query.Expr{word(p.Left), asText(query.Col(old(at))), asText(query.Col(young(at))),
			query.Do("and", is("changed"), query.Do("not", d.same(i)))})
	}
	keep = append([]query.Named{{As: "change", Expr: query.Col("change")}}, keep...)
	shown := append(asNames(keep), "column", "before", "after")
	return d.rows().With(
		query.Filter{Where: query.Do("ne", query.Col("change"), word("same"))},
		query.Unpivot{Keep: keep, As: []string{"column", "before", "after", "shown"}, Rows: list},
		query.Filter{Where: query.Col("shown")},
		query.Project{Columns: refs(shown...)},
		query.Sort{Keys: ascending(d.keyAs...)})
}
