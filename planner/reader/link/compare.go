package link

// compareSpans says of each name how much better another fits the very same words.
func compareSpans(spans []Span) {
	best := map[[2]int]float64{}
	for _, s := range spans {
		if s.names() {
			best[[2]int{s.From, s.To}] = max(best[[2]int{s.From, s.To}], s.Score)
		}
	}
	for i := range spans {
		if s := &spans[i]; s.names() {
			s.Outdone = best[[2]int{s.From, s.To}] - s.Score
		}
	}
	literally := map[[2]int]bool{}
	for _, s := range spans {
		if s.Category == CatField && (s.How == HowName || s.How == HowPart) {
			literally[[2]int{s.From, s.To}] = true
		}
	}
	for i := range spans {
		s := &spans[i]
		if s.Category == CatField && s.How == HowSynonym && literally[[2]int{s.From, s.To}] {
			s.Outdone = max(s.Outdone, meant)
		}
	}
}

// meant is how much a name that has the very word fits better than one that it only stands for.
const meant = 0.4

// names reports whether a span is a table, a column or a value.
func (s *Span) names() bool {
	return s.Category == CatEntity || s.Category == CatField || s.Category == CatValue
}
