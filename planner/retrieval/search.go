package retrieval

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"catena/planner/plan"
)

// What counts for how much. Set by hand on the development half of the retrieval sets; each has a wide range of values that do
// about as well.
const (
	meaningWeight = 1.5   // of the meaning, where the words count for 1
	clauseWeight  = 1.0   // of the clause that is nearest to a tool, where the whole message counts for 1
	quotedWeight  = 0.5   // of a word within quotes
	serverWeight  = 0.3   // of the mean of a server's best tools, for each of its tools
	literalShare  = 0.9   // what the best tool for a literal gets of the score of the best tool for the message
	givenShare    = 0.9   // what a tool gets that gives what a better one needs, of that one's score
	firstShare    = 1.001 // the same, of one that gives what a person gets by logging in: it is called first
)

const (
	considered  = 256 // tools whose nearest clause is looked for
	serverTools = 5   // best tools of a server that speak for it
	needing     = 5   // best tools that bring those that they need
	literalBest = 2   // best tools for a literal that are raised
	// mostTerms bounds the words of a message that are looked up.
	mostTerms = 256
	// leastMeant is the least cosine of a tool that shares no word with a message.
	leastMeant = 0.15
)

// Search gives the n tools that fit a message best, best first; tools that share nothing with it are left out. n of 0 or less
// gives none. Paths, addresses and blobs count by their kind: a path asks for a tool that reads, writes or lists files. Of a message
// its first 8 KiB are read.
func (x *Index) Search(message string, n int) []Hit {
	if n <= 0 || len(x.docs) == 0 {
		return nil
	}
	scores, cosines := x.score(message)
	hits := Best(scores, n)
	for i := range hits {
		hits[i].Cosine = cosines[hits[i].Tool]
	}
	return hits
}

// Scores says how well each tool fits a message, as Search does, in the order of the list that New was given: 0 for a tool that shares
// nothing with it. The slice is the caller's.
func (x *Index) Scores(message string) []float64 {
	if len(x.docs) == 0 {
		return nil
	}
	scores, _ := x.score(message)
	return scores
}

func (x *Index) score(message string) (scores, cosines []float64) {
	rest, asks := literals(message)
	scores, cosines = x.fit(rest)
	for _, ask := range asks {
		part, _ := x.fit(ask)
		raise(scores, part)
	}
	x.provide(scores)
	return scores, cosines
}

// fit says how well each tool fits a message by words and meaning, and the cosine of the angle between the two.
func (x *Index) fit(message string) (scores, cosines []float64) {
	plain := unquoted(message)
	scores, cosines = x.words(message, plain), make([]float64, len(x.docs))
	unit := max(1, slices.Max(scores))
	if v := Meaning(plain); v != nil {
		for i := range cosines {
			cosines[i] = float64(dot(x.vector(i), v))
		}
		near := slices.Clone(cosines)
		x.clauses(near, scores, plain)
		if most := slices.Max(near); most > 0 {
			for i, s := range near {
				if scores[i] > 0 || cosines[i] > leastMeant {
					scores[i] += meaningWeight * unit * max(0, s/most)
				}
			}
		}
	}
	x.serve(scores)
	return scores, cosines
}

// words says how well each tool's words fit those of a message; those that are only within quotes count for less.
func (x *Index) words(message, plain string) []float64 {
	open := map[string]bool{}
	if plain != message {
		for _, w := range Terms(plain) {
			open[w] = true
		}
	}
	count := map[string]float64{}
	var terms []string
	for _, w := range Terms(message) {
		if count[w]++; count[w] == 1 && len(terms) < mostTerms {
			terms = append(terms, w)
		}
	}
	scores := make([]float64, len(x.docs))
	met := make([]float64, len(x.docs))
	for _, w := range terms {
		clear(met)
		x.meet(met, w)
		often := 2 * count[w] / (1 + count[w])
		if plain != message && !open[w] {
			often *= quotedWeight
		}
		for i, s := range met {
			scores[i] += often * s
		}
	}
	return scores
}

