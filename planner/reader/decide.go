package reader

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What becomes of a message.
const (
	Answer  = "answer"
	Clarify = "clarify"
	Refuse  = "refuse"
)

// Decision says what becomes of a message that was read.
type Decision struct {
	// Outcome is Answer by the first reading, Clarify between it and Others, or Refuse.
	Outcome string
	// Probability is how likely the first reading is right.
	Probability float64
	// Others are different readings that come close, best first: for Clarify they are choices beside the first.
	Others []Reading
	// Evidence is what the probability was made of.
	Evidence []Feature
}

// Names of what is weighed for the probability, and of the bars.
const (
	featSure = "sure "
	featBar  = "bar "
)

// DefaultRisk is the share of wrong ones among answers where nobody sets another.
const DefaultRisk = 0.03

const (
	// closeBy is how many times less likely a reading may be than the best one, to be a choice beside it.
	closeBy = 4
	// maxChoices is how many choices there are beside the first.
	maxChoices = 2
	// worthAsking is how likely a right reading must be among the choices.
	worthAsking = 0.5
)

// Decide says what becomes of a message that was read in these ways, best first. risk is the share of wrong ones that
// is let pass among answers.
func (r *Reader) Decide(message string, list []Reading, risk float64) Decision {
	if len(list) == 0 {
		return Decision{Outcome: Refuse}
	}
	d := Decision{Outcome: Answer, Evidence: Evidence(message, list)}
	sum := 0.0
	for _, f := range d.Evidence {
		sum += r.weights.of(f.Name) * f.Value
	}
	d.Probability = 1 / (1 + math.Exp(-sum))
	likely := d.Probability
	for _, other := range list[1:] {
		ratio := chanceBeside(other.Score, list[0].Score)
		if ratio*closeBy < 1 || len(d.Others) == maxChoices {
			break
		}
		d.Others = append(d.Others, other)
		likely += d.Probability * ratio
	}
	switch {
	case d.Probability >= r.weights.bar(risk):
	case len(d.Others) > 0 && likely >= worthAsking:
		d.Outcome = Clarify
	default:
		d.Outcome = Refuse
	}
	return d
}

// chanceBeside is how likely a reading is for each time that the best one is right.
func chanceBeside(score, best float64) float64 { return min(1, math.Exp(score-best)) }

// bar is the lowest probability that is answered at a risk: that of the largest risk learnt which is no larger. At a
// risk of 1 all is answered.
func (w *weights) bar(risk float64) float64 {
	if risk >= 1 {
		return 0
	}
	best, bar := -1.0, 1-risk
	for name, v := range w.byName {
		of, ok := strings.CutPrefix(name, featBar)
		at, err := strconv.ParseFloat(of, 64)
		if ok && err == nil && at <= risk && at > best {
			best, bar = at, v
		}
	}
	return bar
}

// Evidence is what speaks for and against the first of the readings, of which there is one at least.
func Evidence(message string, list []Reading) []Feature {
	top, words := list[0], float64(max(len(strings.Fields(message)), 1))
	share, margin := standing(list)
	clipped := max(-maxOdds, min(maxOdds, math.Log(share/max(1-share, 1e-9))))
	out := []Feature{
		{featSure + "bias", 1},
		{featSure + "share", share},
		{featSure + "odds", clipped},
		{featSure + "margin", margin},
		{featSure + "score of a word", max(-maxOdds, min(maxOdds, top.Score/words))},
		{featSure + "words", math.Log(words)},
		{featSure + "skipped of all", float64(len(top.Skipped)) / words},
		{featSure + "readings", math.Log(float64(len(list)))},
	}
	if len(top.Skipped) == 0 {
		out = append(out, Feature{featSure + "all used", 1}, Feature{featSure + "all used, share", share})
	}
	for _, f := range top.Features {
		kind, _, _ := strings.Cut(f.Name, " ")
		switch {
		case strings.HasPrefix(kind, shapePrefix), kind+" " == featSkip, kind == "doubt":
			out = append(out, Feature{featSure + f.Name, f.Value})
		case kind+" " == featMiss, kind+" " == featSpan:
			out = append(out, Feature{featSure + f.Name, f.Value / words})
		}
	}
	return out
}

// maxOdds bounds logarithms of odds.
const maxOdds = 6

// standing is which share of all belief the first reading has, and how far it is ahead of the next.
func standing(list []Reading) (share, margin float64) {
	best := slices.MaxFunc(list, func(a, b Reading) int { return cmp.Compare(a.Score, b.Score) }).Score
	sum := 0.0
	for _, r := range list {
		sum += math.Exp(r.Score - best)
	}
	margin = maxOdds
	if len(list) > 1 {
		margin = min(margin, list[0].Score-list[1].Score)
	}
	return math.Exp(list[0].Score-best) / sum, margin
}
