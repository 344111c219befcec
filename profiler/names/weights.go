package names

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"sync"
)

// Domains are the fields that the embedded models were made for, in their order in the weights: how words are shortened and what
// short forms stand for differ between the data of a city, a shop and a field station.
const (
	Civic   = iota // administration, education, health
	Trade          // sales, stock, staff, finance
	Science        // environment and measurement
	domains
)

//go:embed weights.bin
var weights []byte

// embedded are the vocabulary and the models, each decoded when it is first needed.
var (
	embeddedWords = sync.OnceValues(func() (*lexicon, error) { return decodeWords(weights) })
	embedded      = [domains]func() *Model{embeddedModel(Civic), embeddedModel(Trade), embeddedModel(Science)}
)

func embeddedModel(domain int) func() *Model {
	return sync.OnceValue(func() *Model {
		lex, err := embeddedWords()
		if err != nil {
			panic(err) // the weights are part of the program
		}
		m, err := decodeModel(weights, domain, lex, Usual[domain])
		if err != nil {
			panic(err)
		}
		return m
	})
}

// Embedded is the model of one of the domains. Its weights are decoded at the first call, once, in a few milliseconds.
func Embedded(domain int) *Model { return embedded[domain]() }

// grain is what a count of 1 is stored as.
const grain = 100

// shares is what a probability of 1 is stored as.
const shares = 1 << 14

// Encode writes counts, one for each domain, as weights: sections that are compressed each by itself, the vocabulary first, then the
// domains; each behind its length in bytes.
func Encode(counts [domains]*Counts) ([]byte, error) {
	lex := newLexicon(vocabulary(counts[:]...))
	var e encoder
	prev := ""
	e.uint(len(lex.words) - len(signs))
	for _, w := range lex.words[len(signs):] {
		same := 0
		for same < min(len(prev), len(w)) && prev[same] == w[same] {
			same++
		}
		e.uint(same)
		e.string(w[same:])
		prev = w
	}
	out, err := appendSection(nil, e.buf)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		var e encoder
		e.grams(compile(c, lex))
		if out, err = appendSection(out, e.buf); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendSection compresses data.
func appendSection(out, data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return append(binary.AppendUvarint(out, uint64(b.Len())), b.Bytes()...), nil
}

type encoder struct{ buf []byte }

func (e *encoder) uint(n int)      { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) count(n float32) { e.uint(int(n*grain + 0.5)) }
func (e *encoder) string(s string) { e.uint(len(s)); e.buf = append(e.buf, s...) }

func (e *encoder) senses(list []sense) {
	e.uint(len(list))
	for _, s := range list {
		e.uint(len(s.words))
		for _, w := range s.words {
			e.uint(int(w))
		}
		e.count(s.count)
	}
}

func (e *encoder) grams(g *grams) {
	for _, n := range g.words {
		e.count(n)
	}
	e.uint(len(g.pairs))
	for _, p := range g.pairs {
		e.ids(p.words[:])
		e.count(p.count)
	}
	e.uint(len(g.triples))
	for _, t := range g.triples {
		e.ids(t.words[:])
		e.count(t.count)
	}
	e.uint(len(g.pieces))
	for _, p := range g.pieces {
		e.string(p.piece)
		e.senses(p.senses)
	}
	e.uint(len(g.wholes))
	for _, w := range g.wholes {
		e.uint(int(w.key))
		e.senses(w.senses)
	}
	e.senses(g.skips)
	for _, p := range append(g.channel.Keep[:], g.channel.Identity[:]...) {
		e.uint(int(p * shares))
	}
}

func (e *encoder) ids(words []id) {
	for _, w := range words {
		e.uint(int(w))
	}
}
