package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"
)

// keyOf is a hash of a chunk's text. Equal texts have equal keys, in every index.
func keyOf(text []byte) uint64 {
	sum := sha256.Sum256(text)
	return binary.LittleEndian.Uint64(sum[:])
}

// view is a segment as a snapshot sees it: without the files that have changed or gone since.
type view struct {
	*segment
	base     uint32            // what is added to its chunks' numbers in the snapshot
	dead     []bool            // of its files; nil while all are there
	deadDocs map[uint32]uint32 // word to how many chunks of dead files have it
}

func newView(s *segment) *view { return &view{segment: s} }

func (v *view) gone(file uint32) bool { return v.dead != nil && v.dead[file] }

// bury is the view without some more files.
func (v *view) bury(files []uint32) (*view, error) {
	n := &view{segment: v.segment, dead: make([]bool, v.files()), deadDocs: maps.Clone(v.deadDocs)}
	copy(n.dead, v.dead)
	if n.deadDocs == nil {
		n.deadDocs = make(map[uint32]uint32)
	}
	for _, file := range files {
		n.dead[file] = true
		if err := n.buryWords(file); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// buryWords counts the words of a file that is no more, so that the weights of words are those of what is left.
func (v *view) buryWords(file uint32) error {
	src, err := v.source(file, 0, int(v.fileSize[file]))
	if err != nil {
		return err
	}
	f := v.file(file)
	a := analyse(&f, src)
	from := 0
	for _, end := range a.ends {
		seen := make(map[uint32]bool)
		for _, w := range a.words[from:end] {
			for _, t := range terms(w.text) {
				if id, ok := v.terms.find(t); ok && !seen[id] {
					seen[id] = true
					v.deadDocs[id]++
				}
			}
		}
		from = end
	}
	return nil
}

// fileRef is a file of a snapshot.
type fileRef struct {
	view *view
	file uint32
}

func (f fileRef) path() string         { return f.view.path(f.file) }
func (f fileRef) has(flag uint32) bool { return f.view.has(f.file, flag) }

// Snapshot is an immutable state of an index. It is safe for concurrent use, and stays valid for as long as it is held.
type Snapshot struct {
	opt    Options
	views  []*view
	list   []fileRef        // sorted by path
	byPath map[string]int32 // to list
	fileOf [][]int32        // of each view: its files' places in list; -1 for those that are gone
	chunks uint32           // numbers of chunks in use, dead ones included
	stats  stats
	graph  *graph
	vec    *vectors
	made   time.Time
}

// stats are what BM25F must know of the whole collection.
type stats struct {
	docs    uint64             // chunks
	lengths [fieldCount]uint64 // sums over them
}

// newSnapshot puts views together.
func newSnapshot(ctx context.Context, opt Options, views []*view, vec *vectors) (*Snapshot, error) {
	s := &Snapshot{opt: opt, vec: vec, made: opt.now()}
	for _, v := range views {
		for f := range uint32(v.files()) {
			if !v.gone(f) {
				s.list = append(s.list, fileRef{v, f})
			}
		}
	}
	slices.SortFunc(s.list, func(a, b fileRef) int { return strings.Compare(a.path(), b.path()) })
	s.byPath = make(map[string]int32, len(s.list))
	for i, r := range s.list {
		s.byPath[r.path()] = int32(i)
	}
	s.setViews(views, func(r fileRef) int32 { return s.byPath[r.path()] })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var err error
	s.graph, err = newGraph(ctx, s.list, s.byPath)
	return s, err
}

// setViews numbers the chunks of views, which must be new ones, and counts them; place tells where a file is in s.list.
func (s *Snapshot) setViews(views []*view, place func(fileRef) int32) {
	s.views, s.fileOf = views, make([][]int32, len(views))
	for i, v := range views {
		v.base = s.chunks
		s.chunks += uint32(v.chunks())
		s.fileOf[i] = make([]int32, v.files())
		for f := range uint32(v.files()) {
			if v.gone(f) {
				s.fileOf[i][f] = -1
				continue
			}
			s.fileOf[i][f] = place(fileRef{v, f})
			s.stats.add(v.segment, f)
		}
	}
}

func (t *stats) add(s *segment, file uint32) {
	from, to := s.fileChunks[file], s.fileChunks[file+1]
	t.docs += uint64(to - from)
	for i, b := range s.chunkLengths[from*fieldCount : to*fieldCount] {
		t.lengths[i%fieldCount] += lengths[b]
	}
}

// chunkRef is a chunk of a snapshot.
type chunkRef struct {
	view  int
	chunk uint32 // in its segment
}

// locate finds a chunk by its number in the snapshot.
func (s *Snapshot) locate(id uint32) chunkRef {
	i, ok := slices.BinarySearchFunc(s.views, id, func(v *view, id uint32) int {
		switch {
		case id < v.base:
			return 1
		case id >= v.base+uint32(v.chunks()):
			return -1
		}
		return 0
	})
	if !ok {
		return chunkRef{}
	}
	return chunkRef{i, id - s.views[i].base}
}
