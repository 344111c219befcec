package parse

// File is what is known of one source file. Lines count from 1; ranges include both ends.
type File struct {
	Path     string // as given to Parse: relative to the repository's root, with slashes
	Language string // go, python, javascript, typescript, java, rust, c, markdown ...; "text" for others
	Parser   string // go/ast or lexical: how much to trust Symbols and Metrics
	Package  string // what the file says it belongs to: Go's and Java's package; "" where the language has no such line
	Lines    int
	Test     bool // a test by its language's conventions (_test.go, test_*.py, *.spec.ts ...)
	// Build says that the Go tool would compile the file on this system without cgo, by its name and its //go:build line; true
	// for other languages. Cgo says that it imports "C".
	Build bool
	Cgo   bool
	// Broken says that the source has syntax errors: what follows is what could be read all the same.
	Broken bool
	// Truncated says that there is more than MaxSymbols, MaxImports or MaxRefs: the first ones are kept.
	Truncated bool

	Symbols []Symbol // in order of their first line
	Imports []Import // in order of their line
	Refs    []Ref    // in order of their line; each name once a line
	Chunks  []Chunk  // in order, covering every line that is not blank exactly once
}

// SymbolKind says what a symbol is.
type SymbolKind string

// The kinds of symbols.
const (
	Function  SymbolKind = "function"
	Method    SymbolKind = "method"
	Class     SymbolKind = "class" // also struct
	Interface SymbolKind = "interface"
	Type      SymbolKind = "type"
	Enum      SymbolKind = "enum"
	Constant  SymbolKind = "constant"
	Variable  SymbolKind = "variable"
	Module    SymbolKind = "module" // also namespace; headings of Markdown
)

// Symbol is one declaration.
type Symbol struct {
	Name      string     // Turn
	Container string     // Engine: the type, class or function that it belongs to; outer ones before, with dots between
	Kind      SymbolKind //
	Signature string     // on one line, at most 300 bytes: func (e *Engine) Turn(ctx context.Context) error
	Doc       string     // its comment as text, without markers, at most 2,000 bytes
	Exported  bool       // visible outside of its file, package or module by the language's rules
	Start     int        // first line of the declaration, without its comment
	End       int
	DocStart  int      // first line of its comment; 0 without one
	Metrics   *Metrics // of functions and methods with a body; nil otherwise
}

// Metrics are the complexity of one function.
type Metrics struct {
	Cyclomatic int // McCabe 1976, counted as gocyclo does
	Cognitive  int // Campbell 2018 (SonarSource), counted as gocognit does
	Halstead   Halstead
	Lines      int // from Start to End
	Params     int
	Nesting    int // deepest nesting of control flow
}

// Halstead are Halstead's measures (Elements of Software Science, 1977).
type Halstead struct {
	Operators, Operands         int     // in all: N1, N2
	UniqueOperators, UniqueOpds int     // different ones: n1, n2
	Volume                      float64 // (N1+N2) log2(n1+n2); 0 for an empty body
	Difficulty                  float64 // n1/2 * N2/n2
	Effort                      float64 // Volume * Difficulty
	Bugs                        float64 // Volume / 3000
}

// Import is one import of a file.
type Import struct {
	Path  string   // as written, without quotes: fmt, ./engine, com.acme.Pay, crate::pay::ledger
	Names []string // what is taken out of it by name; nil for the whole
	Alias string   // the local name, when it is given one
	Line  int
}

// Ref is a use of a name that the file does not declare as a local: a call, a type, a field.
type Ref struct {
	Name      string // Turn
	Qualifier string // engine, in engine.Turn; "" without one
	Line      int
	Call      bool
}

// Chunk is a run of lines that belong together and are found together: a declaration with its comment, or what lies between.
// No chunk has more than MaxChunkLines lines; what is longer is cut at blank lines or statements where possible.
type Chunk struct {
	Start, End int
	Symbol     int // index into File.Symbols of the declaration that it is (part of), -1 for none
}

// MaxChunkLines bounds a chunk.
const MaxChunkLines = 120
