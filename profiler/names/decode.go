package names

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// errWeights says that weights are cut off or not ours.
var errWeights = errors.New("names: damaged weights; make them anew with go -C bench run ./names/train")

// maxSection bounds a section of the weights, in bytes.
const maxSection = 16 << 20

// section decompresses section k of the weights.
func section(data []byte, k int) (*decoder, error) {
	for {
		n, used := binary.Uvarint(data)
		if used <= 0 || n > uint64(len(data)-used) {
			return nil, errWeights
		}
		if k == 0 {
			data = data[used : used+int(n)]
			break
		}
		data, k = data[used+int(n):], k-1
	}
	var raw bytes.Buffer
	raw.Grow(4 * len(data))
	if _, err := raw.ReadFrom(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxSection)); err != nil {
		return nil, fmt.Errorf("%w: %w", errWeights, err)
	}
	return &decoder{in: raw.Bytes()}, nil
}

// decodeWords reads the vocabulary that Encode wrote.
func decodeWords(data []byte) (*lexicon, error) {
	d, err := section(data, 0)
	if err != nil {
		return nil, err
	}
	sorted := make([]string, d.len())
	var text []byte
	ends := make([]int, len(sorted))
	from := 0
	for i := range sorted {
		same, rest := d.uint(), d.bytes()
		if same > len(text)-from {
			return nil, errWeights
		}
		prev := text[from : from+same]
		from = len(text)
		text = append(append(text, prev...), rest...)
		ends[i] = len(text)
	}
	all, from := string(text), 0
	for i, end := range ends {
		sorted[i] = all[from:end]
		if from = end; i > 0 && sorted[i] <= sorted[i-1] || sorted[i] == "" {
			return nil, errWeights
		}
	}
	if d.damaged {
		return nil, errWeights
	}
	return newLexicon(sorted), nil
}

// decodeModel reads the model that Encode wrote.
func decodeModel(data []byte, lex *lexicon, tune Tuning) (*Model, error) {
	d, err := section(data, 1)
	if err != nil {
		return nil, err
	}
	d.words = len(lex.words)
	g := d.grams()
	if d.damaged || !g.ordered() {
		return nil, errWeights
	}
	g.addAbbreviations(lex, abbreviationEntries())
	return newModel(lex, g, tune), nil
}

// ordered reports whether grams are in the order that compile gives them.
func (g *grams) ordered() bool {
	for i := 1; i < len(g.pairs); i++ {
		if slices.Compare(g.pairs[i-1].words[:], g.pairs[i].words[:]) >= 0 {
			return false
		}
	}
	for i := 1; i < len(g.triples); i++ {
		if slices.Compare(g.triples[i-1].words[:], g.triples[i].words[:]) >= 0 {
			return false
		}
	}
	for i := 1; i < len(g.pieces); i++ {
		if g.pieces[i-1].piece >= g.pieces[i].piece {
			return false
		}
	}
	return true
}

// decoder reads numbers until the first damage, then gives zeros.
type decoder struct {
	in      []byte
	words   int // ids are below this
	damaged bool
	ids     []id    // room for the words of senses
	room    []sense // for senses
}

func (d *decoder) uint() int {
	if len(d.in) > 0 && d.in[0] < 0x80 {
		n := int(d.in[0])
		d.in = d.in[1:]
		return n
	}
	n, used := binary.Uvarint(d.in)
	if used <= 0 || n > 1<<32 {
		d.damaged, d.in = true, nil
		return 0
	}
	d.in = d.in[used:]
	return int(n)
}

// len is a number of things that follow, each of one byte at least.
func (d *decoder) len() int {
	n := d.uint()
	if n > len(d.in) {
		d.damaged, d.in = true, nil
		return 0
	}
	return n
}

func (d *decoder) count() float32 { return float32(d.uint()) / grain }

func (d *decoder) bytes() []byte {
	n := d.len()
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}

func (d *decoder) id() id {
	n := d.uint()
	if n >= d.words {
		d.damaged, d.in = true, nil
		return 0
	}
	return id(n)
}

func (d *decoder) senses() []sense {
	begin := len(d.room)
	for range d.len() {
		first := len(d.ids)
		for range d.len() {
			d.ids = append(d.ids, d.id())
		}
		d.room = append(d.room, sense{words: d.ids[first:len(d.ids):len(d.ids)], count: d.count()})
		if first == len(d.ids) {
			d.damaged = true // a sense without words
		}
	}
	return d.room[begin:len(d.room):len(d.room)]
}

func (d *decoder) grams() *grams {
	g := &grams{words: make([]float32, d.words)}
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
		g.pieces[i] = pieceSenses{string(d.bytes()), d.senses()}
	}
	g.skips = d.senses()
	for i := range g.channel.Keep {
		g.channel.Keep[i] = d.share()
	}
	for i := range g.channel.Identity {
		g.channel.Identity[i] = d.share()
	}
	return g
}

// share is a number from 0 to 1.
func (d *decoder) share() float32 {
	n := d.uint()
	if n > shares {
		d.damaged = true
		return 0
	}
	return float32(n) / shares
}
