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

// Tests lists the tests of a file: those that are called after it (engine_test.go, test_engine.py, engine.spec.ts, EngineTest.java),
// then those that use its symbols, most first, at most 20. An unknown path is a *PathError.
func (s *Snapshot) Tests(name string) ([]TestFile, error) {
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	f := s.list[i]
	declared := make(map[string]bool)
	for k := f.view.fileSymbols[f.file]; k < f.view.fileSymbols[f.file+1]; k++ {
		declared[f.view.str.at(f.view.symbolName[k])] = true
	}
	stem := testStem(f.path())
	var out []TestFile
	seen := make(map[int32]bool)
	consider := func(j int32) {
		g := s.list[j]
		if seen[j] || j == i || !g.has(flagTest) {
			return
		}
		seen[j] = true
		t := TestFile{Path: g.path(), Reason: "uses", Uses: g.uses(declared)}
		if testStem(g.path()) == stem && g.view.language(g.file) == f.view.language(f.file) {
			t.Reason = "named"
		}
		if t.Reason == "named" || t.Uses > 0 {
			out = append(out, t)
		}
	}
	for _, j := range s.users(i, len(s.list)) {
		consider(j)
	}
	for _, j := range s.graph.tests[stem] {
		if sharesFolder(f.path(), s.list[j].path()) {
			consider(j)
		}
	}
	slices.SortFunc(out, func(a, b TestFile) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), 20)], nil
}

// uses counts which of some names a file uses.
func (f fileRef) uses(names map[string]bool) int {
	seen := make(map[uint32]bool)
	n := 0
	for c := f.view.fileChunks[f.file]; c < f.view.fileChunks[f.file+1]; c++ {
		for k := range f.view.eachRef(c) {
			if !seen[k.name] {
				seen[k.name] = true
				n += int(flag(names[f.view.str.at(k.name)], 1))
			}
		}
	}
	return n
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
