package link

import (
	"slices"

	"catena/query/semantic"
)

// copyIndex says which columns stand for one: a column that others refer to, or repeat for the row that they refer to,
// is the source of those. What is true of it can be asked of any table that has a copy.
type copyIndex struct {
	sources map[FieldRef]FieldRef
	keys    map[FieldRef]bool   // columns that refer to others, whose values those have
	copies  map[copyIn]FieldRef // of tables that have one copy alone: of a trip's two places either may be meant
}

type copyIn struct {
	source FieldRef
	table  int
}

func newCopyIndex(m *semantic.Model, columns map[columnName]FieldRef) copyIndex {
	x := copyIndex{sources: map[FieldRef]FieldRef{}, keys: map[FieldRef]bool{}, copies: map[copyIn]FieldRef{}}
	add := func(table, column, ofTable, ofColumn string) {
		f, ok := columns[nameOfColumn(table, column)]
		of, also := columns[nameOfColumn(ofTable, ofColumn)]
		if _, has := x.sources[f]; ok && also && !has && f.Table != of.Table {
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
		at := copyIn{x.source(f), f.Table}
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
func (x copyIndex) source(f FieldRef) FieldRef {
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
func (x copyIndex) at(table int, f FieldRef) FieldRef {
	if f.Table == table || f.Table < 0 || f.Field < 0 {
		return f
	}
	if source := x.repeats(f); source.Table == table {
		return source
	} else if c, ok := x.copies[copyIn{source, table}]; ok {
		return c
	}
	return f
}

// repeats is the column that one repeats, which may be itself. One that refers to another is itself: rows that refer to
// a row are not that row.
func (x copyIndex) repeats(f FieldRef) FieldRef {
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
func (x copyIndex) refers(a, b FieldRef) bool {
	source := x.source(a)
	return (a == source || x.keys[a]) && (b == source || x.keys[b])
}

// single reports whether a column can stand for its source: no other of its table does, too.
func (x copyIndex) single(f FieldRef) bool {
	source := x.source(f)
	only, ok := x.copies[copyIn{source, f.Table}]
	return source == f || ok && only == f
}

// onlySources leaves out the spans of columns, and of values in them, where the column that they stand for lies over
// the same words as well: they are one reading. What an order of the spans decides is left to who asks.
func (l *linker) onlySources() {
	type over struct {
		from, to int
		cat      Category
		of       FieldRef
	}
	x := &l.index.copies
	at := map[over]int{}
	for i, s := range l.out {
		if f, ok := columnOfSpan(s); ok && x.source(f) == f {
			key := over{s.From, s.To, s.Category, f}
			if best, has := at[key]; !has || l.out[best].Score < s.Score {
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
		source, has := at[over{s.From, s.To, s.Category, x.source(f)}]
		if !has || l.out[source].Score < s.Score {
			continue
		}
		gone[i] = true
		if v, is := s.Meaning.(ValueRef); is {
			of, _ := l.out[source].Meaning.(ValueRef)
			of.Copies = append(slices.Clip(of.Copies), ValueIn{f, v.Values})
			l.out[source].Meaning = of
		}
	}
	i := 0
	l.out = slices.DeleteFunc(l.out, func(Span) bool { i++; return gone[i-1] })
}

// columnOfSpan is the column that a span names, or names a value of.
func columnOfSpan(s Span) (FieldRef, bool) {
	switch m := s.Meaning.(type) {
	case FieldRef:
		return m, true
	case ValueRef:
		return m.Field, true
	}
	return FieldRef{}, false
}

// onlyNamed leaves out the spans of columns that refer to rows by keys which say nothing to a person, where the same
// words name those rows: the customer of an order is the customer, not its number.
func (l *linker) onlyNamed() {
	x := &l.index.copies
	type over struct{ from, to, table int }
	rows := map[over]bool{}
	for _, s := range l.out {
		if e, ok := s.Meaning.(EntityRef); ok {
			rows[over{s.From, s.To, e.Table}] = true
		}
	}
	l.out = slices.DeleteFunc(l.out, func(s Span) bool {
		f, ok := s.Meaning.(FieldRef)
		if !ok || !x.keys[f] {
			return false
		}
		of := x.source(f)
		name := l.s.Entity(of.Table).Name
		return rows[over{s.From, s.To, of.Table}] && name != "" && name != l.s.Field(of).Name
	})
}
