package index

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"catena/tools/code/parse"
)

// BundleVersion is the version of the bundle's format, in its manifest.json.
const BundleVersion = 1

// WriteBundle writes the whole index as a tar archive, compressed with zstd, for other programs: each file holds one JSON object in
// a line, sorted by path.
//
//	manifest.json  {version, made, files, lines, bytes, chunks, symbols, edges, languages}
//	files.jsonl    {path, language, parser, package, lines, bytes, test, rank, hash}
//	symbols.jsonl  {path, name, container, kind, signature, doc, exported, start, end, cyclomatic, cognitive, halstead_volume}
//	chunks.jsonl   {path, start, end, symbol, text}
//	graph.jsonl    {from, import, line, to}: to are paths of the index, none for what lies outside
//
// What fails to be written is returned; the archive is then not complete.
func (s *Snapshot) WriteBundle(ctx context.Context, w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("writing the bundle: %w", err)
	}
	t := tar.NewWriter(z)
	b := bundler{ctx: ctx, s: s, tar: t}
	f := s.Facts()
	b.file("manifest.json", func(put func(any)) {
		put(bundleManifest{BundleVersion, f.Made, f.Files, f.Lines, f.Bytes, f.Chunks, f.Symbols, f.Edges, f.Languages})
	})
	b.file("files.jsonl", b.files)
	b.file("symbols.jsonl", b.symbols)
	b.file("chunks.jsonl", b.chunks)
	b.file("graph.jsonl", b.graph)
	for _, end := range []func() error{t.Close, z.Close} {
		if err := end(); b.err == nil {
			b.err = err
		}
	}
	if b.err != nil {
		return fmt.Errorf("writing the bundle: %w", b.err)
	}
	return nil
}

type bundleManifest struct {
	Version   int            `json:"version"`
	Made      time.Time      `json:"made"`
	Files     int            `json:"files"`
	Lines     int            `json:"lines"`
	Bytes     int64          `json:"bytes"`
	Chunks    int            `json:"chunks"`
	Symbols   int            `json:"symbols"`
	Edges     int            `json:"edges"`
	Languages map[string]int `json:"languages"`
}

type bundleFile struct {
	Path     string  `json:"path"`
	Language string  `json:"language"`
	Parser   string  `json:"parser"`
	Package  string  `json:"package,omitempty"`
	Lines    int     `json:"lines"`
	Bytes    int     `json:"bytes"`
	Test     bool    `json:"test"`
	Rank     float64 `json:"rank"`
	Hash     string  `json:"hash,omitempty"`
}

type bundleSymbol struct {
	Path       string           `json:"path"`
	Name       string           `json:"name"`
	Container  string           `json:"container,omitempty"`
	Kind       parse.SymbolKind `json:"kind"`
	Signature  string           `json:"signature,omitempty"`
	Doc        string           `json:"doc,omitempty"`
	Exported   bool             `json:"exported"`
	Start      int              `json:"start"`
	End        int              `json:"end"`
	Cyclomatic int              `json:"cyclomatic,omitempty"`
	Cognitive  int              `json:"cognitive,omitempty"`
	Volume     float64          `json:"halstead_volume,omitempty"`
}

type bundleChunk struct {
	Path   string `json:"path"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Symbol string `json:"symbol,omitempty"`
	Text   string `json:"text"`
}

type bundleEdge struct {
	From   string   `json:"from"`
	Import string   `json:"import"`
	Line   int      `json:"line"`
	To     []string `json:"to,omitempty"`
}

// bundler writes the files of a bundle; after the first error nothing more.
type bundler struct {
	ctx context.Context
	s   *Snapshot
	tar *tar.Writer
	err error
}

// file writes one file of the archive. A tar archive tells sizes first, so the file is packed in memory, then unpacked into it:
// that takes a tenth of the room of the text.
func (b *bundler) file(name string, rows func(put func(any))) {
	if b.err != nil {
		return
	}
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		b.err = err
		return
	}
	size := &counting{w: z}
	enc := json.NewEncoder(size)
	enc.SetEscapeHTML(false)
	rows(func(row any) {
		if b.err == nil {
			if b.err = b.ctx.Err(); b.err == nil {
				b.err = enc.Encode(row)
			}
		}
	})
	if err := z.Close(); b.err == nil {
		b.err = err
	}
	if b.err != nil {
		return
	}
	if b.err = b.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size.n, ModTime: b.s.made, Format: tar.FormatPAX}); b.err != nil {
		return
	}
	r, err := zstd.NewReader(&packed, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.err = err
		return
	}
	defer r.Close()
	_, b.err = io.Copy(b.tar, r)
}

type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func (b *bundler) files(put func(any)) {
	for i, f := range b.s.list {
		v := f.view
		put(bundleFile{
			Path: f.path(), Language: v.language(f.file), Parser: v.str.at(v.fileParser[f.file]), Package: v.str.at(v.filePackage[f.file]),
			Lines: int(v.fileLines[f.file]), Bytes: int(v.fileSize[f.file]), Test: f.has(flagTest), Rank: b.s.graph.rank[i], Hash: v.stamp(f.file).Hash,
		})
	}
}

func (b *bundler) symbols(put func(any)) {
	for _, f := range b.s.list {
		for k := f.view.fileSymbols[f.file]; k < f.view.fileSymbols[f.file+1]; k++ {
			s := f.view.symbol(k)
			row := bundleSymbol{
				Path: f.path(), Name: s.Name, Container: s.Container, Kind: s.Kind, Signature: s.Signature, Doc: s.Doc, Exported: s.Exported,
				Start: s.Start, End: s.End,
			}
			if m := s.Metrics; m != nil {
				row.Cyclomatic, row.Cognitive, row.Volume = m.Cyclomatic, m.Cognitive, m.Halstead.Volume
			}
			put(row)
		}
	}
}

func (b *bundler) chunks(put func(any)) {
	for _, f := range b.s.list {
		v := f.view
		for c := v.fileChunks[f.file]; c < v.fileChunks[f.file+1] && b.err == nil; c++ {
			h, err := b.s.hit(v.base + c)
			if err != nil {
				b.err = err
				return
			}
			put(bundleChunk{h.Path, h.Start, h.End, h.Symbol, h.Text})
		}
	}
}

func (b *bundler) graph(put func(any)) {
	for _, f := range b.s.list {
		deps, err := b.s.Dependencies(f.path())
		if err != nil {
			b.err = err
			return
		}
		for _, d := range deps {
			put(bundleEdge{f.path(), d.Import, d.Line, d.Paths})
		}
	}
}
