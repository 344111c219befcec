package reader

import "slices"

// columnAt is a column as a table has it.
func (s *scope) columnAt(table int, c column) column {
	if c.op != "" || c.role > 0 {
		return c
	}
	c.FieldRef = s.ColumnIn(table, c.FieldRef)
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

// conditionAt is a condition as a table's own columns say it, where they do. A value is only looked for where it is:
// copies may spell it in another way.
func (s *scope) conditionAt(table int, c *condition) *condition {
	if c.field != nil {
		return c
	}
	if len(c.parts) > 0 && c.set == nil {
		return s.partsAt(table, c)
	}
	of := s.columnAt(table, c.of)
	if of == c.of || c.set != nil {
		return c
	}
	out := *c
	out.of = of
	known := c.op != opAmong || s.SameValues(c.of.FieldRef, of.FieldRef)
	for _, v := range c.copies {
		if v.Field == of.FieldRef {
			known, out.values = true, v.Values
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
	out.show, out.groups, out.order = s.columnsAt(
		table,
		a.show,
	), s.columnsAt(
		table,
		a.groups,
	), s.orderAt(
		table,
		a.order,
	)
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

// bestCopies is a feature of the best of rows that are only shown by what they refer to: the customer with the highest
// amount is hardly that of the largest of all orders.
func (s *scope) bestCopies(set *rows, cols []column) []Feature {
	for _, c := range cols {
		if set.take > 0 && c.Table != anyTable && s.Source(s.ColumnIn(set.table, c.FieldRef)).Table != set.table {
			return []Feature{fact("best by copies")}
		}
	}
	return nil
}
