package names

import (
	"bufio"
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// errWeights says that weights are cut off or not ours.
var errWeights = errors.New("names: damaged weights; make them anew with go run ./bench/names/train")

var embedded = sync.OnceValue(func() *[domains]*Model {
	models, err := decode(weights, Usual)
	if err != nil {
		panic(err) // the weights are part of the program
	}
	return models
})

// Embedded is the model of one of the domains. The weights are decoded at the first call, once.
func Embedded(domain int) *Model { return embedded()[domain] }

// grain is what a count of 1 is stored as.
const grain = 20

// Encode writes counts, one for each domain, as weights.
func Encode(counts [domains]*Counts) ([]byte, error) {
	lex := newLexicon(vocabulary(counts[:]...))
	var e encoder
	prev := ""
	e.uint(len(lex.words) - len(signs))
	for _, w := range lex.words[len(signs):] {
		same := 0
		for same < min(len(prev), len(w), 255) && prev[same] == w[same] {
			same++
		}
		e.uint(same)
		e.string(w[same:])
		prev = w
	}
	for _, c := range counts {
		e.grams(compile(c, lex))
	}
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(e.buf); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
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
		e.uint(int(p * (1 << 14)))
	}
}

func (e *encoder) ids(words []id) {
	for _, w := range words {
		e.uint(int(w))
	}
}

// decode reads what Encode wrote.
func decode(data []byte, tune Tuning) (*[domains]*Model, error) {
	d := decoder{in: bufio.NewReaderSize(flate.NewReader(bytes.NewReader(data)), 1<<16)}
	words := make([]string, d.len())
	prev := ""
	for i := range words {
		same := d.uint()
		if same > len(prev) {
			return nil, errWeights
		}
		words[i] = prev[:same] + d.string()
		prev = words[i]
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: %w", errWeights, d.err)
	}
	lex := newLexicon(words)
	var out [domains]*Model
	for k := range out {
		g := d.grams(len(lex.words))
		if d.err != nil {
			return nil, fmt.Errorf("%w: %w", errWeights, d.err)
		}
		out[k] = newModel(lex, g, tune)
	}
	return &out, nil
}

// decoder reads numbers until the first error, then gives zeros.
type decoder struct {
	in    *bufio.Reader
	words int // ids are below this
	err   error
}

func (d *decoder) uint() int {
	if d.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(d.in)
	d.err = err
	return int(n)
}

// len is a number of things that follow; more than a million is damage.
func (d *decoder) len() int {
	n := d.uint()
	if n < 0 || n > 1<<20 {
		d.err = errWeights
		return 0
	}
	return n
}

func (d *decoder) count() float32 { return float32(d.uint()) / grain }

func (d *decoder) string() string {
	b := make([]byte, d.len())
	if d.err == nil {
		_, d.err = io.ReadFull(d.in, b)
	}
	return string(b)
}

func (d *decoder) id() id {
	n := d.uint()
	if n < 0 || n >= d.words {
		d.err = errWeights
		return 0
	}
	return id(n)
}

func (d *decoder) senses() []sense {
	out := make([]sense, d.len())
	for i := range out {
		if d.err != nil {
			return nil
		}
		out[i].words = make([]id, d.len())
		for k := range out[i].words {
			out[i].words[k] = d.id()
		}
		out[i].count = d.count()
	}
	return out
}

func (d *decoder) grams(words int) *grams {
	d.words = words
	g := &grams{words: make([]float32, words)}
	for i := range g.words {
		g.words[i] = d.count()
	}
	g.pairs = make([]gram[[2]id], d.len())
	for i := range g.pairs {
		g.pairs[i] = gram[[2]id]{[2]id{d.id(), d.id()}, d.count()}
	}
	g.triples = make([]gram[[3]id], d.len())
	for i := range g.triples {
		g.triples[i] = gram[[3]id]{[3]id{d.id(), d.id(), d.id()}, d.count()}
	}
	g.pieces = make([]pieceSenses, d.len())
	for i := range g.pieces {
		g.pieces[i] = pieceSenses{d.string(), d.senses()}
	}
	g.wholes = make([]wholeSenses, d.len())
	for i := range g.wholes {
		g.wholes[i] = wholeSenses{uint32(d.uint()), d.senses()}
	}
	g.skips = d.senses()
	for i := range g.channel.Keep {
		g.channel.Keep[i] = float32(d.uint()) / (1 << 14)
	}
	for i := range g.channel.Identity {
		g.channel.Identity[i] = float32(d.uint()) / (1 << 14)
	}
	return g
}
