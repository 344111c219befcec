package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// TestFile is a file of tests for another file.
type TestFile struct {
	Path   string
	Reason string // named: called after it; uses: in its package or importing it, and using Uses of its symbols
	Uses   int
}

const (
	maxTests      = 20 // that Tests lists
	maxTestsAsked = 24 // files of tests that are looked into
)

// Tests lists the tests of a file: those that are called after it (engine_test.go, test_engine.py, engine.spec.ts, EngineTest.java),
// then those of its folder and those that import it and use its symbols, most first, at most 20. An unknown path is a *PathError.
func (s *Snapshot) Tests(name string) ([]TestFile, error) {
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	f := s.list[i]
	declared := make(map[uint32]bool)
	names := make(map[string]bool)
	for k := f.view.fileSymbols[f.file]; k < f.view.fileSymbols[f.file+1]; k++ {
		id := f.view.symbolName[k]
		declared[id], names[f.view.str.at(id)] = true, true
	}
	stem := testStem(f.path())
	var out []TestFile
	for _, j := range s.testsNear(i, stem) {
		g := s.list[j]
		t := TestFile{Path: g.path(), Reason: "uses"}
		if g.view.segment == f.view.segment {
			t.Uses = g.uses(func(n uint32) bool { return declared[n] })
		} else {
			t.Uses = g.uses(func(n uint32) bool { return names[g.view.str.at(n)] })
		}
		if testStem(g.path()) == stem && g.view.language(g.file) == f.view.language(f.file) {
			t.Reason = "named"
		}
		if t.Reason == "named" || t.Uses > 0 {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b TestFile) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), maxTests)], nil
}

// testsNear are the files of tests that may test a file, the likeliest first.
func (s *Snapshot) testsNear(self int32, stem string) []int32 {
	name := s.list[self].path()
	var out []int32
	add := func(list []int32, ok func(p string) bool) {
		for _, j := range list {
			if len(out) < maxTestsAsked && j != self && !slices.Contains(out, j) && ok(s.list[j].path()) {
				out = append(out, j)
			}
		}
	}
	add(s.graph.testsAfter[stem], func(p string) bool { return sharesFolder(name, p) })
	add(s.graph.testsIn[path.Dir(name)], func(string) bool { return true })
	if unit := s.graph.unit[self]; len(out) < maxTestsAsked && len(s.graph.in[unit]) < maxShared {
		for _, j := range s.graph.in[unit] {
			if s.list[j].has(flagTest) {
				add([]int32{j}, func(p string) bool { return sharesFolder(name, p) })
			}
		}
	}
	return out
}

// uses counts the names that a file uses and ok accepts.
func (f fileRef) uses(ok func(name uint32) bool) int {
	seen := make(map[uint32]bool)
	for c := f.view.fileChunks[f.file]; c < f.view.fileChunks[f.file+1]; c++ {
		for k := range f.view.eachRef(c) {
			if ok(k.name) {
				seen[k.name] = true
			}
		}
	}
	return len(seen)
}

// testStem is a file's name without what makes it a test: engine for engine_test.go, test_engine.py, engine.spec.ts and EngineTest.java.
func testStem(p string) string {
	b := strings.ToLower(path.Base(p))
	b, _, _ = strings.Cut(b, ".")
	for _, s := range []string{"_test", "_spec", "tests", "test"} {
		b = strings.TrimSuffix(b, s)
	}
	return strings.TrimPrefix(b, "test_")
}

// sharesFolder reports whether two files lie in folders that may hold a file and its test: the same one, one in the other, or, as in
// src/main and src/test, ones with the same last element or a common start.
func sharesFolder(a, b string) bool {
	da, db := path.Dir(a), path.Dir(b)
	if within(da, db) || within(db, da) || path.Base(da) == path.Base(db) {
		return true
	}
	fa, _, _ := strings.Cut(da, "/")
	fb, _, _ := strings.Cut(db, "/")
	return fa == fb || strings.HasPrefix(fb, "test") || strings.HasPrefix(fa, "test")
}
