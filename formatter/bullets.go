package formatter

// Bullets is the view as a list: a line per row with heading and value of each cell, in the columns' order. A first
// cell that is no number names the row: it is bold, without its heading. Cells without a value are left out.
func (v *View) Bullets() string {
	head := v.markdownTitle(make([]byte, 0, 256))
	if v.NumRows() == 0 {
		head = append(append(head, v.empty()...), '\n')
	}
	lead := -1
	if len(v.visible) > 0 && !v.Columns[v.visible[0]].Right {
		lead = v.visible[0]
	}
	labels := make([]string, len(v.Columns))
	for _, c := range v.visible {
		labels[c] = escape(v.Columns[c].Heading)
	}
	var tail []byte
	if v.Summary != nil {
		tail = append(append(append(tail, "- **"...), v.Summary.Label...), "**"...)
		if v.Summary.Detail != "" {
			tail = append(appendEscaped(append(tail, " ("...), v.Summary.Detail), ')')
		}
		tail = v.bullet(
			append(tail, ": "...),
			-1,
			labels,
			func(b []byte, c int) []byte { return append(b, v.SummaryCell(c)...) },
		)
	}
	return v.writeText(head, v.lists(tail, ""), 32*(len(v.visible)+1), func(b []byte, r int) []byte {
		b = append(b, "- "...)
		if v.Ranks != nil && v.Ranks[r] > 0 {
			b = append(appendRank(append(b, '#'), v.Ranks[r]), ' ')
		}
		return v.bullet(b, lead, labels, func(b []byte, c int) []byte { return v.markdownCell(b, r, c) })
	})
}

// bullet writes the cells of one line.
func (v *View) bullet(b []byte, lead int, labels []string, cell func(b []byte, c int) []byte) []byte {
	gap := ""
	if lead >= 0 {
		b = append(b, "**"...)
		before := len(b)
		if b = cell(b, lead); len(b) == before {
			b = append(append(append(b, "(no "...), labels[lead]...), ')')
		}
		b = append(b, "**"...)
		gap = ": "
	}
	for _, c := range v.visible {
		if c == lead {
			continue
		}
		before := len(b)
		b = append(append(append(b, gap...), labels[c]...), ' ')
		start := len(b)
		if b = cell(b, c); len(b) == start {
			b = b[:before]
			continue
		}
		gap = "; "
	}
	return append(b, '\n')
}
