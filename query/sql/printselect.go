package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// clause is the furthest clause of a SELECT that a stage has written.
type clause uint8

const (
	clauseFrom clause = iota
	clauseWhere
	clauseGroup
	clauseList
	clauseDistinct
	clauseOrder
	clauseLimit
)

// output is a column of a SELECT.
type output struct {
	name string
	cell
	bare bool // it is a column of FROM
}

// selection is a SELECT that stages are added to, for as long as their clauses fit.
type selection struct {
	from           string
	where, group   []string
	order          []string
	limit          string
	columns        []output
	distinct, lost bool // lost: the rows had an order that a subquery dropped
	one            bool // it gives at most one row
	at             clause
}

func (s *selection) schema() query.Schema {
	out := make(query.Schema, len(s.columns))
	for i, c := range s.columns {
		out[i] = c.Field
		out[i].Name = c.name
	}
	return out
}

// bare reports whether all columns are those of FROM, so that expressions over them may stand in any clause.
func (s *selection) bare() bool {
	return !slices.ContainsFunc(s.columns, func(c output) bool { return !c.bare })
}

// text is the statement.
func (p *printer) text(s *selection) string {
	list := make([]string, len(s.columns))
	for i, name := range aliasesOf(s.columns) {
		list[i] = s.columns[i].text + " AS " + p.name(name)
	}
	return p.withList(s, strings.Join(list, ", "))
}

// withList is the statement with a list of its own.
func (p *printer) withList(s *selection, list string) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	if s.distinct {
		b.WriteString("DISTINCT ")
	}
	b.WriteString(list + " FROM " + s.from)
	for _, c := range []struct {
		word, between string
		parts         []string
	}{{" WHERE ", " AND ", s.where}, {" GROUP BY ", ", ", s.group}, {" ORDER BY ", ", ", s.order}} {
		if len(c.parts) > 0 {
			b.WriteString(c.word + strings.Join(c.parts, c.between))
		}
	}
	b.WriteString(s.limit)
	return b.String()
}

// aliasesOf are names for the columns that no database mixes up: short, and different whatever their case.
func aliasesOf(columns []output) []string {
	const longest = 60 // bytes; PostgreSQL cuts names at 63
	out := make([]string, len(columns))
	seen := make(map[string]bool, len(columns))
	for i, c := range columns {
		key := strings.ToLower(c.name)
		if out[i] = c.name; c.name == "" || len(c.name) > longest || seen[key] {
			out[i] = "column " + strconv.Itoa(i+1)
			key = out[i]
		}
		seen[key] = true
	}
	return out
}

// wrap makes a SELECT the source of another one.
func (p *printer) wrap(s *selection) (*selection, error) {
	if s.at == clauseFrom && s.bare() && len(s.where) == 0 {
		return s, nil
	}
	lost := s.lost || len(s.order) > 0
	if s.limit == "" {
		s.order = nil
	}
	text := p.text(s)
	if err := p.enter(len(text)); err != nil {
		return nil, err
	}
	p.depth--
	alias := p.alias()
	out := &selection{from: "(" + text + ") AS " + alias, lost: lost, one: s.one}
	for i, name := range aliasesOf(s.columns) {
		c := s.columns[i]
		c.cell = cell{Field: c.Field, text: alias + "." + p.name(name)}
		c.bare = true
		out.columns = append(out.columns, c)
	}
	return out, nil
}

// query prints a query. outer are the columns of the relations around it, the nearest first.
func (p *printer) query(q query.Query, outer []scoped) (*selection, error) {
	if err := p.enter(0); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	s, err := p.source(q, outer)
	if err != nil {
		return nil, err
	}
	for i, st := range q.Stages {
		if s, err = p.stage(s, st, outer); err != nil {
			return nil, inPart(fmt.Sprintf("stages[%d]", i), err)
		}
	}
	return s, nil
}

func (p *printer) source(q query.Query, outer []scoped) (*selection, error) {
	if q.Of != nil {
		s, err := p.query(*q.Of, outer)
		return s, inPart("of", err)
	}
	r, ok := p.tables.Relation(q.From)
	if !ok {
		return nil, inPart("from", refuse("%q is not a table of this database", q.From))
	}
	parts := make([]string, len(r.Path))
	for i, part := range r.Path {
		parts[i] = p.name(part)
	}
	alias := p.alias()
	s := &selection{from: strings.Join(parts, ".") + " AS " + alias}
	for _, c := range r.Columns {
		s.columns = append(s.columns, output{name: c.Name, cell: p.stored(c, alias), bare: true})
	}
	return s, nil
}

// stored is a column of a table.
func (p *printer) stored(c Stored, alias string) cell {
	raw := alias + "." + p.name(c.Column)
	out := cell{Field: c.Field, text: raw, raw: raw, refused: c.Refused}
	if c.Read != "" {
		out.text = strings.ReplaceAll(c.Read, "{0}", raw)
	}
	if c.Type == table.Text || c.Type == table.JSON {
		out.raw = out.text // the column itself may be no text, or compare otherwise
	}
	if c.Holds != "" {
		out.holds = strings.ReplaceAll(c.Holds, "{0}", raw)
		out.text = fmt.Sprintf("CASE WHEN %s THEN %s END", out.holds, out.text)
	}
	return out
}

