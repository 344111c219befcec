package offline

// timeNear gives the column of times that a stretch of time at i speaks of: the one that the words before it name ("closed
// last month"), else the table's own. A value or column that those words were read as is then explained.
func (r *reader) timeNear(i int) int {
	for back := 1; back <= 4; back++ {
		t := r.tokenAt(i - back)
		for c := range r.v.cols {
			col := &r.v.cols[c]
			if c == r.v.time || !col.time || col.year || len(col.names[0]) != 1 || !sameAct(col.names[0][0], t) {
				continue
			}
			if k := r.mentionAt(i-back, i-back+1); k >= 0 && r.mentions[k].j-r.mentions[k].i == 1 {
				r.mentions[k].used = true
			}
			return c
		}
		if t.content() && periodWords[t.lemma] == "" {
			break
		}
	}
	return r.v.time
}

// sameAct reports whether a word is the act that a column of times is called by: close and closing for closed.
func sameAct(w nameWord, t token) bool {
	return t.kind == wordToken && (w.lemma == t.lemma || len(t.low) >= 4 && w.stem == t.stem)
}
