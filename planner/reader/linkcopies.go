package reader

import (
	"slices"

	"catena/query/semantic"
)

// copyIndex says which columns stand for one: a column that others refer to, or repeat for the row that they refer to,
// is the source of those. What is true of it can be asked of any table that has a copy.
type copyIndex struct {
	sources map[fieldRef]fieldRef
	keys    map[fieldRef]bool   // columns that refer to others, whose values those have
	copies  map[copyIn]fieldRef // of tables that have one copy alone: of a trip's two places either may be meant
}

type copyIn struct {
	source fieldRef
	table  int
}

func newCopyIndex(m *semantic.Model, columns map[columnName]fieldRef) copyIndex {
	x := copyIndex{sources: map[fieldRef]fieldRef{}, keys: map[fieldRef]bool{}, copies: map[copyIn]fieldRef{}}
	add := func(table, column, ofTable, ofColumn string) {
		f, ok := columns[nameOfColumn(table, column)]
		of, also := columns[nameOfColumn(ofTable, ofColumn)]
		if _, has := x.sources[f]; ok && also && !has && f.table != of.table {
			x.sources[f] = of
		}
	}
	for _, r := range m.Relationships {
		if r.Usable() && len(r.LeftColumns) == 1 {
			add(r.Left, r.LeftColumns[0], r.Right, r.RightColumns[0])
			x.keys[columns[nameOfColumn(r.Left, r.LeftColumns[0])]] = true
		}
	}
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.CopyOf.Table != "" {
				add(e.Table, f.Name, f.CopyOf.Table, f.CopyOf.Column)
			}
		}
	}
	several := map[copyIn]bool{}
	for f := range x.sources {
		at := copyIn{x.source(f), f.table}
		if _, ok := x.copies[at]; ok {
			several[at] = true
		}
		x.copies[at] = f
	}
	for at := range several {
		delete(x.copies, at)
	}
	return x
}

// maxCopied bounds how many tables lie between a copy and its source.
const maxCopied = 8

// source is the column that one stands for, which may be itself.
func (x copyIndex) source(f fieldRef) fieldRef {
	for range maxCopied {
		of, ok := x.sources[f]
		if !ok {
			break
		}
		f = of
	}
	return f
}

// at is the column of a table that stands for the same as another; the column itself where the table has none.
func (x copyIndex) at(table int, f fieldRef) fieldRef {
	if f.table == table || f.table == anyTable || f.field < 0 {
		return f
	}
	if source := x.repeats(f); source.table == table {
		return source
	} else if c, ok := x.copies[copyIn{source, table}]; ok {
		return c
	}
	return f
}

// repeats is the column that one repeats, which may be itself. One that refers to another is itself: rows that refer to a
// row are not that row.
func (x copyIndex) repeats(f fieldRef) fieldRef {
	for range maxCopied {
		of, ok := x.sources[f]
		if !ok || x.keys[f] {
			break
		}
		f = of
	}
	return f
}

// refers reports whether a column has the same values as its copy or source: both refer to one, or are it.
func (x copyIndex) refers(a, b fieldRef) bool {
	source := x.source(a)
	return (a == source || x.keys[a]) && (b == source || x.keys[b])
}

// single reports whether a column can stand for its source: no other of its table does, too.
func (x copyIndex) single(f fieldRef) bool {
	source := x.source(f)
	return source == f || x.copies[copyIn{source, f.table}] == f
}

// columnAt is a column as a table has it.
func (s *scope) columnAt(table int, c column) column {
	if c.op != "" {
		return c
	}
	c.fieldRef = s.names().copies.at(table, c.fieldRef)
	return c
}

// columnsAt are columns as a table has them.
func (s *scope) columnsAt(table int, list []column) []column {
	out := slices.Clone(list)
	for i, c := range out {
		out[i] = s.columnAt(table, c)
	}
	return out
}

// conditionAt is a condition as a table's own columns say it, where they do. A value is only looked for where it is: copies
// may spell it in another way.
func (s *scope) conditionAt(table int, c *condition) *condition {
	if len(s.names().copies.sources) == 0 || c.field != nil {
		return c
	}
	if len(c.parts) > 0 && c.set == nil {
		return s.partsAt(table, c)
	}
	of := s.columnAt(table, c.of)
	if of == c.of || c.op == opAlike || c.op == opLinked {
		return c
	}
	out := *c
	out.of = of
	known := c.op != opAmong || s.names().copies.refers(c.of.fieldRef, of.fieldRef)
	for _, v := range c.copies {
		if v.field == of.fieldRef {
			known, out.values = true, v.values
		}
	}
	if !known {
		return c
	}
	return &out
}

// partsAt is conditionAt of a condition that is made of others.
func (s *scope) partsAt(table int, c *condition) *condition {
	for i, p := range c.parts {
		at := s.conditionAt(table, p)
		if at == p {
			continue
		}
		out := *c
		out.parts = slices.Clone(c.parts)
		out.parts[i] = at
		for j, q := range out.parts[i+1:] {
			out.parts[i+1+j] = s.conditionAt(table, q)
		}
		return &out
	}
	return c
}

// answerAt is an answer whose columns are those of a table, where it has them.
func (s *scope) answerAt(table int, a *answer) *answer {
	out := *a
	out.show, out.groups, out.order = s.columnsAt(table, a.show), s.columnsAt(table, a.groups), s.orderAt(table, a.order)
	if a.of != nil && a.of.table == table {
		set := *a.of
		set.show, set.order = s.columnsAt(table, set.show), s.orderAt(table, set.order)
		out.of = &set
	}
	return &out
}

// orderAt is an order by a table's own columns, where it has them.
func (s *scope) orderAt(table int, list []ordering) []ordering {
	out := slices.Clone(list)
	for i, o := range out {
		out[i].by = s.columnAt(table, o.by)
	}
	return out
}

// onlySources leaves out the spans of columns, and of values in them, where the column that they stand for lies over the
// same words as well: they are one reading. What an order of the spans decides is left to who asks.
func (l *linker) onlySources() {
	type over struct {
		from, to int
		cat      category
		of       fieldRef
	}
	x := &l.index.copies
	at := map[over]int{}
	for i, s := range l.out {
		if f, ok := columnOfSpan(s); ok && x.source(f) == f {
			key := over{s.from, s.to, s.cat, f}
			if best, has := at[key]; !has || l.out[best].score < s.score {
				at[key] = i
			}
		}
	}
	gone := make([]bool, len(l.out))
	for i, s := range l.out {
		f, ok := columnOfSpan(s)
		if !ok || x.source(f) == f || x.keys[f] || !x.single(f) {
			continue
		}
		source, has := at[over{s.from, s.to, s.cat, x.source(f)}]
		if !has || l.out[source].score < s.score {
			continue
		}
		gone[i] = true
		if v, is := s.mean.(valueRef); is {
			of, _ := l.out[source].mean.(valueRef)
			of.copies = append(slices.Clip(of.copies), valueIn{f, v.values})
			l.out[source].mean = of
		}
	}
	i := 0
	l.out = slices.DeleteFunc(l.out, func(span) bool { i++; return gone[i-1] })
}

// columnOfSpan is the column that a span names, or names a value of.
func columnOfSpan(s span) (fieldRef, bool) {
	switch m := s.mean.(type) {
	case fieldRef:
		return m, true
	case valueRef:
		return m.field, true
	}
	return fieldRef{}, false
}
