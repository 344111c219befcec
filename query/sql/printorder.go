package sql

import (
	"fmt"
	"strconv"

	"catena/query"
	"catena/table"
)

func (p *printer) distinct(s *selection) (*selection, error) {
	if s.at > clauseList {
		var err error
		if s, err = p.wrap(s); err != nil {
			return nil, err
		}
	}
	s.distinct, s.at, s.lost = true, clauseDistinct, false
	return s, nil
}

func (p *printer) sort(s *selection, st query.Sort, outer []scoped) (*selection, error) {
	if s.at == clauseLimit || s.distinct {
		var err error
		if s, err = p.wrap(s); err != nil {
			return nil, err
		}
	}
	keys, err := p.keys(st.Keys, scopes(s, outer))
	if err != nil {
		return nil, err
	}
	s.order = append(keys, s.order...)
	s.at, s.lost = clauseOrder, false
	return s, nil
}

// keys are those of an order.
func (p *printer) keys(keys []query.SortKey, in []scoped) ([]string, error) {
	var out []string
	for i, k := range keys {
		v, err := p.expr(k.Expr, in)
		if err == nil {
			err = p.orders(v)
		}
		if err != nil {
			return nil, inPart(fmt.Sprintf("keys[%d]", i), err)
		}
		if v.Type == table.Null || v.literal != nil {
			continue
		}
		text := p.collated(v)
		if !isTextual(v.Type) {
			text = v.compares()
		}
		way := ""
		if k.Desc {
			way = " DESC"
		}
		if p.noNullsOrder {
			nulls := " IS NULL"
			if k.NullsFirst {
				nulls = " IS NOT NULL"
			}
			out = append(out, text+nulls, text+way)
			continue
		}
		place := " NULLS LAST"
		if k.NullsFirst {
			place = " NULLS FIRST"
		}
		out = append(out, text+way+place)
	}
	return out, nil
}

func (p *printer) take(s *selection, st query.Take) (*selection, error) {
	switch {
	case st.Offset < 0:
		return nil, refuse("the offset is negative")
	case st.Rows < 0 && st.Offset == 0:
		return s, nil
	case len(st.Per) > 0, len(st.Ties) > 0:
		return nil, refuse("rows of each group, or equal rows, are not taken in SQL")
	case s.lost:
		return nil, refuse("the order would be lost in a subquery")
	}
	if s.at == clauseLimit {
		if len(s.order) > 0 {
			return nil, refuse("rows are taken twice")
		}
		var err error
		if s, err = p.wrap(s); err != nil {
			return nil, err
		}
	}
	rows := strconv.FormatInt(st.Rows, 10)
	if st.Rows < 0 {
		rows = p.allRows
	}
	s.limit = " LIMIT " + rows
	if st.Offset > 0 {
		s.limit += " OFFSET " + strconv.FormatInt(st.Offset, 10)
	}
	s.at, s.one = clauseLimit, s.one || st.Rows == 1
	return s, nil
}
