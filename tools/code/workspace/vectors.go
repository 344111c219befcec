package workspace

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"catena/internal/text"
	"catena/tools/code/index"
)

// Bounds of embedding.
const (
	embedBatch   = 64       // texts of one request
	embedText    = 8000     // bytes of a text; embedders read about 2,000 tokens
	maxVectors   = 1 << 30  // bytes of a cache; a full one is begun anew
	maxDimension = 16 << 10 // numbers of a vector
)

// embed gives vectors to the chunks that have none. An embedder that fails does not stop the index: it answers without
// the missing vectors, the manifest says so, and the next Ensure tries again.
func (p *pipeline) embed(ctx context.Context) (string, error) {
	if p.w.opt.Embed == nil {
		return "no embedder is set; search goes by words, names and the graph", nil
	}
	todo := p.snap.Unembedded()
	store := p.w.vectors(p.made.EmbedModel)
	store.mu.Lock() // one at a time: embedders have limits, and equal texts are embedded once
	defer store.mu.Unlock()
	if err := store.open(); err != nil {
		p.run.note("vectors are not cached: %v", err)
	}
	defer store.close()
	var keys []uint64
	var rows [][]float32
	made := 0
	for len(todo) > 0 {
		batch := todo[:min(len(todo), embedBatch)]
		todo = todo[len(batch):]
		got, n, err := p.vectorsOf(ctx, store, batch)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			p.made.Unembedded = len(batch) + len(todo)
			p.run.note("the embedder failed, so %d texts have no vectors: %v", p.made.Unembedded, err)
			break
		}
		made += n
		for i, row := range got {
			keys, rows = append(keys, batch[i].Key), append(rows, row)
		}
	}
	snap, err := p.snap.WithVectors(p.made.EmbedModel, keys, rows)
	if err != nil {
		p.made.Unembedded = len(keys)
		p.run.note("the embedder's vectors cannot be used: %v", err)
		return "no vectors: those of the embedder cannot be used", nil
	}
	p.snap = snap
	message := fmt.Sprintf("%d texts embedded by %s, %d of them from the cache", len(keys), p.made.EmbedModel, len(keys)-made)
	if p.made.Unembedded > 0 {
		message += fmt.Sprintf("; %d have no vector because the embedder failed", p.made.Unembedded)
	}
	return message, nil
}

// vectorsOf gives the vectors of some chunks and says how many the embedder had to make.
func (p *pipeline) vectorsOf(ctx context.Context, store *vectorStore, batch []index.ChunkID) ([][]float32, int, error) {
	out := make([][]float32, len(batch))
	var texts []string
	var at []int
	for i, c := range batch {
		if out[i] = store.get(c.Key); out[i] != nil {
			continue
		}
		lines, err := p.snap.Lines(c.Path, c.Start, c.End)
		if err != nil {
			return nil, 0, err
		}
		texts, at = append(texts, text.Clip(lines, embedText)), append(at, i)
	}
	if len(texts) == 0 {
		return out, 0, nil
	}
	rows, err := p.w.opt.Embed(ctx, texts)
	if err != nil {
		return nil, 0, err
	}
	if len(rows) != len(texts) {
		return nil, 0, fmt.Errorf("it gave %d vectors for %d texts", len(rows), len(texts))
	}
	for k, row := range rows {
		if len(row) == 0 || len(row) > maxDimension || len(row) != len(rows[0]) {
			return nil, 0, fmt.Errorf("it gave a vector of %d numbers", len(row))
		}
		out[at[k]] = row
		store.put(batch[at[k]].Key, row)
	}
	return out, len(texts), nil
}

// vectorStore caches the vectors of one model by the key of their text, for all workspaces: a file of records, each a
// key and the numbers, all of one length. It is a cache: what cannot be read is embedded again.
type vectorStore struct {
	mu    sync.Mutex
	name  string
	file  *os.File
	dim   int
	place map[uint64]int64
	size  int64
}

// vectors returns the cache of a model.
func (w *Workspaces) vectors(model string) *vectorStore {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.caches[model]
	if s == nil {
		sum := sha256.Sum256([]byte(model))
		s = &vectorStore{name: filepath.Join(w.dir, "vectors-"+hex.EncodeToString(sum[:8]))}
		w.caches[model] = s
	}
	return s
}

// open reads where the vectors are. The file begins with the length of a vector.
func (s *vectorStore) open() (err error) {
	f, err := os.OpenFile(s.name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	s.place, s.dim, s.size = map[uint64]int64{}, 0, 0
	r := bufio.NewReaderSize(f, 1<<20)
	var head [8]byte
	if _, err := io.ReadFull(r, head[:4]); err == nil {
		s.dim, s.size = int(binary.LittleEndian.Uint32(head[:4])), 4
	}
	if s.dim <= 0 || s.dim > maxDimension {
		s.dim, s.size = 0, 0
	}
	for s.dim > 0 && s.size < maxVectors {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			break
		}
		if n, err := r.Discard(4 * s.dim); err != nil || n != 4*s.dim {
			break // cut by a crash: written over
		}
		s.place[binary.LittleEndian.Uint64(head[:])] = s.size + 8
		s.size += 8 + 4*int64(s.dim)
	}
	if s.size >= maxVectors {
		s.dim, s.size = 0, 0
		clear(s.place)
	}
	s.file = f
	return f.Truncate(s.size)
}

func (s *vectorStore) close() {
	if s.file != nil {
		_ = s.file.Close() // a cache: what was lost is made again
	}
	s.file, s.place = nil, nil
}

// get returns a vector, nil when it is not there.
func (s *vectorStore) get(key uint64) []float32 {
	at, ok := s.place[key]
	if !ok || s.file == nil {
		return nil
	}
	buf := make([]byte, 4*s.dim)
	if _, err := s.file.ReadAt(buf, at); err != nil {
		return nil
	}
	row := make([]float32, s.dim)
	for i := range row {
		row[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:]))
	}
	return row
}

// put adds a vector. A model whose vectors have become longer or shorter begins anew.
func (s *vectorStore) put(key uint64, row []float32) {
	if s.file == nil {
		return
	}
	var buf []byte
	if s.dim != len(row) {
		clear(s.place)
		s.dim, s.size = len(row), 0
		if s.file.Truncate(0) != nil {
			s.close()
			return
		}
		buf = binary.LittleEndian.AppendUint32(buf, uint32(len(row)))
	}
	at := s.size + int64(len(buf)) + 8
	buf = binary.LittleEndian.AppendUint64(buf, key)
	for _, x := range row {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(x))
	}
	if n, err := s.file.WriteAt(buf, s.size); err != nil || n != len(buf) {
		s.close() // the disk is full, most likely; a cut record is found by the next open
		return
	}
	s.place[key] = at
	s.size += int64(len(buf))
}
