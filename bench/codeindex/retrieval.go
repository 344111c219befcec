package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"catena/tools/code/index"
)

// way is something that answers a question with places, best first.
type way func(text string) ([]place, error)

type place struct {
	path       string
	start, end int
}

// retrieval asks the questions of an index from which their comments were left out.
func retrieval(ctx context.Context, set *settings, c *corpus, whole *index.Snapshot, out *report) error {
	asked, err := makeQuestions(ctx, whole, set.n, set.seed)
	if err != nil {
		return err
	}
	more, err := rephrased(ctx, whole, set.n, set.seed)
	if err != nil {
		return err
	}
	snap, err := c.build(ctx, eraser(slices.Concat(asked, more)))
	if err != nil {
		return err
	}
	ours := func(text string) ([]place, error) {
		hits, err := snap.Search(ctx, index.Query{Text: text, Limit: 10, Lexical: true, Symbol: true, Graph: true})
		var out []place
		for _, h := range hits {
			out = append(out, place{h.Path, h.Start, h.End})
		}
		return out, err
	}
	plain, err := newPlain(ctx, snap)
	if err != nil {
		return err
	}
	out.heading(fmt.Sprintf("Retrieval: %d questions from doc comments that are not in the index", len(asked)))
	fmt.Printf("  %-44s %5s %10s %10s %10s %10s\n", "", "n", "recall@1", "recall@5", "MRR@10", "BM25 r@5")
	if err := compare(asked, more, ours, plain.search, set.verbose, out); err != nil {
		return err
	}
	recall, _ := out.figures["recall5_all"].(float64)
	out.least("recall5", "recall@5 without vectors", recall, 0.75)
	return nil
}

// compare asks both ways and prints a row for each kind of question.
func compare(asked, more []question, ours, theirs way, verbose bool, out *report) error {
	all := func(question) bool { return true }
	exact := func(q question) bool { return q.exact }
	para := func(q question) bool { return !q.exact }
	own := func(q question) string { return q.text }
	without := func(q question) string { return q.withoutName() }
	for _, row := range []struct {
		name, what string
		asked      []question
		of         func(question) bool
		text       func(question) string
	}{
		{"all", "all, as taken", asked, all, own},
		{"exact", "  exact wording", asked, exact, own},
		{"paraphrased", "  paraphrased, as taken", asked, para, own},
		{"rephrased", "more that are paraphrased, as taken", more, all, own},
		{"nameless", "all, the function's own name taken out", asked, all, without},
	} {
		mine, err := ask(row.asked, row.of, row.text, ours, verbose)
		if err != nil {
			return err
		}
		other, err := ask(row.asked, row.of, row.text, theirs, false)
		if err != nil {
			return err
		}
		fmt.Printf("  %-44s %5d %10.3f %10.3f %10.3f %10.3f\n", row.what, mine.n, mine.at1, mine.at5, mine.mrr, other.at5)
		out.figures["recall5_"+row.name] = mine.at5
		out.figures["bm25_recall5_"+row.name] = other.at5
	}
	return nil
}

// score is how well questions were answered.
type score struct {
	n             int
	at1, at5, mrr float64
}

func ask(asked []question, of func(question) bool, text func(question) string, search way, verbose bool) (score, error) {
	var s score
	for _, q := range asked {
		if !of(q) {
			continue
		}
		s.n++
		found, err := search(text(q))
		if err != nil {
			return s, err
		}
		at := 0
		for i, p := range found {
			if p.path == q.path && p.start <= q.start && q.start <= p.end {
				at = i + 1
				break
			}
		}
		if at == 1 {
			s.at1++
		}
		if at >= 1 && at <= 5 {
			s.at5++
		} else if verbose {
			first := place{}
			if len(found) > 0 {
				first = found[0]
			}
			fmt.Fprintf(os.Stderr, "miss (%d): %s:%d %s: %s; first %s:%d\n", at, q.path, q.start, q.name, text(q), first.path, first.start)
		}
		if at > 0 {
			s.mrr += 1 / float64(at)
		}
	}
	if n := float64(s.n); n > 0 {
		s.at1, s.at5, s.mrr = s.at1/n, s.at5/n, s.mrr/n
	}
	return s, nil
}