// stage adds a stage.
func (p *printer) stage(s *selection, st query.Stage, outer []scoped) (*selection, error) {
	switch st := st.(type) {
	case query.Filter:
		return p.filter(s, st, outer)
	case query.Derive:
		return p.derive(s, st, outer)
	case query.Project:
		return p.project(s, st, outer)
	case query.Group:
		return p.group(s, st, outer)
	case query.Window:
		return p.window(s, st, outer)
	case query.Join:
		return p.join(s, st, outer)
	case query.Set:
		return p.set(s, st, outer)
	case query.Distinct:
		return p.distinct(s)
	case query.Sort:
		return p.sort(s, st, outer)
	case query.Take:
		return p.take(s, st)
	}
	return nil, refuse("there is no stage %T", st)
}

// upTo is s, or s as a subquery where it has clauses behind the given one.
func (p *printer) upTo(s *selection, c clause) (*selection, error) {
	if s.at > c || !s.bare() {
		return p.wrap(s)
	}
	return s, nil
}

func (p *printer) filter(s *selection, st query.Filter, outer []scoped) (*selection, error) {
	s, err := p.upTo(s, clauseWhere)
	if err != nil {
		return nil, err
	}
	for _, e := range query.Conjuncts(st.Where) {
		c, err := p.condition(e, scopes(s, outer), true)
		if err != nil {
			return nil, inPart("where", err)
		}
		s.where = append(s.where, c)
	}
	s.at = clauseWhere
	return s, nil
}

// longColumn is the text of a column that is not written twice.
const longColumn = 400

// list computes columns. They may follow an order and a limit, which they do not change.
func (p *printer) list(s *selection, columns []query.Named, outer []scoped) (*selection, []output, error) {
	if s.distinct || !onlyColumns(columns) && !s.mayRepeat(columns) {
		var err error
		if s, err = p.wrap(s); err != nil {
			return nil, nil, err
		}
	}
	out := make([]output, len(columns))
	for i, c := range columns {
		if from, is := c.Expr.(query.Column); is && from.Out == 0 {
			at := s.schema().Index(from.Name)
			if at < 0 {
				return nil, nil, refuse("there is no column %q", from.Name)
			}
			out[i] = s.columns[at]
			out[i].name = c.As
			continue
		}
		v, err := p.expr(c.Expr, scopes(s, outer))
		if err != nil {
			return nil, nil, inPart(fmt.Sprintf("columns[%d]", i), err)
		}
		out[i] = output{name: c.As, cell: v}
	}
	return s, out, nil
}

// mayRepeat reports whether the texts of columns may stand inside further expressions.
func (s *selection) mayRepeat(columns []query.Named) bool {
	if s.bare() {
		return true
	}
	return !slices.ContainsFunc(s.columns, func(c output) bool { return len(c.text) > longColumn }) &&
		!slices.ContainsFunc(columns, func(n query.Named) bool { return asks(n.Expr) })
}

// asks reports whether an expression has a subquery.
func asks(e query.Expr) bool {
	switch x := e.(type) {
	case query.Scalar, query.Exists, query.In:
		return true
	case query.Call:
		return slices.ContainsFunc(x.Args, asks)
	case query.Cast:
		return asks(x.Expr)
	case query.Case:
		return asks(x.Else) || slices.ContainsFunc(x.Branches, func(b query.Branch) bool { return asks(b.When) || asks(b.Then) })
	}
	return false
}

// onlyColumns reports whether expressions are columns as they are.
func onlyColumns(list []query.Named) bool {
	return !slices.ContainsFunc(list, func(n query.Named) bool {
		c, is := n.Expr.(query.Column)
		return !is || c.Out != 0
	})
}

func (p *printer) project(s *selection, st query.Project, outer []scoped) (*selection, error) {
	if len(st.Columns) == 0 {
		return nil, refuse("a projection needs a column")
	}
	s, out, err := p.list(s, st.Columns, outer)
	if err != nil {
		return nil, err
	}
	if s.columns = out; !s.bare() {
		s.at = max(s.at, clauseList)
	}
	return s, nil
}

func (p *printer) derive(s *selection, st query.Derive, outer []scoped) (*selection, error) {
	s, out, err := p.list(s, st.Columns, outer)
	if err != nil {
		return nil, err
	}
	s.columns = slices.Clone(s.columns)
	for _, c := range out {
		at := slices.IndexFunc(s.columns, func(o output) bool { return o.name == c.name })
		if at >= 0 {
			s.columns[at] = c
			continue
		}
		s.columns = append(s.columns, c)
	}
	s.at = max(s.at, clauseList)
	return s, nil
}

func (p *printer) group(s *selection, st query.Group, outer []scoped) (*selection, error) {
	s, err := p.upTo(s, clauseWhere)
	if err != nil {
		return nil, err
	}
	var out []output
	for i, k := range st.Keys {
		v, err := p.expr(k.Expr, scopes(s, outer))
		if err != nil {
			return nil, inPart(fmt.Sprintf("keys[%d]", i), err)
		}
		if v.literal != nil && !strings.Contains(v.text, "\x00") { // databases take bound ones alone
			return nil, inPart(fmt.Sprintf("keys[%d]", i), refuse("a constant as a key of a group"))
		}
		s.group = append(s.group, v.text)
		out = append(out, output{name: k.As, cell: v})
	}
	for i, a := range st.Aggregates {
		v, err := p.aggregate(a, scopes(s, outer))
		if err != nil {
			return nil, inPart(fmt.Sprintf("aggregates[%d]", i), err)
		}
		out = append(out, output{name: a.As, cell: v})
	}
	if len(out) == 0 {
		return nil, refuse("a group needs a key or an aggregate")
	}
	s.columns, s.at, s.order, s.lost = out, clauseGroup, nil, false
	s.one = len(st.Keys) == 0
	return s, nil
}
