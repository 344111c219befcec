package model

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

//go:embed weights.bin
var embedded []byte

// Models are both models of this package.
type Models struct {
	Kinds Kinds
	Shows Shows
}

// Embedded gives the models that the program carries; they are unpacked when first asked for, which takes a few
// milliseconds, and shared: they are only to be read.
var Embedded = sync.OnceValue(func() *Models {
	m, err := Read(bytes.NewReader(embedded))
	if err != nil {
		panic("model: the embedded weights are damaged: " + err.Error()) // the build is wrong
	}
	return m
})

// magic begins the weights; its last byte is the version of their form.
const magic = "catena-model\x01"

// ErrWeights is what errors of Read wrap.
var ErrWeights = errors.New("no weights of this version of the model")

// Write packs models for Read.
func (m *Models) Write(w io.Writer) error {
	var out encoder
	for _, l := range m.linear() {
		out.linear(l)
	}
	out.forest(&m.Kinds.Trees)
	out.forest(&m.Shows.Trees)
	if _, err := io.WriteString(w, magic); err != nil {
		return err
	}
	z, err := flate.NewWriter(w, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(out.buf); err != nil {
		return err
	}
	return z.Close()
}

// linear are the n-gram models in the order in which they are written.
func (m *Models) linear() []*Linear {
	out := []*Linear{&m.Kinds.Names, &m.Kinds.Values}
	for f := range m.Shows.Fields {
		out = append(out, &m.Shows.Fields[f])
	}
	return append(out, &m.Shows.Beside)
}

// maxWeights bounds the size of unpacked weights, in bytes.
const maxWeights = 8 << 20

// Read unpacks models. An error wraps ErrWeights or is that of r.
func Read(r io.Reader) (*Models, error) {
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(r, head); err != nil || string(head) != magic {
		return nil, fmt.Errorf("%w: they begin with %q", ErrWeights, head)
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(r), maxWeights))
	if err != nil {
		return nil, fmt.Errorf("unpacking the weights: %w", err)
	}
	in := decoder{buf: data}
	m := &Models{}
	for _, l := range m.linear() {
		in.linear(l)
	}
	in.forest(&m.Kinds.Trees, NumFeatures)
	in.forest(&m.Shows.Trees, NumShowFeatures)
	if in.bad || len(in.buf) > 0 {
		return nil, fmt.Errorf("%w: they are cut short or too long", ErrWeights)
	}
	return m, nil
}

// encoder appends numbers, little-endian.
type encoder struct{ buf []byte }

func (e *encoder) uint(n int) { e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(n)) }

func (e *encoder) floats(x ...float32) {
	for _, v := range x {
		e.buf, _ = binary.Append(e.buf, binary.LittleEndian, v)
	}
}

func (e *encoder) signed(x []int8) {
	for _, v := range x {
		e.buf = append(e.buf, byte(v))
	}
}

func (e *encoder) linear(l *Linear) {
	e.uint(l.Classes)
	e.uint(l.Bits)
	e.floats(l.Scale)
	e.floats(l.Bias...)
	e.signed(l.Weights)
}

func (e *encoder) forest(f *Forest) {
	e.uint(f.Classes)
	e.uint(len(f.Edges))
	for _, edges := range f.Edges {
		e.uint(len(edges))
		e.floats(edges...)
	}
	e.uint(len(f.Trees))
	for _, t := range f.Trees {
		e.uint(len(t.Feature))
		for _, part := range [][]uint8{t.Feature, t.Bin, t.Left, t.Right} {
			e.buf = append(e.buf, part...)
		}
		e.floats(t.Scale)
		e.signed(t.Leaves)
	}
}

// decoder reads what encoder wrote; bad after the first mistake.
type decoder struct {
	buf []byte
	bad bool
}

func (d *decoder) take(n int) []byte {
	if d.bad || n < 0 || n > len(d.buf) {
		d.bad = true
		return nil
	}
	out := d.buf[:n:n]
	d.buf = d.buf[n:]
	return out
}

// uint reads a number that is at most limit.
func (d *decoder) uint(limit int) int {
	b := d.take(4)
	if b == nil {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > limit {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) floats(n int) []float32 {
	b := d.take(4 * n)
	out := make([]float32, len(b)/4)
	if _, err := binary.Decode(b, binary.LittleEndian, out); err != nil {
		d.bad = true
	}
	return out
}

func (d *decoder) signed(n int) []int8 {
	b := d.take(n)
	out := make([]int8, len(b))
	for i, v := range b {
		out[i] = int8(v)
	}
	return out
}

func (d *decoder) float() float32 {
	if x := d.floats(1); len(x) == 1 {
		return x[0]
	}
	return 0
}

func (d *decoder) linear(l *Linear) {
	l.Classes, l.Bits = d.uint(maxClasses), d.uint(20)
	l.Scale, l.Bias = d.float(), d.floats(l.Classes)
	l.Weights = d.signed(l.Classes << l.Bits)
}

func (d *decoder) forest(f *Forest, features int) {
	f.Classes = d.uint(maxClasses)
	f.Edges = make([][]float32, d.uint(features))
	for i := range f.Edges {
		f.Edges[i] = d.floats(d.uint(255))
	}
	f.Trees = make([]Tree, d.uint(1<<16))
	for i := range f.Trees {
		t := &f.Trees[i]
		n := d.uint(MaxLeaves - 1)
		t.Feature, t.Bin, t.Left, t.Right = d.take(n), d.take(n), d.take(n), d.take(n)
		t.Scale, t.Leaves = d.float(), d.signed((n+1)*f.Classes)
		d.bad = d.bad || !t.sound(len(f.Edges))
	}
}

// sound reports whether a tree can be walked: its features exist and each child is a later node or a leaf.
func (t *Tree) sound(features int) bool {
	for i, f := range t.Feature {
		if int(f) >= features {
			return false
		}
		for _, child := range [...]uint8{t.Left[i], t.Right[i]} {
			if child < MaxLeaves && (int(child) <= i || int(child) >= len(t.Feature)) ||
				int(child) > MaxLeaves+len(t.Feature) {
				return false
			}
		}
	}
	return true
}
