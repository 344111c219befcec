package parse

import (
	"context"
	"strings"
	"testing"
)

// checkFile says what holds for every file, whatever is in it.
func checkFile(t *testing.T, path string, src []byte, f File) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(Text(src)), "\n"), "\n")
	if len(Text(src)) == 0 {
		lines = nil
	}
	if f.Lines != len(lines) {
		t.Errorf("%s: %d lines, want %d", path, f.Lines, len(lines))
	}
	next := 1
	for i, c := range f.Chunks {
		if c.Start < next || c.End < c.Start || c.End > f.Lines || c.End-c.Start+1 > MaxChunkLines || c.Symbol >= len(f.Symbols) || c.Symbol < -1 {
			t.Fatalf("%s: chunk %d is %+v after line %d of %d", path, i, c, next-1, f.Lines)
		}
		for ; next < c.Start; next++ {
			if strings.TrimSpace(lines[next-1]) != "" {
				t.Fatalf("%s: line %d is in no chunk: %q", path, next, lines[next-1])
			}
		}
		next = c.End + 1
	}
	for ; next <= len(lines); next++ {
		if strings.TrimSpace(lines[next-1]) != "" {
			t.Fatalf("%s: line %d is in no chunk: %q", path, next, lines[next-1])
		}
	}
	last := 1
	for _, s := range f.Symbols {
		if s.Start < last || s.End < s.Start || s.End > f.Lines || s.DocStart >= s.Start && s.DocStart != 0 || s.Name == "" ||
			len(s.Signature) > signatureBytes || len(s.Doc) > docBytes || strings.Contains(s.Signature, "\n") {
			t.Fatalf("%s: symbol %+v after line %d of %d", path, s, last, f.Lines)
		}
		last = s.Start
	}
	for i, r := range f.Refs {
		if r.Line < 1 || r.Line > f.Lines || r.Name == "" || i > 0 && r.Line < f.Refs[i-1].Line {
			t.Fatalf("%s: reference %+v of %d lines", path, r, f.Lines)
		}
	}
	for _, i := range f.Imports {
		if i.Line < 1 || i.Line > f.Lines {
			t.Fatalf("%s: import %+v of %d lines", path, i, f.Lines)
		}
	}
}

func TestChunksCoverTheStandardLibrary(t *testing.T) {
	for name, src := range goFiles(t, "go", "net/http", "unicode") {
		for _, path := range []string{name, strings.TrimSuffix(name, ".go") + ".kt", name + ".txt"} {
			f, err := Parse(context.Background(), path, src)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, path, src, f)
		}
	}
}
