package table

// grouping assigns each row to a group of rows that are equal in the key columns.
type grouping struct {
	group []int32 // of each row
	first []int   // the first row of each group, in order of appearance
}

// groupRows groups by the raw cells of the given columns; nulls equal each other. Without columns all rows are one group.
func (t *Table) groupRows(cols []int) grouping {
	keys := make([]*cells, len(cols))
	for i, c := range cols {
		keys[i] = &t.cells[c]
	}
	return groupCells(keys, t.NumRows())
}

func groupCells(keys []*cells, rows int) grouping {
	g := grouping{group: make([]int32, rows)}
	if len(keys) == 1 {
		switch key := keys[0]; key.typ {
		case Int, DateTime, Time, Duration, Date:
			g.byInt(key)
			return g
		case Text, JSON:
			g.byText(key)
			return g
		}
	}
	seen := make(map[string]int32)
	var buf []byte
	for r := range rows {
		buf = buf[:0]
		for _, key := range keys {
			buf = appendRaw(buf, key.value(r))
		}
		id, ok := seen[string(buf)]
		if !ok {
			id = g.add(r)
			seen[string(buf)] = id
		}
		g.group[r] = id
	}
	return g
}

func (g *grouping) add(row int) int32 {
	g.first = append(g.first, row)
	return int32(len(g.first) - 1)
}

func (g *grouping) byInt(key *cells) {
	seen, null := make(map[int64]int32), int32(-1)
	for r := range g.group {
		if key.isNull(r) {
			if null < 0 {
				null = g.add(r)
			}
			g.group[r] = null
			continue
		}
		k := key.value(r).i
		id, ok := seen[k]
		if !ok {
			id = g.add(r)
			seen[k] = id
		}
		g.group[r] = id
	}
}

func (g *grouping) byText(key *cells) {
	seen, null := make(map[string]int32), int32(-1)
	for r := range g.group {
		if key.isNull(r) {
			if null < 0 {
				null = g.add(r)
			}
			g.group[r] = null
			continue
		}
		k := key.text.Value(r)
		id, ok := seen[k]
		if !ok {
			id = g.add(r)
			seen[k] = id
		}
		g.group[r] = id
	}
}
