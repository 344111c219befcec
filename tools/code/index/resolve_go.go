package index

import (
	"bufio"
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
)

// module is a Go module of the index: its import path, and the folder of its go.mod.
type module struct{ path, dir string }

// moduleLine is what a file tells of its project that imports are resolved by: the module of a go.mod, the name in a Cargo.toml,
// the path aliases of a tsconfig.json. It is "" for all others.
func moduleLine(name string, src []byte) string {
	switch path.Base(name) {
	case "go.mod":
		return firstValue(src, "module ")
	case "Cargo.toml":
		return strings.Trim(firstValue(src, "name = "), `"`)
	case "tsconfig.json", "jsconfig.json":
		return compactAliases(src)
	}
	return ""
}

// firstValue is what stands after a word at the beginning of a line.
func firstValue(src []byte, prefix string) string {
	lines := bufio.NewScanner(bytes.NewReader(src))
	for lines.Scan() {
		if v, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), prefix); ok {
			v, _, _ = strings.Cut(v, "//")
			return strings.Trim(strings.TrimSpace(v), `"`)
		}
	}
	return ""
}

// sortModules puts the longest import paths first, and of equal ones the one nearest to the root.
func sortModules(m []module) {
	slices.SortFunc(m, func(a, b module) int {
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), cmp.Compare(len(a.dir), len(b.dir)), cmp.Compare(a.dir, b.dir))
	})
}

// goPackage resolves as the go command does: a vendor folder on the way up to the root of the importing file's module, then the
// modules of the index by the longest prefix, then the standard library, whose module is called std and whose packages have no
// prefix. Without any go.mod the folder counts whose path is the end of the import path.
func (r *resolver) goPackage(imp imported) []int32 {
	if imp.path == "C" {
		return nil
	}
	root := r.moduleRoot(imp.dir)
	for dir := imp.dir; ; dir = path.Dir(dir) {
		if n := r.goDir(path.Join(dir, "vendor", imp.path)); n >= 0 {
			return []int32{n}
		}
		if dir == root || dir == "." || dir == "/" {
			break
		}
	}
	for _, m := range r.modules {
		rest, ok := strings.CutPrefix(imp.path, m.path)
		switch {
		case m.path == "std" && !strings.Contains(strings.SplitN(imp.path, "/", 2)[0], "."):
			rest = "/" + imp.path
		case !ok || rest != "" && rest[0] != '/':
			continue
		}
		if n := r.goDir(path.Join(m.dir, rest)); n >= 0 {
			return []int32{n}
		}
	}
	if len(r.modules) > 0 {
		return nil
	}
	for p := imp.path; p != ""; {
		if n := r.goDir(p); n >= 0 {
			return []int32{n}
		}
		_, rest, _ := strings.Cut(p, "/")
		p = rest
	}
	return nil
}

func (r *resolver) moduleRoot(dir string) string {
	best := "."
	for _, m := range r.modules {
		if within(dir, m.dir) && len(m.dir) > len(best) {
			best = m.dir
		}
	}
	return best
}

// within reports whether a path is a folder or lies below it.
func within(p, dir string) bool {
	return dir == "." || p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// goDir is the package that an import of a folder means, or -1.
func (r *resolver) goDir(dir string) int32 {
	if nodes := r.goDirs[dir]; len(nodes) > 0 {
		return nodes[0]
	}
	return -1
}
