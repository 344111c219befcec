package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
)

// Words that may be meant are looked for where a word and its inflections are in fewer than rareWord memories: where there are
// enough, they would only add what fits less.
const rareWord = 20

// Bounds of the look-up.
const (
	maxVocabulary = 1000 // words of the vocabulary that one prefix or suffix may give
	maxTypos      = 5    // corrections of one word
	maxParts      = 20   // longer words with the word at their beginning or end
)

// closeWords finds the words of the owner's vocabulary that a query's word may mean: those it begins or ends (pay: payment,
// base: database), and those that differ by a slip.
func (s *searcher) closeWords(ctx context.Context, w *queryWord) error {
	n := utf8.RuneCountInString(w.surface)
	if n < 3 || w.stem == "" {
		return nil
	}
	begin := w.stem
	if utf8.RuneCountInString(begin) < 3 {
		begin = w.surface
	}
	longer, err := s.vocabulary(ctx, begin, "")
	if err != nil {
		return err
	}
	var parts []closeWord
	for _, word := range longer {
		if text.Stem(word) != w.stem {
			parts = append(parts, closeWord{word, qualityPart})
		}
	}
	if n >= 4 {
		longer, err := s.vocabulary(ctx, "", w.surface)
		if err != nil {
			return err
		}
		for _, word := range longer {
			if word != w.surface && !slices.Contains(parts, closeWord{word, qualityPart}) {
				parts = append(parts, closeWord{word, qualityPart})
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b closeWord) int { return cmp.Compare(len(a.word), len(b.word)) })
	typos, err := s.typos(ctx, w)
	if err != nil {
		return err
	}
	w.close = append(typos, parts[:min(len(parts), maxParts)]...)
	return nil
}

func (s *searcher) vocabulary(ctx context.Context, prefix, suffix string) ([]string, error) {
	return s.store.MemoryWords(ctx, s.owner, s.namespace, prefix, suffix, maxVocabulary)
}

// slips is how many letters may differ: none in words of up to 3 letters, 1 up to 7, 2 in longer ones. Words with digits are
// never corrected: 2023 is not 2024.
func slips(word string) int {
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return 0
	}
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// typos finds the words that differ by a slip. A slip leaves the beginning or the end as it was, so only words that share one
// of them are compared.
func (s *searcher) typos(ctx context.Context, w *queryWord) ([]closeWord, error) {
	most := slips(w.surface)
	if most == 0 {
		return nil, nil
	}
	r := []rune(w.surface)
	// With one slip, also a swap of two letters in the middle, one of these is whole; with two slips, nearly always.
	keep := max(1, (len(r)-1-most)/2)
	type found struct {
		word     string
		distance int
	}
	var near []found
	for _, ends := range [][2]string{{string(r[:keep]), ""}, {"", string(r[len(r)-keep:])}} {
		words, err := s.vocabulary(ctx, ends[0], ends[1])
		if err != nil {
			return nil, err
		}
		for _, word := range words {
			d := text.Distance(w.surface, word, most)
			if d > 0 && d <= most && text.Stem(word) != w.stem && !slices.Contains(near, found{word, d}) {
				near = append(near, found{word, d})
			}
		}
	}
	slices.SortStableFunc(near, func(a, b found) int { return cmp.Compare(a.distance, b.distance) })
	var out []closeWord
	for _, f := range near[:min(len(near), maxTypos)] {
		out = append(out, closeWord{f.word, qualityTypo})
	}
	return out, nil
}
