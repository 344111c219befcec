package sql

import (
	"catena/query"
	"catena/table"
)

// scalar is the one value of a subquery.
func (p *printer) scalar(x query.Scalar, in []scoped) (cell, error) {
	s, err := p.query(x.Query, in)
	switch {
	case err != nil:
		return cell{}, inPart("scalar", err)
	case len(s.columns) != 1:
		return cell{}, refuse("a value of %d columns", len(s.columns))
	case !s.one && p.firstOfMany:
		return cell{}, refuse("a subquery of several rows is an error here, and its first row there")
	}
	return cell{Field: s.columns[0].Field, text: "(" + p.text(s) + ")"}, nil
}

// inQuery is IN of a subquery.
func (p *printer) inQuery(x query.In, in []scoped) (cell, error) {
	a, err := p.expr(x.Expr, in)
	if err != nil {
		return cell{}, err
	}
	s, err := p.query(x.Query, in)
	if err != nil {
		return cell{}, inPart("in", err)
	}
	if len(s.columns) != 1 {
		return cell{}, refuse("a list of %d columns", len(s.columns))
	}
	b := s.columns[0].cell
	l, r, err := p.alike(a, b)
	switch {
	case err != nil:
		return cell{}, err
	case l.text != a.text || r.text != b.text || a.Type == table.Null:
		return cell{}, refuse("a list of another type")
	}
	return truthOf("(" + a.compares() + " IN (" + p.text(s) + "))"), nil
}

func (p *printer) caseOf(x query.Case, in []scoped) (cell, error) {
	values := make([]cell, 0, len(x.Branches)+1)
	whens := make([]string, len(x.Branches))
	for i, b := range x.Branches {
		var err error
		if whens[i], err = p.condition(b.When, in, true); err != nil {
			return cell{}, err
		}
		v, err := p.expr(b.Then, in)
		if err != nil {
			return cell{}, err
		}
		values = append(values, v)
	}
	if x.Else != nil {
		v, err := p.expr(x.Else, in)
		if err != nil {
			return cell{}, err
		}
		values = append(values, v)
	}
	to, values, err := p.unified(values)
	if err != nil {
		return cell{}, err
	}
	text := "CASE"
	for i, w := range whens {
		text += " WHEN " + w + " THEN " + values[i].text
	}
	if x.Else != nil {
		text += " ELSE " + values[len(values)-1].text
	}
	return cell{Field: to, text: "(" + text + " END)"}, nil
}
