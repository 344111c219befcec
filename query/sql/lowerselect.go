package sql

import (
	"reflect"
	"slices"
	"strings"

	"catena/query"
)

// selecting is one SELECT on its way to the algebra.
type selecting struct {
	*lowerer
	node    *selectNode
	scope   *scope
	outputs []query.Named
	sort    []query.SortKey
}

// selection lowers one SELECT with the order and limit of the query that it is alone in.
func (l *lowerer) selection(n *selectNode, q *queryNode, in surroundings) (query.Query, query.Schema) {
	sc := &scope{outer: in.outer, level: in.level, views: in.views, items: n.list, windows: n.windows}
	out := l.from(n, sc)
	s := &selecting{lowerer: l, node: n, scope: sc}
	sc.group = &grouping{source: sc.schema}
	s.keys()
	s.list()
	having := l.conditions(n.having, sc)
	s.order(q)
	per := s.perKeys()
	if sc.group.needed() || len(having) > 0 {
		out = s.grouped(out, having, per)
	}
	if len(sc.group.windows) > 0 {
		out = out.With(query.Window{Columns: sc.group.windows})
	}
	out = s.finish(out, q, per)
	schema, _ := query.Check(out, l.catalog)
	return out, schema
}

// keys lowers GROUP BY: expressions, places in the list and aliases of it.
func (s *selecting) keys() {
	g := s.scope.group
	g.off = true
	for i, n := range s.node.group {
		if s.tooMany(i+1, maxKeys, n.start(), "keys to group by") {
			break
		}
		name, written := "", ""
		if i, is := s.index(n, len(s.node.list)); is {
			if i < 0 {
				continue
			}
			n, name, written = s.node.list[i].x, s.node.list[i].alias, s.node.list[i].text
		}
		if x, is := n.(nameNode); is && name == "" {
			name = x.name
		}
		s.misread(n, s.scope)
		s.groupBy(s.expr(n, s.scope), cmpOr(name, written))
	}
	g.off = false
}

// groupBy adds a key, unless it is there. A constant is one, too: with a key no rows make no group.
func (s *selecting) groupBy(e query.Expr, name string) {
	g := s.scope.group
	g.asked = true
	for _, k := range g.keys {
		if reflect.DeepEqual(k.Expr, e) {
			return
		}
	}
	if c, is := e.(query.Column); is && c.Out == 0 {
		name = c.Name
	}
	g.keys = append(g.keys, query.Named{As: cmpOr(name, "key"), Expr: e})
}

// list lowers the columns that are asked for, and names them.
func (s *selecting) list() {
	taken := names{}
	for i, item := range s.node.list {
		if s.tooMany(len(s.outputs), maxColumns, item.x.start(), "columns in the list") {
			return
		}
		star, is := item.x.(starNode)
		if !is {
			name := taken.add(outputName(cmpOr(item.alias, s.nameOf(item.x))))
			if _, is := item.x.(*callNode); is {
				s.scope.group.wish = name
			}
			e := s.listed(item.x, i)
			s.scope.group.wish = ""
			s.outputs = append(s.outputs, query.Named{As: name, Expr: e})
			continue
		}
		s.star(star, taken)
	}
}

// maxName bounds the name that a column has by its expression.
const maxName = 64

// valueName is the name of a column whose expression tells none.
const valueName = "value"

// nameOf is the name of a column without an alias: that of the column it shows, or of the function with the column
// that it is of, as sum_paid. Other expressions are not named by their text: words in it, such as a unit, would be
// taken for the column's.
func (s *selecting) nameOf(x node) string {
	switch n := x.(type) {
	case nameNode:
		return s.columnName(n)
	case *callNode:
		return s.callName(n)
	case castNode:
		return s.nameOf(n.x)
	case caseNode:
		return "case"
	case scalarNode:
		if inner, is := n.query.first.(*selectNode); is && len(inner.list) == 1 {
			return cmpOr(inner.list[0].alias, s.nameOf(inner.list[0].x))
		}
	}
	return valueName
}

