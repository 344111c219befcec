package semantic

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
)

// Bounds and limits of looking for copies.
const (
	maxCopyRows = 4_000   // of the table that refers
	maxCopyKeys = 200_000 // of the table that is referred to
	leastCopied = 5       // rows that are compared
	// mostUnlike is the share of rows that may have another value than the row that they refer to: spellings differ.
	mostUnlike = 0.4
	// mostUnsettled is the share of rows that may have another value than rows which refer to the same.
	mostUnsettled = 0.01
)

// copies marks the columns that repeat a column of the row which their row refers to: the client's country beside each of
// its orders. Both are called alike, a reference decides the value, and most rows have that of the row they refer to. Of
// tables of which only a sample is here nothing is known. A reference that was inferred of a copy says nothing new: it
// goes, so that one way leads to the other table.
func (n *inference) copies(m *Model) {
	gone := make([]bool, len(m.Relationships))
	for _, byKey := range []bool{true, false} {
		for i, r := range m.Relationships {
			if right, ok := m.Entity(r.Right); !gone[i] && ok && slices.Equal(right.Key, r.RightColumns) == byKey {
				n.copiesBy(m, r)
			}
		}
		for i, r := range m.Relationships {
			e, _ := m.Entity(r.Left)
			f, _ := e.Field(r.LeftColumns[0])
			gone[i] = gone[i] || r.Known == Inferred && f.CopyOf == ColumnName{r.Right, r.RightColumns[0]}
		}
	}
	at := 0
	m.Relationships = slices.DeleteFunc(m.Relationships, func(Relationship) bool { at++; return gone[at-1] })
}

// copiesBy marks the columns that repeat those of the row that one reference leads to.
func (n *inference) copiesBy(m *Model, r Relationship) {
	left, right := n.input(r.Left), n.input(r.Right)
	if !r.Usable() || len(r.LeftColumns) != 1 || left < 0 || right < 0 || left == right {
		return
	}
	if n.inputs[left].Sample || n.inputs[right].Sample || n.inputs[right].Table.NumRows() > maxCopyKeys {
		return
	}
	c := copying{left: n.inputs[left].Table, right: n.inputs[right].Table}
	for i := range m.Entities[left].Fields {
		f := &m.Entities[left].Fields[i]
		at := slices.IndexFunc(m.Entities[right].Fields, func(of Field) bool { return alike(f, &of) })
		if at < 0 || f.CopyOf != (ColumnName{}) || f.Name == r.LeftColumns[0] || m.Entities[right].Fields[at].Name == r.RightColumns[0] {
			continue
		}
		if (c.key != nil || c.meet(r)) && c.copied(i, at) {
			f.CopyOf = ColumnName{r.Right, m.Entities[right].Fields[at].Name}
		}
	}
}

func (n *inference) input(name string) int {
	return slices.IndexFunc(n.inputs, func(in Input) bool { return strings.EqualFold(in.Name, name) })
}

// alike reports whether two columns are called alike, and hold the like.
func alike(a, b *Field) bool {
	return a.Type == b.Type && (strings.EqualFold(a.Name, b.Name) || text.Fold(a.Label) == text.Fold(b.Label)) && a.Unit == b.Unit
}

// copying compares rows with those that they refer to.
type copying struct {
	left, right *table.Table
	key         []uint64 // of each compared row, its reference
	from, to    []int    // the rows
}

// meet finds the rows that are compared, and reports whether they are enough.
func (c *copying) meet(r Relationship) bool {
	here, there := columnAt(c.left, r.LeftColumns[0]), columnAt(c.right, r.RightColumns[0])
	if here < 0 || there < 0 {
		return false
	}
	rows := make(map[uint64]int, c.right.NumRows())
	for row := range c.right.NumRows() {
		if h, ok := hashOf(c.right.Value(row, there)); ok {
			rows[h] = row
		}
	}
	step := max(1, c.left.NumRows()/maxCopyRows)
	for row := 0; row < c.left.NumRows(); row += step {
		h, ok := hashOf(c.left.Value(row, here))
		if to, has := rows[h]; ok && has {
			c.key, c.from, c.to = append(c.key, h), append(c.from, row), append(c.to, to)
		}
	}
	return len(c.key) >= leastCopied
}

// copied reports whether a column of the left table repeats one of the right.
func (c *copying) copied(from, to int) bool {
	first := map[uint64]string{}
	compared, unlike, unsettled := 0, 0, 0
	for i, key := range c.key {
		a, b := c.left.Value(c.from[i], from), c.right.Value(c.to[i], to)
		if a.IsNull() || b.IsNull() {
			continue
		}
		said := text.Fold(a.Text())
		compared++
		if said != text.Fold(b.Text()) {
			unlike++
		}
		if before, ok := first[key]; !ok {
			first[key] = said
		} else if before != said {
			unsettled++
		}
	}
	n := float64(compared)
	return compared >= leastCopied && float64(unlike) <= mostUnlike*n && float64(unsettled) <= mostUnsettled*n
}

func columnAt(t *table.Table, name string) int {
	return slices.IndexFunc(t.Names(), func(n string) bool { return strings.EqualFold(n, name) })
}
