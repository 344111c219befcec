package index

import (
	"context"
	"slices"
)

// patched is a snapshot of the same paths as s, in which only some files' content has changed, and nothing by which others resolve their
// imports: what the graph knows of all others stays.
func (s *Snapshot) patched(ctx context.Context, views []*view, changed []int32) (*Snapshot, error) {
	n := &Snapshot{opt: s.opt, vec: s.vec, made: s.opt.now(), byPath: s.byPath, list: make([]fileRef, len(s.list))}
	n.setViews(views, func(r fileRef) int32 {
		i := s.byPath[r.path()]
		n.list[i] = r
		return i
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.graph = s.graph.patched(s.list, n.list, changed)
	return n, nil
}

// sameShape reports whether a changed file says of itself what it said before: then no import of another file means something else.
func (s *Snapshot) sameShape(c *Change) (int32, bool) {
	i, ok := s.byPath[c.File.Path]
	if !ok || c.Gone {
		return 0, false
	}
	v, file := s.list[i].view, s.list[i].file
	flags := flag(c.File.Test, flagTest) | flag(c.File.Build, flagBuild) | flag(c.File.Cgo, flagCgo)
	return i, v.language(file) == c.File.Language && v.str.at(v.filePackage[file]) == c.File.Package &&
		v.fileFlags[file]&^flagBroken == flags && v.str.at(v.fileModule[file]) == moduleLine(c.File.Path, c.Source)
}

// patched is a graph with the same nodes, in which the imports of some files are resolved anew.
func (g *graph) patched(before, list []fileRef, changed []int32) *graph {
	n := *g
	r := *g.resolver
	r.list, r.g, n.resolver = list, &n, &r
	moved, weighed := false, false
	for _, i := range changed {
		edges := r.imports(i, list[i])
		weighed = weighed || shown(before[i]) != shown(list[i])
		if slices.Equal(edges, g.out[i]) {
			continue
		}
		if !moved {
			n.out, n.in, moved = slices.Clone(g.out), slices.Clone(g.in), true
		}
		n.edges += len(edges) - len(n.out[i])
		for _, e := range n.out[i] {
			n.in[e.to] = slices.DeleteFunc(slices.Clone(n.in[e.to]), func(j int32) bool { return j == i })
		}
		for _, e := range edges {
			if at, there := slices.BinarySearch(n.in[e.to], i); !there {
				n.in[e.to] = slices.Insert(slices.Clone(n.in[e.to]), at, i)
			}
		}
		n.out[i] = edges
	}
	if moved || weighed {
		n.rank = pageRank(&n, list)
	}
	return &n
}
