package memory

import (
	"cmp"
	"context"
	"slices"
)

// Bounds of a search.
const (
	// maxPostings bounds the memories that are looked at for one word: the newest of those that have it. A word of which there
	// are more is common.
	maxPostings = 1024
	// maxCandidates are the memories whose texts are read and compared word by word.
	maxCandidates = 40
	// maxWritten bounds the memories that are looked at for a word as it is written, beside its other forms.
	maxWritten = maxCandidates
)

// scoreFloor is the least relevance score of a result: about one word of a long question. Less is no answer.
const scoreFloor = 10

// hit is a memory that a search found.
type hit struct {
	Memory
	score float64 // relevance, 0 to 100
	bm25  float64
}

// found is what a search gives.
type found struct {
	hits      []hit               // best first
	dropped   int                 // words of the query that were not looked at
	corrected map[string][]string // unknown words, and those that were taken for them
	notes     []string
}

// searcher looks for memories in one namespace of one owner.
type searcher struct {
	store            Store
	owner, namespace string
}

// lexical finds memories by words. Of those that cover most of the query the best are read, compared word by word, and ordered
// by their score, then by BM25, then by age.
func (s *searcher) lexical(ctx context.Context, query string, limit int) (found, error) {
	words, all := parseQuery(query)
	out := found{dropped: all - len(words), corrected: map[string][]string{}}
	memories, total, err := s.store.MemorySizes(ctx, s.owner, s.namespace)
	if err != nil || memories == 0 || len(words) == 0 {
		return out, err
	}
	lists := make([][]posting, len(words))
	for i := range words {
		w := &words[i]
		if lists[i], err = s.postings(ctx, w); err != nil {
			return out, err
		}
		w.df = len(lists[i])
		w.weigh(memories)
		for _, c := range w.close {
			if c.quality == qualityTypo && w.unknown {
				out.corrected[w.surface] = append(out.corrected[w.surface], c.word)
			}
		}
	}
	candidates, err := s.candidates(ctx, words, lists, limit)
	if err != nil || len(candidates) == 0 {
		return out, err
	}
	texts, err := s.store.MemoriesByNumber(ctx, s.owner, s.namespace, candidates)
	if err != nil {
		return out, err
	}
	r := newRanker(words, memories, total)
	for _, m := range texts {
		if h := r.rank(m); h.score >= scoreFloor {
			out.hits = append(out.hits, h)
		}
	}
	slices.SortFunc(out.hits, betterHit)
	out.hits = out.hits[:min(len(out.hits), limit)]
	return out, nil
}

func betterHit(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.bm25, a.bm25), cmp.Compare(b.Number, a.Number))
}

// posting is a memory that has a word, and how well the word fits.
type posting struct {
	number  int64
	quality float64
}

// postings finds the memories that have a word: as written, inflected, and, where they are few, with words that may be meant.
func (s *searcher) postings(ctx context.Context, w *queryWord) ([]posting, error) {
	forms, err := s.store.MemoryPostings(ctx, s.owner, s.namespace, w.forms(), maxPostings)
	if err != nil {
		return nil, err
	}
	w.unknown = len(forms) == 0
	quality := qualityInflected
	if w.stem == "" {
		quality = qualityWritten
	}
	list := postingsOf(forms, quality)
	// Few enough are all read; then it shows which of them have the word as written.
	if w.stem != "" && len(forms) > maxCandidates || w.whole != "" {
		written, err := s.store.MemoryPostings(ctx, s.owner, s.namespace, w.written(), maxWritten)
		if err != nil {
			return nil, err
		}
		list = merge(list, postingsOf(written, qualityWritten), better)
	}
	if len(list) >= rareWord {
		return list, nil
	}
	if err := s.closeWords(ctx, w); err != nil {
		return nil, err
	}
	for _, quality := range []float64{qualityTypo, qualityPart} {
		var terms []string
		for _, c := range w.close {
			if c.quality == quality {
				terms = append(terms, asWritten+c.word)
			}
		}
		more, err := s.store.MemoryPostings(ctx, s.owner, s.namespace, terms, maxPostings)
		if err != nil {
			return nil, err
		}
		list = merge(list, postingsOf(more, quality), better)
	}
	return list, nil
}

func postingsOf(numbers []int64, quality float64) []posting {
	list := make([]posting, len(numbers))
	for i, n := range numbers {
		list[i] = posting{n, quality}
	}
	return list
}

func better(a, b float64) float64 { return max(a, b) }

func sum(a, b float64) float64 { return a + b }

// merge joins two lists in the order of their numbers; both says what a memory in both of them gets.
func merge(a, b []posting, both func(a, b float64) float64) []posting {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]posting, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].number < b[0].number:
			out, a = append(out, a[0]), a[1:]
		case a[0].number > b[0].number:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, posting{a[0].number, both(a[0].quality, b[0].quality)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// candidates picks the memories whose texts are to be read: those that cover most of the query's weight, the newest first
// where they cover as much.
func (s *searcher) candidates(ctx context.Context, words []queryWord, lists [][]posting, limit int) ([]int64, error) {
	if err := s.complete(ctx, words, lists); err != nil {
		return nil, err
	}
	var all []posting
	for i, list := range lists {
		for j := range list {
			list[j].quality *= words[i].weight
		}
		all = merge(all, list, sum)
	}
	best := top(all, maxCandidates)
	if len(best) > limit {
		// What the text shows may raise a word from inflected to written, never by more. So what is further behind the last
		// result than that cannot overtake it.
		least := best[limit-1].quality * qualityInflected
		best = slices.DeleteFunc(best, func(p posting) bool { return p.quality < least })
	}
	numbers := make([]int64, len(best))
	for i, p := range best {
		numbers[i] = p.number
	}
	return numbers, nil
}

// complete adds to the lists of common words, which were cut, the older memories that matter: those that have all common words
// of the query, and those that have one beside a rare word.
func (s *searcher) complete(ctx context.Context, words []queryWord, lists [][]posting) error {
	var rare []string
	var common []int
	var groups [][]string
	few := 0
	for i, list := range lists {
		if len(list) >= maxPostings {
			common, groups = append(common, i), append(groups, words[i].forms())
		} else {
			rare, few = append(rare, words[i].all()...), few+len(list)
		}
	}
	if len(common) > 1 {
		numbers, err := s.store.MemoryConjunction(ctx, s.owner, s.namespace, groups, maxCandidates)
		if err != nil {
			return err
		}
		for _, i := range common {
			lists[i] = merge(lists[i], postingsOf(numbers, qualityInflected), better)
		}
	}
	if few <= maxCandidates {
		return nil // they are all read
	}
	for j, i := range common {
		numbers, err := s.store.MemoryConjunction(ctx, s.owner, s.namespace, [][]string{rare, groups[j]}, maxPostings)
		if err != nil {
			return err
		}
		lists[i] = merge(lists[i], postingsOf(numbers, qualityInflected), better)
	}
	return nil
}

// top returns the n postings with most weight, best first, the newest first where they are equal.
func top(list []posting, n int) []posting {
	order := func(a, b posting) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(b.number, a.number))
	}
	best := make([]posting, 0, n+1)
	for i := len(list) - 1; i >= 0; i-- {
		p := list[i]
		if len(best) == n && order(p, best[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, p, order)
		best = slices.Insert(best, at, p)
		best = best[:min(len(best), n)]
	}
	return best
}
