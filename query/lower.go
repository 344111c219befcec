package query

import "catena/table"

// Lower is q in the stages that a runner needs to know: each Pivot is the Group, and each Unpivot the Join and Project,
// that it stands for. It gives the same rows in the same order.
func Lower(q Query) Query {
	return Rewriter{Inner: func(q Query, _ int) (Query, bool) { return Lower(q), true }}.lowered(q)
}

// lowered is q with its stages, and the queries inside them, lowered.
func (r Rewriter) lowered(q Query) Query {
	if q.Of != nil {
		of := Lower(*q.Of)
		q.Of = &of
	}
	stages := make([]Stage, 0, len(q.Stages))
	for _, st := range q.Stages {
		stages = append(stages, lowerStage(r.Stage(st, 0))...)
	}
	q.Stages = stages
	return q
}

// lowerStage is what a stage stands for.
func lowerStage(st Stage) []Stage {
	switch s := st.(type) {
	case Pivot:
		return []Stage{s.group()}
	case Unpivot:
		return s.stages()
	}
	return []Stage{st}
}

// group has one aggregate for each value, which only rows of the value count in.
func (p Pivot) group() Group {
	g := Group{Keys: p.Keys}
	for _, v := range p.Values {
		cell := p.Cell
		cell.As = v.As
		var where []Expr
		if cell.Where != nil {
			where = append(where, cell.Where)
		}
		cell.Where = Conjunction(append(where, Do("same", p.On, v.Expr)))
		g.Aggregates = append(g.Aggregates, cell)
	}
	if p.Total != "" {
		total := p.Cell
		total.As = p.Total
		g.Aggregates = append(g.Aggregates, total)
	}
	return g
}

// nth is the column that says which of the rows of an Unpivot a row is; no table has a column of that name.
const nth = "\x00nth"

// stages put each row beside the numbers of its new rows, and choose the values by them.
func (u Unpivot) stages() []Stage {
	numbers := Query{}
	for i := range u.Rows {
		one := Query{}.With(Project{Columns: []Named{{As: nth, Expr: Lit(table.IntValue(int64(i)))}}})
		if i == 0 {
			numbers = one
			continue
		}
		numbers = numbers.With(Set{Op: Union, All: true, With: one})
	}
	columns := append([]Named{}, u.Keep...)
	for j, as := range u.As {
		var value Case
		for i, row := range u.Rows {
			when := Do("eq", Col(nth), Lit(table.IntValue(int64(i))))
			if j < len(row) {
				value.Branches = append(value.Branches, Branch{When: when, Then: row[j]})
			}
		}
		columns = append(columns, Named{As: as, Expr: value})
	}
	return []Stage{Join{Kind: Inner, With: numbers}, Project{Columns: columns}}
}
