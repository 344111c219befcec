package memory

import "math"

// BM25's parameters, as Robertson and Zaragoza (2009) give them for usual text.
const (
	saturation = 1.2  // k1: how soon more occurrences of a word stop to count
	lengthened = 0.75 // b: how much of a text's length is set against it
)

// ranker compares texts with a query.
type ranker struct {
	words   []queryWord
	written map[string][]match // words as they stand in a text
	stems   map[string][]match
	full    float64 // the weight of all words of the query
	mean    float64 // words of a memory
}

// match says that a form belongs to a word of the query.
type match struct {
	word    int
	quality float64
}

func newRanker(words []queryWord, memories, total int64) *ranker {
	r := &ranker{words: words, written: map[string][]match{}, stems: map[string][]match{}, mean: max(1, float64(total)/float64(memories))}
	for i := range words {
		w := &words[i]
		r.full += w.weight
		for _, term := range w.written() {
			form := term[len(asWritten):]
			r.written[form] = append(r.written[form], match{i, qualityWritten})
		}
		if w.stem != "" {
			r.stems[w.stem] = append(r.stems[w.stem], match{i, qualityInflected})
		}
		for _, c := range w.close {
			r.written[c.word] = append(r.written[c.word], match{i, c.quality})
		}
	}
	return r
}

// seen is what a text has of a word of the query.
type seen struct {
	best  float64 // quality of its best form
	often float64 // occurrences, each by its quality
}

// rank scores a memory. The score is the share of the query's weight that the memory covers, in percent: 100 when its text and
// its tags have every word of the query as written.
func (r *ranker) rank(m Memory) hit {
	has := make([]seen, len(r.words))
	length := r.count(m.Content, has)
	for _, tag := range m.Tags {
		length += r.count(tag, has)
	}
	h := hit{Memory: m}
	var covered float64
	norm := saturation * (1 - lengthened + lengthened*float64(length)/r.mean)
	for i, w := range r.words {
		covered += w.weight * has[i].best
		h.bm25 += w.idf * has[i].often * (saturation + 1) / (has[i].often + norm)
	}
	h.score = math.Round(1000*covered/r.full) / 10
	return h
}

// count adds what a text has of the query's words, and returns how many words it has at all.
func (r *ranker) count(text string, has []seen) (length int) {
	for _, t := range tokens(text) {
		if t.surface != "" {
			length++
		}
		written, stems := r.written[t.surface], r.stems[t.stem]
		for _, m := range written {
			has[m.word].see(m.quality)
		}
		for _, m := range stems {
			if !matches(written, m.word) { // as written is better, and counted
				has[m.word].see(m.quality)
			}
		}
	}
	return length
}

func matches(list []match, word int) bool {
	for _, m := range list {
		if m.word == word {
			return true
		}
	}
	return false
}

func (s *seen) see(quality float64) {
	s.best = max(s.best, quality)
	s.often += quality
}
