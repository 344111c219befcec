package verbs

import (
	"fmt"
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

func joinTables() Verb {
	return Verb{
		Name:  "join_tables",
		Title: "Join two tables",
		Description: "Puts the rows of two tables beside each other where their keys are equal. Keys are " +
			"proposed from names and values where none are given. It says how many rows of each side have no " +
			"match, and refuses to match many rows with many unless told to. Use it to join, merge, combine or " +
			"look up tables (VLOOKUP).",
		Tables: []string{"left", "right"},
		Properties: schema{
			"left":  data("The rows that are kept."),
			"right": data("What is put beside them."),
			"on": schema{
				"type":        "array",
				"minItems":    1,
				"maxItems":    8,
				"description": "The keys: names that both tables have, or pairs [left, right]; proposed without it.",
				"items": schema{"anyOf": []any{schema{"type": "string"},
					schema{"type": "array", "items": schema{"type": "string"}, "minItems": 2, "maxItems": 2}}},
			},
			"how": choice(
				"left keeps all left rows, inner only those with a match, full all rows of both, anti the left "+
					"rows without a match; left without it.",
				"left",
				"inner",
				"full",
				"anti",
			),
			"many_to_many": schema{
				"type":        "boolean",
				"default":     false,
				"description": "Join also where keys repeat on both sides, so that rows multiply.",
			},
		},
		Required: []string{"left", "right"},
		Example:  map[string]any{"left": "tickets", "right": "clients"},
		build:    (*ask).join,
	}
}

func (a *ask) join() (*Answer, error) {
	left, err := a.relation("left")
	if err != nil {
		return nil, err
	}
	right, err := a.relation("right")
	if err != nil {
		return nil, err
	}
	pairs, err := a.pairs(left, right)
	if err != nil {
		return nil, err
	}
	how := query.JoinKind(a.Text("how"))
	if how == "" {
		how = query.Left
	}
	s := sides{left: left, right: right, pairs: pairs, how: how}
	s.rename()
	if err := a.matches(s); err != nil {
		return nil, err
	}
	return &Answer{
		Name:  "joined",
		Title: s.title(a.names["left"], a.names["right"]),
		Notes: a.notes,
		Query: s.query(),
	}, nil
}

// title says which rows there are.
func (s *sides) title(left, right string) string {
	switch s.how {
	case query.Anti:
		return fmt.Sprintf("Rows of %s without a match in %s", left, right)
	case query.Inner:
		return fmt.Sprintf("Rows of %s with their match in %s", left, right)
	case query.Full:
		return fmt.Sprintf("All rows of %s and %s", left, right)
	}
	return fmt.Sprintf("Rows of %s, with those of %s where there are any", left, right)
}

// pairs are the keys that are given, else those that are known.
func (a *ask) pairs(left, right relation) (out []Pair, err error) {
	list, _ := a.Args["on"].([]any)
	for _, v := range list {
		l, _ := v.(string)
		r := l
		if both, ok := v.([]any); ok && len(both) == 2 {
			l, _ = both[0].(string)
			r, _ = both[1].(string)
		}
		x, err := left.column("on", l)
		if err != nil {
			return nil, err
		}
		y, err := right.column("on", r)
		if err != nil {
			return nil, err
		}
		out = append(out, Pair{x.Name, y.Name})
	}
	if out != nil {
		return out, comparableKeys(left, right, out)
	}
	if out, err = a.tables.Keys(a.ctx, a.names["left"], a.names["right"]); err != nil {
		return nil, err
	}
	if out == nil {
		if out, err = a.oneIdentifier(left, right); err != nil {
			return nil, err
		}
	}
	if out == nil {
		return nil, wrong(
			"on",
			"no columns by which the tables refer to each other are known for sure; name them%s",
			shared(left, right),
		)
	}
	var said []string
	for _, p := range out {
		said = append(said, p.Left+" = "+p.Right)
	}
	a.note("The key was proposed from names and values: %s.", listed(said))
	return out, comparableKeys(left, right, out)
}

// oneIdentifier is the only column of one name that names something, and names a row on one side; nil where none or
// several are.
func (a *ask) oneIdentifier(left, right relation) (out []Pair, err error) {
	for _, p := range common(left, right) {
		pair := []Pair{p}
		names := identifierFirst(left, p) == 0 || identifierFirst(right, Pair{p.Right, p.Left}) == 0
		if !names || comparableKeys(left, right, pair) != nil {
			continue
		}
		l, err := a.counts(repeated(left, pair, func(p Pair) string { return p.Left }))
		if err != nil {
			return nil, err
		}
		r, err := a.counts(repeated(right, pair, func(p Pair) string { return p.Right }))
		if err != nil {
			return nil, err
		}
		if l[0] > 0 && r[0] > 0 {
			continue
		}
		if out != nil {
			return nil, nil
		}
		out = pair
	}
	return out, nil
}

// shared names the columns of one name.
func shared(left, right relation) string {
	var both []string
	for _, c := range left.columns {
		if slices.ContainsFunc(right.columns, func(d Column) bool { return strings.EqualFold(c.Name, d.Name) }) {
			both = append(both, c.Name)
		}
	}
	if len(both) == 0 {
		return fmt.Sprintf(
			". Left has %s; right has %s",
			listed(namesOf(left.columns)),
			listed(namesOf(right.columns)),
		)
	}
	return "; both have " + listed(both)
}

// comparableKeys refuses keys of which one is a text and the other none: they would match nothing.
func comparableKeys(left, right relation, pairs []Pair) error {
	for _, p := range pairs {
		l, _ := left.column("on", p.Left)
		r, _ := right.column("on", p.Right)
		if l.Type == table.Null || r.Type == table.Null || l.Type == r.Type {
			continue
		}
		numbers, times := l.Type.Numeric() && r.Type.Numeric(), l.Type.Temporal() && r.Type.Temporal()
		if numbers || times {
			continue
		}
		return wrong(
			"on",
			"%s holds %s and %s holds %s, which are never equal: make one like the other first, with "+
				"query_table and CAST",
			p.Left,
			kind(l),
			p.Right,
			kind(r),
		)
	}
	return nil
}

// sides are two relations that are put together.
type sides struct {
	left, right relation
	pairs       []Pair
	how         query.JoinKind
	renamed     []query.Named     // the right columns under names that the left ones leave free
	as          map[string]string // what a right column is called
}

func (s *sides) rename() {
	taken := namesOf(s.left.columns)
	s.as = map[string]string{}
	for _, c := range s.right.columns {
		name := c.Name
		if slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(t, name) }) {
			name = "right_" + name
		}
		name = fresh(name, taken)
		taken = append(taken, name)
		s.as[c.Name] = name
		s.renamed = append(s.renamed, query.Named{As: name, Expr: query.Col(c.Name)})
	}
}

