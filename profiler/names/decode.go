package names

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Reading is what a name stands for.
type Reading struct {
	Words      []string // in the order of the name, lower case
	Confidence float64  // share of this reading among all that were considered, 0..1
}

// session reads the names of one table.
type session struct {
	m       *Model
	extra   map[string]id // words that are not in the vocabulary
	names   []string      // of extra
	kinds   []id          // of extra, for the language model
	unknown float32       // P(a word that is not in the vocabulary)
	ctx     *context
	texts   []text
	own     [][]id  // what each name gave to the context
	weight  float32 // with what weight
}

// session prepares the names of a table: the context holds the title and the tokens that are words already.
func (m *Model) session(title string, list []string) *session {
	s := &session{m: m, extra: map[string]id{}, ctx: newContext(), unknown: float32(math.Exp(float64(m.tune.Unknown))), weight: 0.5,
		texts: make([]text, len(list)), own: make([][]id, len(list))}
	s.addTitle(title)
	for i, n := range list {
		s.texts[i] = squash(n)
		s.own[i] = s.plainWords(&s.texts[i])
		s.ctx.add(s.own[i], s.weight)
	}
	return s
}

// Read reads the names of a table together; the title may be empty. Each name is read twice: beside the words that stand in the others
// as they are, then beside the readings of the others.
func (m *Model) Read(title string, list []string) []Reading {
	s := m.session(title, list)
	s.firstPass(nil)
	out := make([]Reading, len(list))
	for i := range list {
		s.ctx.add(s.own[i], -s.weight)
		_, out[i] = s.read(&s.texts[i])
		s.ctx.add(s.own[i], s.weight)
	}
	return out
}

// firstPass puts the readings of the names into the context, in place of their plain words; of names that are not wanted, the words
// stay. A nil list wants all.
func (s *session) firstPass(wanted []bool) {
	next := make([][]id, len(s.own))
	for i := range s.own {
		if wanted != nil && !wanted[i] {
			next[i] = s.own[i]
			continue
		}
		s.ctx.add(s.own[i], -s.weight)
		words, _ := s.read(&s.texts[i])
		next[i] = s.known(words)
		s.ctx.add(s.own[i], s.weight)
	}
	for i := range s.own {
		s.ctx.add(s.own[i], -s.weight)
		s.ctx.add(next[i], 1)
	}
	s.own, s.weight = next, 1
}

// known leaves out the words that are not in the vocabulary: they may be abbreviations that were not read.
func (s *session) known(words []id) []id {
	return slices.DeleteFunc(words, func(w id) bool { return int(w) >= len(s.m.words) })
}

func (s *session) id(w string) id {
	if i, ok := s.m.id(w); ok {
		return i
	}
	if i, ok := s.extra[w]; ok {
		return i
	}
	i := id(len(s.m.words) + len(s.names))
	s.extra[w] = i
	s.names = append(s.names, w)
	switch class(w) {
	case "<year>":
		s.kinds = append(s.kinds, year)
	case "<number>":
		s.kinds = append(s.kinds, number)
	default:
		s.kinds = append(s.kinds, unknown)
	}
	return i
}

func (s *session) word(i id) string {
	if int(i) < len(s.m.words) {
		return s.m.words[i]
	}
	return s.names[int(i)-len(s.m.words)]
}

// kind is the id that the language model knows a word by.
func (s *session) kind(i id) id {
	if int(i) < len(s.m.words) {
		return i
	}
	return s.kinds[int(i)-len(s.m.words)]
}

// addTitle puts the words of a title into the context.
func (s *session) addTitle(title string) {
	t := squash(title)
	var words []id
	for _, tok := range t.tokens() {
		if isLetters(tok) && len(tok) > 1 {
			words = append(words, s.id(tok))
		}
	}
	if len(words) > 60 {
		words = words[:60]
	}
	s.ctx.add(words, 1)
}

// plainWords are the tokens of a name that are words already.
func (s *session) plainWords(t *text) []id {
	var words []id
	for _, tok := range t.tokens() {
		if i, ok := s.m.id(tok); ok && len(tok) > 2 {
			words = append(words, i)
		}
	}
	return words
}

// token is the part of the name that begins at i.
func (t *text) token(i int) string {
	j := i + 1
	for t.cuts[j] == cutNone {
		j++
	}
	return t.s[i:j]
}

// tokens are the parts of a name between its boundaries.
func (t *text) tokens() []string {
	var out []string
	from := 0
	for i := 1; i <= len(t.s); i++ {
		if t.cuts[i] != cutNone {
			out = append(out, t.s[from:i])
			from = i
		}
	}
	return out
}

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// path is a reading of the beginning of a name.
type path struct {
	score float32
	u, v  id
	n     int // words so far
	at    int // bytes of the name so far
	prev  *path
	words []id // the last of them
}

