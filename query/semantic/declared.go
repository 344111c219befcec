package semantic

import (
	"slices"
	"strings"

	"catena/table"
)

// declared are the references that the sources declare.
func (n *inference) declared() []Relationship {
	var out []Relationship
	for i, in := range n.inputs {
		for _, f := range in.Declared.References {
			right := n.called(f.Table)
			out = append(out, Relationship{Left: in.Name, LeftColumns: f.Columns, Right: f.Table, RightColumns: f.Of,
				Cardinality: n.cardinality(i, f.Columns, right, f.Of), Known: Declared, Score: 1})
		}
	}
	return out
}

// called is the place of the table of a name, -1 for none.
func (n *inference) called(name string) int {
	return slices.IndexFunc(n.inputs, func(x Input) bool { return strings.EqualFold(x.Name, name) })
}

// references are those that a table declares, of tables and columns that are there, as these are written.
func (n *inference) references(i int) []table.Reference {
	var out []table.Reference
	for _, f := range n.inputs[i].Declared.References {
		right := n.called(f.Table)
		if right < 0 || len(f.Columns) == 0 || len(f.Columns) != len(f.Of) {
			continue
		}
		left, ok := n.named(i, f.Columns)
		of, also := n.named(right, f.Of)
		if ok && also {
			out = append(out, table.Reference{Columns: left, Table: n.inputs[right].Name, Of: of})
		}
	}
	return out
}

// keys are the declared keys that no two rows share, nor lack, where all rows are there.
func (in Input) keys() [][]string {
	if in.Sample {
		return in.Declared.Keys
	}
	return slices.DeleteFunc(slices.Clone(in.Declared.Keys), func(key []string) bool {
		missing := slices.ContainsFunc(key, func(c string) bool { return in.Table.Index(c) < 0 })
		return missing || !distinctRows(in.Table, key)
	})
}

// named are the columns of a table as it writes them.
func (n *inference) named(i int, columns []string) ([]string, bool) {
	out := make([]string, len(columns))
	for at, c := range columns {
		col := n.inputs[i].Table.Index(c)
		if col < 0 {
			return nil, false
		}
		out[at] = n.inputs[i].Table.Column(col).Name
	}
	return out, true
}

// cardinality goes by whether the columns of either side are unique.
func (n *inference) cardinality(left int, columns []string, right int, of []string) Cardinality {
	switch {
	case !n.identifies(right, of):
		return ManyToMany
	case n.identifies(left, columns):
		return OneToOne
	}
	return ManyToOne
}

// identifies reports whether no two rows agree in the columns, as far as that is known.
func (n *inference) identifies(i int, columns []string) bool {
	in := n.inputs[i]
	for _, k := range in.Declared.Keys {
		if len(k) <= len(columns) && !slices.ContainsFunc(k, func(c string) bool { return !containsFold(columns, c) }) {
			return true
		}
	}
	for _, c := range columns {
		if at := in.Table.Index(c); at >= 0 && at < len(n.columns[i]) && n.columns[i][at].unique {
			return true
		}
	}
	return len(columns) > 1 && !in.Sample && distinctRows(in.Table, columns)
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return strings.EqualFold(x, s) })
}
