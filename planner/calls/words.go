package calls

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.txt
var wordFiles embed.FS

// wordLine is a line of data: a category, a key where it has one, and words.
type wordLine struct{ cat, key, words string }

// wordLines are the lines of all files, read once.
var wordLines = sync.OnceValue(func() []wordLine {
	var out []wordLine
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
			head, words, ok := strings.Cut(line, " : ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			cat, key, _ := strings.Cut(head, " ")
			out = append(out, wordLine{cat, strings.ReplaceAll(key, "_", " "), strings.TrimSpace(words)})
		}
	}
	return out
})

// wordsOf are the words of a category, with spaces between them in the data.
func wordsOf(cat string) map[string]bool {
	out := map[string]bool{}
	for _, l := range wordLines() {
		if l.cat == cat {
			for _, w := range strings.Fields(l.words) {
				out[w] = true
			}
		}
	}
	return out
}

// namesOf gives the keys of the names of a category in lower case, with commas between them in the data.
func namesOf(cat string) map[string]string {
	out := map[string]string{}
	for _, l := range wordLines() {
		if l.cat == cat {
			for _, name := range strings.Split(l.words, ", ") {
				out[strings.ToLower(name)] = l.key
			}
		}
	}
	return out
}

// nounWords are the words of data/kinds.*.txt.
type nounWords struct {
	act, id, name, plain, person, denies, every, becomes, joins, who, of, before, many, generic map[string]bool
	money                                                                                       map[string]bool
	alike                                                                                       map[string][]string
}

var nouns = sync.OnceValue(func() *nounWords {
	w := &nounWords{
		act: wordsOf("act"), id: wordsOf("id"), name: wordsOf("name"), plain: wordsOf("plain"), person: wordsOf("person"),
		denies: wordsOf("denies"), every: wordsOf("every"), becomes: wordsOf("becomes"), joins: wordsOf("joins"),
		who: wordsOf("who"), of: wordsOf("of"), before: wordsOf("before"), many: wordsOf("many"), generic: wordsOf("generic"),
		money: wordsOf("money"),
		alike: map[string][]string{},
	}
	for _, l := range wordLines() {
		if l.cat != "alike" {
			continue
		}
		group := strings.Fields(l.words)
		for _, word := range group {
			w.alike[word] = append(w.alike[word], group...)
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
	if a == "" || b == "" {
		return a == b
	}
	return a == b || a[0] == b[0] && stem(a) == stem(b) || slices.Contains(nouns().alike[a], b)
}
