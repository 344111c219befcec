package planner

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"catena/planner/plan"
)

// toolkitName is the toolset of query_table and its like, which plans compute with whatever else they call.
const toolkitName = "data"

// namedServer is added to the score of a tool whose server the message names. It is about what a word in a description
// counts for, and less than a word of the tool's own name.
const namedServer = 5

// Shortlist returns the n tools that fit a message best, in the order of tools: first the data tools, then those that share
// the rarest words with the message by name, title, description and arguments, then the first of the rest. It is LLM's
// Shortlist. n of 0 or less gives none; tools is not changed. Safe for concurrent use.
func Shortlist(message string, tools []plan.Tool, n int) []plan.Tool {
	if n >= len(tools) {
		return slices.Clone(tools)
	}
	s := shortlist{chosen: map[string]bool{}, left: max(n, 0)}
	for _, t := range tools {
		if t.Toolset == toolkitName && !strings.Contains(t.Name, "__") { // a server's tools are named server__tool
			s.choose(t)
		}
	}
	for _, t := range byFit(message, tools) {
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
func byFit(message string, tools []plan.Tool) []plan.Tool {
	words := foldWords(message)
	score := map[string]float64{}
	for _, r := range newCatalogue(tools).rank(tokenize(message)) {
		score[r.tool.Name] = math.Round(r.score*1e6) / 1e6 // its words were added in no order
	}
	for _, t := range tools {
		if name := foldWords(t.Toolset); name != " " && strings.Contains(words, name) {
			score[t.Name] += namedServer
		}
	}
	out := slices.DeleteFunc(slices.Clone(tools), func(t plan.Tool) bool { return score[t.Name] == 0 })
	slices.SortStableFunc(out, func(a, b plan.Tool) int { return cmp.Compare(score[b.Name], score[a.Name]) })
	return out
}
