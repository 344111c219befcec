package index

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"catena/tools/code/parse"
)

// standardLibrary is an index of the standard library's packages, without the commands, made once for all benchmarks.
var standardLibrary = sync.OnceValues(func() (*Snapshot, error) {
	root := filepath.Join(goRoot(), "src")
	b := NewBuilder(Options{})
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == "cmd" || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") && d.Name() != "go.mod" {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := parse.Parse(context.Background(), rel, src)
		if err != nil {
			return err
		}
		return b.Add(f, src, Stamp{})
	})
	if err != nil {
		return nil, err
	}
	return b.Build(context.Background())
})

func library(b *testing.B) *Snapshot {
	b.Helper()
	s, err := standardLibrary()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return s
}

func BenchmarkSearch(b *testing.B) {
	s := library(b)
	questions := []string{
		"how does the http client follow redirects and when does it stop",
		"ReadAll reads from r until an error or EOF and returns the data it read",
		"parse a duration string such as 300ms",
	}
	n := 0
	for b.Loop() {
		if _, err := s.Search(b.Context(), Query{Text: questions[n%len(questions)], Limit: 10}); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkWith(b *testing.B) {
	s := library(b)
	const name = "net/http/client.go"
	src, err := s.Source(name)
	if err != nil {
		b.Fatal(err)
	}
	src = append(src, "\nfunc one(more int) int { return more }\n"...)
	f, err := parse.Parse(b.Context(), name, src)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.With(b.Context(), []Change{{File: f, Source: src}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDependents(b *testing.B) {
	s := library(b)
	for b.Loop() {
		if _, err := s.Dependents("errors/errors.go"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkContext(b *testing.B) {
	s := library(b)
	files := s.Files()
	n := 0
	for b.Loop() {
		name := files[n*7919%len(files)].Path
		n++
		if _, err := s.Lines(name, 1, 200); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Related(b.Context(), name, 10); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Tests(name); err != nil {
			b.Fatal(err)
		}
	}
}

func goRoot() string {
	if root := os.Getenv("GOROOT"); root != "" {
		return root
	}
	return "/usr/local/go"
}
