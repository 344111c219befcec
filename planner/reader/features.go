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
	n.each(func(n *node) {
		for _, f := range n.local {
			sum[f.Name] += f.Value
		}
		if n.span != nil {
			for i := n.from; i < n.to; i++ {
				used[i] = true
			}
		}
	})
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
// word names, tablesUnused that of tables that words name and a query leaves out.
const (
	ruleThose    = "Set<-those:earlier"
	tablesUnsaid = "tables unsaid"
	tablesUnused = "tables unused"
)

// Features of what a reading takes for granted and no word says.
const (
	// countsUnsaid is a number of rows beside each thing, or one that things are ranked by, where a table's name
	// follows another's and nothing says that it is counted: authors who have papers are authors.
	countsUnsaid = "counts unsaid"
	// eitherOfMany is one or the other of two values, joined by "and", of what a row has several of: films with two
	// actors are those that both are in.
	eitherOfMany = "either of many"
	// listsColumn is the values of a column where its words are the name of a table: airlines are the rows of that
	// table, and not the airlines that fares have.
	listsColumn = "lists column of a table"
)

// Rules that these features look at.
const (
	ruleLists   = "Set<-Column:fieldrows"
	ruleAnd     = "Cond<-Cond and Cond:both"
	totalOf     = "Total<-Amount"
	countsRows  = "Amount<-Entity:counting"
	countsWhere = "Amount<-Cond Entity:countwhere"
)

// countedBeside are rules of numbers that no word of theirs asks for, with those of the numbers. How many papers in a
// field are papers, whatever else a word counts; how many papers somebody cited are citations.
var countedBeside = map[string][]string{
	"Query<-Group Total:grouped":       {countsRows, countsWhere},
	"Query<-Group by Amount:ranked":    {countsRows, countsWhere},
	"Query<-Total Cond:sidebyside":     {countsRows, countsWhere},
	"Query<-Cond Total:sidebyside":     {countsRows, countsWhere},
	"Query<-count Set Amount:measured": {countsWhere},
}

// takenForGranted are the features above of a reading.
func (s *scope) takenForGranted(a *answer, n *node, besides map[*link.Span]beside) []Feature {
	sum := map[string]float64{}
	n.each(func(n *node) {
		switch {
		case n.rule == nil:
		case n.countsBeside(countedBeside[n.rule.id]):
			sum[countsUnsaid]++
		case n.rule.id == ruleAnd && s.hasSeveral(a, n.mean):
			sum[eitherOfMany]++
		case n.rule.id == ruleLists && n.oneSpan() != nil && besides[n.oneSpan()].table:
			sum[listsColumn]++
		}
	})
	var out []Feature
	for _, name := range []string{countsUnsaid, eitherOfMany, listsColumn} {
		if sum[name] > 0 {
			out = append(out, Feature{name, sum[name]})
		}
	}
	return out
}

// each calls f with a node and all below it.
func (n *node) each(f func(*node)) {
	f(n)
	for _, p := range n.parts {
		p.each(f)
	}
}

// oneSpan is the span that a node is made of, nil where it is of several.
func (n *node) oneSpan() *link.Span {
	for len(n.parts) == 1 {
		n = n.parts[0]
	}
	return n.span
}

// countsBeside reports whether a part of a node is a number by one of some rules.
func (n *node) countsBeside(rules []string) bool {
	return slices.ContainsFunc(n.parts, func(p *node) bool {
		if p.rule != nil && strings.HasPrefix(p.rule.id, totalOf) {
			p = p.parts[0]
		}
		return p.rule != nil && slices.Contains(rules, p.rule.id)
	})
}

// hasSeveral reports whether the rows that an answer is made of may have several of the values that a condition takes
// one of.
func (s *scope) hasSeveral(a *answer, mean meaning) bool {
	c, ok := mean.(*condition)
	if !ok || c.op != opAmong || a.of == nil || len(a.groups) > 0 {
		return false
	}
	path, err := s.path(a.of.table, c.table())
	return err == nil && path.Fans()
}