// meet adds what each tool gets for a word of the message: for the word itself, else for one that means nearly the same.
func (x *Index) meet(met []float64, w string) {
	idf, known := x.idf[w]
	if !known {
		idf = math.Log(2 + 2*float64(len(x.docs)))
	}
	for _, p := range x.postings[w] {
		met[p.doc] = idf * float64(p.share)
	}
	for _, other := range nearStems().near(w) {
		worth := other.weight * min(idf, 1.2*x.idf[other.stem])
		for _, p := range x.postings[other.stem] {
			met[p.doc] = max(met[p.doc], worth*float64(p.share))
		}
	}
}

// clauses adds to the cosine of the tools that the whole message speaks for most that of the clause which is nearest to each.
func (x *Index) clauses(near, words []float64, message string) {
	var parts []Vector
	for _, p := range clausesOf(message) {
		if v := Meaning(p); v != nil {
			parts = append(parts, v)
		}
	}
	if len(parts) < 2 {
		return
	}
	most := max(1, slices.Max(words))
	first := make([]float64, len(near))
	for i, s := range near {
		first[i] = words[i]/most + meaningWeight*s
	}
	least := reached(first, considered)
	for i, s := range first {
		if s <= 0 || s < least {
			continue
		}
		nearest := 0.0
		for _, v := range parts {
			nearest = max(nearest, float64(dot(x.vector(i), v)))
		}
		near[i] += clauseWeight * nearest
	}
}

// reached is a score that about n of the scores reach, to the 256th part of the greatest.
func reached(scores []float64, n int) float64 {
	const bins = 256
	most := slices.Max(scores)
	var count [bins + 1]int
	for _, s := range scores {
		if s > 0 {
			count[int(s/most*bins)]++
		}
	}
	bin := bins
	for ; bin > 0 && n > count[bin]; bin-- {
		n -= count[bin]
	}
	return float64(bin) / bins * most
}

// serve adds to the score of each tool some of what the best tools of its server have.
func (x *Index) serve(scores []float64) {
	if len(x.servers) < 2 {
		return
	}
	var top []float64
	for _, server := range slices.Sorted(maps.Keys(x.servers)) {
		tools := x.servers[server]
		top = top[:0]
		for _, i := range tools {
			top = append(top, scores[i])
		}
		slices.SortFunc(top, func(a, b float64) int { return cmp.Compare(b, a) })
		sum, n := 0.0, min(len(top), serverTools)
		for _, s := range top[:n] {
			sum += s
		}
		for _, i := range tools {
			scores[i] += serverWeight * sum / float64(n)
		}
	}
}

// raise lifts the tools that are best for a part of a message to near the best for the rest of it, or to their own score where there
// is no rest.
func raise(scores, part []float64) {
	most := slices.Max(scores)
	hits := Best(part, literalBest)
	if most == 0 && len(hits) > 0 {
		most = hits[0].Score
	}
	for _, h := range hits {
		scores[h.Tool] = max(scores[h.Tool], literalShare*most*h.Score/hits[0].Score)
	}
}

// provide lifts the tools that give what the best ones need: the one that gives a token, an id. What many tools give is no such thing.
func (x *Index) provide(scores []float64) {
	const many = 3
	for _, hit := range Best(scores, needing) {
		for _, name := range x.docs[hit.Tool].needs {
			from, share := x.givers[name], givenShare
			if len(from) >= many {
				continue
			}
			if credential(name) {
				share = firstShare
			}
			for _, i := range from {
				scores[i] = max(scores[i], share*hit.Score)
			}
		}
	}
}

var credentials = plan.WordSet("token session credential credentials")

// credential reports whether an argument is what a person gets by logging in.
func credential(name string) bool {
	words := plan.NameWords(name)
	return len(words) > 0 && credentials[words[len(words)-1]]
}

// Best gives the n highest scores above zero with their places, highest first, equal ones in order.
func Best(scores []float64, n int) []Hit {
	order := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Tool, b.Tool)) }
	n = min(n, len(scores))
	out := make([]Hit, 0, 2*n+1)
	least := 0.0
	for i, s := range scores {
		if s <= least {
			continue
		}
		if out = append(out, Hit{Tool: i, Score: s}); len(out) > 2*n { // the better half stays
			slices.SortFunc(out, order)
			out = out[:n]
			least = out[n-1].Score
		}
	}
	slices.SortFunc(out, order)
	return out[:min(n, len(out))]
}
