package retrieval

import (
	"regexp"
	"strings"

	"catena/planner/plan"
)

// What the parts of a tool's description count for in its vector.
const (
	nameMeaning        = 0.8
	descriptionMeaning = 1
	argumentsMeaning   = 0.4
)

// describe gives the vector of a tool, zero where nothing is said.
func describe(t plan.Tool, arguments string) Vector {
	out := make(Vector, meanings().dims)
	add := func(text string, weight float32) {
		for d, x := range Meaning(text) {
			out[d] += weight * x
		}
	}
	add(strings.Replace(t.Name, "__", " ", 1), nameMeaning)
	add(t.Title+" "+t.Description, descriptionMeaning)
	add(arguments, argumentsMeaning)
	out.scale()
	return out
}

// vector gives the part of the index's vectors that belongs to a tool.
func (x *Index) vector(i int) []float32 {
	n := len(x.vectors) / len(x.docs)
	return x.vectors[i*n : (i+1)*n]
}

var clauseEnd = regexp.MustCompile(`[.?!;,\n]\s+|\s(?:and|then)\s`)

// clausesOf gives the first clauses of a message, as far as they have three words.
func clausesOf(message string) []string {
	const most, fewest = 6, 3
	var out []string
	for _, p := range clauseEnd.Split(message, -1) {
		if len(out) < most && len(strings.Fields(p)) >= fewest {
			out = append(out, p)
		}
	}
	return out
}
