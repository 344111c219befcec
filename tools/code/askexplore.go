package code

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"catena/tools/code/index"
	"catena/tools/code/parse"
)

// explore reads what may answer a question: the best hits of a search, then in a few hops the declarations that the best of them
// call, as long as these have to do with the question. It returns the passages, the search's own first, and the number of hops.
func (r *reading) explore(ctx context.Context, k *Toolkit, question string) ([]passage, int, error) {
	hits, _, err := r.search(ctx, k, index.Query{Text: question, Limit: askHits, Lexical: true, Symbol: true, Graph: true}, true)
	if err != nil {
		return nil, 0, err
	}
	read := make([]passage, 0, askChunks)
	at := map[string]int{} // places in read
	for _, h := range hits {
		p := r.passageAt(h)
		if _, ok := at[cite(p.path, p.start)]; !ok {
			at[cite(p.path, p.start)] = len(read)
			read = append(read, p)
		}
	}
	words, hops, from := keyWords(question), 1, 0
	for hop := 1; hop < askHops; hop++ {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		to := len(read)
		for i := from; i < min(to, from+askBranch); i++ {
			for _, n := range r.follow(read[i], words, hop) {
				j, ok := at[cite(n.path, n.start)]
				switch {
				case ok && j != i && read[j].via == "":
					read[j].via = read[i].symbol
				case !ok && len(read) < askChunks:
					at[cite(n.path, n.start)] = len(read)
					read = append(read, n)
				}
			}
		}
		if len(read) == to {
			break
		}
		from, hops = to, hops+1
	}
	return read, hops, nil
}

// follow gives the declarations that a passage calls, those that have most to do with the question first, at most askBranch.
func (r *reading) follow(p passage, words []string, hop int) []passage {
	f, err := r.snap.File(p.path)
	if err != nil {
		return nil
	}
	type candidate struct {
		d     index.Declared
		cover int
	}
	var list []candidate
	for _, d := range r.called(f, parse.Symbol{Start: p.start, End: p.end}) {
		n := 0
		have := keyWords(qualified(&d.Symbol) + " " + d.Symbol.Doc)
		for _, w := range words {
			if slices.Contains(have, w) {
				n++
			}
		}
		list = append(list, candidate{d, n})
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.cover, a.cover) })
	var out []passage
	for _, c := range list[:min(len(list), askBranch)] {
		out = append(out, r.passageOf(c.d, hop, p.symbol))
	}
	return out
}

// passageAt is a hit with what its file knows of it.
func (r *reading) passageAt(h index.Hit) passage {
	p := passage{path: h.Path, start: h.Start, end: h.End, symbol: h.Symbol, kind: string(h.Kind), signature: h.Signature, line: h.Start, docLine: h.Start,
		text: h.Text, score: h.Score, confidence: h.Confidence, test: r.isTest(h.Path)}
	if h.Symbol == "" {
		return p
	}
	for _, d := range r.declared(h.Symbol) {
		if d.Path == h.Path && d.Symbol.Start <= h.End && h.Start <= d.Symbol.End {
			p.doc, p.line, p.docLine = d.Symbol.Doc, d.Symbol.Start, cmp.Or(d.Symbol.DocStart, d.Symbol.Start)
			break
		}
	}
	return p
}

// passageOf is a declaration as a passage: its comment and its first lines.
func (r *reading) passageOf(d index.Declared, hop int, via string) passage {
	s := d.Symbol
	start := cmp.Or(s.DocStart, s.Start)
	end := min(s.End, start+parse.MaxChunkLines-1)
	return passage{path: d.Path, start: start, end: end, symbol: qualified(&s), kind: string(s.Kind), signature: s.Signature, doc: s.Doc, docLine: start, line: s.Start,
		text: strings.TrimRight(r.lines(d.Path, start, end), "\n"), hop: hop, via: via, confidence: confidenceMedium, test: r.isTest(d.Path)}
}

// isTest reports whether a path is that of a test file, by the index.
func (r *reading) isTest(path string) bool {
	f, err := r.snap.File(path)
	return err == nil && f.Test
}
