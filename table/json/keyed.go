package json

import (
	"slices"
	"strconv"

	"catena/table"
)

// keyedObjects reads objects in an object: {"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}} as columns, as pandas writes
// them, and three records or more with the same members, {"x": {"a": 1}, "y": {"a": 2}, "z": {"a": 3}}, as rows whose
// first column, "key", has their names; so are two whose names begin with a digit, as years and numbers do and no names
// of columns. nil where the members are others.
func (p *scanner) keyedObjects(members []jsonMember, report *table.LoadReport) (*table.Table, error) {
	if len(members) < 2 || slices.ContainsFunc(members, func(m jsonMember) bool { return m.kind != jsonObject }) {
		return nil, nil
	}
	first, err := p.inner(members[0]).members()
	if err != nil || len(first) == 0 {
		return nil, err
	}
	for _, m := range members[1:] {
		if inner, err := p.inner(m).members(); err != nil || !slices.EqualFunc(inner, first, func(a, b jsonMember) bool { return a.key == b.key }) {
			return nil, err
		}
	}
	numbered := true
	for i, m := range first {
		numbered = numbered && m.key == strconv.Itoa(i)
	}
	switch {
	case numbered:
		return p.numberedColumns(members, len(first), report)
	case len(members) > 2, !slices.ContainsFunc(members, func(m jsonMember) bool {
		return m.key == "" || m.key[0]-'0' > 9
	}):
		return p.namedRecords(members, report)
	}
	return nil, nil
}

// inner is a scanner of a member.
func (p *scanner) inner(m jsonMember) *scanner {
	return &scanner{s: m.text, lim: p.lim, source: p.source}
}

// numberedColumns reads columns whose cells are the members 0, 1, 2 ... of an object.
func (p *scanner) numberedColumns(members []jsonMember, n int, report *table.LoadReport) (*table.Table, error) {
	rows := newJSONRows(p.lim)
	for _, m := range members {
		c, err := rows.column(m.key, -1)
		if err != nil {
			return nil, rows.limit(p, err)
		}
		sub := p.inner(m)
		c.collect = true
		err = sub.object(func(string) error {
			kind, text, err := sub.value()
			c.add(kind, text)
			rows.present++
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if rows.rows = n; n > p.lim.Rows {
		return nil, table.TooManyRows(p.source, p.lim)
	}
	return rows.table(report)
}

// namedRecords reads each member as a row.
func (p *scanner) namedRecords(members []jsonMember, report *table.LoadReport) (*table.Table, error) {
	const ofName = -2 // a path that no member of a record has
	rows := newJSONRows(p.lim)
	kind := jsonNumber
	for _, m := range members {
		if n, err := strconv.Atoi(m.key); err != nil || strconv.Itoa(n) != m.key {
			kind = jsonString
		}
	}
	err := rows.read(p, func() error {
		for _, m := range members {
			c, err := rows.column("key", ofName)
			if err != nil {
				return rows.limit(p, err)
			}
			sub := p.inner(m)
			if err := rows.set(sub, c, kind, m.key); err != nil {
				return err
			}
			if err := rows.record(sub); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	report.Notes = append(report.Notes, "the members of the object are rows; the column \"key\" has their names")
	return rows.table(report)
}
