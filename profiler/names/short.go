package names

import (
	"cmp"
	"slices"
)

// maxOptions is how many words a piece may be short for.
const maxOptions = 6

// shortening finds the words that pieces may be short for.
type shortening struct {
	byLetter [26][]entry                       // the likeliest first, by grades
	bound    [maxWord + 1][maxWord + 1]float32 // no piece is likelier, by the lengths of word and piece
	highest  [maxWord + 1]float32              // of all lengths of words
}

// entry is a word with the letters that it has.
type entry struct {
	word  id
	mask  uint32
	score float32 // what it ranks by before it is known how likely the piece is to be written for it
}

// ranked is a word that a piece may be short for: log P(piece | word), and what it ranks by among the others.
type ranked struct {
	word        id
	score, rank float32
}

func newShortening(m *Model) *shortening {
	x := &shortening{bound: m.channel.bounds()}
	for k := range x.highest {
		x.highest[k] = unlikely
		for n := k + 1; n <= maxWord; n++ {
			x.bound[n][k] += m.channel.abbreviated[min(n, lengths-1)]
			x.highest[k] = max(x.highest[k], x.bound[n][k])
		}
	}
	x.fill(m)
	return x
}

// grade is how finely words are put in order: exp(grade) apart they are told from one another.
const grade = 0.125

// grades are how many there are; the last holds all the rest.
const grades = 256

// fill puts the words in order, by counting how many are of each grade.
func (x *shortening) fill(m *Model) {
	var sizes [26][grades]int
	entries := make([]entry, 0, len(m.words))
	for i, w := range m.words {
		if i >= int(firstWord) && isShortened(w) {
			e := entry{id(i), mask(w), ln(m.seen[i]) + m.rarity[i]}
			entries = append(entries, e)
			sizes[w[0]-'a'][e.grade()]++
		}
	}
	sorted, at := make([]entry, len(entries)), 0
	var next [26][grades]int
	for c := range sizes {
		begin := at
		for g, n := range sizes[c] {
			next[c][g] = at
			at += n
		}
		x.byLetter[c] = sorted[begin:at]
	}
	for _, e := range entries {
		to := &next[m.words[e.word][0]-'a'][e.grade()]
		sorted[*to] = e
		*to++
	}
}

// grade is 0 for the likeliest words.
func (e *entry) grade() int { return max(0, min(grades-1, int(-e.score/grade))) }

// isShortened reports whether a piece of letters may stand for a word.
func isShortened(w string) bool { return len(w) <= maxWord && w[0] >= 'a' && w[0] <= 'z' }

// shortFor are words that begin with the letters of a piece.
type shortFor struct {
	all []entry  // every word that the piece is part of
	top []ranked // the likeliest of them in no context
}

// shortFor looks up a piece of two letters and more once for a table.
func (s *session) shortFor(piece string) *shortFor {
	if f := s.short[piece]; f != nil {
		return f
	}
	f := &shortFor{}
	s.short[piece] = f
	x := s.m.short
	from := x.byLetter[piece[0]-'a']
	if len(piece) > 2 {
		from = s.shortFor(piece[:len(piece)-1]).all // a word with these letters has those before the last
	}
	bits, begin := mask(piece), len(s.entries)
	for _, e := range from {
		if e.mask&bits == bits && subsequence(piece, s.m.words[e.word]) {
			s.entries = append(s.entries, e)
		}
	}
	f.all = s.entries[begin:len(s.entries):len(s.entries)]
	listed := s.listed(piece)
	for _, e := range f.all {
		if len(f.top) == maxOptions {
			low := f.top[maxOptions-1].rank
			if e.grade() < grades-1 && e.score+grade+x.highest[len(piece)] <= low {
				break
			}
			if e.score+x.bound[len(s.m.words[e.word])][len(piece)] <= low {
				continue
			}
		}
		if !slices.Contains(listed, e.word) {
			score := s.emission(piece, e.word, 0)
			f.top = insertRanked(f.top, ranked{e.word, score, score + e.score - s.m.rarity[e.word]})
		}
	}
	return f
}

// listed are the words that a piece was seen to stand for, and itself.
func (s *session) listed(piece string) []id {
	var out []id
	if w, ok := s.m.id(piece); ok {
		out = append(out, w)
	}
	for _, k := range s.m.senses(piece) {
		if len(k.words) == 1 {
			out = append(out, k.words[0])
		}
	}
	return out
}

// insertRanked keeps the best in order.
func insertRanked(top []ranked, r ranked) []ranked {
	at := len(top)
	for at > 0 && top[at-1].rank < r.rank {
		at--
	}
	if at == maxOptions {
		return top
	}
	top = slices.Insert(top, at, r)
	return top[:min(len(top), maxOptions)]
}

// abbreviations adds the words that piece may be short for. Single letters stand for words of the table only.
func (s *session) abbreviations(out []option, piece string, cost float32) []option {
	if len(piece) == 1 {
		return s.letters(out, piece, cost)
	}
	if len(piece) > maxWord {
		return out
	}
	var room [maxOptions + 1]ranked
	top := room[:0]
	inContext := s.beginningWith(piece[0])
	listed := s.listed(piece)
	if len(listed) == 0 {
		for _, r := range s.shortFor(piece).top {
			if !slices.Contains(inContext, r.word) {
				top = insertRanked(top, r)
			}
		}
	}
	for _, w := range inContext {
		if word := s.word(w); len(word) <= maxWord && !slices.Contains(listed, w) &&
			(int(w) < len(s.m.words) || s.ctx.words[w] > 0.4 && isLetters(word)) && subsequence(piece, word) {
			score := s.emission(piece, w, 0)
			top = insertRanked(top, ranked{w, score, score + ln(s.base(w))})
		}
	}
	for _, r := range top {
		out = append(out, option{words: s.single(r.word), score: r.score + cost})
	}
	return out
}

// letters adds the words of the table that begin with a letter.
func (s *session) letters(out []option, letter string, cost float32) []option {
	listed := s.listed(letter)
	for _, w := range s.beginningWith(letter[0]) {
		if word := s.word(w); s.ctx.words[w] > 0.4 && !slices.Contains(listed, w) && len(word) > 1 && isLetters(word) {
			out = append(out, option{words: s.single(w), score: cost + s.emission(letter, w, 0)})
		}
	}
	slices.SortFunc(out, func(a, b option) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.words[0], b.words[0]))
	})
	return out
}

// base is how likely a word is when nothing is known of what stands before it.
func (s *session) base(w id) float32 {
	p := s.unknown
	if int(w) < len(s.m.words) {
		p = s.m.seen[w]
	}
	if s.ctx.total > 0 {
		p += s.m.tune.Context * s.ctx.words[w] / s.ctx.total
	}
	return p
}

func subsequence(piece, word string) bool {
	if len(piece) >= len(word) {
		return false
	}
	j := 0
	for i := 0; i < len(word) && j < len(piece); i++ {
		if word[i] == piece[j] {
			j++
		}
	}
	return j == len(piece)
}
