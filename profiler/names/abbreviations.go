package names

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

// abbreviations.tsv holds a line for each short form: what it stands for, and a public source that has a column named so with that label. go -C bench
// run ./names/abbreviations leaves out what none of the sources of the weights bears out.
//
//go:embed abbreviations.tsv
var abbreviationList string

// listFields are how many fields a line of the list has.
const listFields = 3

// Abbreviations are the short forms of business and data English with what they stand for, in small letters but for acronyms and names. The map
// is shared and only to be read.
var Abbreviations = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(abbreviationList) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) == listFields {
			out[fields[0]] = fields[1]
		}
	}
	return out
})

// abbreviationCount is how often an entry counts as seen.
const abbreviationCount = 20

// addAbbreviations counts the short forms of the list beside those that were seen; the words have to be in the vocabulary.
func (g *grams) addAbbreviations(lex *lexicon, list map[string]string) {
	at := make(map[string]int, len(g.pieces))
	for i, p := range g.pieces {
		at[p.piece] = i
	}
	for _, short := range slices.Sorted(maps.Keys(list)) {
		words, ok := lex.ids(strings.Fields(strings.ToLower(list[short])))
		if !ok {
			continue
		}
		i, seen := at[short]
		if !seen {
			i = len(g.pieces)
			g.pieces = append(g.pieces, pieceSenses{piece: short})
		}
		of := slices.Clone(g.pieces[i].senses) // its memory is shared
		if k := slices.IndexFunc(of, func(s sense) bool { return slices.Equal(s.words, words) }); k >= 0 {
			of[k].count += abbreviationCount
		} else {
			of = append(of, sense{words: words, count: abbreviationCount})
		}
		g.pieces[i].senses = of
	}
}
