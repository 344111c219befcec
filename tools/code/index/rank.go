package index

// PageRank (Brin & Page, The anatomy of a large-scale hypertextual web search engine, 1998) over the files, with their damping
// of 0.85. A file gives its rank to what it imports in equal parts; a package hands its part on to its files by how many symbols
// each of them shows to others. A file that imports nothing gives to all.
const (
	damping    = 0.85
	rankRounds = 30 // after which ranks change by less than 1 % (0.85^30)
)

// pageRank returns the ranks, scaled so that the highest is 1.
func pageRank(g *graph, list []fileRef) []float64 {
	n := len(list)
	if n == 0 {
		return nil
	}
	rank, next := make([]float64, n), make([]float64, len(g.in))
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	shares := packageShares(g, list)
	for range rankRounds {
		clear(next)
		idle := 0.0
		for i, edges := range g.out {
			if len(edges) == 0 {
				idle += rank[i]
			}
			for _, e := range edges {
				next[e.to] += rank[i] / float64(len(edges))
			}
		}
		for p := range g.packages {
			for k, f := range g.packages[p].files {
				next[f] += next[n+p] * shares[p][k]
			}
		}
		base := (1-damping)/float64(n) + damping*idle/float64(n)
		for i := range rank {
			rank[i] = base + damping*next[i]
		}
	}
	top := 0.0
	for _, r := range rank {
		top = max(top, r)
	}
	for i := range rank {
		rank[i] /= top
	}
	return rank
}

func packageShares(g *graph, list []fileRef) [][]float64 {
	out := make([][]float64, len(g.packages))
	for p := range g.packages {
		sum := 0.0
		for _, i := range g.packages[p].files {
			f := list[i]
			w := 1 + float64(shown(f))
			if f.has(flagTest) {
				w = 0.1 // tests cannot be imported
			}
			out[p] = append(out[p], w)
			sum += w
		}
		for k := range out[p] {
			out[p][k] /= sum
		}
	}
	return out
}

// shown is how many symbols of a file others may use.
func shown(f fileRef) int {
	n := 0
	for s := f.view.fileSymbols[f.file]; s < f.view.fileSymbols[f.file+1]; s++ {
		n += int(f.view.symbolFlags[s]&flagExported) / flagExported
	}
	return n
}
