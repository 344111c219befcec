package names

import (
	"slices"
	"strings"
)

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
	Beam       int     // readings that are kept at each place
}

// Usual is the tuning of the embedded model.
var Usual = Tuning{Language: 1, Pair: 6, Triple: 2, Trust: 8, Split: -6, Letter: -3, WordCut: -9, WordRead: -6,
	Mute: -3, Join: -4, JoinSign: -6,
	Unknown: -20, UnknownCut: -25, Context: 0.2, Insert: -7, Beam: 5}

// sense is one reading of a piece.
type sense struct {
	words []id
	count float32
	of    float32 // how often these words were seen written, by whatever piece
}

// Model reads names. It is safe for concurrent use.
type Model struct {
	*lexicon
	tune    Tuning
	seen    []float32 // P(word) without context
	peak    []float32 // P(word) in the context where it is the likeliest
	rarity  []float32 // log of the share that the channel has in how a word is written
	pairs   rows      // by the word before
	heads   rows      // pairs that triples begin with
	triples rows      // by the place of their head
	pieces  []pieceSenses
	piece   index
	skips   []sense
	channel *channelLogs
	short   *shortening
}

// newModel makes a model of what was counted over the words of a lexicon.
func newModel(lex *lexicon, g *grams, tune Tuning) *Model {
	m := &Model{lexicon: lex, tune: tune, channel: g.channel.logs(), pieces: g.pieces,
		seen: make([]float32, len(lex.words)), rarity: make([]float32, len(lex.words))}
	var total float32
	for _, n := range g.words {
		total += n
	}
	const reserve = 20 // for words that were never seen
	for i, n := range g.words {
		m.seen[i] = n / (total + reserve)
	}
	m.addGrams(g)
	m.setPeaks()
	m.addPieces()
	for _, s := range g.skips {
		if s.count >= 2 {
			m.skips = append(m.skips, s)
		}
	}
	m.short = newShortening(m)
	return m
}

// addGrams lays out pairs and triples, which are sorted, in rows.
func (m *Model) addGrams(g *grams) {
	m.pairs = newRows(len(m.words), len(g.pairs))
	for _, p := range g.pairs {
		m.pairs.add(int(p.words[0]), p.words[1], p.count)
	}
	m.pairs.close()
	m.heads = newRows(len(m.words), len(g.triples))
	for i, t := range g.triples {
		if i == 0 || [2]id(t.words[:2]) != [2]id(g.triples[i-1].words[:2]) {
			m.heads.add(int(t.words[0]), t.words[1], 0)
		}
	}
	m.heads.close()
	m.triples = newRows(len(m.heads.to), len(g.triples))
	head := -1
	for i, t := range g.triples {
		if i == 0 || [2]id(t.words[:2]) != [2]id(g.triples[i-1].words[:2]) {
			head++
		}
		m.triples.add(head, t.words[2], t.count)
	}
	m.triples.close()
}

// setPeaks finds out how likely each word is at most.
func (m *Model) setPeaks() {
	m.peak = slices.Clone(m.seen)
	for _, x := range []struct {
		rows  *rows
		prior float32
	}{{&m.pairs, m.tune.Pair}, {&m.triples, m.tune.Triple}} {
		lower := slices.Clone(m.peak)
		for r, sum := range x.rows.sum {
			for i := x.rows.from[r]; i < x.rows.from[r+1]; i++ {
				w := x.rows.to[i]
				m.peak[w] = max(m.peak[w], (x.rows.count[i]+x.prior*lower[w])/(sum+x.prior))
			}
		}
	}
}

// addPieces finds out how often words were seen written.
func (m *Model) addPieces() {
	m.piece = newIndex(len(m.pieces))
	phrases := map[string]float32{}
	for i, p := range m.pieces {
		m.piece.put(p.piece, i)
		for _, s := range p.senses {
			if len(s.words) == 1 {
				m.rarity[s.words[0]] += s.count
			} else {
				phrases[m.text(s.words)] += s.count
			}
		}
	}
	for i, of := range m.rarity {
		if of > 0 {
			m.rarity[i] = ln(m.tune.Trust / (of + m.tune.Trust))
		}
	}
	for _, p := range m.pieces {
		for i := range p.senses {
			if s := &p.senses[i]; len(s.words) > 1 {
				s.of = phrases[m.text(s.words)]
			}
		}
	}
}

// senses are what a piece was seen to stand for.
func (m *Model) senses(piece string) []sense {
	if i := m.piece.find(piece, func(i int) string { return m.pieces[i].piece }); i >= 0 {
		return m.pieces[i].senses
	}
	return nil
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
	var pair float32
	if i := m.pairs.find(int(v), w); i >= 0 {
		pair = m.pairs.count[i]
	}
	p := (pair + m.tune.Pair*m.seen[w]) / (m.pairs.sum[v] + m.tune.Pair)
	head := m.heads.find(int(u), v)
	if head < 0 {
		return p
	}
	var triple float32
	if i := m.triples.find(head, w); i >= 0 {
		triple = m.triples.count[i]
	}
	return (triple + m.tune.Triple*p) / (m.triples.sum[head] + m.tune.Triple)
}
