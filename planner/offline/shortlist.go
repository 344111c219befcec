package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/retrieval"
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
		if !p.required || p.entity == "" {
			continue
		}
		for _, g := range c.fielded[p.name] {
			names[g.Name] = true
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
	s := shortlist{chosen: make([]bool, len(tools)), left: max(n, 0)}
	for i, t := range tools {
		if t.Toolset == toolkitName && !strings.Contains(t.Name, "__") { // a server's tools are named server__tool
			s.choose(i)
		}
	}
	if s.left > 0 {
		for _, hit := range retrieval.Best(o.catalogueOf(tools).fits(message), n) { // n, since some of them may be chosen
			s.choose(hit.Tool)
		}
	}
	for i := range tools {
		s.choose(i)
	}
	out := make([]plan.Tool, 0, n)
	for i, t := range tools {
		if s.chosen[i] {
			out = append(out, t)
		}
	}
	return out
}

// shortlist is a choice in the making.
type shortlist struct {
	chosen []bool
	left   int
}

func (s *shortlist) choose(i int) {
	if s.left > 0 && !s.chosen[i] {
		s.chosen[i] = true
		s.left--
	}
}

// fits says how well each tool fits a message. A server's name in the message speaks for all its tools.
func (c *catalogue) fits(message string) []float64 {
	score := c.indexed().Scores(message)
	meant := c.meant(tokenize(message))
	if len(meant) > 0 {
		for i, f := range c.tools {
			if meant[f.Name] {
				score[i] += meantTool
			}
		}
	}
	words := spacedWords(message)
	for name, tools := range c.spoken {
		if strings.Contains(words, name) {
			for _, i := range tools {
				score[i] += namedServer
			}
		}
	}
	return score
}

// spacedWords is a text's words in lower case with one space around each, so that whole words can be searched.
func spacedWords(s string) string { return " " + strings.Join(plan.FoldWords(s), " ") + " " }
