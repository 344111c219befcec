package index

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Importers lists the files that depend on something that is imported and not in the index: a package of a registry, the standard
// library. Those that import it have depth 1 and the line; the others are as Dependents has them. imports are the import paths
// that the name was taken for, sorted; none when nothing imports it.
//
// The name is the import path, the beginning of one ("net" for net/http, too), or, when no import begins so, some of its elements
// ("gin" for github.com/gin-gonic/gin, "pgx" for github.com/jackc/pgx/v5), whatever the case. Numbers of versions do not count.
func (s *Snapshot) Importers(name string) (list []Dependent, imports []string) {
	want := elements(name)
	if len(want) == 0 {
		return nil, nil
	}
	found, first := s.outside(want)
	if len(found) == 0 {
		return nil, nil
	}
	w := walk{s: s, depth: make(map[int32]int), found: make(map[int32]Dependent)}
	var level []int32
	taken := make(map[string]bool)
	for _, x := range found {
		if x.first != first {
			continue
		}
		taken[x.path] = true
		f := s.list[x.file]
		if _, ok := w.found[x.file]; ok {
			continue
		}
		w.found[x.file] = Dependent{Path: f.path(), Depth: 1, Line: x.line, Test: f.has(flagTest), Via: x.path}
		unit := s.graph.unit[x.file]
		if f.has(flagBuild) && !f.has(flagCgo) && !f.has(flagTest) && !w.seen(unit) {
			w.depth[unit] = 1
			level = append(level, unit)
		}
	}
	for len(level) > 0 {
		level = w.step(level)
	}
	w.siblings(-1)
	return w.list(), slices.Sorted(maps.Keys(taken))
}

// outsider is an import of something that is not in the index.
type outsider struct {
	file  int32
	path  string
	line  int
	first bool // it begins with what was looked for
}

// outside lists the imports of the whole index that have some elements and mean nothing in it, and says whether any begins so.
func (s *Snapshot) outside(want []string) (out []outsider, first bool) {
	fits := make(map[string]int) // import path to where it has the elements, -1 for nowhere
	for i, f := range s.list {
		v := f.view
		for k := v.fileImports[f.file]; k < v.fileImports[f.file+1]; k++ {
			p := v.str.at(v.importPath[k])
			at, known := fits[p]
			if !known {
				at = indexOf(elements(p), want)
				fits[p] = at
			}
			if at < 0 || strings.HasPrefix(p, ".") {
				continue
			}
			imp := imported{path: p, alias: v.str.at(v.importAlias[k]), names: v.str.at(v.importNames[k]), file: f.path(), dir: path.Dir(f.path())}
			if len(s.graph.resolver.resolve(v.language(f.file), imp)) > 0 {
				continue
			}
			out, first = append(out, outsider{file: int32(i), path: p, line: int(v.importLine[k]), first: at == 0}), first || at == 0
		}
	}
	return out, first
}

var versionElement = regexp.MustCompile(`^v\d+$`)

// elements are the words of an import path, in lower case, without versions.
func elements(p string) []string {
	out := strings.FieldsFunc(strings.ToLower(p), func(r rune) bool { return strings.ContainsRune("/.:\\<>\"", r) })
	return slices.DeleteFunc(out, func(e string) bool { return versionElement.MatchString(e) })
}

// indexOf is where a list has another one in it, -1 for nowhere.
func indexOf(list, part []string) int {
	for i := 0; i+len(part) <= len(list); i++ {
		if slices.Equal(list[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}
