package index

import (
	"cmp"
	"slices"
)

// Dependents lists the files that depend on a file: who imports it, who imports those, and so on; tests last, by depth and path.
//
// In Go a package is imported, not a file. So every file of every package that imports the file's package is listed, with the depth
// of its package; only files that the go command would compile here without cgo count, so that the packages are those whose
// `go list -deps` names the package. The other files of its own package are not listed: see Related. Nothing depends on tests: a
// test is listed, with Test set, when it imports something that the file reaches, and leads no further.
//
// An unknown path is a *PathError.
func (s *Snapshot) Dependents(name string) ([]Dependent, error) {
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	w := walk{s: s, depth: make(map[int32]int), found: make(map[int32]Dependent)}
	start := s.graph.unit[i]
	w.depth[start] = 0
	for level := []int32{start}; len(level) > 0; {
		level = w.step(level)
	}
	w.siblings(start)
	delete(w.found, i)
	return w.list(), nil
}

// list is what was found, in order.
func (w *walk) list() []Dependent {
	out := make([]Dependent, 0, len(w.found))
	for _, d := range w.found {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b Dependent) int {
		return cmp.Or(cmp.Compare(flag(a.Test, 1), flag(b.Test, 1)), cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path, b.Path))
	})
	return out
}

// walk goes from a node to those that import it, level by level.
type walk struct {
	s     *Snapshot
	depth map[int32]int // of nodes
	found map[int32]Dependent
}

// step lists the importers of one level and returns the next one.
func (w *walk) step(level []int32) []int32 {
	g := w.s.graph
	var next []int32
	for _, node := range level {
		depth := w.depth[node] + 1
		for _, i := range g.in[node] {
			f := w.s.list[i]
			if !f.has(flagBuild) || f.has(flagCgo) {
				continue
			}
			if old, ok := w.found[i]; !ok || depth < old.Depth {
				w.found[i] = Dependent{Path: f.path(), Depth: depth, Line: w.line(i, node), Test: f.has(flagTest), Via: w.s.nodeName(node)}
			}
			if f.has(flagTest) {
				continue
			}
			if unit := g.unit[i]; !w.seen(unit) {
				w.depth[unit] = depth
				next = append(next, unit)
			}
		}
	}
	return next
}

func (w *walk) seen(node int32) bool { _, ok := w.depth[node]; return ok }

func (w *walk) line(file, node int32) int {
	for _, e := range w.s.graph.out[file] {
		if e.to == node {
			return int(e.line)
		}
	}
	return 0
}

// siblings gives the files of a package the depth of their package: they are compiled together.
func (w *walk) siblings(start int32) {
	for node, depth := range w.depth {
		if node == start || int(node) < len(w.s.list) {
			continue
		}
		for _, i := range w.s.graph.members(node) {
			f := w.s.list[i]
			if d, ok := w.found[i]; !f.has(flagBuild) || f.has(flagCgo) || f.has(flagTest) || ok && d.Depth <= depth {
				continue
			}
			w.found[i] = Dependent{Path: f.path(), Depth: depth, Via: w.s.nodeName(node)}
		}
	}
}

// nodeName is a file's path, or a package's folder.
func (s *Snapshot) nodeName(node int32) string {
	if n := int(node) - len(s.list); n >= 0 {
		return s.graph.packages[n].dir
	}
	return s.list[node].path()
}

// Dependency is something that a file imports.
type Dependency struct {
	Import string // as written
	Line   int
	// Paths are the files that it means, sorted: one file, or those of a package of Go that are no tests. Empty for what lies
	// outside of the index: the standard library, packages of a registry.
	Paths []string
}

// Dependencies lists the imports of a file, by line, with what they mean. An unknown path is a *PathError.
func (s *Snapshot) Dependencies(name string) ([]Dependency, error) {
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	f := s.list[i]
	byLine := make(map[int][]string)
	for _, e := range s.graph.out[i] {
		for _, m := range s.graph.members(e.to) {
			if int(e.to) < len(s.list) || !s.list[m].has(flagTest) {
				byLine[int(e.line)] = append(byLine[int(e.line)], s.list[m].path())
			}
		}
	}
	var out []Dependency
	for _, imp := range f.view.imports(f.file) {
		paths := byLine[imp.Line]
		slices.Sort(paths)
		out = append(out, Dependency{Import: imp.Path, Line: imp.Line, Paths: slices.Compact(paths)})
	}
	return out, nil
}
