package reader

import (
	"slices"
	"strings"
)

// Names of features, or of kinds of them: what follows is a category, a rule, a way of finding.
const (
	featRule    = "rule "
	featSpan    = "span "
	featSkip    = "skip "
	featFollows = "follows"  // the answer before is changed
	featAlone   = "alone"    // it is not, though there is one
	featMiss    = "miss "    // how far from sure a span is
	featLost    = "lost "    // the word that something should follow which is passed over
	featOutdone = "outdone " // how much better another name fits the same words
)

// spanFeatures are those of a span that a reading makes use of.
func spanFeatures(s *span) []Feature {
	if s.how == "" || s.how == howWord {
		return nil
	}
	name := string(s.cat) + " " + s.how
	out := []Feature{{Name: featSpan + name, Value: float64(s.to - s.from - s.links)}}
	if s.score < 1 {
		out = append(out, Feature{Name: featMiss + name, Value: 1 - s.score})
	}
	if s.outdone > 0 {
		out = append(out, Feature{Name: featOutdone + string(s.cat), Value: s.outdone})
	}
	return out
}

// compareSpans says of each name how much better another fits the very same words.
func compareSpans(spans []span) {
	best := map[[2]int]float64{}
	for _, s := range spans {
		if s.names() {
			best[[2]int{s.from, s.to}] = max(best[[2]int{s.from, s.to}], s.score)
		}
	}
	for i := range spans {
		if s := &spans[i]; s.names() {
			s.outdone = best[[2]int{s.from, s.to}] - s.score
		}
	}
	literally := map[[2]int]bool{}
	for _, s := range spans {
		if s.cat == catField && (s.how == howName || s.how == howPart) {
			literally[[2]int{s.from, s.to}] = true
		}
	}
	for i := range spans {
		s := &spans[i]
		if s.cat == catField && s.how == howSynonym && literally[[2]int{s.from, s.to}] {
			s.outdone = max(s.outdone, meant)
		}
	}
}

// meant is how much a name that has the very word fits better than one that it only stands for.
const meant = 0.4

// names reports whether a span is a table, a column or a value.
func (s *span) names() bool { return s.cat == catEntity || s.cat == catField || s.cat == catValue }

// What is passed over: the kinds of tokens.
const (
	skipFiller  = "filler"
	skipFixed   = "fixed "  // a category of words that change a question
	skipLinked  = "linked"  // names something of the tables
	skipNamed   = "named"   // is all of such a name
	skipUnknown = "unknown" // nobody knows the word
	skipMark    = "mark"
	skipNumber  = "number" // or a time
)

// skips says of each token what passing over it means: a kind, or the category of a word of the lexicon.
func skips(toks []token, spans []span) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		if t.kind == markToken {
			out[i] = skipMark
		}
	}
	for _, s := range spans {
		for i := s.from; i < s.to; i++ {
			out[i] = worse(out[i], skipKind(s))
		}
	}
	for i := range out {
		if out[i] == "" {
			out[i] = skipUnknown
		}
	}
	return out
}

func skipKind(s span) string {
	switch {
	case s.fixed:
		return skipFixed + string(s.cat)
	case s.cat == skipFiller:
		return skipFiller
	case s.cat == catNumber || s.cat == catPeriod:
		return skipNumber
	case s.how == howWord || s.how == "":
		return string(s.cat)
	}
	if s.how == howName || s.how == howSynonym {
		return skipNamed
	}
	return skipLinked
}

// worse is the kind that counts where a token may be several things: that of words which change a question, then that of
// harmless words, then any other.
func worse(a, b string) string {
	for _, k := range []string{skipMark, skipNumber, skipFixed, skipNamed, skipFiller} {
		for _, x := range []string{a, b} {
			if strings.HasPrefix(x, k) {
				return x
			}
		}
	}
	if a == "" || a == skipLinked && b != "" {
		return b
	}
	return a
}

// gather are the features of a whole reading: those of its nodes, and of what lies between and around them.
func gather(n *node, kinds []string) (list []Feature, skipped []int) {
	sum := map[string]float64{}
	used := make([]bool, len(kinds))
	var walk func(n *node)
	walk = func(n *node) {
		for _, f := range n.local {
			sum[f.Name] += f.Value
		}
		if n.span != nil {
			for i := n.from; i < n.to; i++ {
				used[i] = true
			}
		}
		for _, p := range n.parts {
			walk(p)
		}
	}
	walk(n)
	for i, k := range kinds {
		if !used[i] {
			sum[featSkip+k]++
			if k != skipMark && k != skipFiller {
				skipped = append(skipped, i)
			}
		}
	}
	for name, v := range sum {
		list = append(list, Feature{name, v})
	}
	slices.SortFunc(list, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) })
	return list, skipped
}

// askingCats are categories of words that something must follow: what is counted, compared, shown.
var askingCats = map[category]bool{
	"agg": true, "ask": true, "by": true, "cmp": true, "comparative": true, "count": true, "distinct": true, "frequent": true,
	"not": true, "ratio": true, "share": true, "show": true, "super": true, "superadj": true, "top": true,
}

// places says of each token which word that something must follow stands before it, words that mean nothing apart: "" is
// none, beginning is before the first.
func places(kinds []string, spans []span) []string {
	asking := make([]string, len(kinds))
	for _, s := range spans {
		if askingCats[s.cat] && s.to <= len(kinds) {
			asking[s.to-1] = string(s.cat)
		}
	}
	out, last := make([]string, len(kinds)), beginning
	for i, k := range kinds {
		out[i] = last
		switch {
		case asking[i] != "":
			last = asking[i]
		case k != skipFiller && k != skipMark && k != string(catBe) && k != "of":
			last = ""
		}
	}
	return out
}

// beginning is before the first word of a message.
const beginning = "^"

// lost are features of content words that are passed over where something must follow.
func lost(skipped []int, kinds, places []string) []Feature {
	var out []Feature
	for _, i := range skipped {
		if k := kinds[i]; places[i] != "" && (k == skipUnknown || k == skipLinked || k == skipNamed) {
			out = append(out, fact(featLost+places[i]))
		}
	}
	return out
}

// derivation says how a reading was made, a line for each node.
func derivation(n *node, toks []token, depth int) []string {
	words := make([]string, 0, n.to-n.from)
	for _, t := range toks[n.from:n.to] {
		words = append(words, t.text)
	}
	var what string
	if n.rule != nil {
		what = n.rule.id
	} else {
		what = string(n.span.cat) + " " + n.span.sense + " " + n.span.how
	}
	out := []string{strings.Repeat("  ", depth) + what + "  [" + strings.Join(words, " ") + "]"}
	for _, p := range n.parts {
		out = append(out, derivation(p, toks, depth+1)...)
	}
	return out
}

// behind are features of readings of a message behind an answer that do not change it.
func (s *scope) behind(list []Feature) []Feature {
	follows := func(f Feature) bool { return f.Name == featFollows || f.Name == featRule+ruleThose }
	if s.earlier == nil || slices.ContainsFunc(list, follows) {
		return nil
	}
	if slices.ContainsFunc(list, func(f Feature) bool { return f.Name == featQuery+tablesUnsaid }) {
		return []Feature{fact(featAlone), fact(featAlone + " unsaid")}
	}
	return []Feature{fact(featAlone)}
}

// ruleThose is the rule of words for what the answer before was made of, tablesUnsaid the feature of tables that no
// word names.
const (
	ruleThose    = "Set<-those:earlier"
	tablesUnsaid = "tables unsaid"
)
