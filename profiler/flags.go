package profiler

// fewestFlags is from how many columns of zeros and ones on they are taken for flags beside one another.
const fewestFlags = 3

// shareFlags makes Boolean the columns of a table that hold zeros and ones alone, where there are several of them: one
// answer each. A single one may count something that seldom occurs; its name must say that it is a flag.
func shareFlags(names []Name, scans []*scan, verdicts []verdict) {
	var flags []int
	for c := range verdicts {
		if maybeFlag(names[c], scans[c], &verdicts[c]) {
			flags = append(flags, c)
		}
	}
	if len(flags) < fewestFlags {
		return
	}
	for _, c := range flags {
		v := &verdicts[c]
		v.boolean(0.75)
		v.format, v.aggregate = Suggestion{Kind: "integer"}, AggregateNone
	}
}

// isFlag reports whether a name says that zeros and ones are no and yes: is_member, flag_x, x_flag.
func (n Name) isFlag() bool {
	return questionWords[n.first()] || n.first() == "flag" || n.first() == "indicator" ||
		n.endsWith("flag", "yn", "indicator", "active", "enabled", "deleted", "in", "out")
}

// maybeFlag reports whether a measure may be a flag: zeros and ones, both of them, of nothing that is counted or
// measured.
func maybeFlag(n Name, s *scan, v *verdict) bool {
	if s.stopped || v.role != RoleMeasure || v.semantic != Integer || v.unit != "" {
		return false
	}
	if !s.whole || s.kinds != 2 || n.measures() || plural(n.last()) {
		return false
	}
	lo, hi := s.span()
	return lo == 0 && hi == 1 && s.rows-s.nulls >= fewRows
}

// plural reports whether a word looks like that of several things, which are counted.
func plural(word string) bool {
	last := len(word) - 1
	return last > 2 && word[last] == 's' && word[last-1] != 's' && word[last-1] != 'u' && word[last-1] != 'i'
}
