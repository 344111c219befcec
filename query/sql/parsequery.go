package sql

import "strings"

// query reads a whole SELECT: WITH, the terms of UNION and its kin, the order and the limit.
func (p *parser) query() *queryNode {
	p.enter()
	defer p.leave()
	q := &queryNode{at: at(p.peek().at)}
	if p.accept("WITH") {
		q.recursive = p.accept("RECURSIVE")
		q.with = append(q.with, p.with())
		for p.accept(",") {
			q.with = append(q.with, p.with())
		}
	}
	q.first = p.term()
	p.queryRest(q)
	return q
}

// queryRest reads what may follow the first term.
func (p *parser) queryRest(q *queryNode) {
	for p.is("UNION") || p.is("INTERSECT") || p.is("EXCEPT") {
		t := p.next()
		part := setNode{at: at(t.at), op: t.key, all: p.accept("ALL")}
		if !part.all {
			p.accept("DISTINCT")
		}
		p.postgres = p.postgres || part.all && part.op != "UNION" // SQLite has UNION ALL alone
		part.term = p.term()
		q.rest = append(q.rest, part)
	}
	if p.accept("ORDER", "BY") {
		q.order = p.orders()
	}
	p.limits(q)
	if p.is("FOR") {
		p.fail(p.peek().at, "Leave it out.", "FOR locks rows: nothing is locked here.")
	}
}

func (p *parser) with() withNode {
	w := withNode{at: at(p.peek().at), name: p.identifier("the name of a subquery")}
	if p.is("(") {
		w.columns = p.names()
	}
	p.expect("AS")
	if !p.accept("NOT", "MATERIALIZED") {
		p.accept("MATERIALIZED")
	}
	p.expect("(")
	p.refuseOthers()
	w.query = p.query()
	p.expect(")")
	return w
}

// limits reads LIMIT n [OFFSET m], LIMIT m, n, OFFSET m ROWS and FETCH FIRST n ROWS ONLY, in either order.
func (p *parser) limits(q *queryNode) {
	for {
		switch {
		case q.limit == nil && p.accept("LIMIT"):
			if p.accept("ALL") {
				continue
			}
			q.limit = p.expr(precOr)
			if p.accept(",") {
				q.offset, q.limit = q.limit, p.expr(precOr)
			}
		case q.offset == nil && p.accept("OFFSET"):
			q.offset = p.expr(precOr)
			_ = p.accept("ROWS") || p.accept("ROW")
		case q.limit == nil && p.is("FETCH"):
			p.fetch(q)
		default:
			return
		}
	}
}

func (p *parser) fetch(q *queryNode) {
	t := p.expect("FETCH")
	if !p.accept("FIRST") && !p.accept("NEXT") {
		p.unexpected("FIRST")
	}
	q.limit = valueNode{at: at(t.at), value: one}
	if !p.is("ROW") && !p.is("ROWS") {
		q.limit = p.expr(precOr)
	}
	if !p.accept("ROWS") && !p.accept("ROW") {
		p.unexpected("ROWS")
	}
	if p.accept("WITH", "TIES") {
		q.ties = true
		return
	}
	p.expect("ONLY")
}

func (p *parser) orders() []orderNode {
	orders := []orderNode{p.orderItem()}
	for p.accept(",") {
		orders = append(orders, p.orderItem())
	}
	return orders
}

func (p *parser) orderItem() orderNode {
	o := orderNode{x: p.expr(precOr)}
	if !p.accept("ASC") {
		o.desc = p.accept("DESC")
	}
	if p.accept("NULLS") {
		if !p.is("FIRST") && !p.is("LAST") {
			p.unexpected("FIRST or LAST")
		}
		o.nulls = p.next().key
	}
	return o
}

// term reads SELECT, VALUES, or a query in brackets.
func (p *parser) term() term {
	switch t := p.peek(); {
	case p.is("SELECT"):
		return p.selectCore()
	case p.accept("VALUES"):
		v := &valuesNode{at: at(t.at)}
		v.rows = append(v.rows, p.valuesRow())
		for p.accept(",") {
			v.rows = append(v.rows, p.valuesRow())
		}
		return v
	case p.accept("("):
		q := p.query()
		p.expect(")")
		return q
	}
	p.unexpected("SELECT")
	return nil
}

func (p *parser) valuesRow() []node {
	p.expect("(")
	row := p.list()
	p.expect(")")
	return row
}

func (p *parser) selectCore() *selectNode {
	s := &selectNode{at: at(p.expect("SELECT").at)}
	if !p.accept("ALL") && p.accept("DISTINCT") {
		s.distinct = true
		if p.accept("ON") {
			p.postgres = true
			s.distinctOn = p.valuesRow()
		}
	}
	s.list = append(s.list, p.item())
	for p.accept(",") {
		s.list = append(s.list, p.item())
	}
	if t := p.peek(); p.is("INTO") {
		p.fail(t.at, writes, "INTO is not allowed.")
	}
	if p.accept("FROM") {
		s.from = append(s.from, p.source())
		for p.accept(",") {
			s.from = append(s.from, p.source())
		}
	}
	if p.accept("WHERE") {
		s.where = p.expr(precOr)
	}
	if p.accept("GROUP", "BY") {
		s.group = p.grouping()
	}
	if p.accept("HAVING") {
		s.having = p.expr(precOr)
	}
	if p.accept("WINDOW") {
		p.windows(s)
	}
	return s
}

// sets are forms of GROUP BY that make several groupings at once.
var sets = set("ROLLUP", "CUBE", "GROUPING")

func (p *parser) grouping() []node {
	if !p.accept("ALL") {
		p.accept("DISTINCT")
	}
	after := p.peekAt(1).key
	if t := p.peek(); sets[t.key] && (after == "(" || after == "SETS") {
		p.fail(t.at, "Write one SELECT for each grouping and UNION ALL between them.", "GROUP BY %s is not read here.",
			t.key)
	}
	return p.list()
}

func (p *parser) windows(s *selectNode) {
	s.windows = map[string]*windowNode{}
	for {
		name := p.identifier("the name of a window")
		p.expect("AS")
		s.windows[strings.ToLower(name)] = p.window()
		if !p.accept(",") {
			return
		}
	}
}

// item reads one column of the list.
func (p *parser) item() itemNode {
	from := p.peek().at
	if p.is("*") {
		return itemNode{x: starNode{at: at(p.next().at)}}
	}
	x := p.expr(precOr)
	text := p.text[from:p.tokens[p.i-1].end]
	if _, star := x.(starNode); star {
		return itemNode{x: x}
	}
	return itemNode{x: x, alias: p.alias(), text: strings.Join(strings.Fields(text), " ")}
}
