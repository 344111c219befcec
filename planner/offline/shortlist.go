package offline

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// toolkitName is the toolset of query_table and its like, which plans compute with whatever else they call.
const toolkitName = "data"

// namedServer is added to the score of a tool whose server the message names. It is about what a word in a description
// counts for, and less than a word of the tool's own name.
const namedServer = 5

// meantTool is added to the score of a tool that carries out what the message says in words of its own ("what do I know about"),
// which its name and description need not share. It counts for as much as a few words of its name.
const meantTool = 15

// meant names the tools that carry out what a message says, and what gives the ids that they need.
func (c *catalogue) meant(toks []token) map[string]bool {
	out := map[string]bool{}
	parts := append(clauses(toks), toks)
	for _, part := range parts {
		for _, loose := range []bool{false, true} {
			for _, sp := range append(readMeanings(part, loose, true), readMeanings(part, loose, false)...) {
				for _, f := range c.carriers(sp) {
					out[f.Name] = true
					c.addGivers(out, f)
				}
			}
		}
	}
	return out
}

// addGivers adds the tools that give a required id of a tool.
func (c *catalogue) addGivers(names map[string]bool, f *toolFacts) {
	for _, p := range f.params {
		for _, g := range c.tools {
			if p.required && p.entity != "" && slices.Contains(g.fields, p.name) {
				names[g.Name] = true
			}
		}
	}
}

// Shortlist is Planner.Shortlist for those who ask once: it keeps nothing of the tools.
func Shortlist(message string, tools []plan.Tool, n int) []plan.Tool {
	return New().Shortlist(message, tools, n)
}

// Shortlist returns the n tools that fit a message best, in the order of tools: first the data tools, then those that share
// the rarest words with the message by name, title, description and arguments, then the first of the rest. It is made for
// planner.LLM's Shortlist. n of 0 or less gives none; tools is not changed. What it prepares of the tools is kept for the next
// message. Safe for concurrent use.
func (o *Planner) Shortlist(message string, tools []plan.Tool, n int) []plan.Tool {
	if n >= len(tools) {
		return slices.Clone(tools)
	}
	s := shortlist{chosen: map[string]bool{}, left: max(n, 0)}
	for _, t := range tools {
		if t.Toolset == toolkitName && !strings.Contains(t.Name, "__") { // a server's tools are named server__tool
			s.choose(t)
		}
	}
	for _, t := range o.byFit(message, tools) {
		s.choose(t)
	}
	for _, t := range tools {
		s.choose(t)
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t plan.Tool) bool { return !s.chosen[t.Name] })
}

// shortlist is a choice in the making.
type shortlist struct {
	chosen map[string]bool
	left   int
}

func (s *shortlist) choose(t plan.Tool) {
	if s.left > 0 && !s.chosen[t.Name] {
		s.chosen[t.Name] = true
		s.left--
	}
}

// byFit orders the tools that a message speaks of, the best one first. A server's name in the message speaks for all its
// tools.
func (o *Planner) byFit(message string, tools []plan.Tool) []plan.Tool {
	words, toks, cat := spacedWords(message), tokenize(message), o.catalogueOf(tools)
	score := map[string]float64{}
	for _, hit := range cat.indexed().Search(message, len(tools)) {
		score[tools[hit.Tool].Name] = hit.Score
	}
	for name := range cat.meant(toks) {
		score[name] += meantTool
	}
	for _, t := range tools {
		if name := spacedWords(t.Toolset); strings.TrimSpace(name) != "" && strings.Contains(words, name) {
			score[t.Name] += namedServer
		}
	}
	out := slices.DeleteFunc(slices.Clone(tools), func(t plan.Tool) bool { return score[t.Name] == 0 })
	slices.SortStableFunc(out, func(a, b plan.Tool) int { return cmp.Compare(score[b.Name], score[a.Name]) })
	return out
}

// spacedWords is a text's words in lower case with one space around each, so that whole words can be searched.
func spacedWords(s string) string { return " " + strings.Join(plan.FoldWords(s), " ") + " " }
