package names

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// abbreviations.tsv holds a line for each short form: what it stands for in most of the public sources that have it, up
// to three of those sources, and the other endings that sources have of the same word. go -C bench run
// ./names/abbreviations writes it.
//
//go:embed abbreviations.tsv
var abbreviationList string

// attested.tsv holds a line for each short form that people in business use otherwise than most sources do, or that
// few sources have: what it stands for, and a public source that has it so. It was chosen by hand, and goes before
// the list that was learnt.
//
//go:embed attested.tsv
var attestedList string

// abbreviation is an entry of the list.
type abbreviation struct {
	short, long string
	others      []string // endings
}

// abbreviationEntries reads the list, which is in the order of the short forms.
var abbreviationEntries = sync.OnceValue(func() []abbreviation {
	out := make([]abbreviation, 0, strings.Count(abbreviationList, "\n"))
	attested := map[string]bool{}
	for line := range strings.Lines(attestedList) {
		short, rest, _ := strings.Cut(line, "\t")
		long, _, _ := strings.Cut(rest, "\t")
		out = append(out, abbreviation{short: short, long: long})
		attested[short] = true
	}
	for line := range strings.Lines(abbreviationList) {
		short, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		long, rest, _ := strings.Cut(rest, "\t")
		_, others, whole := strings.Cut(rest, "\t")
		if !whole || attested[short] {
			continue
		}
		a := abbreviation{short: short, long: long}
		if others != "" {
			a.others = strings.Fields(others)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b abbreviation) int { return strings.Compare(a.short, b.short) })
	return out
})

// Abbreviations are the short forms of names with what they stand for, in small letters. The map is shared and only to
// be read.
var Abbreviations = sync.OnceValue(func() map[string]string {
	list := abbreviationEntries()
	out := make(map[string]string, len(list))
	for _, a := range list {
		out[a.short] = a.long
	}
	return out
})

// addAbbreviations counts what the short forms of the list stand for beside what was seen, each once; the words have to
// be in the vocabulary.
func (g *grams) addAbbreviations(lex *lexicon, list []abbreviation) {
	at := make(map[string]int, len(g.pieces))
	for i, p := range g.pieces {
		at[p.piece] = i
	}
	for _, a := range list {
		for _, long := range append([]string{a.long}, a.others...) {
			words, ok := lex.ids(strings.Fields(long))
			if !ok {
				continue
			}
			i, seen := at[a.short]
			if !seen {
				i = len(g.pieces)
				at[a.short] = i
				g.pieces = append(g.pieces, pieceSenses{piece: a.short})
			}
			of := slices.Clone(g.pieces[i].senses) // its memory is shared
			if k := slices.IndexFunc(of, func(s sense) bool { return slices.Equal(s.words, words) }); k >= 0 {
				of[k].count++
			} else {
				of = append(of, sense{words: words, count: 1})
			}
			g.pieces[i].senses = of
		}
	}
}