// all are the words of a path.
func (p *path) all() []id {
	out := make([]id, p.n)
	at := p.n
	for ; p != nil; p = p.prev {
		at -= len(p.words)
		if at >= 0 {
			copy(out[at:], p.words)
		}
	}
	return out
}

// option is what a piece of the name may stand for.
type option struct {
	words []id
	score float32 // log P(piece | words), cuts included
}

// read reads one name.
func (s *session) read(t *text) ([]id, Reading) {
	return s.choose(t, slices.Concat(s.decode(t), s.wholes(t)))
}

// decode finds the likeliest readings of a name, piece by piece.
func (s *session) decode(t *text) []path {
	n := len(t.s)
	if n == 0 {
		return nil
	}
	beams := make([][]path, n+1)
	beams[0] = []path{{u: edge, v: edge}}
	for i := 0; i < n; i++ {
		if len(beams[i]) == 0 {
			continue
		}
		beams[i] = s.insert(prune(beams[i], s.m.tune.Beam))
		for j := i + 1; j <= n && j-i <= maxWord; j++ {
			for _, o := range s.options(t, i, j) {
				for k := range beams[i] {
					q := s.extend(&beams[i][k], o)
					q.at = j
					beams[j] = append(beams[j], q)
				}
			}
		}
	}
	for i := range beams[n] {
		p := &beams[n][i]
		p.score += s.language(p.u, p.v, edge)
	}
	return beams[n]
}

// choose takes the best of the readings of a name.
func (s *session) choose(t *text, ends []path) ([]id, Reading) {
	if len(ends) == 0 {
		return nil, Reading{Words: t.tokens()}
	}
	best, sum := 0, 0.0
	for i := range ends {
		if ends[i].score > ends[best].score {
			best = i
		}
	}
	for i := range ends {
		sum += math.Exp(float64(ends[i].score - ends[best].score))
	}
	words := ends[best].all()
	r := Reading{Confidence: 1 / sum}
	for _, w := range words {
		r.Words = append(r.Words, s.word(w))
	}
	return words, r
}

func (s *session) wholes(t *text) []path {
	var out []path
	for _, w := range s.m.wholes[key(t.s)] {
		out = append(out, path{u: edge, v: edge, words: w.words, n: len(w.words), score: s.m.tune.Whole + ln(w.count)})
	}
	return out
}

func (s *session) extend(p *path, o option) path {
	q := path{score: p.score + o.score, u: p.u, v: p.v, prev: p, words: o.words, n: p.n + len(o.words), at: p.at}
	for _, w := range o.words {
		q.score += s.language(q.u, q.v, w)
		q.u, q.v = q.v, w
	}
	return q
}

// language is the log probability of a word after two others, in this table.
func (s *session) language(u, v, w id) float32 {
	k := s.kind(w)
	p := s.m.lm(s.kind(u), s.kind(v), k)
	if k == unknown {
		p = s.unknown
	}
	if w != edge {
		p = (1-s.m.tune.Context)*p + s.m.tune.Context*s.ctx.p(v, w)
	}
	return s.m.tune.Language * ln(p)
}

// insert adds the readings in which a word comes next that the name does not show.
func (s *session) insert(beam []path) []path {
	n := len(beam)
	if n == 0 || beam[0].n == 0 {
		return beam
	}
	more := make([]path, 0, n)
	for i := range beam {
		for _, k := range s.m.skips {
			if s.m.pairs[[2]id{s.kind(beam[i].v), k.words[0]}] > 0 {
				more = append(more, s.extend(&beam[i], option{k.words, s.m.tune.Insert}))
			}
		}
	}
	return slices.Concat(beam, more)
}

// prune keeps the best readings, one for each pair of last words.
func prune(beam []path, most int) []path {
	slices.SortFunc(beam, func(a, b path) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(cmp.Compare(a.v, b.v), cmp.Compare(a.u, b.u), cmp.Compare(a.n, b.n))
	})
	out := beam[:0]
	for _, p := range beam {
		if len(out) == most {
			break
		}
		if !slices.ContainsFunc(out, func(q path) bool { return q.u == p.u && q.v == p.v && q.n == p.n }) {
			out = append(out, p)
		}
	}
	return out
}

