package index

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools/code/parse"
)

// FileInfo is a file of a snapshot.
type FileInfo struct {
	parse.File // Refs hold each name once for a chunk, with the chunk's first line
	Stamp
	Size int
	Rank float64 // in the graph of imports, 0..1; the highest is 1
}

// find is a file's place in s.list.
func (s *Snapshot) find(name string) (int32, error) {
	if i, ok := s.byPath[name]; ok {
		return i, nil
	}
	if i, ok := s.byPath[path.Clean(strings.TrimPrefix(name, "./"))]; ok {
		return i, nil
	}
	return 0, &PathError{Path: name, Nearest: s.nearest(name)}
}

// nearest lists paths that have the same base name, or else a similar one.
func (s *Snapshot) nearest(name string) []string {
	type candidate struct {
		path string
		cost int
	}
	var list []candidate
	base := strings.ToLower(path.Base(name))
	for _, f := range s.list {
		p := f.path()
		b := strings.ToLower(path.Base(p))
		limit := 2
		if len(base) < 5 {
			limit = 1
		}
		switch d := text.Distance(b, base, limit); {
		case d <= limit:
			list = append(list, candidate{p, 100*d + text.Distance(strings.ToLower(p), strings.ToLower(name), 90)})
		case len(base) > 3 && strings.Contains(strings.ToLower(p), base):
			list = append(list, candidate{p, 300 + len(p)})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.path, b.path)) })
	var out []string
	for _, c := range list[:min(len(list), 5)] {
		out = append(out, c.path)
	}
	return out
}

// File is what is known of a file. An unknown path is a *PathError.
func (s *Snapshot) File(name string) (FileInfo, error) {
	i, err := s.find(name)
	if err != nil {
		return FileInfo{}, err
	}
	f := s.list[i]
	v, at := f.view, f.file
	return FileInfo{File: v.file(at), Stamp: v.stamp(at), Size: int(v.fileSize[at]), Rank: s.graph.rank[i]}, nil
}

// FileSummary is one line of Files.
type FileSummary struct {
	Path, Language, Package string
	Lines, Size             int
	Symbols                 int
	Test                    bool
	Rank                    float64
	Stamp                   Stamp
}

// Files lists all files, sorted by path. The slice is the caller's.
func (s *Snapshot) Files() []FileSummary {
	out := make([]FileSummary, 0, len(s.list))
	for i, f := range s.list {
		v := f.view
		out = append(out, FileSummary{
			Path: f.path(), Language: v.language(f.file), Lines: int(v.fileLines[f.file]), Size: int(v.fileSize[f.file]),
			Package: v.str.at(v.filePackage[f.file]), Symbols: int(v.fileSymbols[f.file+1] - v.fileSymbols[f.file]),
			Test: f.has(flagTest), Rank: s.graph.rank[i], Stamp: v.stamp(f.file),
		})
	}
	return out
}

// Has reports whether a path is in the index.
func (s *Snapshot) Has(name string) bool { _, ok := s.byPath[name]; return ok }

// Lines returns the lines from..to of a file as they were indexed, both included, with their line ends; bytes that are no UTF-8 as
// U+FFFD. What lies outside of the file is left out. An unknown path is a *PathError.
func (s *Snapshot) Lines(name string, from, to int) (string, error) {
	i, err := s.find(name)
	if err != nil {
		return "", err
	}
	text, err := s.list[i].view.lines(s.list[i].file, from, to)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// Source returns a file's bytes as they were indexed. An unknown path is a *PathError.
func (s *Snapshot) Source(name string) ([]byte, error) {
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	f := s.list[i]
	return f.view.source(f.file, 0, int(f.view.fileSize[f.file]))
}

// lines finds lines by the chunks around them.
func (s *segment) lines(file uint32, from, to int) (string, error) {
	from, to = max(from, 1), min(to, int(s.fileLines[file])+1)
	if from > to {
		return "", nil
	}
	line, at, end := 1, 0, int(s.fileSize[file])
	if first, last := s.fileChunks[file], s.fileChunks[file+1]; first < last {
		if c := s.chunkAt(file, from); int(s.chunkStart[c]) <= from {
			line, at = int(s.chunkStart[c]), int(s.chunkOffset[c])
		}
		if c := s.chunkAt(file, to) + 1; c < last && int(s.chunkStart[c]) > to {
			end = int(s.chunkOffset[c])
		}
	}
	text, err := s.source(file, at, end)
	if err != nil {
		return "", err
	}
	text = text[after(text, from-line):]
	text = text[:after(text, to-from+1)]
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// after is where the n-th line of a text ends.
func after(text []byte, n int) int {
	at := 0
	for range n {
		k := bytes.IndexByte(text[at:], '\n')
		if k < 0 {
			return len(text)
		}
		at += k + 1
	}
	return at
}

// Facts counts what is in the snapshot. They may outlive it: nothing of it is held by them.
func (s *Snapshot) Facts() Facts {
	f := Facts{Files: len(s.list), Chunks: int(s.stats.docs), Edges: s.graph.edges, Languages: make(map[string]int), Made: s.made}
	languages := make(map[string]int)
	for _, r := range s.list {
		v := r.view
		f.Lines += int(v.fileLines[r.file])
		f.Bytes += int64(v.fileSize[r.file])
		f.Symbols += int(v.fileSymbols[r.file+1] - v.fileSymbols[r.file])
		languages[v.language(r.file)]++
	}
	for name, n := range languages {
		f.Languages[strings.Clone(name)] = n // it is a piece of a table of strings
	}
	for _, v := range s.views {
		f.Stored += v.disk.Load()
	}
	return f
}
