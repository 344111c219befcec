package calls

import (
	"embed"
	"strings"
	"sync"

	"catena/planner/plan"
)

//go:embed data/*.txt
var wordFiles embed.FS

// nounWords are the words of data/kinds.*.txt.
type nounWords struct {
	act, id, name, plain, person, denies, every, becomes, joins, who map[string]bool
	alike                                                            map[string][]string
}

var nouns = sync.OnceValue(func() *nounWords {
	w := &nounWords{alike: map[string][]string{}}
	sets := map[string]*map[string]bool{
		"act": &w.act, "id": &w.id, "name": &w.name, "plain": &w.plain, "person": &w.person,
		"denies": &w.denies, "every": &w.every, "becomes": &w.becomes, "joins": &w.joins, "who": &w.who,
	}
	for _, set := range sets {
		*set = map[string]bool{}
	}
	names, err := wordFiles.ReadDir("data")
	if err != nil {
		panic("planner/calls: " + err.Error()) // the files are built in
	}
	for _, n := range names {
		data, err := wordFiles.ReadFile("data/" + n.Name())
		if err != nil {
			panic("planner/calls: " + err.Error())
		}
		for line := range strings.Lines(string(data)) {
			cat, rest, ok := strings.Cut(line, " : ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			if set := sets[cat]; set != nil {
				for word := range plan.WordSet(rest) {
					(*set)[word] = true
				}
				continue
			}
			group := strings.Fields(rest)
			for _, word := range group {
				w.alike[word] = append(w.alike[word], group...)
			}
		}
	}
	return w
})

// alike reports whether two words in the singular mean one thing.
func alike(a, b string) bool {
	if a == b || stem(a) == stem(b) {
		return true
	}
	for _, w := range nouns().alike[a] {
		if w == b {
			return true
		}
	}
	return false
}
