package index

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"catena/tools/code/parse"
)

const (
	maxLimit = 200
	looked   = 200 // chunks that each way of finding puts forward
)

// Search finds the chunks that answer a question, the best first. Of the question 4 KiB and 31 words are looked at. A search that finds
// nothing is no error; a limit out of range is one.
//
// Score is 0..1: which share of the weight of the question's words the chunk holds (its BM25F score by the most that any text could
// have), raised where its symbol is named in the question, lowered for tests, for what is no declaration and for what its package
// keeps to itself. With a vector it is the place in both lists, by words and by vectors, fused: 1 for the first of both. What only
// the graph found comes last.
//
// Confidence is high where the question names the chunk's symbol as code is written, or the chunk has four fifths of the weight of at
// least two words; medium from one half on; low below.
func (s *Snapshot) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.Limit < 1 || q.Limit > maxLimit {
		return nil, fmt.Errorf("limit is %d; it must be between 1 and %d", q.Limit, maxLimit)
	}
	asked := ask(q.Text)
	allow := s.filter(q)
	found := s.candidates(asked, q, allow)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.compare(b))
	})
	found = found[:min(len(found), q.Limit)]
	if q.Graph || !q.Lexical && !q.Symbol && q.Vector == nil {
		found = s.expand(found, q.Limit, allow)
	}
	hits := make([]Hit, 0, len(found))
	for _, c := range found {
		h, err := s.hit(c.id)
		if err != nil {
			return nil, err
		}
		h.Score, h.Confidence, h.Why = c.score, c.confidence(), c.why
		hits = append(hits, h)
	}
	return hits, nil
}

// hit describes a chunk.
func (s *Snapshot) hit(id uint32) (Hit, error) {
	r := s.locate(id)
	v := s.views[r.view]
	file := v.chunkFile[r.chunk]
	h := Hit{Path: v.path(file), Start: int(v.chunkStart[r.chunk]), End: int(v.chunkEnd[r.chunk]), Language: v.language(file)}
	if k := v.chunkSymbol[r.chunk]; k > 0 {
		h.Symbol, h.Kind = v.qualified(k-1), parse.SymbolKind(v.str.at(v.symbolKind[k-1]))
		h.Signature = v.str.at(v.symbolSignature[k-1])
	}
	var err error
	if h.Text, err = v.lines(file, h.Start, h.End); err != nil {
		return Hit{}, fmt.Errorf("%s: %w", h.Path, err)
	}
	return h, nil
}

// filter reports which chunks a query allows; nil for all.
func (s *Snapshot) filter(q Query) func(v *view, chunk uint32) bool {
	if q.PathPrefix == "" && q.Language == "" && q.Kind == "" {
		return nil
	}
	prefix := path.Clean(q.PathPrefix)
	return func(v *view, chunk uint32) bool {
		file := v.chunkFile[chunk]
		if q.PathPrefix != "" && !within(v.path(file), prefix) && !strings.HasPrefix(v.path(file), q.PathPrefix) {
			return false
		}
		if q.Language != "" && v.language(file) != q.Language {
			return false
		}
		k := v.chunkSymbol[chunk]
		return q.Kind == "" || k > 0 && v.str.at(v.symbolKind[k-1]) == string(q.Kind)
	}
}
