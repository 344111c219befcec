package verbs

import (
	"fmt"
	"slices"
	"strings"

	"catena/query"
	"catena/table"
	"catena/tools"
)

// Bounds of what is matched.
const (
	mostNames   = 200_000
	usualLeast  = 0.85
	usualMargin = 0.05
)

// What the column match says.
const (
	matchEqual     = "equal"
	matchAlike     = "alike"
	matchAmbiguous = "ambiguous"
	matchNone      = "none"
)

func fuzzyJoin() Verb {
	return Verb{
		Name:  "fuzzy_join",
		Title: "Join two tables by names that are spelt differently",
		Description: "Puts the rows of two tables beside each other where their names are the same but for case, " +
			"accents, punctuation, the order of words, a legal form (Ltd, GmbH) or one slip of the pen. A row is " +
			"joined only where one row of the other table fits best by a margin. Rows without a match and rows with " +
			"several are kept and told, never guessed. Use it to match names of customers or companies of two systems.",
		Tables: []string{"left", "right"},
		Properties: schema{
			"left":  data("The rows that are kept."),
			"right": data("What is put beside them; each name should stand there once."),
			"on": schema{"type": "array", "items": schema{"type": "string"}, "minItems": 1, "maxItems": 2,
				"description": "The column of names: of both, or that of left and that of right."},
			"how": choice("left keeps all left rows, inner only those with a match; left without it.", "left", "inner"),
			"least": schema{"type": "number", "minimum": 0.5, "maximum": 1,
				"description": "The least score of a match, of 1 for equal names; 0.85 without it."},
			"margin": schema{"type": "number", "minimum": 0.01, "maximum": 0.5,
				"description": "How much better than the next one a match must be; 0.05 without it."},
		},
		Required: []string{"left", "right", "on"},
		Columns: []table.Column{{Name: "match", Type: table.Text}, {Name: "match_score", Type: table.Float},
			{Name: "candidates", Type: table.Text}},
		Example: map[string]any{"left": "tickets", "right": "clients", "on": []any{"client", "client"}},
		build:   (*ask).fuzzyJoin,
	}
}

func (a *ask) fuzzyJoin() (*Answer, error) {
	left, err := a.relation("left")
	if err != nil {
		return nil, err
	}
	right, err := a.relation("right")
	if err != nil {
		return nil, err
	}
	pair, err := a.nameColumns(left, right)
	if err != nil {
		return nil, err
	}
	m, err := a.matched(left, right, pair)
	if err != nil {
		return nil, err
	}
	q := m.query(left, right, pair)
	how := "All rows of %s, with those of %s of the same name"
	if a.Text("how") == "inner" {
		how = "Rows of %s with those of %s of the same name"
		found := query.Do("in", query.Col(m.match), word(matchEqual), word(matchAlike))
		q = q.With(query.Filter{Where: found})
	}
	title := fmt.Sprintf(how, a.names["left"], a.names["right"])
	return &Answer{Name: "joined", Title: title, Notes: a.notes, Query: q}, nil
}

// nameColumns are the columns of names of both sides.
func (a *ask) nameColumns(left, right relation) (Pair, error) {
	on := a.Texts("on")
	if len(on) == 0 {
		return Pair{}, wrong("on", "name the column of names%s", shared(left, right))
	}
	x, err := left.column("on", on[0])
	if err != nil {
		return Pair{}, err
	}
	y, err := right.column("on", on[len(on)-1])
	if err != nil {
		return Pair{}, err
	}
	for _, c := range []Column{x, y} {
		if c.Type != table.Text {
			return Pair{}, wrong("on", "%s holds %s, and names are needed: join_tables matches others", c.Name, kind(c))
		}
	}
	return Pair{x.Name, y.Name}, nil
}

// distinct are the names of a column with how many rows have each.
func (a *ask) distinct(r relation, argument, column string) (names []string, count map[string]int, err error) {
	name := query.Col(column)
	t, err := a.tables.Run(a.ctx, r.With(
		query.Filter{Where: query.Do("not", query.Do("is_null", name))},
		query.Group{Keys: []query.Named{{As: "name", Expr: name}},
			Aggregates: []query.Aggregate{{As: "n", Func: "count"}}}))
	if err != nil {
		return nil, nil, err
	}
	if t.NumRows() > mostNames {
		return nil, nil, &tools.ArgumentError{Argument: argument, Code: tools.CodeTooLarge,
			Reason: fmt.Sprintf("%s has more than %d names", column, mostNames)}
	}
	count = make(map[string]int, t.NumRows())
	for row := range t.NumRows() {
		n, _ := t.Value(row, 1).Int()
		names = append(names, t.Value(row, 0).Text())
		count[names[row]] = int(n)
	}
	return names, count, nil
}

// matches is what became of the names of the left side: a table that is joined on both sides, and the names of its
// columns in the result.
type matches struct {
	table                    string
	match, score, candidates string
}

