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
var risks = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5}

// trainDecision learns how likely first readings are right, from questions that the ranker did not learn from, and the
// same questions over tables that lack what they are about: whatever is answered there is wrong.
func trainDecision(ctx context.Context, o options, list []*question, weights map[string]float64) error {
	done, err := ask(ctx, o, list, weights)
	if err != nil {
		return err
	}
	var lacking []*question
	of := map[string]int{}
	for _, d := range done {
		if more := d.lacking(); len(more) > 0 && of[d.source] < len(list)/20 {
			of[d.source]++
			lacking = append(lacking, more...)
		}
	}
	more, err := ask(ctx, o, lacking, weights)
	if err != nil {
		return err
	}
	x := &index{of: map[string]int{}}
	trials := trialsOf(x, append(done, more...))
	if len(trials) == 0 {
		return fmt.Errorf("nothing was read")
	}
	against := againstOf(x.names)
	for _, left := range sources {
		judgeLeftOut(trials, against, left.name)
	}
	honest := crossed(trials, against)
	fmt.Printf("decision: %d trials (%d over tables that lack something), calibration error %.3f\n", len(trials), len(more), calibration(verdicts(honest)))
	for i, v := range logistic(trials, against, decisionL2) {
		weights[x.names[i]] = v
	}
	for _, risk := range risks {
		bar, answered := barAt(honest, risk)
		weights[fmt.Sprintf("bar %.3f", risk)] = bar
		fmt.Printf("  risk %.3f: bar %.3f, %.1f %% answered\n", risk, bar, 100*float64(answered)/float64(len(honest)))
	}
	return nil
}

// againstOf says which evidence only speaks against a reading: words that are passed over, names that do not quite fit,
// doubts. In some sources they stand beside what is right, by chance.
func againstOf(names []string) []bool {
	out := make([]bool, len(names))
	for i, name := range names {
		kind := strings.Fields(name)[1]
		out[i] = kind == "skip" || kind == "miss" || kind == "doubt"
	}
	return out
}

const decisionL2 = 2e-3

// lackingWeight is what a question over tables that lack something counts: there are fewer of them than are made.
const lackingWeight = 0.3

// trialsOf are the first readings, weighed so that sources count as they should and not by their size.
func trialsOf(x *index, done []*read) []trial {
	of := map[string]float64{}
	var out []trial
	for _, d := range done {
		if len(d.readings) == 0 {
			continue
		}
		t := trial{evidence: x.vector(d.decided.Evidence), right: d.readings[0].right, source: d.source, weight: 1}
		if d.refuse {
			t.weight = lackingWeight
		}
		of[t.source]++
		out = append(out, t)
	}
	for i, t := range out {
		out[i].weight *= sourceOf(t.source).decides * float64(len(out)) / of[t.source]
	}
	return out
}

// judgeLeftOut prints how sure one would have been of a source by what was learnt from the others.
func judgeLeftOut(trials []trial, against []bool, source string) {
	var rest, left []trial
	for _, t := range trials {
		if t.source == source {
			left = append(left, t)
		} else {
			rest = append(rest, t)
		}
	}
	if len(rest) == 0 || len(left) == 0 {
		return
	}
	list := verdicts(sureOf(left, logistic(rest, against, decisionL2)))
	area, best := answers.AURC(list)
	fmt.Printf("left out %s: %d trials, aurc %.3f (best %.3f), calibration error %.3f\n", source, len(left), area, best, calibration(list))
}

// tried is how sure one was of a trial.
type tried struct {
	answers.Verdict
	weight   float64
	doubtful float64 // share of wrong ones in its source that are not the reader's fault
}

func verdicts(list []tried) []answers.Verdict {
	out := make([]answers.Verdict, len(list))
	for i, t := range list {
		out[i] = t.Verdict
	}
	return out
}

func sureOf(list []trial, w []float64) []tried {
	out := make([]tried, len(list))
	for i, t := range list {
		out[i] = tried{answers.Verdict{Confidence: chance(t.evidence.dot(w)), Wrong: !t.right}, t.weight, sourceOf(t.source).doubtful}
	}
	return out
}

// crossed is how sure one would have been of each trial by what was learnt from the others: in two halves.
func crossed(trials []trial, against []bool) []tried {
	var halves [2][]trial
	for i, t := range trials {
		halves[i%2] = append(halves[i%2], t)
	}
	var out []tried
	for side := range halves {
		out = append(out, sureOf(halves[side], logistic(halves[1-side], against, decisionL2))...)
	}
	return out
}

// barAt is the lowest probability above which the share of wrong ones stays at a risk, and how many are above it. One
// wrong answer more is counted, so that a few lucky ones make no bar.
func barAt(list []tried, risk float64) (bar float64, answered int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b tried) int { return cmp.Compare(b.Confidence, a.Confidence) })
	bar = 1
	wrong, all := 1.0, 0.0
	for i, v := range list {
		all += v.weight
		wrong -= v.weight * v.doubtful
		if v.Wrong {
			wrong += v.weight
		}
		last := i+1 == len(list) || list[i+1].Confidence < v.Confidence
		if last && wrong <= risk*all {
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
