package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"catena/bench/answers"
	"catena/planner/reader"
)

// curve are the risks that coverage is printed for.
var curve = []float64{0.03, 0.05, 0.1, 0.2, 0.5, 1}

// point is what is answered at a risk.
type point struct {
	Risk     float64 `json:"risk"`
	Answered int     `json:"answered"`
	Wrong    int     `json:"wrong"`
}

// figures are what is counted of a set.
type figures struct {
	Total    int     `json:"total"`
	Oracle1  int     `json:"oracle1"`
	Oracle5  int     `json:"oracle5"`
	Oracle   int     `json:"oracle"`
	Refusals int     `json:"must_refuse"`
	Right    int     `json:"right"`
	Wrong    int     `json:"wrong"`
	Asked    int     `json:"asked"`
	Refused  int     `json:"refused"`
	AURC     float64 `json:"aurc"`
	ECE      float64 `json:"ece"`
	Possible int     `json:"possible"` // answers at the bar that would keep to the risk on this very set
	Readings float64 `json:"readings"`
	Time     float64 `json:"milliseconds"`

	Curve []point `json:"curve"`

	answered int
	took     time.Duration
	slowest  time.Duration
	sure     []answers.Verdict
}

// add counts a question.
func (f *figures) add(d *read) {
	f.Total++
	f.took += d.took
	f.slowest = max(f.slowest, d.took)
	f.Readings += float64(d.all)
	if at := d.at(); at >= 0 {
		f.Oracle++
		if at < 5 {
			f.Oracle5++
		}
		if at == 0 {
			f.Oracle1++
		}
	}
	top := len(d.readings) > 0 && d.readings[0].right
	f.along(d, top)
	if d.refuse {
		f.Refusals++
	}
	if len(d.readings) > 0 {
		f.sure = append(f.sure, answers.Verdict{Confidence: d.decided.Probability, Wrong: !top})
	}
	switch {
	case d.decided.Outcome != reader.Answer && d.refuse, d.decided.Outcome == reader.Answer && top:
		f.Right++
	case d.decided.Outcome == reader.Answer:
		f.Wrong++
	case d.decided.Outcome == reader.Clarify:
		f.Asked++
	default:
		f.Refused++
	}
	if d.decided.Outcome == reader.Answer {
		f.answered++
	}
}

// along counts a question at each risk.
func (f *figures) along(d *read, right bool) {
	if f.Curve == nil {
		for _, risk := range curve {
			f.Curve = append(f.Curve, point{Risk: risk})
		}
	}
	for i, answered := range d.answers {
		if answered {
			f.Curve[i].Answered++
			if !right {
				f.Curve[i].Wrong++
			}
		}
	}
}

// end works out what is a mean.
func (f *figures) end(risk float64) {
	n := float64(max(f.Total, 1))
	f.AURC, _ = answers.AURC(f.sure)
	f.ECE = calibration(f.sure)
	all := make([]tried, len(f.sure))
	for i, v := range f.sure {
		all[i] = tried{Verdict: v, weight: 1}
	}
	_, f.Possible = barAt(all, risk)
	f.Readings /= n
	f.Time = f.took.Seconds() * 1000 / n
}

// calibration is the expected calibration error, in ten bins of equal count.
func calibration(list []answers.Verdict) float64 {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b answers.Verdict) int { return cmp.Compare(a.Confidence, b.Confidence) })
	const bins = 10
	sum := 0.0
	for b := range bins {
		bin := list[len(list)*b/bins : len(list)*(b+1)/bins]
		diff := 0.0
		for _, v := range bin {
			diff += v.Confidence
			if !v.Wrong {
				diff--
			}
		}
		sum += max(diff, -diff)
	}
	return sum / float64(max(len(list), 1))
}

const header = "%-24s %5s %6s %6s %6s %6s | %6s %6s %6s %6s %7s %6s | %5s %5s %6s %7s\n"

