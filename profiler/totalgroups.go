package profiler

// coded is a column whose different texts are numbered from 0 in the order in which they come.
type coded struct {
	codes []uint32
	names []string // by code; empty cells are ""
}

// unique reports whether each row has a text of its own.
func (c *coded) unique() bool { return len(c.names) == len(c.codes) }

// coded gives a column's cells as numbers.
func (s *totalSearch) coded(c int) *coded {
	if known := s.codes[c]; known != nil {
		return known
	}
	out := &coded{codes: make([]uint32, s.t.NumRows())}
	byText := map[string]uint32{}
	for r := range out.codes {
		text := ""
		if v := s.t.Value(r, c); !v.IsNull() {
			text = v.Text()
		}
		code, ok := byText[text]
		if !ok {
			code = uint32(len(out.names))
			byText[text] = code
			out.names = append(out.names, text)
		}
		out.codes[r] = code
	}
	s.codes[c] = out
	return out
}

// distinct counts the different texts of a column in the rows that are left.
func (s *totalSearch) distinct(c int) (n int) {
	column := s.coded(c)
	seen := make([]bool, len(column.names))
	for r, gone := range s.gone {
		if code := column.codes[r]; !gone && !seen[code] {
			seen[code] = true
			n++
		}
	}
	return n
}

// groups numbers the groups of the rows that are left: those of a group have the same text in every key but one.
// There are none (0) where each row is a group of its own, as no row sums up others there: most tables have a key that
// says so by itself, and their other columns are not read.
func (s *totalSearch) groups(but int) (of []uint32, count int) {
	for _, c := range s.keys {
		if known := s.codes[c]; c != but && known != nil && known.unique() {
			return nil, 0
		}
	}
	left := 0
	for _, gone := range s.gone {
		if !gone {
			left++
		}
	}
	of, count = make([]uint32, len(s.gone)), 1
	for _, c := range s.keys {
		if c == but {
			continue
		}
		if count = s.split(of, s.coded(c)); count == left {
			return nil, 0
		}
	}
	return of, count
}

// split makes groups of those rows of each group that have the same text in a column, and counts them.
func (s *totalSearch) split(of []uint32, column *coded) int {
	type part struct{ group, code uint32 }
	parts := map[part]uint32{}
	for r, gone := range s.gone {
		if gone {
			continue
		}
		p := part{of[r], column.codes[r]}
		group, ok := parts[p]
		if !ok {
			group = uint32(len(parts))
			parts[p] = group
		}
		of[r] = group
	}
	return len(parts)
}

// together lists the rows of each group, in their order.
func (s *totalSearch) together(of []uint32, count int) [][]int {
	groups := make([][]int, count)
	for r, gone := range s.gone {
		if !gone {
			groups[of[r]] = append(groups[of[r]], r)
		}
	}
	return groups
}
