package parse

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// describe writes a file's facts for people, who check golden files.
func describe(f File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s, package %q, %d lines", f.Language, f.Parser, f.Package, f.Lines)
	if f.Broken {
		b.WriteString(", broken")
	}
	b.WriteString("\n\nimports\n")
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "%4d  %s", i.Line, i.Path)
		if i.Names != nil {
			fmt.Fprintf(&b, " %v", i.Names)
		}
		if i.Alias != "" {
			fmt.Fprintf(&b, " as %s", i.Alias)
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nsymbols\n")
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%4d-%d %s %s", s.Start, s.End, s.Kind, join(s.Container, s.Name))
		if s.Exported {
			b.WriteString(", exported")
		}
		fmt.Fprintf(&b, "\n      %s\n", s.Signature)
		if s.Doc != "" || s.DocStart != 0 {
			fmt.Fprintf(&b, "      %d: %q\n", s.DocStart, s.Doc)
		}
		if m := s.Metrics; m != nil {
			fmt.Fprintf(&b, "      cyclomatic %d, cognitive %d, nesting %d, lines %d, params %d, halstead %d %d %d %d\n", m.Cyclomatic, m.Cognitive, m.Nesting,
				m.Lines, m.Params, m.Halstead.Operators, m.Halstead.Operands, m.Halstead.UniqueOperators, m.Halstead.UniqueOpds)
		}
	}
	b.WriteString("\nreferences\n")
	line := 0
	for _, r := range f.Refs {
		if r.Line != line {
			if line > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%4d ", r.Line)
			line = r.Line
		}
		b.WriteByte(' ')
		if r.Qualifier != "" {
			b.WriteString(r.Qualifier + ".")
		}
		b.WriteString(r.Name)
		if r.Call {
			b.WriteString("()")
		}
	}
	b.WriteString("\n\nchunks\n")
	for _, c := range f.Chunks {
		name := "-"
		if c.Symbol >= 0 {
			name = join(f.Symbols[c.Symbol].Container, f.Symbols[c.Symbol].Name)
		}
		fmt.Fprintf(&b, "%4d-%d %s\n", c.Start, c.End, name)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/src/*")
	if err != nil || len(paths) < 10 {
		t.Fatal(err, len(paths))
	}
	for _, p := range paths {
		t.Run(filepath.Base(p), func(t *testing.T) {
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(context.Background(), filepath.Base(p), src)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, p, src, f)
			golden := filepath.Join("testdata", "golden", filepath.Base(p)+"."+strings.ReplaceAll(f.Parser, "/", "-")+".txt")
			got := describe(f)
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s (-want +got):\n%s", golden, d)
			}
		})
	}
}
