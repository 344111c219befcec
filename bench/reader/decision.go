package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/bench/answers"
	"catena/planner/reader"
)

// risks are those that a bar is worked out for.
var risks = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5}

// trainDecision learns how likely first readings are right, from questions that the ranker did not learn from, and the
// same questions over tables that lack what they are about: whatever is answered there is wrong.
func trainDecision(ctx context.Context, o options, list []*question, weights map[string]float64) error {
	done, err := ask(ctx, o, list, weights)
	if err != nil {
		return err
	}
	var lacking []*question
	for _, d := range done {
		if len(lacking) < len(list)/3 {
			lacking = append(lacking, d.lacking()...)
		}
	}
	more, err := ask(ctx, o, lacking, weights)
	if err != nil {
		return err
	}
	x := &index{of: map[string]int{}}
	var trials []trial
	for _, d := range append(done, more...) {
		if len(d.readings) > 0 {
			trials = append(trials, trial{x.vector(d.decided.Evidence), d.readings[0].right})
		}
	}
	if len(trials) == 0 {
		return fmt.Errorf("nothing was read")
	}
	honest := crossed(trials, len(x.names))
	area, best := answers.AURC(honest)
	fmt.Printf("decision: %d trials (%d over tables that lack something), aurc %.3f (best %.3f), calibration error %.3f\n",
		len(trials), len(more), area, best, calibration(honest))
	for i, v := range logistic(trials, len(x.names), decisionL2) {
		weights[x.names[i]] = v
	}
	for _, risk := range risks {
		bar, answered := barAt(honest, risk)
		weights[fmt.Sprintf("bar %.3f", risk)] = bar
		fmt.Printf("  risk %.3f: bar %.3f, %.1f %% answered\n", risk, bar, 100*float64(answered)/float64(len(honest)))
	}
	return nil
}

const decisionL2 = 3e-3

// crossed is how sure one would have been of each trial by what was learnt from the others: in two halves.
func crossed(trials []trial, features int) []answers.Verdict {
	var halves [2][]trial
	for i, t := range trials {
		halves[i%2] = append(halves[i%2], t)
	}
	out := make([]answers.Verdict, 0, len(trials))
	for side := range halves {
		w := logistic(halves[1-side], features, decisionL2)
		for _, t := range halves[side] {
			out = append(out, answers.Verdict{Confidence: chance(t.evidence.dot(w)), Wrong: !t.right})
		}
	}
	return out
}

// barAt is the lowest probability above which the share of wrong ones stays at a risk, and how many are above it. One
// wrong answer more is counted, so that a few lucky ones make no bar.
func barAt(list []answers.Verdict, risk float64) (bar float64, answered int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b answers.Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
	bar, wrong := 1.0, 1.0
	for i, v := range list {
		if v.Wrong {
			wrong++
		}
		last := i+1 == len(list) || list[i+1].Confidence < v.Confidence
		if last && wrong <= risk*float64(i+1) {
			bar, answered = v.Confidence, i+1
		}
	}
	return bar, answered
}

// lacking are the question over its tables without a column that a right reading needs.
func (d *read) lacking() []*question {
	at := d.at()
	if at != 0 || len(d.without) > 0 {
		return nil
	}
	text := keyOf(d.readings[at].Query)
	for _, t := range slices.Sorted(maps.Keys(d.stand.tables)) {
		for _, c := range d.stand.tables[t].Names() {
			if len(d.stand.tables[t].Names()) > 1 && strings.Contains(text, fmt.Sprintf(`{"col":%q}`, c)) {
				q := *d.question
				q.without, q.refuse, q.id, q.judged = []string{t, c}, true, q.id+" without "+c, nil
				return []*question{&q}
			}
		}
	}
	return nil
}

// evidenceOf is what a decision was made of, for people.
func evidenceOf(d reader.Decision) string {
	var out []string
	for _, f := range d.Evidence {
		out = append(out, fmt.Sprintf("%s=%.3g", strings.TrimPrefix(f.Name, "sure "), f.Value))
	}
	return strings.Join(out, " ")
}
