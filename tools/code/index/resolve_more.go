package index

import (
	"path"
	"strings"
)

// python resolves dotted modules: relative ones by their dots, absolute ones from the folder of the file upwards to the root and
// then from "src", as a program started there would find them. What is imported by name may be a module of its own. The
// __init__.py of a package on the way runs, too, so it is a dependency.
func (r *resolver) python(imp imported) []int32 {
	name := strings.TrimLeft(imp.path, ".")
	dots := len(imp.path) - len(name)
	rel := strings.ReplaceAll(name, ".", "/")
	if dots > 0 {
		base := imp.dir
		for range dots - 1 {
			base = path.Dir(base)
		}
		return r.pythonModule(base, rel, imp.names)
	}
	for dir := imp.dir; ; dir = path.Dir(dir) {
		if found := r.pythonModule(dir, rel, imp.names); found != nil {
			return found
		}
		if dir == "." || dir == "/" {
			return r.pythonModule("src", rel, imp.names)
		}
	}
}

func (r *resolver) pythonModule(base, rel, names string) []int32 {
	var out []int32
	whole := path.Join(base, rel)
	for n := range strings.SplitSeq(names, "\x00") {
		if n != "" {
			out = append(out, r.first(path.Join(whole, n)+".py", path.Join(whole, n, "__init__.py"), path.Join(whole, n)+".pyi")...)
		}
	}
	out = append(out, r.first(whole+".py", whole+"/__init__.py", whole+".pyi")...)
	if out == nil {
		return nil
	}
	for p := strings.Trim(rel, "/"); strings.Contains(p, "/"); {
		p = path.Dir(p)
		out = append(out, r.first(path.Join(base, p, "__init__.py"))...)
	}
	return out
}

// java resolves a class by its package and name, under whatever root of sources, and a wildcard to all classes of the package. An
// inner class or a static member is looked for in the class that has it.
func (r *resolver) java(imp imported) []int32 {
	p := strings.Trim(strings.ReplaceAll(strings.TrimSuffix(imp.path, ".*"), ".", "/"), "/")
	for rest := p; strings.Contains(rest, "/"); rest = path.Dir(rest) {
		for _, e := range []string{".java", ".kt", ".scala"} {
			if found := r.suffixed(rest + e); found != nil {
				return found
			}
		}
	}
	if !strings.HasSuffix(imp.path, ".*") && imp.names != "*" {
		return nil
	}
	var out []int32
	for i, f := range r.list {
		if d := path.Dir(f.path()); (d == p || strings.HasSuffix(d, "/"+p)) && strings.HasSuffix(f.path(), ".java") {
			out = append(out, int32(i))
		}
	}
	return out
}

// javaNeighbours finds the classes of the same package, which need no import, by their names.
func (r *resolver) javaNeighbours(f fileRef, dir string, add func(int32, uint32)) {
	v := f.view
	for c := v.fileChunks[f.file]; c < v.fileChunks[f.file+1]; c++ {
		for k := range v.eachRef(c) {
			for _, n := range [2]uint32{k.name, k.qualifier} {
				if i, ok := r.byPath[path.Join(dir, v.str.at(n)+".java")]; ok && n > 0 {
					add(i, v.chunkStart[c])
				}
			}
		}
	}
}

// rust resolves crate::, self:: and super:: paths and the names of crates of the index, to the deepest module that has a file.
func (r *resolver) rust(imp imported) []int32 {
	parts := strings.Split(strings.Trim(imp.path, ":"), "::")
	self := r.rustModule(imp.file)
	var dir string
	switch root, ok := r.crates[parts[0]]; {
	case parts[0] == "crate":
		dir, parts = r.crateRoot(imp.dir), parts[1:]
	case parts[0] == "self":
		dir, parts = self, parts[1:]
	case parts[0] == "super":
		for dir = self; len(parts) > 0 && parts[0] == "super"; parts = parts[1:] {
			dir = path.Dir(dir)
		}
	case ok:
		dir, parts = root, parts[1:]
	default: // mod name; or a path from the module itself
		dir = self
	}
	for n := len(parts); n > 0; n-- {
		p := path.Join(dir, path.Join(parts[:n]...))
		if found := r.first(p+".rs", p+"/mod.rs"); found != nil {
			return found
		}
	}
	if dir == self {
		return nil
	}
	return r.first(dir+".rs", dir+"/mod.rs", dir+"/lib.rs", dir+"/main.rs")
}

// rustModule is the folder where a file's own modules lie.
func (r *resolver) rustModule(file string) string {
	dir, base := path.Split(file)
	switch base {
	case "mod.rs", "lib.rs", "main.rs":
		return path.Clean(dir)
	}
	return path.Join(dir, strings.TrimSuffix(base, ".rs"))
}

// crateRoot is the nearest folder upwards that has a lib.rs or main.rs.
func (r *resolver) crateRoot(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		if r.first(d+"/lib.rs", d+"/main.rs") != nil || d == "." || d == "/" {
			return d
		}
	}
}

// include resolves a header beside the file, from the root, or where only one file has that path.
func (r *resolver) include(imp imported) []int32 {
	if found := r.first(path.Join(imp.dir, imp.path), imp.path); found != nil {
		return found
	}
	if found := r.suffixed(imp.path); len(found) == 1 {
		return found
	}
	return nil
}
