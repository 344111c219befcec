package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// vocabulary is made-up words by rank: the first ones are the most frequent.
type vocabulary struct{ words []string }

const vocabularySize = 20_000

// newVocabulary makes words of two to four syllables, each different.
func newVocabulary(seed uint64) *vocabulary {
	r := rand.New(rand.NewPCG(seed, seed))
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	v, seen := &vocabulary{}, map[string]bool{}
	for len(v.words) < vocabularySize {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteByte(consonants[r.IntN(len(consonants))])
			b.WriteByte(vowels[r.IntN(len(vowels))])
			if r.IntN(3) == 0 {
				b.WriteByte(consonants[r.IntN(len(consonants))])
			}
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
	return v
}

var (
	small    = strings.Fields("the a of to in and for with on is was that it by at from as be")
	suffixes = []string{"", "", "", "s", "ed", "ing"}
)

// writer makes the texts of one client.
type writer struct {
	vocabulary *vocabulary
	random     *rand.Rand
	zipf       *rand.Zipf
	mark       string
	client     int
	made       int
}

func newWriter(v *vocabulary, owner string, client int) *writer {
	r := rand.New(rand.NewPCG(uint64(client), 7))
	// 1.1 and 5: the most frequent word is in some 5 % of the places, as after stop words in English.
	return &writer{vocabulary: v, random: r, zipf: rand.NewZipf(r, 1.1, 5, vocabularySize-1), mark: "mark" + owner, client: client}
}

// sentence is a text that no other is equal to.
func (w *writer) sentence() string {
	var b strings.Builder
	for i := range 8 + w.random.IntN(13) {
		if i%5 >= 3 {
			b.WriteString(small[w.random.IntN(len(small))])
		} else {
			b.WriteString(w.word() + suffixes[w.random.IntN(len(suffixes))])
		}
		b.WriteByte(' ')
	}
	w.made++
	return fmt.Sprintf("%sno%dx%d %s", b.String(), w.client, w.made, w.mark)
}

func (w *writer) word() string { return w.vocabulary.words[w.zipf.Uint64()] }

// query is two to five of a text's words, one in seven inflected differently and one in seven with a slip.
func (w *writer) query(content string) string {
	words := strings.Fields(content)
	words = words[:len(words)-2] // not the number, not the mark
	var out []string
	for range 2 + w.random.IntN(4) {
		word := words[w.random.IntN(len(words))]
		switch w.random.IntN(7) {
		case 0:
			word = strings.TrimSuffix(word, "s") + "ing"
		case 1:
			if len(word) > 4 {
				at := 1 + w.random.IntN(len(word)-2)
				word = word[:at] + word[at+1:]
			}
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}
