package index

import (
	"cmp"
	"context"
	"path"
	"slices"
)

// graph says which file imports what. Its nodes are files and packages: a file of Go belongs to the package of its folder, and an
// import of Go names a package; in the other languages most imports name a file.
//
// Nodes below len(files) are files (by their place in Snapshot.list), those from there on are packages.
type graph struct {
	packages            []pack
	unit                []int32   // of each file: its package, or itself
	out                 [][]edge  // of each file: what it imports, by line
	in                  [][]int32 // of each node: the files that import it, ascending
	edges               int
	resolver            *resolver
	rank                []float64          // of each file; the highest is 1
	testsAfter, testsIn map[string][]int32 // files of tests by what they are called after, and by folder
}

// pack is a package: the files of one folder that say so.
type pack struct {
	dir, name string
	files     []int32
}

// edge is an import that was resolved.
type edge struct {
	to   int32 // node
	line int32
	as   string // the name that the file calls it by, "" where it has none
}

// newGraph resolves all imports of some files, sorted by path.
func newGraph(ctx context.Context, list []fileRef, byPath map[string]int32) (*graph, error) {
	g := &graph{unit: make([]int32, len(list)), out: make([][]edge, len(list))}
	r := newResolver(list, byPath, g)
	g.resolver = r
	for i, f := range list {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.out[i] = r.imports(int32(i), f)
		g.edges += len(g.out[i])
	}
	g.in = make([][]int32, len(list)+len(g.packages))
	for i, edges := range g.out {
		for _, e := range edges {
			if in := g.in[e.to]; len(in) == 0 || in[len(in)-1] != int32(i) {
				g.in[e.to] = append(in, int32(i))
			}
		}
	}
	g.rank = pageRank(g, list)
	g.groupTests(list)
	return g, nil
}

// members are the files of a node.
func (g *graph) members(node int32) []int32 {
	if n := int(node) - len(g.unit); n >= 0 {
		return g.packages[n].files
	}
	return []int32{node}
}

// groupPackages finds the packages of Go: a folder and a name. Tests of package x_test are one of their own.
func (g *graph) groupPackages(list []fileRef) map[string][]int32 {
	type key struct{ dir, name string }
	at := make(map[key]int32)
	dirs := make(map[string][]int32)
	for i, f := range list {
		g.unit[i] = int32(i)
		if f.view.language(f.file) != "go" {
			continue
		}
		k := key{path.Dir(f.path()), f.view.str.at(f.view.filePackage[f.file])}
		if k.name == "" {
			continue
		}
		n, ok := at[k]
		if !ok {
			n = int32(len(list) + len(g.packages))
			at[k] = n
			g.packages = append(g.packages, pack{dir: k.dir, name: k.name})
			dirs[k.dir] = append(dirs[k.dir], n)
		}
		p := &g.packages[int(n)-len(list)]
		p.files = append(p.files, int32(i))
		g.unit[i] = n
	}
	// What an import of the folder means comes first: the package with most files that build and are no tests.
	for _, nodes := range dirs {
		slices.SortStableFunc(nodes, func(a, b int32) int {
			return cmp.Compare(g.weight(list, b), g.weight(list, a))
		})
	}
	return dirs
}

func (g *graph) weight(list []fileRef, node int32) int {
	p := g.packages[int(node)-len(g.unit)]
	w := 0
	for _, i := range p.files {
		switch f := list[i]; {
		case f.has(flagTest):
		case f.has(flagBuild):
			w += 1 << 16
		default:
			w++
		}
	}
	return w
}

func (g *graph) groupTests(list []fileRef) {
	g.testsAfter, g.testsIn = make(map[string][]int32), make(map[string][]int32)
	for i, f := range list {
		if f.has(flagTest) {
			stem, dir := testStem(f.path()), path.Dir(f.path())
			g.testsAfter[stem] = append(g.testsAfter[stem], int32(i))
			g.testsIn[dir] = append(g.testsIn[dir], int32(i))
		}
	}
}
