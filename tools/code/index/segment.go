package index

import (
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"catena/tools/code/parse"
)

// segment is a part of an index: some files with all that is known of them. It does not change once it is made, so that
// snapshots share it. Everything is kept in columns of numbers; columns() lists them for the store.
//
// A column whose comment says "from" has one element more than there are rows: row i owns [col[i], col[i+1]) of another table.
type segment struct {
	name string       // of its file in a store; unique
	disk atomic.Int64 // bytes of that file; 0 while it was never saved

	str stringTable

	// Files, in the order in which they were added.
	filePath, fileLanguage, fileParser, filePackage, fileHash, fileModule []uint32 // strings
	fileFlags, fileLines, fileSize                                        []uint32
	fileMod                                                               []uint64 // Unix nanoseconds; 0 for none
	fileSource                                                            []uint64 // where its text begins in the stream of sources
	fileChunks, fileSymbols, fileImports                                  []uint32 // from

	// Chunks, those of one file together.
	chunkFile, chunkStart, chunkEnd []uint32
	chunkSymbol                     []uint32 // 1 + symbol; 0 for none
	chunkOffset                     []uint32 // of its first byte in the file
	chunkKey                        []uint64 // a hash of its text
	chunkLengths                    []byte   // fieldCount for each chunk, see quantise
	chunkRefs                       []uint32 // from, in bytes of refs
	refs                            []byte   // see refs.go

	// Symbols.
	symbolName, symbolContainer, symbolKind, symbolSignature, symbolDoc []uint32 // strings
	symbolFile, symbolStart, symbolEnd, symbolDocStart, symbolFlags     []uint32
	symbolMetrics                                                       []uint32 // 1 + row of metrics; 0 for none
	metrics                                                             []uint32 // metricInts for each row
	metricFloats                                                        []uint64 // metricReals for each row, as bits

	// Imports.
	importPath, importAlias, importNames, importLine []uint32

	// Words: sorted, with the chunks that have them.
	terms    stringTable
	termDocs []uint32 // number of chunks
	termPost []uint32 // from, in bytes of postings; one element for string 0, too
	postings []byte   // see postings.go

	// Names of symbols in lower case, sorted, and who has them.
	names       stringTable
	nameSymbols []uint32 // from; one element for string 0, too
	nameList    []uint32

	// Sources: one stream of text, cut into blocks that are compressed each for itself.
	blocks   []byte
	blockEnd []uint32
	cache    *blockCache
	keys     byKey
	exact    byString
}

// Flags of files and symbols.
const (
	flagTest = 1 << iota
	flagBuild
	flagCgo
	flagBroken
	flagExported
)

func flag(on bool, f uint32) uint32 {
	if on {
		return f
	}
	return 0
}

func (s *segment) files() int  { return len(s.filePath) }
func (s *segment) chunks() int { return len(s.chunkFile) }

func (s *segment) path(file uint32) string     { return s.str.at(s.filePath[file]) }
func (s *segment) language(file uint32) string { return s.str.at(s.fileLanguage[file]) }
func (s *segment) has(file, f uint32) bool     { return s.fileFlags[file]&f != 0 }

// symbol gives a symbol back as the parser made it.
func (s *segment) symbol(i uint32) parse.Symbol {
	sym := parse.Symbol{
		Name: s.str.at(s.symbolName[i]), Container: s.str.at(s.symbolContainer[i]), Kind: parse.SymbolKind(s.str.at(s.symbolKind[i])),
		Signature: s.str.at(s.symbolSignature[i]), Doc: s.str.at(s.symbolDoc[i]), Exported: s.symbolFlags[i]&flagExported != 0,
		Start: int(s.symbolStart[i]), End: int(s.symbolEnd[i]), DocStart: int(s.symbolDocStart[i]),
	}
	if m := s.symbolMetrics[i]; m > 0 {
		sym.Metrics = s.metric(m - 1)
	}
	return sym
}

// qualified is a symbol's name with its container before it.
func (s *segment) qualified(i uint32) string {
	name := s.str.at(s.symbolName[i])
	if c := s.str.at(s.symbolContainer[i]); c != "" {
		return c + "." + name
	}
	return name
}

// named lists the symbols with a name, given in lower case.
func (s *segment) named(lower string) []uint32 {
	i, ok := s.names.find(lower)
	if !ok {
		return nil
	}
	return s.nameList[s.nameSymbols[i]:s.nameSymbols[i+1]]
}

// chunkAt is the chunk of a file that has the line, or the nearest one before it, else the first. The file must have chunks.
func (s *segment) chunkAt(file uint32, line int) uint32 {
	from, to := s.fileChunks[file], s.fileChunks[file+1]
	i := sort.Search(int(to-from), func(i int) bool { return int(s.chunkStart[from+uint32(i)]) > line })
	return from + uint32(max(i-1, 0))
}

// file gives a file back as the parser made it, except that each name is told once for a chunk, with the chunk's first line.
func (s *segment) file(i uint32) parse.File {
	f := parse.File{
		Path: s.path(i), Language: s.language(i), Parser: s.str.at(s.fileParser[i]), Package: s.str.at(s.filePackage[i]),
		Lines: int(s.fileLines[i]), Test: s.has(i, flagTest), Build: s.has(i, flagBuild), Cgo: s.has(i, flagCgo), Broken: s.has(i, flagBroken),
	}
	first := s.fileSymbols[i]
	for k := first; k < s.fileSymbols[i+1]; k++ {
		f.Symbols = append(f.Symbols, s.symbol(k))
	}
	f.Imports = s.imports(i)
	for c := s.fileChunks[i]; c < s.fileChunks[i+1]; c++ {
		sym := -1
		if k := s.chunkSymbol[c]; k > 0 {
			sym = int(k - 1 - first)
		}
		f.Chunks = append(f.Chunks, parse.Chunk{Start: int(s.chunkStart[c]), End: int(s.chunkEnd[c]), Symbol: sym})
		for r := range s.eachRef(c) {
			f.Refs = append(f.Refs, parse.Ref{Name: s.str.at(r.name), Qualifier: s.str.at(r.qualifier), Line: int(s.chunkStart[c]), Call: r.call})
		}
	}
	return f
}

func (s *segment) imports(file uint32) []parse.Import {
	var out []parse.Import
	for k := s.fileImports[file]; k < s.fileImports[file+1]; k++ {
		imp := parse.Import{Path: s.str.at(s.importPath[k]), Alias: s.str.at(s.importAlias[k]), Line: int(s.importLine[k])}
		if names := s.str.at(s.importNames[k]); names != "" {
			imp.Names = strings.Split(names, "\x00")
		}
		out = append(out, imp)
	}
	return out
}

// Stamp tells one state of a file from another.
type Stamp struct {
	Hash string    // of the content, or of what tells that it changed; "" for none
	Mod  time.Time // zero for none
}

func (s *segment) stamp(file uint32) Stamp {
	st := Stamp{Hash: s.str.at(s.fileHash[file])}
	if ns := s.fileMod[file]; ns != 0 {
		st.Mod = time.Unix(0, int64(ns))
	}
	return st
}

// blockCache keeps a few blocks of sources as text. It is safe for concurrent use.
type blockCache struct {
	mu    sync.Mutex
	text  map[uint32][]byte
	order []uint32
}