func (f *figures) line(name string) string {
	share := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(f.Total-f.Refusals, 1))) }
	risk := "-"
	if f.answered > 0 {
		risk = fmt.Sprintf("%.1f", 100*float64(f.Wrong)/float64(f.answered))
	}
	return fmt.Sprintf(header, name, fmt.Sprint(f.Total), share(f.Oracle1), share(f.Oracle5), share(f.Oracle), fmt.Sprint(f.Refusals),
		fmt.Sprint(f.Right), fmt.Sprint(f.Wrong), fmt.Sprint(f.Asked), fmt.Sprint(f.Refused), risk, fmt.Sprint(f.Possible),
		fmt.Sprintf("%.3f", f.AURC), fmt.Sprintf("%.3f", f.ECE), fmt.Sprintf("%.1f", f.Readings), fmt.Sprintf("%.1f", f.Time))
}

// report prints the figures of a set, and of its parts.
func report(o options, name string, done []*read) *figures {
	all, parts := &figures{}, map[string]*figures{}
	var order []string
	for _, d := range done {
		if parts[d.set] == nil {
			parts[d.set] = &figures{}
			order = append(order, d.set)
		}
		all.add(d)
		parts[d.set].add(d)
		if o.Verbose {
			d.tell(o.shown)
		}
	}
	fmt.Printf(header, "", "n", "best", "of 5", fmt.Sprintf("of %d", o.most), "must-r", "right", "wrong", "asked", "refuse", "wrong %", "could", "aurc", "ece", "reads", "ms")
	all.end(o.risk)
	fmt.Print(all.line(name))
	slices.Sort(order)
	for _, p := range order {
		if len(order) > 1 {
			parts[p].end(o.risk)
			fmt.Print(parts[p].line("  " + p))
		}
	}
	for _, p := range all.Curve {
		fmt.Printf("  risk %.2f: %5.1f %% answered, %5.1f %% of them wrong\n", p.Risk, 100*float64(p.Answered)/float64(max(all.Total, 1)),
			100*float64(p.Wrong)/float64(max(p.Answered, 1)))
	}
	fmt.Printf("slowest %s\n", all.slowest.Round(100*time.Microsecond))
	return all
}

// tell prints how a question was read, with its first readings, as many as are shown, and the right one.
func (d *read) tell(shown int) {
	state := "MISS"
	switch at := d.at(); {
	case d.refuse:
		state = "NONE"
	case at == 0:
		state = "BEST"
	case at > 0:
		state = fmt.Sprintf("AT %d", at+1)
	}
	out := os.Stderr
	fmt.Fprintf(out, "%s %s [%s] %s\n", state, d.id, d.set, d.text)
	if d.err != nil {
		fmt.Fprintf(out, "   error: %v\n", d.err)
	}
	if !d.refuse && state != "BEST" {
		fmt.Fprintf(out, "   gold: %s\n", clip(fmt.Sprint(d.golds[0].Rows), 200))
	}
	for i, j := range d.readings {
		if i < shown || j.right {
			d.tellReading(i, j)
		}
		if j.right {
			shown = 0
		}
	}
	fmt.Fprintf(out, "   %s at %.2f, %d readings, %s\n", d.decided.Outcome, d.decided.Probability, d.all, d.took.Round(10*time.Microsecond))
	fmt.Fprintf(out, "   %s\n", evidenceOf(d.decided))
}

func (d *read) tellReading(i int, j judged) {
	out := os.Stderr
	mark := " "
	if j.right {
		mark = "*"
	}
	fmt.Fprintf(out, "  %s%d %.2f %s\n", mark, i+1, j.Score, d.stand.words(j.Query))
	if len(j.Skipped) > 0 {
		fmt.Fprintf(out, "     skipped: %s\n", strings.Join(j.Skipped, " "))
	}
	fmt.Fprintf(out, "     %s\n", clip(keyOf(j.Query), 600))
	if j.failed != "" {
		fmt.Fprintf(out, "     failed: %s\n", j.failed)
	} else {
		fmt.Fprintf(out, "     rows %d: %s\n", j.rows, j.shown)
	}
	for _, line := range j.Derivation {
		fmt.Fprintf(out, "     | %s\n", line)
	}
	var features []string
	for _, f := range j.Features {
		features = append(features, fmt.Sprintf("%s=%.3g", f.Name, f.Value))
	}
	fmt.Fprintf(out, "     %s\n", clip(strings.Join(features, " "), 900))
}

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
