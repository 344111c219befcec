package sql

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"catena/query"
)

// grouping collects the aggregates and windows of one SELECT. Where one stands in an expression, the expression
// reads a column
// of a name that nothing else has.
type grouping struct {
	source     query.Schema      // the rows that are grouped
	asked      bool              // GROUP BY is there
	off        bool              // no aggregate may stand here
	inside     bool              // in the arguments of an aggregate
	inWindow   bool              // in those of a window function
	known      map[string]string // the columns of aggregates and windows by what they compute
	taken      names             // of the rows, aggregates and windows
	wish       string            // the name that the list has for what is lowered next
	keys       []query.Named
	aggregates []query.Aggregate
	windows    []query.WindowColumn
}

// allows tells whether an aggregate may stand where the lowerer is.
func (g *grouping) allows() bool { return g != nil && !g.off && !g.inside }

// takeWish is the name that is wished for, which one column can have.
func (g *grouping) takeWish() string {
	name := g.wish
	g.wish = ""
	return name
}

func (g *grouping) needed() bool { return g.asked || len(g.aggregates) > 0 }

// columns are the names of the columns of the rows that the list reads.
func (g *grouping) columns() []string {
	out := g.source.Names()
	if g.needed() {
		out = out[:0]
		for _, k := range g.keys {
			out = append(out, k.As)
		}
		for _, a := range g.aggregates {
			out = append(out, a.As)
		}
	}
	for _, w := range g.windows {
		out = append(out, w.As)
	}
	return out
}

// nameKeys gives the keys the names of the outputs that they are, else their own, where no aggregate, window or
// other key has it.
func (g *grouping) nameKeys(outputs []query.Named) {
	taken := names{}
	for _, a := range g.aggregates {
		taken.add(a.As)
	}
	for _, w := range g.windows {
		taken.add(w.As)
	}
	for i, k := range g.keys {
		for _, o := range outputs {
			if reflect.DeepEqual(o.Expr, k.Expr) {
				k.As = o.As
				break
			}
		}
		g.keys[i].As = taken.add(k.As)
	}
}

// aggregate is the column of an aggregate; equal ones are computed once.
func (l *lowerer) aggregate(a query.Aggregate, text string, s *scope) query.Expr {
	return l.computed(a, text, s, func(name string) query.Stage {
		a.As = name
		s.group.aggregates = append(s.group.aggregates, a)
		return query.Group{Aggregates: []query.Aggregate{a}}
	})
}

// window is the column of a window function; equal ones are computed once.
func (l *lowerer) window(w query.WindowColumn, text string, s *scope) query.Expr {
	return l.computed(w, text, s, func(name string) query.Stage {
		w.As = name
		s.group.windows = append(s.group.windows, w)
		return query.Window{Columns: []query.WindowColumn{w}}
	})
}

// computed is the column of what a group or window computes. add puts it there under a name, and gives a stage of it alone.
func (l *lowerer) computed(what any, text string, s *scope, add func(name string) query.Stage) query.Expr {
	g := s.group
	key, have := g.find(what)
	if have != "" {
		return query.Col(have)
	}
	if len(g.aggregates)+len(g.windows) >= maxComputed {
		l.tooMany(maxComputed+1, maxComputed, 0, "different aggregates and windows")
		return query.Literal{}
	}
	name := g.freeName(text)
	g.known[key] = name
	l.addField(add(name), s)
	return query.Col(name)
}

// find is the column of an equal aggregate or window, and the key to know it by.
func (g *grouping) find(computed any) (key, column string) {
	if g.known == nil {
		g.known = map[string]string{}
	}
	out, err := json.Marshal(computed)
	if err != nil { // a value that JSON does not have: it is computed anew
		return fmt.Sprintf("%d of %T", len(g.known), computed), ""
	}
	key = fmt.Sprintf("%T %s", computed, out)
	return key, g.known[key]
}

// freeName is a name for a column that the scope's do not have.
func (g *grouping) freeName(text string) string {
	if g.taken == nil {
		g.taken = names{}
		for _, f := range g.source {
			g.taken.add(f.Name)
		}
	}
	return g.taken.add(outputName(text))
}

// newName is a name for a column that is not shown.
func (l *lowerer) newName(what string) string {
	l.names++
	return fmt.Sprintf("%s #%d", what, l.names)
}

// relationOf is a catalog of one relation, to ask query.Check for the type of a stage's last column.
type relationOf query.Schema

func (r relationOf) Schema(string) (query.Schema, bool) { return query.Schema(r), true }

func (r relationOf) Tables() []string { return nil }

// addField adds the last column that a stage gives to the scope's.
func (l *lowerer) addField(stage query.Stage, s *scope) {
	out, _ := query.Check(query.From("rows").With(stage), relationOf(s.schema))
	if len(out) > 0 {
		s.schema = append(s.schema, out[len(out)-1])
	}
}

