package run_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// pair is an expression, or a query, and the same in SQL.
type pair struct {
	e   query.Expr
	sql string
}

// generator makes random queries where SQLite and the algebra agree: no division by ints, no order without a key.
type generator struct {
	*rand.Rand
	names int
}

func (g *generator) fresh() string {
	g.names++
	return "c" + strconv.Itoa(g.names)
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// relation is what is known of a relation: its columns by type.
type relation struct {
	q     query.Query
	sql   string
	nums  []string
	texts []string
}

func (g *generator) number(r *relation, depth int) pair {
	if depth == 0 || g.IntN(3) == 0 {
		if g.IntN(3) > 0 && len(r.nums) > 0 {
			c := pick(g, r.nums...)
			return pair{col(c), c}
		}
		n := g.Int64N(7) - 3
		return pair{num(n), fmt.Sprintf("(%d)", n)}
	}
	a, b := g.number(r, depth-1), g.number(r, depth-1)
	switch g.IntN(9) {
	case 0:
		return pair{do("neg", a.e), "(-" + a.sql + ")"}
	case 1:
		c := g.condition(r, depth-1)
		return pair{
			query.Case{Branches: []query.Branch{{When: c.e, Then: a.e}}, Else: b.e},
			fmt.Sprintf("(CASE WHEN %s THEN %s ELSE %s END)", c.sql, a.sql, b.sql),
		}
	case 2:
		return pair{do("coalesce", a.e, b.e), fmt.Sprintf("coalesce(%s, %s)", a.sql, b.sql)}
	case 3:
		return pair{do("nullif", a.e, b.e), fmt.Sprintf("nullif(%s, %s)", a.sql, b.sql)}
	case 4:
		return pair{do("abs", a.e), "abs(" + a.sql + ")"}
	case 5:
		return pair{do("idiv", a.e, b.e), fmt.Sprintf("(%s / %s)", a.sql, b.sql)}
	case 6:
		return pair{do("mod", a.e, b.e), fmt.Sprintf("(%s %% %s)", a.sql, b.sql)}
	}
	op, sign := "add", "+"
	if k := g.IntN(3); k > 0 {
		op, sign = []string{"sub", "mul"}[k-1], []string{"-", "*"}[k-1]
	}
	return pair{do(op, a.e, b.e), fmt.Sprintf("(%s %s %s)", a.sql, sign, b.sql)}
}

func (g *generator) text(r *relation, depth int) pair {
	if depth == 0 || g.IntN(3) == 0 {
		if g.IntN(3) > 0 && len(r.texts) > 0 {
			c := pick(g, r.texts...)
			return pair{col(c), c}
		}
		s := pick(g, "a", "B", "ab", "")
		return pair{txt(s), "'" + s + "'"}
	}
	a, b := g.text(r, depth-1), g.text(r, depth-1)
	switch g.IntN(6) {
	case 0:
		return pair{do("upper", a.e), "upper(" + a.sql + ")"}
	case 1:
		return pair{do("join_text", a.e, b.e), fmt.Sprintf("(%s || %s)", a.sql, b.sql)}
	case 2:
		n := g.Int64N(3) + 1
		return pair{do("substring", a.e, num(n), num(2)), fmt.Sprintf("substr(%s, %d, 2)", a.sql, n)}
	case 3:
		return pair{do("replace", a.e, txt("a"), b.e), fmt.Sprintf("replace(%s, 'a', %s)", a.sql, b.sql)}
	case 4:
		return pair{do("trim", a.e, txt("a")), fmt.Sprintf("trim(%s, 'a')", a.sql)}
	}
	return pair{do("coalesce", a.e, b.e), fmt.Sprintf("coalesce(%s, %s)", a.sql, b.sql)}
}

func (g *generator) condition(r *relation, depth int) pair {
	ops := []struct{ name, sign string }{
		{"eq", "="},
		{"ne", "<>"},
		{"lt", "<"},
		{"le", "<="},
		{"gt", ">"},
		{"ge", ">="},
		{"same", "IS"},
	}
	op := pick(g, ops...)
	if depth > 0 {
		switch g.IntN(6) {
		case 0, 1:
			a, b := g.condition(r, depth-1), g.condition(r, depth-1)
			if g.IntN(2) == 0 {
				return pair{do("and", a.e, b.e), fmt.Sprintf("(%s AND %s)", a.sql, b.sql)}
			}
			return pair{do("or", a.e, b.e), fmt.Sprintf("(%s OR %s)", a.sql, b.sql)}
		case 2:
			a := g.condition(r, depth-1)
			return pair{do("not", a.e), "(NOT " + a.sql + ")"}
		}
	}
	switch g.IntN(7) {
	case 0:
		a := g.number(r, depth)
		return pair{do("is_null", a.e), "(" + a.sql + " IS NULL)"}
	case 1:
		a, b, c := g.number(r, 1), g.number(r, 0), g.number(r, 0)
		return pair{do("between", a.e, b.e, c.e), fmt.Sprintf("(%s BETWEEN %s AND %s)", a.sql, b.sql, c.sql)}
	case 2:
		a, b, c := g.number(r, 1), g.number(r, 0), g.number(r, 0)
		return pair{do("in", a.e, b.e, c.e), fmt.Sprintf("(%s IN (%s, %s))", a.sql, b.sql, c.sql)}
	case 3:
		a, b := g.text(r, depth), g.text(r, depth)
		return pair{do(op.name, a.e, b.e), fmt.Sprintf("(%s %s %s)", a.sql, op.sign, b.sql)}
	}
	a, b := g.number(r, depth), g.number(r, depth)
	return pair{do(op.name, a.e, b.e), fmt.Sprintf("(%s %s %s)", a.sql, op.sign, b.sql)}
}

// base is one of the tables, with names of its own for the columns.
func (g *generator) base() *relation {
	name := pick(g, "t1", "t2")
	id, a, b, s := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	q := query.From(name).
		With(query.Project{Columns: []query.Named{
			{As: id, Expr: col("id")},
			{As: a, Expr: col("a")},
			{As: b, Expr: col("b")},
			{As: s, Expr: col("s")},
		}})
	r := &relation{
		q:     q,
		sql:   fmt.Sprintf("SELECT id AS %s, a AS %s, b AS %s, s AS %s FROM %s", id, a, b, s, name),
		nums:  []string{id, a, b},
		texts: []string{s},
	}
	if g.IntN(3) == 0 {
		g.window(r, id)
	}
	return r
}

func (g *generator) window(r *relation, id string) {
	name, part := g.fresh(), pick(g, r.nums[1:]...)
	x := g.number(r, 1)
	f := pick(
		g,
		[]string{"sum", "sum"},
		[]string{"count", "count"},
		[]string{"min", "min"},
		[]string{"max", "max"},
		[]string{"row_number", ""},
		[]string{"rank", ""},
		[]string{
			"dense_rank",
			"",
		},
		[]string{"lag", "lag"},
		[]string{"lead", "lead"},
		[]string{"first_value", "first_value"},
		[]string{"last_value", "last_value"},
	)
	w := query.WindowColumn{As: name, Func: f[0], Partition: []query.Expr{col(part)}}
	args := ""
	if f[1] != "" {
		w.Args, args = []query.Expr{x.e}, x.sql
	}
	desc, order, frame := g.IntN(2) == 0, id, ""
	w.Order = []query.SortKey{{Expr: col(id), Desc: desc}}
	if rank := strings.HasSuffix(f[0], "rank"); rank ||
		g.IntN(3) == 0 && f[1] == f[0] && !strings.Contains("lag lead first_value last_value", f[0]) {
		order = r.nums[2]
		w.Order = []query.SortKey{{Expr: col(order), Desc: desc, NullsFirst: !desc}}
	} else if f[1] != "" && g.IntN(2) == 0 && f[0] != "lag" && f[0] != "lead" {
		lo := g.IntN(4) - 2
		hi := lo + g.IntN(3)
		w.Frame = query.Frame{Unit: query.Rows, Start: offset(lo), End: offset(hi)}
		frame = fmt.Sprintf(" ROWS BETWEEN %s AND %s", bound(lo), bound(hi))
	}
	if desc {
		order += " DESC"
	}
	r.q = r.q.With(query.Window{Columns: []query.WindowColumn{w}})
	r.sql = fmt.Sprintf(
		"SELECT *, %s(%s) OVER (PARTITION BY %s ORDER BY %s%s) AS %s FROM (%s)",
		f[0],
		args,
		part,
		order,
		frame,
		name,
		r.sql,
	)
	r.nums = append(r.nums, name)
}

func offset(n int) query.Bound { return query.Bound{Offset: table.IntValue(int64(n))} }

func bound(n int) string {
	switch {
	case n < 0:
		return fmt.Sprintf("%d PRECEDING", -n)
	case n > 0:
		return fmt.Sprintf("%d FOLLOWING", n)
	}
	return "CURRENT ROW"
}

// stage puts one more stage to a relation.
func (g *generator) stage(r *relation) {
	switch g.IntN(10) {
	case 0:
		c := g.condition(r, 2)
		r.q, r.sql = r.q.With(query.Filter{Where: c.e}), fmt.Sprintf("SELECT * FROM (%s) WHERE %s", r.sql, c.sql)
	case 1:
		name, e := g.fresh(), g.number(r, 2)
		r.q, r.sql = r.q.With(
			query.Derive{Columns: []query.Named{{As: name, Expr: e.e}}},
		), fmt.Sprintf(
			"SELECT *, %s AS %s FROM (%s)",
			e.sql,
			name,
			r.sql,
		)
		r.nums = append(r.nums, name)
	case 2:
		g.group(r)
	case 3:
		g.join(r)
	case 4, 5:
		g.subquery(r)
	case 6:
		r.q, r.sql = r.q.With(query.Distinct{}), fmt.Sprintf("SELECT DISTINCT * FROM (%s)", r.sql)
	case 7:
		g.set(r)
	default:
		g.top(r)
	}
}

// top orders by all columns, so that only equal rows are left without an order, and takes some, or some of each group.
func (g *generator) top(r *relation) {
	var columns []query.Named
	var keys []query.SortKey
	var order []string
	names := append(slices.Clone(r.nums), r.texts...)
	for _, i := range g.Perm(len(names)) {
		desc := g.IntN(2) == 0
		columns = append(columns, query.Named{As: names[i], Expr: col(names[i])})
		keys = append(keys, query.SortKey{Expr: col(names[i]), Desc: desc, NullsFirst: !desc})
		if order = append(order, names[i]); desc {
			order[len(order)-1] += " DESC"
		}
	}
	shuffled := make([]string, len(columns))
	for i, c := range columns {
		shuffled[i] = c.As
	}
	list, by := strings.Join(shuffled, ", "), strings.Join(order, ", ")
	take := query.Take{Rows: g.Int64N(4), Offset: g.Int64N(3)}
	if g.IntN(2) == 0 {
		take.Per = []string{pick(g, names...)}
		r.sql = fmt.Sprintf(
			"SELECT %s FROM (SELECT *, row_number() OVER (PARTITION BY %s ORDER BY %s) AS nth FROM (%s))"+
				" WHERE nth > %d AND nth <= %d",
			list,
			take.Per[0],
			by,
			r.sql,
			take.Offset,
			take.Rows+take.Offset,
		)
	} else {
		r.sql = fmt.Sprintf("SELECT %s FROM (%s) ORDER BY %s LIMIT %d OFFSET %d", list, r.sql, by, take.Rows, take.Offset)
	}
	r.q = r.q.With(query.Project{Columns: columns}, query.Sort{Keys: keys}, take)
}

func (g *generator) group(r *relation) {
	a, b := g.number(r, 1), g.text(r, 1)
	k1, k2 := g.fresh(), g.fresh()
	var s query.Group
	sqlKeys, by := fmt.Sprintf("%s AS %s, %s AS %s", a.sql, k1, b.sql, k2), fmt.Sprintf(" GROUP BY %s, %s", k1, k2)
	s.Keys = []query.Named{{As: k1, Expr: a.e}, {As: k2, Expr: b.e}}
	out := relation{nums: []string{k1}, texts: []string{k2}}
	for range 1 + g.IntN(3) {
		name, x := g.fresh(), g.number(r, 1)
		f := pick(g, "count", "sum", "min", "max")
		agg, distinct := query.Aggregate{As: name, Func: f, Args: []query.Expr{x.e}, Distinct: g.IntN(3) == 0}, ""
		if agg.Distinct {
			distinct = "DISTINCT "
		}
		where := ""
		if g.IntN(3) == 0 {
			c := g.condition(r, 1)
			agg.Where, where = c.e, fmt.Sprintf(" FILTER (WHERE %s)", c.sql)
		}
		s.Aggregates = append(s.Aggregates, agg)
		sqlKeys += fmt.Sprintf(", %s(%s%s)%s AS %s", f, distinct, x.sql, where, name)
		out.nums = append(out.nums, name)
	}
	out.q, out.sql = r.q.With(s), fmt.Sprintf("SELECT %s FROM (%s)%s", sqlKeys, r.sql, by)
	*r = out
}

func (g *generator) join(r *relation) {
	other := g.base()
	both := &relation{
		nums:  append(slices.Clone(r.nums), other.nums...),
		texts: append(slices.Clone(r.texts), other.texts...),
	}
	x, y := g.number(r, 1), g.number(other, 1)
	on := pair{do("eq", x.e, y.e), fmt.Sprintf("%s = %s", x.sql, y.sql)}
	if g.IntN(3) == 0 {
		c := g.condition(both, 1)
		on = pair{do("and", on.e, c.e), on.sql + " AND " + c.sql}
	} else if g.IntN(4) == 0 {
		on = g.condition(both, 1)
	}
	kind := pick(g, query.Inner, query.Left, query.Right, query.Full, query.Semi, query.Anti)
	q := r.q.With(query.Join{Kind: kind, With: other.q, On: on.e})
	switch kind {
	case query.Semi, query.Anti:
		not := map[query.JoinKind]string{query.Semi: "", query.Anti: "NOT "}[kind]
		r.q, r.sql = q, fmt.Sprintf(
			"SELECT * FROM (%s) WHERE %sEXISTS (SELECT 1 FROM (%s) WHERE %s)",
			r.sql,
			not,
			other.sql,
			on.sql,
		)
		return
	}
	both.q, both.sql = q, fmt.Sprintf("SELECT * FROM (%s) %s JOIN (%s) ON %s", r.sql, kind, other.sql, on.sql)
	*r = *both
}

// subquery filters or derives by a query of another relation that may refer to this one.
func (g *generator) subquery(r *relation) {
	other := g.base()
	outerName := pick(g, r.nums...)
	outer := pair{query.Column{Name: outerName, Out: 1}, outerName}
	x := g.number(other, 1)
	where := pair{do("eq", x.e, outer.e), fmt.Sprintf("%s = %s", x.sql, outer.sql)}
	if g.IntN(4) == 0 {
		where = pair{do("le", x.e, outer.e), fmt.Sprintf("%s <= %s", x.sql, outer.sql)}
	}
	if g.IntN(2) == 0 {
		c := g.condition(other, 1)
		where = pair{do("and", where.e, c.e), where.sql + " AND " + c.sql}
	}
	if g.IntN(5) == 0 {
		where = g.condition(other, 1)
	}
	q, sqlFrom := other.q.With(query.Filter{Where: where.e}), fmt.Sprintf("FROM (%s) WHERE %s", other.sql, where.sql)
	var c pair
	switch y := g.number(other, 1); g.IntN(3) {
	case 0:
		c = pair{query.Exists{Query: q}, fmt.Sprintf("EXISTS (SELECT 1 %s)", sqlFrom)}
	case 1:
		v := g.number(r, 1)
		c = pair{
			query.In{Expr: v.e, Query: q.With(query.Project{Columns: []query.Named{{As: "y", Expr: y.e}}})},
			fmt.Sprintf("(%s IN (SELECT %s %s))", v.sql, y.sql, sqlFrom),
		}
	default:
		f, name := pick(g, "count", "sum", "max"), g.fresh()
		e := query.Scalar{
			Query: q.With(query.Group{Aggregates: []query.Aggregate{{As: "y", Func: f, Args: []query.Expr{y.e}}}}),
		}
		r.q = r.q.With(query.Derive{Columns: []query.Named{{As: name, Expr: e}}})
		r.sql = fmt.Sprintf("SELECT *, (SELECT %s(%s) %s) AS %s FROM (%s)", f, y.sql, sqlFrom, name, r.sql)
		r.nums = append(r.nums, name)
		return
	}
	if g.IntN(2) == 0 {
		c = pair{do("not", c.e), "NOT " + c.sql}
	}
	r.q, r.sql = r.q.With(query.Filter{Where: c.e}), fmt.Sprintf("SELECT * FROM (%s) WHERE %s", r.sql, c.sql)
}

func (g *generator) set(r *relation) {
	other := g.base()
	x, y, s, u := g.number(r, 1), g.number(other, 1), g.text(r, 0), g.text(other, 0)
	a, b := g.fresh(), g.fresh()
	named := func(x, s pair) query.Stage {
		return query.Project{Columns: []query.Named{{As: a, Expr: x.e}, {As: b, Expr: s.e}}}
	}
	st := query.Set{Op: pick(g, query.Union, query.Union, query.Intersect, query.Except), With: other.q.With(named(y, u))}
	word := string(st.Op)
	if st.Op == query.Union && g.IntN(2) == 0 {
		st.All, word = true, "UNION ALL"
	}
	r.sql = fmt.Sprintf(
		"SELECT %s AS %s, %s AS %s FROM (%s) %s SELECT %s, %s FROM (%s)",
		x.sql,
		a,
		s.sql,
		b,
		r.sql,
		word,
		y.sql,
		u.sql,
		other.sql,
	)
	r.q, r.nums, r.texts = r.q.With(named(x, s), st), []string{a}, []string{b}
}
