package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Open reads a snapshot that was saved. A folder without an index is an error that wraps fs.ErrNotExist; an index of which anything
// is missing, changed or of another version is a *DamagedError. Another program may save into the folder meanwhile.
func Open(ctx context.Context, dir string, opt Options) (*Snapshot, error) {
	s, err := open(ctx, dir, opt)
	if isDamaged(err) && errors.Is(err, fs.ErrNotExist) { // replaced between manifest and part
		s, err = open(ctx, dir, opt)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the index: %w", err)
	}
	return s, nil
}

func open(ctx context.Context, dir string, opt Options) (*Snapshot, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	st := new(state)
	if err := readPart(dir, m.State, st.columns()); err != nil {
		return nil, err
	}
	var views []*view
	for i, p := range m.Parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		seg := &segment{name: p.Name, cache: new(blockCache)}
		if err := readPart(dir, p, seg.columns()); err != nil {
			return nil, err
		}
		seg.disk.Store(p.Size)
		if err := seg.validate(); err != nil {
			return nil, &DamagedError{File: p.Name, Reason: err.Error()}
		}
		v, err := st.view(seg, uint32(i))
		if err != nil {
			return nil, &DamagedError{File: m.State.Name, Reason: err.Error()}
		}
		views = append(views, v)
	}
	vec, err := readVectors(dir, m)
	if err != nil {
		return nil, err
	}
	s, err := newSnapshot(ctx, opt, views, vec)
	if err != nil {
		return nil, err
	}
	s.made = m.Made
	return s, nil
}

// readPart reads a file of a known size and checksum.
func readPart(dir string, p storedPart, cols []column) error {
	f, err := os.Open(filepath.Join(dir, p.Name))
	if err != nil {
		return &DamagedError{File: p.Name, Reason: "it cannot be opened", Err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &DamagedError{File: p.Name, Reason: "it cannot be opened", Err: err}
	}
	if info.Size() != p.Size {
		return &DamagedError{File: p.Name, Reason: fmt.Sprintf("it has %d bytes instead of %d", info.Size(), p.Size)}
	}
	crc, err := readColumns(bufio.NewReaderSize(f, 256<<10), p.Size, cols)
	if err != nil {
		return &DamagedError{File: p.Name, Reason: err.Error(), Err: err}
	}
	if crc != p.CRC {
		return &DamagedError{File: p.Name, Reason: "it is not the file that the manifest names"}
	}
	return nil
}

// state says which files of the parts are gone, and how often their words were there.
type state struct {
	deadView, deadFile             []uint32
	wordView, wordTerm, wordChunks []uint32
}

func (t *state) columns() []column {
	return []column{&t.deadView, &t.deadFile, &t.wordView, &t.wordTerm, &t.wordChunks}
}

func (s *Snapshot) state() *state {
	t := new(state)
	for i, v := range s.views {
		for f, dead := range v.dead {
			if dead {
				t.deadView, t.deadFile = append(t.deadView, uint32(i)), append(t.deadFile, uint32(f))
			}
		}
		for term, n := range v.deadDocs {
			t.wordView, t.wordTerm, t.wordChunks = append(t.wordView, uint32(i)), append(t.wordTerm, term), append(t.wordChunks, n)
		}
	}
	return t
}

// view makes the view of part i.
func (t *state) view(seg *segment, i uint32) (*view, error) {
	v := newView(seg)
	if len(t.deadView) != len(t.deadFile) || len(t.wordView) != len(t.wordTerm) || len(t.wordView) != len(t.wordChunks) {
		return nil, errors.New("its columns do not fit each other")
	}
	for k, at := range t.deadView {
		if at != i {
			continue
		}
		if uint64(t.deadFile[k]) >= uint64(seg.files()) {
			return nil, fmt.Errorf("file %d of %d is said to be gone", t.deadFile[k], seg.files())
		}
		if v.dead == nil {
			v.dead, v.deadDocs = make([]bool, seg.files()), make(map[uint32]uint32)
		}
		v.dead[t.deadFile[k]] = true
	}
	for k, at := range t.wordView {
		if at != i {
			continue
		}
		if term := t.wordTerm[k]; v.dead == nil || uint64(term) >= uint64(len(seg.termDocs)) || t.wordChunks[k] > seg.termDocs[term] {
			return nil, fmt.Errorf("word %d is said to be gone more often than it was there", term)
		}
		v.deadDocs[t.wordTerm[k]] = t.wordChunks[k]
	}
	return v, nil
}

func (p *vectorPart) columns() []column { return []column{&p.keys, &p.rows, &p.scale, &p.signs} }

func readVectors(dir string, m *manifest) (*vectors, error) {
	if len(m.Vectors) == 0 {
		return nil, nil
	}
	if m.Dim < 1 || m.Dim > maxDimensions {
		return nil, &DamagedError{File: manifestName, Reason: fmt.Sprintf("it speaks of vectors of %d numbers", m.Dim)}
	}
	v := &vectors{model: m.Model, dim: m.Dim}
	for _, stored := range m.Vectors {
		p := &vectorPart{name: stored.Name}
		if err := readPart(dir, stored, p.columns()); err != nil {
			return nil, err
		}
		n := len(p.keys)
		if len(p.rows) != n*m.Dim || len(p.scale) != n || len(p.signs) != n*((m.Dim+63)/64) {
			return nil, &DamagedError{File: stored.Name, Reason: "its columns do not fit each other"}
		}
		p.place = make(map[uint64]int, n)
		for i, k := range p.keys {
			if f := math.Float32frombits(p.scale[i]); math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
				return nil, &DamagedError{File: stored.Name, Reason: "a vector has no length"}
			}
			p.place[k] = i
		}
		v.parts = append(v.parts, p)
	}
	return v, nil
}