// options are the readings of s[i:j].
func (s *session) options(t *text, i, j int) []option {
	inner, cuts := t.inner(i, j)
	if cuts > 2 {
		return nil
	}
	m, piece := s.m, t.s[i:j]
	var cost float32
	switch inner {
	case cutCase:
		cost = m.tune.Join * float32(cuts)
	case cutSign:
		cost = m.tune.JoinSign * float32(cuts)
	}
	if t.cuts[j] == cutNone {
		cost += m.tune.Split
	}
	if t.cuts[i] != cutNone && t.cuts[j] == cutNone {
		if w, ok := m.id(t.token(i)); ok && len(m.words[w]) > 3 {
			cost += m.tune.WordCut
		}
	}
	if j-i == 1 && (t.cuts[i] == cutNone || t.cuts[j] == cutNone) {
		cost += m.tune.Letter
	}
	full := t.cuts[i] != cutNone && t.cuts[j] != cutNone
	var out []option
	listed := map[id]bool{}
	for _, k := range m.pieces[piece] {
		if len(k.words) == 1 {
			listed[k.words[0]] = true
			out = append(out, option{k.words, cost + s.emission(piece, k.words[0], k.count)})
			continue
		}
		of := m.phrases[m.text(k.words)]
		out = append(out, option{k.words, cost + ln(k.count/(of+m.tune.Trust))})
	}
	own, known := m.id(piece)
	if inner > cutDigit && !known || inner == cutDigit && !full {
		return out
	}
	if known && !listed[own] {
		listed[own] = true
		out = append(out, option{[]id{own}, cost + s.emission(piece, own, 0)})
	} else if !known {
		if full {
			if isLetters(piece) && !pronounceable(piece) {
				cost += m.tune.Mute
			}
			out = append(out, option{[]id{s.id(piece)}, cost})
		} else if j-i >= 3 && isLetters(piece) {
			out = append(out, option{[]id{s.id(piece)}, cost + m.tune.UnknownCut - m.tune.Unknown})
		}
	}
	if inner != cutNone || !isLetters(piece) {
		return out
	}
	if known && full && j-i > 3 {
		cost += m.tune.WordRead
	}
	return s.abbreviations(out, piece, cost, listed)
}

// emission is log P(piece | word) with the piece seen count times for it.
func (s *session) emission(piece string, w id, count float32) float32 {
	m := s.m
	var of float32
	if int(w) < len(m.words) {
		of = m.emitted[w]
	}
	prior := float32(math.Exp(float64(m.channel.logP(piece, s.word(w)))))
	return ln((count + m.tune.Trust*prior) / (of + m.tune.Trust))
}

// abbreviations adds the words that piece may be short for. Single letters stand for words of the table only.
func (s *session) abbreviations(out []option, piece string, cost float32, listed map[id]bool) []option {
	m := s.m
	if len(piece) == 1 {
		for w, n := range s.ctx.words {
			if k := s.word(w); n > 0.4 && !listed[w] && len(k) > 1 && k[0] == piece[0] && isLetters(k) {
				out = append(out, option{[]id{w}, cost + s.emission(piece, w, 0)})
			}
		}
		slices.SortFunc(out, func(a, b option) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.words[0], b.words[0]))
		})
		return out
	}
	if len(piece) > maxWord {
		return out
	}
	var top [maxOptions]ranked
	n := 0
	consider := func(w id) {
		score := cost + s.emission(piece, w, 0)
		rank := score + ln(s.base(w))
		if n == maxOptions && rank <= top[n-1].rank {
			return
		}
		if n < maxOptions {
			n++
		}
		k := n - 1
		for ; k > 0 && top[k-1].rank < rank; k-- {
			top[k] = top[k-1]
		}
		top[k] = ranked{w, score, rank}
	}
	bits := mask(piece)
	for _, e := range m.byLetter[piece[0]] {
		if e.mask&bits == bits && !listed[e.word] && subsequence(piece, m.words[e.word]) {
			consider(e.word)
		}
	}
	for k, word := range s.names {
		if w := id(len(m.words) + k); s.ctx.words[w] > 0.4 && word[0] == piece[0] && isLetters(word) && subsequence(piece, word) {
			consider(w)
		}
	}
	for _, o := range top[:n] {
		out = append(out, option{[]id{o.word}, o.score})
	}
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

// ranked is a word that a piece may be short for.
type ranked struct {
	word        id
	score, rank float32
}

// pronounceable reports whether a string has the vowels of a word: one in every three letters at least.
func pronounceable(s string) bool {
	vowels := 0
	for i := range len(s) {
		if isVowel(s[i]) {
			vowels++
		}
	}
	return vowels*3 >= len(s)-1 && vowels > 0
}

const maxOptions = 12

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

// String joins the words.
func (r Reading) String() string { return strings.Join(r.Words, " ") }