// matched decides for each name of the left side, and tells what it decided.
func (a *ask) matched(left, right relation, p Pair) (matches, error) {
	names, count, err := a.distinct(left, "left", p.Left)
	if err != nil {
		return matches{}, err
	}
	others, repeated, err := a.distinct(right, "right", p.Right)
	if err != nil {
		return matches{}, err
	}
	own, those := newSpellings(names), newSpellings(others)
	b := table.NewBuilder(table.Column{Name: "name", Type: table.Text}, table.Column{Name: "match", Type: table.Text},
		table.Column{Name: "score", Type: table.Float}, table.Column{Name: "candidates", Type: table.Text},
		table.Column{Name: "other", Type: table.Text})
	told := map[string]int{}
	var doubtful []string
	for i, name := range own.list {
		if i%1024 == 0 && a.ctx.Err() != nil {
			return matches{}, a.ctx.Err()
		}
		d := a.decide(name, own, those, repeated)
		told[d.match] += count[name.raw]
		if d.match == matchAmbiguous {
			doubtful = append(doubtful, fmt.Sprintf("%s (%s)", name.raw, d.candidates))
		}
		if err := b.Append(append([]table.Value{table.TextValue(name.raw)}, d.values()...)...); err != nil {
			return matches{}, err
		}
	}
	nameless, err := a.counts(left.With(query.Group{Aggregates: []query.Aggregate{
		{As: "n", Func: "count", Where: query.Do("is_null", query.Col(p.Left))}}}))
	if err != nil {
		return matches{}, err
	}
	told[matchNone] += nameless[0]
	a.note("Joined: %s with the same name, %s with a name that is alike. Not joined: %s with several candidates, "+
		"%s without one.",
		rows(told[matchEqual]), rows(told[matchAlike]), rows(told[matchAmbiguous]), rows(told[matchNone]))
	if len(doubtful) > 0 {
		a.note("Several candidates: %s.", listedBy(doubtful, "; "))
	}
	m := matches{table: a.tables.Put("matches", b.Table())}
	taken := append(namesOf(left.columns), namesOf(right.columns)...)
	m.match, m.score, m.candidates = fresh("match", taken), fresh("match_score", taken), fresh("candidates", taken)
	return m, nil
}

// decision is what became of a name.
type decision struct {
	match, candidates, other string
	score                    float64
}

func (d decision) values() []table.Value {
	out := []table.Value{table.TextValue(d.match), table.NullValue, table.NullValue, table.NullValue}
	if d.score > 0 {
		out[1] = table.FloatValue(d.score)
	}
	if d.candidates != "" {
		out[2] = table.TextValue(d.candidates)
	}
	if d.other != "" {
		out[3] = table.TextValue(d.other)
	}
	return out
}

// decide takes the best candidate where it is good enough and better than the next one by the margin, however good that
// is. An equal text needs no margin. A name that several rows have is never taken.
func (a *ask) decide(name spelling, own, those *spellings, repeated map[string]int) decision {
	least, margin := usualLeast, usualMargin
	if f, given := number(a.Args["least"]); given {
		least = f
	}
	if f, given := number(a.Args["margin"]); given {
		margin = f
	}
	found := those.find(name, own.words)
	if len(found) == 0 || found[0].score < least {
		return decision{match: matchNone}
	}
	best := found[0]
	d := decision{match: matchAlike, score: best.score, other: those.list[best.at].raw}
	if best.score == 1 {
		d.match = matchEqual
	}
	near := slices.DeleteFunc(found, func(c candidate) bool { return c.score < best.score-margin })
	if best.score == 1 {
		near = near[:1]
	}
	if len(near) == 1 && repeated[d.other] == 1 {
		return d
	}
	var list []string
	for _, c := range near[:min(len(near), 5)] {
		other := those.list[c.at].raw
		if n := repeated[other]; n > 1 {
			other += " in " + rows(n)
		}
		list = append(list, other)
	}
	return decision{match: matchAmbiguous, candidates: strings.Join(list, "; ")}
}

// query joins the right rows to the left ones by what was decided.
func (m matches) query(left, right relation, p Pair) query.Query {
	taken := append(namesOf(left.columns), m.match, m.score, m.candidates)
	name, other := fresh("matched name", taken), fresh("matched other", taken)
	s := sides{left: left, right: right}
	s.rename()
	col := query.Col
	decided := query.From(m.table).With(query.Project{Columns: []query.Named{
		{As: name, Expr: col("name")}, {As: other, Expr: col("other")}, {As: m.match, Expr: col("match")},
		{As: m.score, Expr: col("score")}, {As: m.candidates, Expr: col("candidates")}}})
	columns := refs(namesOf(left.columns)...)
	columns = append(columns,
		query.Named{As: m.match, Expr: query.Do("coalesce", col(m.match), word(matchNone))},
		query.Named{As: m.score, Expr: col(m.score)}, query.Named{As: m.candidates, Expr: col(m.candidates)})
	columns = append(columns, refs(asNames(s.renamed)...)...)
	return left.With(
		query.Join{Kind: query.Left, With: decided, On: query.Do("eq", query.Col(p.Left), query.Col(name))},
		query.Join{Kind: query.Left, With: right.With(query.Project{Columns: s.renamed}),
			On: query.Do("eq", query.Col(other), query.Col(s.as[p.Right]))},
		query.Project{Columns: columns})
}