// callName is a function's name, with that of the column that it is of.
func (s *selecting) callName(c *callNode) string {
	for _, a := range c.args {
		if n, is := a.(nameNode); is {
			return c.name + "_" + s.columnName(n)
		}
	}
	return c.name
}

func outputName(text string) string {
	if r := []rune(text); len(r) > maxName {
		return string(r[:maxName])
	}
	return text
}

// columnName is a column's name as its table has it.
func (s *selecting) columnName(n nameNode) string {
	if c, found := s.scope.lookup(n); found == 1 {
		return c.name
	}
	return n.name
}

// star is all columns, or those of one table.
func (s *selecting) star(n starNode, taken names) {
	found := false
	for _, r := range s.scope.relations {
		if n.table != "" && !strings.EqualFold(n.table, r.alias) {
			continue
		}
		found = true
		for _, c := range r.columns {
			if !c.merged || n.table != "" {
				s.outputs = append(s.outputs, query.Named{As: taken.add(c.name), Expr: query.Col(c.as)})
			}
		}
	}
	switch {
	case !found && n.table == "":
		s.find(query.Arguments, n.start(), "write FROM and a table", "* has no table")
	case !found:
		var aliases []string
		for _, r := range s.scope.relations {
			aliases = append(aliases, r.alias)
		}
		s.find(query.UnknownTable, n.start(), "", "there is no table or alias %q in this SELECT",
			short(n.table)).Nearest = nearest(n.table, aliases)
	}
}

// order lowers ORDER BY: places in the list, its aliases, and expressions.
func (s *selecting) order(q *queryNode) {
	for i, o := range q.order {
		if s.tooMany(i+1, maxKeys, o.x.start(), "keys to order by") {
			return
		}
		s.sort = append(s.sort, s.sortKey(o, s.orderExpr(o.x)))
	}
}

func (s *selecting) orderExpr(n node) query.Expr {
	if i, is := s.index(n, len(s.outputs)); is {
		if i < 0 {
			return query.Literal{}
		}
		return s.outputs[i].Expr
	}
	if c, is := n.(collateNode); is {
		return s.collated(c, s.orderExpr(c.x), s.scope)
	}
	name, is := n.(nameNode)
	if is && name.table == "" {
		for i, item := range s.node.list {
			if _, star := item.x.(starNode); !star && strings.EqualFold(item.alias, name.name) {
				if i := s.outputOf(i); i >= 0 {
					return s.outputs[i].Expr
				}
			}
		}
	}
	s.misread(n, s.scope)
	return s.expr(n, s.scope)
}

// outputOf is the output of an item of the list: stars before it have several.
func (s *selecting) outputOf(item int) int {
	behind := 0
	for _, after := range s.node.list[item+1:] {
		if star, is := after.x.(starNode); is {
			for _, r := range s.scope.relations {
				for _, c := range r.columns {
					if shows(star, r, c) {
						behind++
					}
				}
			}
			continue
		}
		behind++
	}
	return len(s.outputs) - 1 - behind
}

// shows tells whether a star shows a column.
func shows(n starNode, r *relation, c column) bool {
	if n.table == "" {
		return !c.merged
	}
	return strings.EqualFold(n.table, r.alias)
}

// perKeys lowers DISTINCT ON.
func (s *selecting) perKeys() []query.Expr {
	var per []query.Expr
	for _, n := range s.node.distinctOn {
		s.misread(n, s.scope)
		if i, is := s.index(n, len(s.outputs)); is && i >= 0 {
			per = append(per, s.outputs[i].Expr)
			continue
		}
		per = append(per, s.expr(n, s.scope))
	}
	return per
}