// stage joins the right side, by keys under their new names.
func (s *sides) stage(how query.JoinKind) query.Join {
	var on []query.Expr
	for _, p := range s.pairs {
		on = append(on, query.Do("eq", query.Col(p.Left), query.Col(s.as[p.Right])))
	}
	return query.Join{Kind: how, With: s.right.With(query.Project{Columns: s.renamed}), On: query.Conjunction(on)}
}

// query is the join, in which a key of one name stands once.
func (s *sides) query() query.Query {
	q := s.left.With(s.stage(s.how))
	if s.how == query.Anti {
		return q
	}
	var columns []query.Named
	for _, c := range s.left.columns {
		e := query.Col(c.Name)
		at := slices.IndexFunc(
			s.pairs,
			func(p Pair) bool { return p.Left == c.Name && strings.EqualFold(p.Left, p.Right) },
		)
		if at >= 0 && s.how == query.Full {
			e = query.Do("coalesce", e, query.Col(s.as[s.pairs[at].Right]))
		}
		columns = append(columns, query.Named{As: c.Name, Expr: e})
	}
	for _, n := range s.renamed {
		same := slices.ContainsFunc(
			s.pairs,
			func(p Pair) bool { return s.as[p.Right] == n.As && strings.EqualFold(p.Left, p.Right) },
		)
		if !same {
			columns = append(columns, query.Named{As: n.As, Expr: query.Col(n.As)})
		}
	}
	return q.With(query.Project{Columns: columns})
}

// matches counts what has no match and what has several, and refuses what would multiply rows with rows.
func (a *ask) matches(s sides) error {
	back := sides{left: s.right, right: s.left}
	for _, p := range s.pairs {
		back.pairs = append(back.pairs, Pair{p.Right, p.Left})
	}
	back.rename()
	counted := query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}}}
	var n [4]int
	for i, q := range []query.Query{
		s.left.With(s.stage(query.Anti), counted), back.left.With(back.stage(query.Anti), counted),
		repeated(s.left, s.pairs, func(p Pair) string { return p.Left }),
		repeated(s.right, s.pairs, func(p Pair) string { return p.Right }),
	} {
		found, err := a.counts(q)
		if err != nil {
			return err
		}
		n[i] = found[0]
	}
	a.note("Without a match: %s of %s, %s of %s.", rows(n[0]), a.names["left"], rows(n[1]), a.names["right"])
	switch {
	case s.how == query.Anti || n[3] == 0:
	case n[2] > 0 && !a.Flag("many_to_many"):
		return wrong(
			"on",
			"%s of %s and %s of %s repeat, so rows would multiply: add a column to the key, fold one table "+
				"first, or set many_to_many",
			keyCount(n[2]),
			a.names["left"],
			keyCount(n[3]),
			a.names["right"],
		)
	default:
		a.note(
			"%s of %s %s: rows of %s with several matches stand several times, so sums of its columns would "+
				"count them again.",
			keyCount(n[3]),
			a.names["right"],
			repeats(n[3]),
			a.names["left"],
		)
	}
	return nil
}

func keyCount(n int) string {
	if n == 1 {
		return "1 key"
	}
	return fmt.Sprintf("%d keys", n)
}

func repeats(n int) string {
	if n == 1 {
		return "repeats"
	}
	return "repeat"
}

// repeated counts the keys that several rows of a side have. Nulls match nothing, so they do not repeat.
func repeated(r relation, pairs []Pair, of func(Pair) string) query.Query {
	var names []string
	var known []query.Expr
	for _, p := range pairs {
		names = append(names, of(p))
		known = append(known, query.Do("not", query.Do("is_null", query.Col(of(p)))))
	}
	count := fresh("rows", names)
	return r.With(query.Filter{Where: query.Conjunction(known)},
		query.Group{Keys: refs(names...), Aggregates: []query.Aggregate{{As: count, Func: "count"}}},
		query.Filter{Where: query.Do("gt", query.Col(count), whole(1))},
		query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}}})
}
