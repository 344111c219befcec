package reader

import (
	"slices"
	"strings"

	"catena/planner/reader/link"
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
func spanFeatures(s *link.Span) []Feature {
	if s.How == "" || s.How == link.HowWord {
		return nil
	}
	name := string(s.Category) + " " + s.How
	out := []Feature{{Name: featSpan + name, Value: float64(s.To - s.From - s.Links)}}
	if s.Score < 1 {
		out = append(out, Feature{Name: featMiss + name, Value: 1 - s.Score})
	}
	if s.Outdone > 0 {
		out = append(out, Feature{Name: featOutdone + string(s.Category), Value: s.Outdone})
	}
	return out
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
			if k != link.SkipMark && k != link.SkipFiller {
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
var askingCats = map[link.Category]bool{
	"agg": true, "ask": true, "by": true, "cmp": true, "comparative": true, "count": true, "distinct": true, "frequent": true,
	"not": true, "ratio": true, "share": true, "show": true, "super": true, "superadj": true, "top": true,
}

// places says of each token which word that something must follow stands before it, words that mean nothing apart: "" is
// none, beginning is before the first.
func places(kinds []string, spans []link.Span) []string {
	asking := make([]string, len(kinds))
	for _, s := range spans {
		if askingCats[s.Category] && s.To <= len(kinds) {
			asking[s.To-1] = string(s.Category)
		}
	}
	out, last := make([]string, len(kinds)), beginning
	for i, k := range kinds {
		out[i] = last
		switch {
		case asking[i] != "":
			last = asking[i]
		case k != link.SkipFiller && k != link.SkipMark && k != string(link.CatBe) && k != "of":
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
		if k := kinds[i]; places[i] != "" && (k == link.SkipUnknown || k == link.SkipLinked || k == link.SkipNamed) {
			out = append(out, fact(featLost+places[i]))
		}
	}
	return out
}

// derivation says how a reading was made, a line for each node.
func derivation(n *node, toks []link.Token, depth int) []string {
	words := make([]string, 0, n.to-n.from)
	for _, t := range toks[n.from:n.to] {
		words = append(words, t.Text)
	}
	var what string
	if n.rule != nil {
		what = n.rule.id
	} else {
		what = string(n.span.Category) + " " + n.span.Sense + " " + n.span.How
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