// grouped puts the group and HAVING behind the rows, and lets what follows read the group's columns.
func (s *selecting) grouped(out query.Query, having, per []query.Expr) query.Query {
	g := s.scope.group
	g.nameKeys(s.outputs)
	for i := range s.outputs {
		s.outputs[i].Expr = s.ungroup(s.outputs[i].Expr, s.itemPlace(i))
	}
	for i := range having {
		having[i] = s.ungroup(having[i], s.node.having.start())
	}
	for i := range s.sort {
		s.sort[i].Expr = s.ungroup(s.sort[i].Expr, s.node.start())
	}
	for i := range per {
		per[i] = s.ungroup(per[i], s.node.start())
	}
	r := query.Rewriter{Part: func(e query.Expr, depth int) (query.Expr, bool) {
		return s.ungroupPart(e, depth, s.node.start())
	}}
	if w, ok := r.Stage(query.Window{Columns: g.windows}, 0).(query.Window); ok {
		g.windows = w.Columns
	}
	return s.filtered(out.With(query.Group{Keys: g.keys, Aggregates: g.aggregates}), having)
}

// itemPlace is where the item of an output stands in the text; with a star it is the list.
func (s *selecting) itemPlace(output int) int {
	if len(s.outputs) == len(s.node.list) {
		return s.node.list[output].x.start()
	}
	return s.node.start()
}

// finish orders, cuts and names the rows. With DISTINCT the rows are first named, then made distinct, then ordered.
func (s *selecting) finish(out query.Query, q *queryNode, per []query.Expr) query.Query {
	if s.node.distinct && len(per) == 0 {
		out, hidden := s.distinctRows(out)
		out = s.ordered(out, q, s.sort)
		if hidden {
			out = out.With(query.Project{Columns: s.shown()})
		}
		return out
	}
	if len(per) > 0 {
		columns := make([]query.Named, len(per))
		take := query.Take{Rows: 1}
		for i, e := range per {
			take.Per = append(take.Per, s.newName("on"))
			columns[i] = query.Named{As: take.Per[i], Expr: e}
		}
		if len(s.sort) > 0 {
			out = out.With(query.Sort{Keys: s.sort})
		}
		out = out.With(query.Derive{Columns: columns}, take)
		return s.projected(s.ordered(out, q, nil))
	}
	return s.projected(s.ordered(out, q, s.sort))
}

// distinctRows names the rows and keeps different ones; the sort keys read the named columns then. A key that is not
// among them is that of the first of the equal rows: hidden says that there are such keys behind the columns.
func (s *selecting) distinctRows(out query.Query) (rows query.Query, hidden bool) {
	var more []query.Aggregate
	for i, k := range s.sort {
		s.sort[i].Expr = nil
		for _, o := range s.outputs {
			if reflect.DeepEqual(o.Expr, k.Expr) {
				s.sort[i].Expr = query.Col(o.As)
				break
			}
		}
		if s.sort[i].Expr == nil {
			name := s.newName("order")
			more = append(more, query.Aggregate{As: name, Func: "first", Args: []query.Expr{k.Expr}})
			s.sort[i].Expr = query.Col(name)
		}
	}
	if len(more) == 0 {
		return s.projected(out).With(query.Distinct{}), false
	}
	return out.With(query.Group{Keys: slices.Clone(s.outputs), Aggregates: more}), true
}

// shown are the outputs by their names alone.
func (s *selecting) shown() []query.Named {
	columns := make([]query.Named, len(s.outputs))
	for i, o := range s.outputs {
		columns[i] = query.Named{As: o.As, Expr: query.Col(o.As)}
	}
	return columns
}

// projected gives the columns that were asked for; nothing where the rows have just those.
func (s *selecting) projected(out query.Query) query.Query {
	if s.allColumns() {
		return out
	}
	return out.With(query.Project{Columns: slices.Clone(s.outputs)})
}

// allColumns tells whether the list is the rows' own columns in their order.
func (s *selecting) allColumns() bool {
	if len(s.outputs) == 0 || len(s.node.distinctOn) > 0 {
		return false
	}
	columns := s.scope.group.columns()
	if len(s.outputs) != len(columns) {
		return false
	}
	for i, o := range s.outputs {
		if o.As != columns[i] || !reflect.DeepEqual(o.Expr, query.Col(o.As)) {
			return false
		}
	}
	return true
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
