package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"catena/tools/code/index"
)

// plainBM25 is what the index is compared with: BM25 (k1 1.2, b 0.75) over the same chunks as texts of lower-case words, names not
// split, nothing stemmed, no fields.
type plainBM25 struct {
	places []place
	length []float64
	mean   float64
	lists  map[string][]plainPosting
}

type plainPosting struct{ chunk, count int32 }

func newPlain(ctx context.Context, snap *index.Snapshot) (*plainBM25, error) {
	p := &plainBM25{lists: make(map[string][]plainPosting)}
	for _, f := range snap.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := snap.File(f.Path)
		if err != nil {
			return nil, err
		}
		text, err := snap.Lines(f.Path, 1, info.Lines)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(text, "\n")
		for _, c := range info.Chunks {
			p.add(place{f.Path, c.Start, c.End}, strings.Join(lines[c.Start-1:min(c.End, len(lines))], "\n"))
		}
	}
	for _, n := range p.length {
		p.mean += n / float64(len(p.length))
	}
	return p, nil
}

func plainWords(text string) []string { return strings.FieldsFunc(strings.ToLower(text), notWord) }

func (p *plainBM25) add(at place, text string) {
	id := int32(len(p.places))
	counts := make(map[string]int32)
	words := plainWords(text)
	for _, w := range words {
		counts[w]++
	}
	for w, n := range counts {
		if _, ok := p.lists[w]; !ok {
			w = strings.Clone(w)
		}
		p.lists[w] = append(p.lists[w], plainPosting{id, n})
	}
	p.places = append(p.places, at)
	p.length = append(p.length, float64(len(words)))
}

func (p *plainBM25) search(text string) ([]place, error) {
	sums := make(map[int32]float64)
	for _, w := range plainWords(text) {
		list := p.lists[w]
		n, df := float64(len(p.places)), float64(len(list))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, x := range list {
			tf := float64(x.count)
			sums[x.chunk] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*p.length[x.chunk]/p.mean))
		}
	}
	ids := make([]int32, 0, len(sums))
	for id := range sums {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	var out []place
	for _, id := range ids[:min(len(ids), 10)] {
		out = append(out, p.places[id])
	}
	return out, nil
}
