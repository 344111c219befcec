package sql

import (
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

// joins are the words of joins.
var joins = map[query.JoinKind]string{
	query.Inner: " JOIN ", query.Left: " LEFT JOIN ", query.Right: " RIGHT JOIN ", query.Full: " FULL JOIN ",
}

func (p *printer) join(s *selection, st query.Join, outer []scoped) (*selection, error) {
	s, err := p.upTo(s, clauseFrom)
	if err != nil {
		return nil, err
	}
	right, err := p.query(st.With, outer)
	if err == nil {
		right, err = p.upTo(right, clauseFrom)
	}
	if err != nil {
		return nil, inPart("with", err)
	}
	both := &selection{columns: slices.Concat(s.columns, right.columns)}
	on := "TRUE"
	if st.On != nil {
		parts := []string{}
		for _, e := range query.Conjuncts(st.On) {
			c, err := p.condition(e, scopes(both, outer), true)
			if err != nil {
				return nil, inPart("on", err)
			}
			parts = append(parts, c)
		}
		on = strings.Join(parts, " AND ")
	}
	if st.Kind == query.Semi || st.Kind == query.Anti {
		return p.matched(s, right, on, st.Kind), nil
	}
	words, ok := joins[st.Kind]
	switch {
	case !ok:
		return nil, refuse("there is no join %q", st.Kind)
	case st.Kind == query.Full && (p.noFull || st.On == nil):
		return nil, refuse("a full join is not said in this dialect")
	}
	s.from += words + right.from + " ON " + on
	s.columns, s.at, s.one = both.columns, clauseFrom, false
	s.lost = s.lost || len(s.order) > 0
	return s, nil
}

// matched keeps the rows that have a match, or those that have none.
func (p *printer) matched(s, right *selection, on string, kind query.JoinKind) *selection {
	word := "EXISTS ("
	if kind == query.Anti {
		word = "NOT EXISTS ("
	}
	s.where = append(s.where, word+"SELECT 1 FROM "+right.from+" WHERE "+on+")")
	s.at = clauseWhere
	return s
}

// setWords are the operations of sets.
var setWords = map[query.SetOp]string{query.Union: " UNION ", query.Intersect: " INTERSECT ", query.Except: " EXCEPT "}

func (p *printer) set(s *selection, st query.Set, outer []scoped) (*selection, error) {
	right, err := p.query(st.With, outer)
	if err != nil {
		return nil, inPart("with", err)
	}
	word, ok := setWords[st.Op]
	switch {
	case !ok:
		return nil, refuse("there is no operation %q", st.Op)
	case st.All && st.Op != query.Union && p.noSetAll:
		return nil, refuse("%s ALL is not said in this dialect", strings.TrimSpace(word))
	case len(s.columns) != len(right.columns):
		return nil, refuse("the sides have different numbers of columns")
	}
	if st.All {
		word += "ALL "
	}
	fields := make([]query.Field, len(s.columns))
	for i := range s.columns {
		l, r := &s.columns[i], &right.columns[i]
		to := p.common(l.cell, r.cell)
		if to.Type == table.Null && (l.Type != table.Null || r.Type != table.Null) {
			return nil, refuse("column %q has two types", l.name)
		}
		if l.cell, err = p.as(l.cell, to); err == nil {
			r.cell, err = p.as(r.cell, to)
		}
		if err != nil {
			return nil, err
		}
		fields[i] = to
	}
	sides := make([]string, 2)
	for i, side := range []*selection{s, right} {
		if sides[i] = p.text(side); side.limit != "" || len(side.order) > 0 {
			sides[i] = "SELECT * FROM (" + sides[i] + ") AS " + p.alias()
		}
	}
	alias := p.alias()
	out := &selection{from: "(" + sides[0] + word + sides[1] + ") AS " + alias}
	if err := p.enter(len(out.from)); err != nil {
		return nil, err
	}
	p.depth--
	for i, name := range aliasesOf(s.columns) {
		fields[i].Name = s.columns[i].name
		out.columns = append(out.columns, output{
			name: s.columns[i].name, cell: cell{Field: fields[i], text: alias + "." + p.name(name)}, bare: true,
		})
	}
	return out, nil
}
