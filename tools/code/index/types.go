package index

import (
	"time"

	"catena/tools/code/parse"
)

// Query is a search. The zero value of each switch leaves its way of finding out; without any of them, and without a vector, words,
// names and graph all count. Graph alone finds nothing: it starts from what was found.
type Query struct {
	Text    string
	Limit   int  // hits, 1 to 200
	Lexical bool // BM25F over identifiers split into words, comments and paths
	Symbol  bool // names of declarations
	Graph   bool // neighbours of the best hits by imports and references; ranks
	Vector  []float32
	// PathPrefix, Language and Kind narrow the search; "" for all.
	PathPrefix, Language string
	Kind                 parse.SymbolKind
}

// Hit is a chunk that was found.
type Hit struct {
	Path       string
	Start, End int
	Language   string
	Symbol     string           // Engine.Turn, "" for none
	Kind       parse.SymbolKind // of the symbol
	Signature  string
	Score      float64  // 0..1, comparable within one search
	Confidence string   // high, medium or low: how sure it is that this answers the query
	Why        []string // which ways found it: lexical, symbol, graph, vector
	Text       string   // the chunk's lines, as indexed
}

// Dependent is a file that depends on another one.
type Dependent struct {
	Path  string
	Depth int  // 1 imports it itself, 2 imports one that does ...
	Line  int  // of the import, for depth 1
	Test  bool // a test file
	Via   string
}

// Function is a function with its complexity.
type Function struct {
	Path   string
	Symbol parse.Symbol
	Rank   float64 // of its file in the dependency graph, 0..1
}

// Change is a file that has changed since a snapshot was made. Gone says that it is no more.
type Change struct {
	File   parse.File
	Source []byte
	Gone   bool
	Hash   string // of the content, or of what tells that it changed
	Mod    time.Time
}

// Facts are counts over a snapshot.
type Facts struct {
	Files     int            `json:"files"`
	Lines     int            `json:"lines"`
	Chunks    int            `json:"chunks"`
	Symbols   int            `json:"symbols"`
	Edges     int            `json:"edges"` // imports of one file by another
	Bytes     int64          `json:"bytes"` // of the sources
	Stored    int64          `json:"stored_bytes"`
	Languages map[string]int `json:"languages"` // files of each
	Made      time.Time      `json:"made_at,omitzero"`
}
