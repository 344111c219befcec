package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/planner/reader"
	"catena/query"
)

// read is a question with how it was read.
type read struct {
	*question
	readings []judged // different ones, best first
	all      int      // readings before equal ones were put together
	decided  reader.Decision
	answers  []bool        // at each risk of the curve
	took     time.Duration // of reading, without running
	stand    *stand
	err      error
}

// judged is a reading that was run.
type judged struct {
	reader.Reading
	verdict
}

// verdict is what a query gave.
type verdict struct {
	right  bool
	failed string
	rows   int
	wide   int    // columns
	shown  string // the beginning of the rows
}

// workers are as many as the machine has processors to spare.
const workers = 2

// ask reads the questions, those of one file together, and judges the readings. weights nil are those of the program.
func ask(ctx context.Context, o options, list []*question, weights map[string]float64) ([]*read, error) {
	done := make([]*read, len(list))
	byFiles := map[string][]int{}
	var order []string
	for i, q := range list {
		key := strings.Join(append(slices.Clip(q.files), q.without...), "\x00")
		if byFiles[key] == nil {
			order = append(order, key)
		}
		byFiles[key] = append(byFiles[key], i)
	}
	var opts []reader.Option
	if weights != nil {
		opts = append(opts, reader.WithWeights(weights))
	}
	r := reader.New(opts...)
	next := make(chan []int)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for some := range next {
				askOne(ctx, o, r, list, some, done)
			}
		})
	}
	for _, key := range order {
		next <- byFiles[key]
	}
	close(next)
	all.Wait()
	return done, ctx.Err()
}

// askOne reads the questions about one file.
func askOne(ctx context.Context, o options, r *reader.Reader, list []*question, some []int, done []*read) {
	s, err := standOf(ctx, list[some[0]])
	for _, i := range some {
		done[i] = &read{question: list[i], stand: s, err: err}
		if err == nil {
			done[i].ask(ctx, o, r)
		}
	}
}

func (d *read) ask(ctx context.Context, o options, r *reader.Reader) {
	began := time.Now()
	list, err := r.Ranked(ctx, d.stand.request(d.question), d.stand.model, d.stand.meaning())
	d.took, d.err, d.all = time.Since(began), err, len(list)
	d.decided = r.Decide(d.text, list, o.risk)
	for _, risk := range curve {
		d.answers = append(d.answers, r.Decide(d.text, list, risk).Outcome == reader.Answer)
	}
	seen := map[string]bool{}
	for _, one := range list {
		key := keyOf(query.Normal(one.Query))
		if seen[key] {
			continue
		}
		seen[key] = true
		d.readings = append(d.readings, judged{Reading: one, verdict: d.judge(ctx, one.Query)})
		if len(d.readings) == o.most {
			break
		}
	}
}

// judge runs a query, once in the life of the question.
func (d *read) judge(ctx context.Context, q query.Query) verdict {
	key := keyOf(q)
	if v, ok := d.judged[key]; ok {
		return v
	}
	var v verdict
	if t, err := d.stand.run(ctx, q); err != nil {
		v.failed = err.Error()
	} else {
		v = verdict{right: d.right(t) && d.holds(key), rows: len(t.Rows), wide: len(t.Percent), shown: clip(fmt.Sprint(t.Rows[:min(len(t.Rows), 20)]), 200)}
	}
	if d.judged == nil {
		d.judged = map[string]verdict{}
	}
	d.judged[key] = v
	return v
}

// holds reports whether a query, as a text, holds what a right one must: a count may come out right by chance.
func (q *question) holds(query string) bool {
	low := strings.ToLower(query)
	return !slices.ContainsFunc(q.must, func(m string) bool { return !strings.Contains(low, m) })
}

// at is the place of the first right reading, from 0; -1 where none is.
func (d *read) at() int { return slices.IndexFunc(d.readings, func(j judged) bool { return j.right }) }

// keyOf is a query as a text.
func keyOf(q any) string {
	text, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
