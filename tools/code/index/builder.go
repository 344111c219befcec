package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/tools/code/parse"
)

// Options are how an index is made. The zero value is usable.
type Options struct {
	Now func() time.Time // nil means time.Now
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// ErrTooLarge is wrapped where an index would hold more than its numbers can count: 4 GiB of words in one piece.
var ErrTooLarge = errors.New("the index is too large")

// Builder makes a first index. Add may be called by several goroutines at once; Build once, after them.
type Builder struct {
	opt Options
	mu  sync.Mutex
	w   *segmentWriter
}

// NewBuilder returns a builder without files.
func NewBuilder(opt Options) *Builder { return &Builder{opt: opt, w: newSegmentWriter()} }

// Add takes in a file as the parser made it, with the source that it was made of; src is not kept and not changed. A path that was
// added before is an error, as is a file whose chunks lie outside of its lines.
func (b *Builder) Add(f parse.File, src []byte, stamp Stamp) error {
	if err := check(&f); err != nil {
		return err
	}
	a := analyse(&f, src)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w.add(&f, src, stamp, a)
}

// Build ends the work and returns the snapshot: words sorted, the graph resolved, files ranked. An empty one is no error.
func (b *Builder) Build(ctx context.Context) (*Snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	seg := b.w.finish()
	b.w = newSegmentWriter()
	return newSnapshot(ctx, b.opt, []*view{newView(seg)}, nil)
}

// check refuses what the parser never makes, so that the rest need not ask again.
func check(f *parse.File) error {
	if f.Path == "" {
		return errors.New("a file without a path cannot be indexed")
	}
	last := 0
	for _, c := range f.Chunks {
		if c.Start <= last || c.End < c.Start || c.Symbol >= len(f.Symbols) {
			return fmt.Errorf("%s: the chunk at lines %d to %d is out of order", f.Path, c.Start, c.End)
		}
		last = c.End
	}
	return nil
}

// segmentWriter makes a segment, file by file. It is not safe for concurrent use.
type segmentWriter struct {
	seg     *segment
	in      *interner
	sources sourceWriter
	paths   map[string]bool

	ids      map[string]uint32 // words that have a list
	names    []string          // of the lists
	lists    []posting
	cache    map[string][]uint32 // identifier to the lists of its words
	slot     []uint32            // of each list: 1 + its place in counts for the chunk at hand; 0 for none
	counts   []counts
	touched  []uint32
	refsSeen map[ref]bool
}

func newSegmentWriter() *segmentWriter {
	return &segmentWriter{
		seg: &segment{
			fileChunks: []uint32{0}, fileSymbols: []uint32{0}, fileImports: []uint32{0}, chunkRefs: []uint32{0}, cache: new(blockCache),
		},
		in: newInterner(), paths: make(map[string]bool), ids: make(map[string]uint32), cache: make(map[string][]uint32),
		refsSeen: make(map[ref]bool),
	}
}

func (w *segmentWriter) add(f *parse.File, src []byte, stamp Stamp, a analysis) error {
	if w.paths[f.Path] {
		return fmt.Errorf("%s was added twice", f.Path)
	}
	w.paths[f.Path] = true
	s, file := w.seg, uint32(len(w.seg.filePath))
	s.filePath = append(s.filePath, w.in.id(f.Path))
	s.fileLanguage = append(s.fileLanguage, w.in.id(f.Language))
	s.fileParser = append(s.fileParser, w.in.id(f.Parser))
	s.filePackage = append(s.filePackage, w.in.id(f.Package))
	s.fileHash = append(s.fileHash, w.in.add(stamp.Hash))
	s.fileModule = append(s.fileModule, w.in.id(moduleLine(f.Path, src)))
	s.fileFlags = append(s.fileFlags, flag(f.Test, flagTest)|flag(f.Build, flagBuild)|flag(f.Cgo, flagCgo)|flag(f.Broken, flagBroken))
	s.fileLines = append(s.fileLines, uint32(f.Lines))
	s.fileSize = append(s.fileSize, uint32(len(src)))
	mod := uint64(0)
	if !stamp.Mod.IsZero() {
		mod = uint64(stamp.Mod.UnixNano())
	}
	s.fileMod = append(s.fileMod, mod)
	s.fileSource = append(s.fileSource, w.sources.add(src))
	w.addChunks(file, f, src, a)
	w.addSymbols(file, f)
	w.addImports(f)
	if w.sources.size > math.MaxUint32 || len(w.in.text) > math.MaxUint32 {
		return fmt.Errorf("%s: %w", f.Path, ErrTooLarge)
	}
	return nil
}

func (w *segmentWriter) addChunks(file uint32, f *parse.File, src []byte, a analysis) {
	s := w.seg
	firstSymbol := s.fileSymbols[len(s.fileSymbols)-1]
	at, r := 0, 0
	for i, c := range f.Chunks {
		id := uint32(len(s.chunkFile))
		s.chunkFile = append(s.chunkFile, file)
		s.chunkStart = append(s.chunkStart, uint32(c.Start))
		s.chunkEnd = append(s.chunkEnd, uint32(c.End))
		sym := uint32(0)
		if c.Symbol >= 0 {
			sym = 1 + firstSymbol + uint32(c.Symbol)
		}
		s.chunkSymbol = append(s.chunkSymbol, sym)
		s.chunkOffset = append(s.chunkOffset, uint32(a.offset[i]))
		s.chunkKey = append(s.chunkKey, keyOf(src[a.offset[i]:a.end(i, len(src))]))
		w.addWords(id, a.words[at:a.ends[i]])
		at = a.ends[i]
		first := r
		for r < len(f.Refs) && f.Refs[r].Line <= c.End {
			r++
		}
		s.refs = appendRefs(s.refs, f.Refs[first:r], w.in, w.refsSeen)
		s.chunkRefs = append(s.chunkRefs, uint32(len(s.refs)))
	}
	s.fileChunks = append(s.fileChunks, uint32(len(s.chunkFile)))
}

// end is where chunk i ends: where the next one begins.
func (a *analysis) end(i, size int) int {
	if i+1 < len(a.offset) {
		return a.offset[i+1]
	}
	return size
}

// addWords puts the words of a chunk into their lists.
func (w *segmentWriter) addWords(chunk uint32, words []word) {
	w.touched, w.counts = w.touched[:0], w.counts[:0]
	var size [fieldCount]int
	for i := range words {
		for _, id := range w.listsOf(words[i].text) {
			if w.slot[id] == 0 {
				w.counts = append(w.counts, counts{})
				w.slot[id] = uint32(len(w.counts))
				w.touched = append(w.touched, id)
			}
			n := &w.counts[w.slot[id]-1]
			for f, c := range words[i].n {
				n[f] = uint16(min(int(n[f])+int(c), math.MaxUint16))
				size[f] += int(c)
			}
		}
	}
	for _, id := range w.touched {
		w.lists[id].add(chunk, &w.counts[w.slot[id]-1])
		w.slot[id] = 0
	}
	for _, n := range size {
		w.seg.chunkLengths = append(w.seg.chunkLengths, quantise(n))
	}
}

// listsOf gives the lists of the words of an identifier.
func (w *segmentWriter) listsOf(identifier string) []uint32 {
	if ids, ok := w.cache[identifier]; ok {
		return ids
	}
	var ids []uint32
	for _, t := range terms(identifier) {
		id, ok := w.ids[t]
		if !ok {
			t = strings.Clone(t)
			id = uint32(len(w.lists))
			w.ids[t] = id
			w.names = append(w.names, t)
			w.lists = append(w.lists, posting{})
			w.slot = append(w.slot, 0)
		}
		ids = append(ids, id)
	}
	w.cache[strings.Clone(identifier)] = ids
	return ids
}

func (w *segmentWriter) addSymbols(file uint32, f *parse.File) {
	s := w.seg
	for i := range f.Symbols {
		sym := &f.Symbols[i]
		s.symbolName = append(s.symbolName, w.in.id(sym.Name))
		s.symbolContainer = append(s.symbolContainer, w.in.id(sym.Container))
		s.symbolKind = append(s.symbolKind, w.in.id(string(sym.Kind)))
		s.symbolSignature = append(s.symbolSignature, w.in.add(sym.Signature))
		s.symbolDoc = append(s.symbolDoc, w.in.add(sym.Doc))
		s.symbolFile = append(s.symbolFile, file)
		s.symbolStart = append(s.symbolStart, uint32(sym.Start))
		s.symbolEnd = append(s.symbolEnd, uint32(sym.End))
		s.symbolDocStart = append(s.symbolDocStart, uint32(sym.DocStart))
		s.symbolFlags = append(s.symbolFlags, flag(sym.Exported, flagExported))
		s.symbolMetrics = append(s.symbolMetrics, s.addMetrics(sym.Metrics))
	}
	s.fileSymbols = append(s.fileSymbols, uint32(len(s.symbolName)))
}

func (w *segmentWriter) addImports(f *parse.File) {
	s := w.seg
	for _, imp := range f.Imports {
		s.importPath = append(s.importPath, w.in.id(imp.Path))
		s.importAlias = append(s.importAlias, w.in.id(imp.Alias))
		s.importNames = append(s.importNames, w.in.id(strings.Join(imp.Names, "\x00")))
		s.importLine = append(s.importLine, uint32(imp.Line))
	}
	s.fileImports = append(s.fileImports, uint32(len(s.importPath)))
}

// finish sorts what was added and lets go of what is not needed any more.
func (w *segmentWriter) finish() *segment {
	s := w.seg
	s.name = partName("part")
	w.cache, w.slot, w.ids = nil, nil, nil
	w.finishTerms()
	s.str = w.in.table()
	w.in = nil
	s.finishNames()
	w.sources.flush()
	s.blocks, s.blockEnd = slices.Clip(w.sources.blocks), w.sources.ends
	return s
}

func (w *segmentWriter) finishTerms() {
	s := w.seg
	order := make([]uint32, len(w.names))
	size := 0
	for i := range order {
		order[i] = uint32(i)
		size += len(w.lists[i].data)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(w.names[a], w.names[b]) })
	in := &interner{ends: make([]uint32, 1, len(order)+1)}
	s.postings = make([]byte, 0, size)
	s.termDocs, s.termPost = []uint32{0}, []uint32{0, 0}
	for _, id := range order {
		in.add(w.names[id])
		s.postings = append(s.postings, w.lists[id].data...)
		s.termDocs = append(s.termDocs, w.lists[id].docs)
		s.termPost = append(s.termPost, uint32(len(s.postings)))
		w.lists[id].data = nil
	}
	s.terms = in.table()
	w.names, w.lists = nil, nil
}

// finishNames sorts the names of the symbols.
func (s *segment) finishNames() {
	byName := make(map[string][]uint32)
	for i := range s.symbolName {
		n := strings.ToLower(s.str.at(s.symbolName[i]))
		byName[n] = append(byName[n], uint32(i))
	}
	in := &interner{ends: []uint32{0}}
	s.nameSymbols = []uint32{0, 0}
	names := make([]string, 0, len(byName))
	for n := range byName {
		if n != "" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		in.add(n)
		s.nameList = append(s.nameList, byName[n]...)
		s.nameSymbols = append(s.nameSymbols, uint32(len(s.nameList)))
	}
	s.names = in.table()
}
