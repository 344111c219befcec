package names

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"sync"
)

//go:embed weights.bin
var weights []byte

// Embedded is the model that the program brings along. Its weights are decoded at the first call, once, in a few
// milliseconds.
var Embedded = sync.OnceValue(func() *Model {
	m, err := decode(weights)
	if err != nil {
		panic(err) // the weights are part of the program
	}
	return m
})

func decode(data []byte) (*Model, error) {
	lex, err := decodeWords(data)
	if err != nil {
		return nil, err
	}
	return decodeModel(data, lex, Usual)
}

// grain is what a count of 1 is stored as.
const grain = 100

// shares is what a probability of 1 is stored as.
const shares = 1 << 14

// Encode writes counts as weights: two sections that are compressed each by itself, the vocabulary first, then the
// counts; each behind its length in bytes.
func Encode(c *Counts) ([]byte, error) {
	lex := newLexicon(vocabulary(c))
	var words, counts encoder
	prev := ""
	words.uint(len(lex.words) - len(signs))
	for _, w := range lex.words[len(signs):] {
		same := 0
		for same < min(len(prev), len(w)) && prev[same] == w[same] {
			same++
		}
		words.uint(same)
		words.string(w[same:])
		prev = w
	}
	out, err := appendSection(nil, words.buf)
	if err != nil {
		return nil, err
	}
	counts.grams(compile(c, lex))
	return appendSection(out, counts.buf)
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
