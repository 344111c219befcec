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
	act, id, name, plain, person, denies, every, becomes, joins, who, of, before, many, generic map[string]bool
	alike                                                                                       map[string][]string
}

var nouns = sync.OnceValue(func() *nounWords {
	w := &nounWords{alike: map[string][]string{}}
	sets := map[string]*map[string]bool{
		"act": &w.act, "id": &w.id, "name": &w.name, "plain": &w.plain, "person": &w.person,
		"denies": &w.denies, "every": &w.every, "becomes": &w.becomes, "joins": &w.joins, "who": &w.who, "of": &w.of, "before": &w.before, "many": &w.many, "generic": &w.generic,
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

// kin reports whether two words are forms of one: assigned, assignee.
func kin(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a == b || n >= leastKin && n >= min(len(a), len(b))-1 && max(len(a), len(b)) <= n+4
}

// leastKin is how many letters kin words begin with in common.
const leastKin = 4

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
