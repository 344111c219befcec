package parse

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Limits of one file. What goes beyond the first is an error, beyond the others Truncated.
const (
	MaxFileSize = 8 << 20 // bytes
	MaxSymbols  = 50_000
	MaxImports  = 10_000
	MaxRefs     = 200_000
	MaxTokens   = 500_000 // that the lexical rules look at
)

// MemoryPerByte is how much memory Parse may take at once for each byte of a source, by any of its parsers and whatever the source is.
const MemoryPerByte = 160

const (
	signatureBytes = 300
	docBytes       = 2000
	nameBytes      = 300
)

// ErrTooLarge is wrapped by the error of Parse for a source of more than MaxFileSize bytes.
var ErrTooLarge = errors.New("file is too large to be parsed")

// The parsers that File.Parser names.
const (
	GoAST   = "go/ast"
	Lexical = "lexical"
)

// Parse takes a source apart. path is only looked at for its name: its extension tells the language, and tests. Broken source
// is no error: the File says Broken and has what could be read. The error wraps ErrTooLarge or is that of ctx. Line numbers are
// those of Text(src). Parse keeps no reference to src, but the strings of a File may share one copy of it: clone those that live
// long. The same source gives the same File. Parse is safe for concurrent use.
func Parse(ctx context.Context, path string, src []byte) (File, error) {
	if err := ctx.Err(); err != nil {
		return File{}, err
	}
	if len(src) > MaxFileSize {
		return File{}, fmt.Errorf("%s has %d bytes, at most %d are read: %w", path, len(src), MaxFileSize, ErrTooLarge)
	}
	text := Text(src)
	b := &builder{ctx: ctx, src: newSource(string(text)), raw: text}
	b.file = File{Path: path, Language: Language(path, text), Build: true, Lines: b.src.lines(), Parser: Lexical}
	b.file.Test = isTest(b.file.Language, path)
	b.read()
	if err := ctx.Err(); err != nil {
		return File{}, err
	}
	b.finish()
	return b.file, nil
}

// builder gathers what is known of one file.
type builder struct {
	ctx  context.Context
	raw  []byte // the text
	src  *source
	file File
}

// read lets the best parser for the language have the file.
func (b *builder) read() {
	if b.file.Language != "go" || !b.readGo() {
		b.readLexical()
	}
}

func (b *builder) symbol(s Symbol) int {
	if len(b.file.Symbols) >= MaxSymbols {
		b.file.Truncated = true
		return -1
	}
	s.Name, s.Container = clip(s.Name, nameBytes), clip(s.Container, nameBytes)
	b.file.Symbols = append(b.file.Symbols, s)
	return len(b.file.Symbols) - 1
}

func (b *builder) ref(r Ref) {
	if len(b.file.Refs) >= MaxRefs {
		b.file.Truncated = true
		return
	}
	r.Name, r.Qualifier = clip(r.Name, nameBytes), clip(r.Qualifier, nameBytes)
	b.file.Refs = append(b.file.Refs, r)
}

func (b *builder) addImport(i Import) {
	if len(b.file.Imports) >= MaxImports {
		b.file.Truncated = true
		return
	}
	b.file.Imports = append(b.file.Imports, i)
}

// finish orders what was found and cuts the chunks.
func (b *builder) finish() {
	f := &b.file
	slices.SortStableFunc(f.Symbols, func(a, c Symbol) int { return a.Start - c.Start })
	slices.SortStableFunc(f.Imports, func(a, c Import) int { return a.Line - c.Line })
	f.Refs = uniqueRefs(f.Refs)
	f.Chunks = chunks(b.src, f.Symbols)
}

// uniqueRefs orders references by line and keeps each name once a line; a name that is called there counts as a call.
func uniqueRefs(refs []Ref) []Ref {
	byLine := func(a, c Ref) int { return a.Line - c.Line }
	if !slices.IsSortedFunc(refs, byLine) {
		slices.SortStableFunc(refs, byLine)
	}
	type name struct{ qualifier, name string }
	var seen map[name]int // only for long lines
	out := refs[:0]
	for i, line := 0, 0; i < len(refs); i++ {
		r := refs[i]
		if r.Line != line {
			line, seen = r.Line, nil
		}
		at := -1
		if seen != nil {
			if n, ok := seen[name{r.Qualifier, r.Name}]; ok {
				at = n
			}
		} else {
			n := 0
			for j := len(out) - 1; j >= 0 && out[j].Line == line; j-- {
				if out[j].Name == r.Name && out[j].Qualifier == r.Qualifier {
					at = j
				}
				n++
			}
			if n > 32 {
				seen = make(map[name]int, 2*n)
				for j := len(out) - n; j < len(out); j++ {
					seen[name{out[j].Qualifier, out[j].Name}] = j
				}
			}
		}
		if at >= 0 {
			out[at].Call = out[at].Call || r.Call
			continue
		}
		if seen != nil {
			seen[name{r.Qualifier, r.Name}] = len(out)
		}
		out = append(out, r)
	}
	return out
}

// isTest says that a file is a test by the conventions of its language's usual test tools.
func isTest(language, file string) bool {
	dir, base := path.Split(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch language {
	case "go":
		return strings.HasSuffix(stem, "_test")
	case "python":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest"
	case "javascript", "typescript":
		return strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || inFolder(dir, "__tests__")
	case "java", "kotlin", "csharp", "swift":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT") ||
			strings.HasSuffix(stem, "TestCase") || inFolder(dir, "src/test")
	case "rust":
		return inFolder(dir, "tests") || stem == "tests" || strings.HasSuffix(stem, "_test")
	case "ruby":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") || strings.HasPrefix(stem, "test_")
	case "php":
		return strings.HasSuffix(stem, "Test")
	case "c", "cpp":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_unittest") || strings.HasPrefix(stem, "test_")
	case "shell":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, ".test") || strings.HasPrefix(stem, "test_")
	}
	return false
}

func inFolder(dir, folder string) bool { return strings.Contains("/"+dir, "/"+folder+"/") }
