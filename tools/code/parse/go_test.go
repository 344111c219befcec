package parse

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fzipp/gocyclo"
	"github.com/uudashr/gocognit"
)

// goRoot is the folder of the Go distribution that runs the tests.
func goRoot(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Fatalf("go env GOROOT: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// goFiles are the Go files below folders of the standard library.
func goFiles(tb testing.TB, folders ...string) map[string][]byte {
	tb.Helper()
	root := filepath.Join(goRoot(tb), "src")
	files := map[string][]byte{}
	for _, f := range folders {
		err := filepath.WalkDir(filepath.Join(root, f), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
				return err
			}
			src, err := os.ReadFile(p)
			rel, _ := filepath.Rel(root, p)
			files[filepath.ToSlash(rel)] = src
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

func TestCallInItsOwnTypeIsNoRecursion(t *testing.T) {
	f, err := Parse(context.Background(), "a.go", []byte("package p\nfunc h() [len(h())]int { panic(0) }\n"))
	if err != nil || f.Symbols[0].Metrics.Cognitive != 0 {
		t.Errorf("cognitive %d, want 0; %v", f.Symbols[0].Metrics.Cognitive, err)
	}
}

func TestGoMetricsEqualThoseOfGocycloAndGocognit(t *testing.T) {
	functions := 0
	for name, src := range goFiles(t, "go", "net/http", "encoding", "reflect", "runtime") {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			continue
		}
		file, err := Parse(context.Background(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		var mine []Symbol
		for _, s := range file.Symbols {
			if s.Metrics != nil {
				mine = append(mine, s)
			}
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			functions++
			m := mine[0]
			mine = mine[1:]
			if m.Name != fn.Name.Name || m.Metrics.Cyclomatic != gocyclo.Complexity(fn) || m.Metrics.Cognitive != gocognit.Complexity(fn) {
				t.Errorf("%s: %s: cyclomatic %d, cognitive %d; want %s %d, %d", name, m.Name, m.Metrics.Cyclomatic, m.Metrics.Cognitive,
					fn.Name.Name, gocyclo.Complexity(fn), gocognit.Complexity(fn))
			}
		}
	}
	if functions < 5000 {
		t.Errorf("%d functions compared, want more", functions)
	}
}

func BenchmarkParseGo(b *testing.B) {
	files := goFiles(b, "net/http", "go/types")
	size := 0
	for _, src := range files {
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name, src := range files {
			if _, err := Parse(context.Background(), name, src); err != nil {
				b.Fatal(err)
			}
		}
	}
}
