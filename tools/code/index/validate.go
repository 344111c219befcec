package index

import "fmt"

// validate checks that the columns of a segment that was read fit each other, so that no query can run out of them. A checksum
// tells of accidents; this tells of everything else.
func (s *segment) validate() error {
	v := &validator{}
	files, chunks, symbols, imports := len(s.filePath), len(s.chunkFile), len(s.symbolName), len(s.importPath)
	v.table("strings", &s.str)
	v.table("words", &s.terms)
	v.table("names", &s.names)
	v.same("files", files, len(s.fileLanguage), len(s.fileParser), len(s.filePackage), len(s.fileHash), len(s.fileModule),
		len(s.fileFlags), len(s.fileLines), len(s.fileSize), len(s.fileMod), len(s.fileSource))
	v.same("chunks", chunks, len(s.chunkStart), len(s.chunkEnd), len(s.chunkSymbol), len(s.chunkOffset), len(s.chunkKey), len(s.chunkLengths)/fieldCount)
	v.same("symbols", symbols, len(s.symbolContainer), len(s.symbolKind), len(s.symbolSignature), len(s.symbolDoc), len(s.symbolFile),
		len(s.symbolStart), len(s.symbolEnd), len(s.symbolDocStart), len(s.symbolFlags), len(s.symbolMetrics))
	v.same("imports", imports, len(s.importAlias), len(s.importNames), len(s.importLine))
	v.same("metrics", len(s.metrics)/metricInts, len(s.metricFloats)/metricReals)
	v.from("chunks of files", s.fileChunks, files, chunks)
	v.from("symbols of files", s.fileSymbols, files, symbols)
	v.from("imports of files", s.fileImports, files, imports)
	v.from("references of chunks", s.chunkRefs, chunks, len(s.refs))
	v.from("lists of words", s.termPost, s.terms.len(), len(s.postings))
	v.same("words", s.terms.len(), len(s.termDocs))
	v.from("symbols of names", s.nameSymbols, s.names.len(), len(s.nameList))
	v.below("files of chunks", files, s.chunkFile)
	v.below("symbols of chunks", symbols+1, s.chunkSymbol)
	v.below("files of symbols", files, s.symbolFile)
	v.below("metrics of symbols", len(s.metrics)/metricInts+1, s.symbolMetrics)
	v.below("symbols of names", symbols, s.nameList)
	v.below("chunks of words", chunks+1, s.termDocs)
	v.below("strings", s.str.len(), s.filePath, s.fileLanguage, s.fileParser, s.filePackage, s.fileHash, s.fileModule,
		s.symbolName, s.symbolContainer, s.symbolKind, s.symbolSignature, s.symbolDoc, s.importPath, s.importAlias, s.importNames)
	v.ascending("blocks", s.blockEnd, len(s.blocks))
	v.sources(s)
	return v.err
}

// validator keeps the first thing that is wrong.
type validator struct{ err error }

func (v *validator) fail(what, how string) {
	if v.err == nil {
		v.err = fmt.Errorf("%s: %s", what, how)
	}
}

func (v *validator) same(what string, n int, others ...int) {
	for _, o := range others {
		if o != n {
			v.fail(what, fmt.Sprintf("%d and %d of them", n, o))
		}
	}
}

func (v *validator) ascending(what string, col []uint32, top int) {
	last := uint32(0)
	for _, x := range col {
		if x < last || uint64(x) > uint64(top) {
			v.fail(what, "they are out of order")
			return
		}
		last = x
	}
}

func (v *validator) table(what string, t *stringTable) {
	if len(t.ends) == 0 || t.ends[0] != 0 {
		v.fail(what, "there is no empty one")
	}
	v.ascending(what, t.ends, len(t.text))
}

func (v *validator) from(what string, col []uint32, rows, top int) {
	if len(col) != rows+1 || col[0] != 0 || uint64(col[rows]) != uint64(top) {
		v.fail(what, "they do not cover their table")
		return
	}
	v.ascending(what, col, top)
}

func (v *validator) below(what string, top int, cols ...[]uint32) {
	for _, col := range cols {
		for _, x := range col {
			if uint64(x) >= uint64(top) {
				v.fail(what, fmt.Sprintf("%d where there are %d", x, top))
				return
			}
		}
	}
}

// sources checks that each file's text lies in the blocks, and that chunks belong to the file that has them.
func (v *validator) sources(s *segment) {
	if v.err != nil {
		return
	}
	room := uint64(len(s.blockEnd)) * blockSize
	for i := range s.filePath {
		if s.fileSource[i] > room || s.fileSource[i]+uint64(s.fileSize[i]) > room {
			v.fail("sources", "a file lies beyond them")
		}
		for c := s.fileChunks[i]; c < s.fileChunks[i+1]; c++ {
			if s.chunkFile[c] != uint32(i) || s.chunkOffset[c] > s.fileSize[i] || s.chunkEnd[c] < s.chunkStart[c] ||
				s.chunkSymbol[c] != 0 && (s.chunkSymbol[c]-1 < s.fileSymbols[i] || s.chunkSymbol[c]-1 >= s.fileSymbols[i+1]) {
				v.fail("chunks", "one does not belong to its file")
			}
		}
	}
}
