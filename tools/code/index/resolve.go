package index

import (
	"path"
	"strings"
	"sync"
)

// resolver finds out which file or package of the index an import means. What is not in the index has no node. It is kept with the
// graph, so that a changed file is resolved without looking at the others.
type resolver struct {
	list    []fileRef
	byPath  map[string]int32
	g       *graph
	goDirs  map[string][]int32 // folder to packages, the one that an import of it means first
	modules []module           // longest import path first
	byBase  *baseNames
	aliases []tsAlias
	crates  map[string]string // name of a Rust crate to the folder of its sources
}

// baseNames finds files by the last element of their path, for imports whose root is not known. It is made when first needed.
type baseNames struct {
	once  sync.Once
	files map[string][]int32
}

func newResolver(list []fileRef, byPath map[string]int32, g *graph) *resolver {
	r := &resolver{list: list, byPath: byPath, g: g, byBase: new(baseNames)}
	r.goDirs = g.groupPackages(list)
	for _, f := range list {
		said := f.view.str.at(f.view.fileModule[f.file])
		if said == "" {
			continue
		}
		switch dir := path.Dir(f.path()); path.Base(f.path()) {
		case "go.mod":
			r.modules = append(r.modules, module{path: said, dir: dir})
		case "Cargo.toml":
			if r.crates == nil {
				r.crates = make(map[string]string)
			}
			r.crates[strings.ReplaceAll(said, "-", "_")] = path.Join(dir, "src")
		default:
			r.aliases = append(r.aliases, parseAliases(dir, said)...)
		}
	}
	sortModules(r.modules)
	return r
}

// imports resolves what a file imports. A node that is imported twice has one edge, from the first line.
func (r *resolver) imports(self int32, f fileRef) []edge {
	v := f.view
	from, to := v.fileImports[f.file], v.fileImports[f.file+1]
	language := v.language(f.file)
	if from == to && language != "java" {
		return nil
	}
	var out []edge
	add := func(node int32, line uint32, as string) {
		if node < 0 || node == r.g.unit[self] && language != "go" {
			return
		}
		for i := range out {
			if out[i].to == node {
				return
			}
		}
		out = append(out, edge{to: node, line: int32(line), as: as})
	}
	dir := path.Dir(f.path())
	for k := from; k < to; k++ {
		imp := imported{
			path: v.str.at(v.importPath[k]), alias: v.str.at(v.importAlias[k]), names: v.str.at(v.importNames[k]), file: f.path(), dir: dir,
		}
		for _, n := range r.resolve(language, imp) {
			add(n, v.importLine[k], r.localName(n, imp))
		}
	}
	if language == "java" {
		r.javaNeighbours(f, dir, func(n int32, line uint32) { add(n, line, "") })
	}
	return out
}

// imported is an import with where it stands.
type imported struct {
	path, alias string
	names       string // separated by NUL
	file, dir   string
}

func (r *resolver) resolve(language string, imp imported) []int32 {
	switch language {
	case "go":
		return r.goPackage(imp)
	case "python":
		return r.python(imp)
	case "javascript", "typescript":
		return r.script(imp)
	case "java", "kotlin", "scala":
		return r.java(imp)
	case "rust":
		return r.rust(imp)
	case "c", "cpp":
		return r.include(imp)
	}
	return nil
}

// localName is what the file calls an import by.
func (r *resolver) localName(node int32, imp imported) string {
	switch {
	case imp.alias != "":
		return imp.alias
	case int(node) >= len(r.list):
		return r.g.packages[int(node)-len(r.list)].name
	}
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(imp.path, ".", "/")), "/")
}

// file looks a path up.
func (r *resolver) file(p string) (int32, bool) {
	i, ok := r.byPath[path.Clean(p)]
	return i, ok
}

// first is the first of some paths that is there.
func (r *resolver) first(paths ...string) []int32 {
	for _, p := range paths {
		if i, ok := r.file(p); ok {
			return []int32{i}
		}
	}
	return nil
}

// suffixed lists the files whose path ends in a path.
func (r *resolver) suffixed(p string) []int32 {
	r.byBase.once.Do(func() {
		r.byBase.files = make(map[string][]int32)
		for i, f := range r.list {
			b := path.Base(f.path())
			r.byBase.files[b] = append(r.byBase.files[b], int32(i))
		}
	})
	var out []int32
	for _, i := range r.byBase.files[path.Base(p)] {
		if q := r.list[i].path(); q == p || strings.HasSuffix(q, "/"+p) {
			out = append(out, i)
		}
	}
	return out
}