// ungroup makes an expression over the rows one over their groups: keys are read by their names, and columns that
// are no keys
// are taken from a row of the group where that means something.
func (s *selecting) ungroup(e query.Expr, at int) query.Expr {
	return replace(e, func(e query.Expr, depth int) (query.Expr, bool) { return s.ungroupPart(e, depth, at) })
}

func (s *selecting) ungroupPart(e query.Expr, depth int, at int) (query.Expr, bool) {
	g := s.scope.group
	whole := e
	if depth > 0 {
		whole = lowered(e, depth)
	}
	for _, k := range g.keys {
		if reflect.DeepEqual(k.Expr, whole) {
			return query.Column{Name: k.As, Out: depth}, true
		}
	}
	c, is := e.(query.Column)
	if !is || c.Out != depth {
		return nil, false
	}
	if g.source.Index(c.Name) < 0 || s.computed(c.Name) {
		return c, true
	}
	return query.Column{Name: s.bare(c.Name, at), Out: depth}, true
}

// lowered is an expression inside subqueries as the query around them would write it; nil where it reads a column
// of theirs.
func lowered(e query.Expr, depth int) query.Expr {
	fits := true
	out := replace(e, func(e query.Expr, inner int) (query.Expr, bool) {
		c, is := e.(query.Column)
		if is && c.Out >= inner {
			fits = fits && c.Out-inner >= depth
			c.Out -= depth
		}
		return c, is
	})
	if !fits {
		return nil
	}
	return out
}

// computed tells whether a column is an aggregate's or a window's.
func (s *selecting) computed(name string) bool {
	g := s.scope.group
	return slices.ContainsFunc(g.aggregates, func(a query.Aggregate) bool { return a.As == name }) ||
		slices.ContainsFunc(g.windows, func(w query.WindowColumn) bool { return w.As == name })
}

// bare is the column of the group for a column that is no key: that of the row which MIN or MAX picks (SQLite's
// rule), or the
// one value that all rows of the group have when a key of the same table is grouped by.
func (s *selecting) bare(name string, at int) string {
	first := query.Aggregate{Func: "first", Args: []query.Expr{query.Col(name)}}
	if extreme, is := s.extreme(); is {
		first.Where = extreme.Where
		first.Order = []query.SortKey{{Expr: extreme.Args[0], Desc: extreme.Func == "max"}}
	} else if !s.identified(name) {
		s.find(Ungrouped, at, fmt.Sprintf("add %s to GROUP BY, or take MIN or MAX of it", name),
			"column %q is neither grouped by nor inside an aggregate", name)
	}
	if column, is := s.aggregate(first, name, s.scope).(query.Column); is {
		return column.Name
	}
	return name
}

// extreme is the one MIN or MAX of the SELECT, where SQLite takes the other columns from its row.
func (s *selecting) extreme() (query.Aggregate, bool) {
	var found query.Aggregate
	n := 0
	for _, a := range s.scope.group.aggregates {
		if a.Func == "min" || a.Func == "max" {
			found = a
			n++
		}
	}
	return found, n == 1 && !s.postgres()
}

// identified tells whether a key of the column's table is grouped by, or a column that equals one: all rows of a
// group have
// one value then.
func (s *selecting) identified(name string) bool {
	r, _ := s.relationWith(name)
	for _, k := range s.scope.group.keys {
		c, is := k.Expr.(query.Column)
		if !is || c.Out > 0 {
			continue
		}
		for _, same := range s.equals(c.Name) {
			if same == name || s.isKeyOf(same, r) {
				return true
			}
		}
	}
	return false
}

// isKeyOf tells whether a column names the rows of a relation.
func (s *selecting) isKeyOf(name string, r *relation) bool {
	of, column := s.relationWith(name)
	i := s.scope.schema.Index(name)
	return of == r && i >= 0 && identifies(s.scope.schema[i], column)
}

// equals are a column and those that joins make equal to it.
func (s *selecting) equals(name string) []string {
	same := []string{name}
	for i := 0; i < len(same); i++ {
		for _, pair := range s.scope.equal {
			for side := range pair {
				if pair[side] == same[i] && !slices.Contains(same, pair[1-side]) {
					same = append(same, pair[1-side])
				}
			}
		}
	}
	return same
}

// relationWith is the relation that a column of a distinct name comes from, and the name it has there.
func (s *selecting) relationWith(name string) (*relation, string) {
	for _, r := range s.scope.relations {
		for _, c := range r.columns {
			if c.as == name {
				return r, c.name
			}
		}
	}
	return nil, ""
}

// identifiers are the ends of names that keys have, behind another part of the name.
var identifiers = []string{"_id", "Id", "ID", "_key", "_code", "_uuid"}

func identifies(f query.Field, name string) bool {
	if f.Adds == query.AddsIdentifier || strings.EqualFold(name, "id") {
		return true
	}
	return slices.ContainsFunc(identifiers, func(end string) bool { return strings.HasSuffix(name, end) })
}
