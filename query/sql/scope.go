package sql

import (
	"fmt"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// scope is what the names of one SELECT may mean.
type scope struct {
	outer     *scope
	level     int
	views     *view
	relations []*relation
	unknown   bool         // one of the relations is: no more is said about columns
	schema    query.Schema // the columns by their distinct names; aggregates and windows come behind them
	items     []itemNode   // the list: its aliases are names, too
	busy      map[int]bool // items whose aliases are being followed
	equal     [][2]string  // columns that inner joins and WHERE make equal
	group     *grouping    // where aggregates go; nil where they are not allowed
	windows   map[string]*windowNode
}

// relation is a table or subquery in FROM.
type relation struct {
	alias   string
	columns []column
}

// column is a column of a relation.
type column struct {
	name   string // as its table has it
	source string // as the query of its relation has it
	as     string // as the joined relation has it: distinct
	merged bool   // USING has it from another relation: only with its table's name
}

func plainColumns(s query.Schema) []column {
	columns := make([]column, len(s))
	for i, f := range s {
		columns[i] = column{name: f.Name, source: f.Name, as: f.Name}
	}
	return columns
}

// distinct gives the columns of all relations distinct names: the plain one where no other has it, else alias.column.
func distinct(relations []*relation) {
	count := map[string]int{}
	for _, r := range relations {
		for _, c := range r.columns {
			count[strings.ToLower(c.name)]++
		}
	}
	taken := names{}
	for _, r := range relations {
		for i := range r.columns {
			c := &r.columns[i]
			c.as = c.name
			if len(relations) > 1 && count[strings.ToLower(c.name)] > 1 {
				c.as = r.alias + "." + c.name
			}
			c.as = taken.add(c.as)
		}
	}
}

// names are names that are taken, without regard to case, and the number that was last put behind each.
type names map[string]int

// add takes a name, with a number behind it where it is taken.
func (n names) add(name string) string {
	key := strings.ToLower(name)
	if _, taken := n[key]; !taken {
		n[key] = 1
		return name
	}
	for {
		n[key]++
		free := fmt.Sprintf("%s_%d", name, n[key])
		if _, taken := n[strings.ToLower(free)]; !taken {
			n[strings.ToLower(free)] = 1
			return free
		}
	}
}

// lookup finds a column in this scope alone. found counts the columns of that name.
func (s *scope) lookup(n nameNode) (c column, found int) {
	for _, r := range s.relations {
		if n.table != "" && !strings.EqualFold(n.table, r.alias) {
			continue
		}
		for _, have := range r.columns {
			if !strings.EqualFold(have.name, n.name) || n.table == "" && have.merged {
				continue
			}
			c = have
			found++
		}
	}
	return c, found
}

// schemas are those of the scopes by how far out they are, as query.TypeOf wants them.
func (s *scope) schemas() []query.Schema {
	out := make([]query.Schema, s.level+1)
	for around := s; around != nil; around = around.outer {
		out[s.level-around.level] = around.schema
	}
	return out
}

// typ is the type of an expression in a scope; Null where it is not known.
func (l *lowerer) typ(e query.Expr, s *scope) table.Type {
	f, _ := query.TypeOf(e, l.catalog, s.schemas()...)
	return f.Type
}

// name lowers a column: of this scope, of the list's aliases, or of the scopes around.
func (l *lowerer) name(n nameNode, s *scope) query.Expr {
	for around := s; around != nil; around = around.outer {
		c, found := around.lookup(n)
		if found > 1 {
			l.ambiguous(n, around)
		}
		if found > 0 {
			return query.Column{Name: c.as, Out: s.level - around.level}
		}
		if e, is := l.aliased(n, around); is && around == s {
			return e
		}
	}
	return l.unknown(n, s)
}

// aliased is the expression of the list that has the name.
func (l *lowerer) aliased(n nameNode, s *scope) (query.Expr, bool) {
	if n.table != "" {
		return nil, false
	}
	for i, item := range s.items {
		if !strings.EqualFold(item.alias, n.name) || s.busy[i] {
			continue
		}
		if s.busy == nil {
			s.busy = map[int]bool{}
		}
		s.busy[i] = true
		defer delete(s.busy, i)
		return l.expr(item.x, s), true
	}
	return nil, false
}

func (l *lowerer) ambiguous(n nameNode, s *scope) {
	var have []string
	for _, r := range s.relations {
		for _, c := range r.columns {
			if strings.EqualFold(c.name, n.name) && !c.merged {
				have = append(have, r.alias+"."+c.name)
			}
		}
	}
	l.find(query.AmbiguousColumn, n.start(), "write one of "+strings.Join(have, ", "),
		"several tables have a column %q", n.name)
}

// unknown says that there is no such column; a name in double quotes is a text then, as SQLite has it.
func (l *lowerer) unknown(n nameNode, s *scope) query.Expr {
	if l.asText(n, s) {
		f := l.find(QuotedText, n.start(), "write texts in single quotes", "there is no column %q: it is read as a text",
			short(n.name))
		f.Doubt = true
		return query.Lit(table.TextValue(n.name))
	}
	if s.unknown {
		return query.Literal{}
	}
	var columns, aliases []string
	known := n.table == ""
	for around := s; around != nil; around = around.outer {
		for _, r := range around.relations {
			aliases = append(aliases, r.alias)
			same := n.table == "" || strings.EqualFold(r.alias, n.table)
			known = known || same
			for _, c := range r.columns {
				if same {
					columns = append(columns, c.name)
				}
			}
		}
	}
	if !known {
		f := l.find(query.UnknownTable, n.start(), "", "there is no table or alias %q in this SELECT", short(n.table))
		f.Nearest = table.Nearest(n.table, aliases)
		return query.Literal{}
	}
	if of, column, is := qualified(n.name, s); is && n.table == "" {
		l.find(query.UnknownColumn, n.start(), fmt.Sprintf("write %s.%s", strconv.Quote(of), strconv.Quote(column)),
			"there is no column %q", short(n.name))
		return query.Literal{}
	}
	f := l.find(query.UnknownColumn, n.start(), "", "there is no column %q", short(n.name))
	suggest(f, "columns", n.name, columns)
	return query.Literal{}
}

// suggest says which names are like one that is not there, or where none is, which there are.
func suggest(f *query.Finding, what, name string, have []string) {
	const most = 10
	f.Nearest = nearest(name, have)
	if len(f.Nearest) > 0 || len(have) == 0 {
		return
	}
	named := make([]string, 0, most)
	for _, one := range have[:min(len(have), most)] {
		named = append(named, short(one))
	}
	f.Hint = "the " + what + " are " + strings.Join(named, ", ")
	if more := len(have) - most; more > 0 {
		f.Hint += fmt.Sprintf(" and %d more", more)
	}
}

// nearest are at most three names that look like one.
func nearest(name string, have []string) []string {
	near := table.Nearest(name, have)
	return near[:min(len(near), 3)]
}
