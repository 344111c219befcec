package names

import "strings"

// Tuning are the weights of the decoder, found on the development halves of the sets by bench/names.
type Tuning struct {
	Language   float32 // exponent of the language model
	Pair       float32 // pseudo-counts of the pair model's back-off
	Triple     float32 // of the triple model's
	Trust      float32 // pseudo-counts of the channel beside what was seen
	Split      float32 // log probability of a cut where the name shows none
	Letter     float32 // besides, of a single letter there
	WordCut    float32 // besides, of a cut in a token that is a word
	WordRead   float32 // besides, of a word that is read as short for another
	Mute       float32 // besides, of an unknown word that nobody could say
	Join       float32 // of reading on across a change of case
	JoinSign   float32 // of reading on across a separator
	Unknown    float32 // log probability of a word that is not in the vocabulary
	UnknownCut float32 // of it as part of a token
	Context    float32 // share of the words of the same table
	Insert     float32 // log probability of a word of which the name shows nothing
	Whole      float32 // weight of a whole name that was seen
	Beam       int     // readings that are kept at each place
}

// Usual is the tuning of the embedded models.
var Usual = Tuning{Language: 1, Pair: 6, Triple: 2, Trust: 2, Split: -3, Letter: -3, WordCut: -9, WordRead: -4, Mute: -2, Join: -4, JoinSign: -6,
	Unknown: -13, UnknownCut: -20, Context: 0.2, Insert: -3, Whole: 4, Beam: 12}

// sense is one reading of a piece.
type sense struct {
	words []id
	count float32
}

// Model reads names. It is safe for concurrent use.
type Model struct {
	*lexicon
	tune    Tuning
	seen    []float32 // P(word) without context
	emitted []float32 // how often a word was seen written
	phrases map[string]float32
	pairs   map[[2]id]float32
	triples map[[3]id]float32
	pairSum map[id]float32
	tripSum map[[2]id]float32
	pieces  map[string][]sense
	wholes  map[uint32][]sense
	skips   []sense
	channel *channelLogs
}

// NewModel makes a model of counts.
func NewModel(c *Counts, tune Tuning) *Model {
	lex := newLexicon(vocabulary(c))
	return newModel(lex, compile(c, lex), tune)
}

// newModel makes a model of what was counted over the words of a lexicon.
func newModel(lex *lexicon, g *grams, tune Tuning) *Model {
	m := &Model{lexicon: lex, tune: tune, phrases: map[string]float32{}, channel: g.channel.logs(),
		pairs: make(map[[2]id]float32, len(g.pairs)), triples: make(map[[3]id]float32, len(g.triples)),
		pairSum: make(map[id]float32, len(g.pairs)/2), tripSum: make(map[[2]id]float32, len(g.triples)/2),
		pieces: make(map[string][]sense, len(g.pieces)), wholes: make(map[uint32][]sense, len(g.wholes)),
		seen: make([]float32, len(lex.words)), emitted: make([]float32, len(lex.words))}
	var total float32
	for _, n := range g.words {
		total += n
	}
	const reserve = 20 // for words that were never seen
	for i, n := range g.words {
		m.seen[i] = n / (total + reserve)
	}
	for _, p := range g.pairs {
		m.pairs[p.words] += p.count
		m.pairSum[p.words[0]] += p.count
	}
	for _, t := range g.triples {
		m.triples[t.words] += t.count
		m.tripSum[[2]id{t.words[0], t.words[1]}] += t.count
	}
	for _, p := range g.pieces {
		m.pieces[p.piece] = p.senses
		for _, s := range p.senses {
			if len(s.words) == 1 {
				m.emitted[s.words[0]] += s.count
			} else {
				m.phrases[m.text(s.words)] += s.count
			}
		}
	}
	for _, w := range g.wholes {
		m.wholes[w.key] = w.senses
	}
	for _, s := range g.skips {
		if s.count >= 2 {
			m.skips = append(m.skips, s)
		}
	}
	return m
}

func (l *lexicon) text(words []id) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = l.words[w]
	}
	return strings.Join(parts, " ")
}

// lm is P(w | u, v) by the counts, each order smoothed by the one below (Dirichlet priors, MacKay and Peto 1995).
func (m *Model) lm(u, v, w id) float32 {
	p := m.seen[w]
	p = (m.pairs[[2]id{v, w}] + m.tune.Pair*p) / (m.pairSum[v] + m.tune.Pair)
	return (m.triples[[3]id{u, v, w}] + m.tune.Triple*p) / (m.tripSum[[2]id{u, v}] + m.tune.Triple)
}
