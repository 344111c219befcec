package reader

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"catena/planner/reader/link"
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
	case d.Probability >= r.weights.bar(risk) && (risk >= 1 || !doubtful(message, list)):
	case len(d.Others) > 0 && likely >= worthAsking:
		d.Outcome = Clarify
	default:
		d.Outcome = Refuse
	}
	return d
}

// drops reports whether a reading passes over words that may say what is meant.
func (r Reading) drops() bool {
	return slices.ContainsFunc(r.Features, func(f Feature) bool {
		kind, ok := strings.CutPrefix(f.Name, featSkip)
		return ok && dropped[kind]
	})
}

// unsafe reports whether a reading is never an answer of itself, however likely it is.
func (r Reading) unsafe() bool { return r.drops() || r.guesses() }

// doubtful reports whether the first of the readings is no answer, however likely it is.
func doubtful(message string, list []Reading) bool {
	return list[0].unsafe() || tied(list) || severalQuestions(message)
}

// severalQuestions reports whether a message asks more than once: what answers one of them is no answer to the other.
func severalQuestions(message string) bool {
	parts, n := strings.Split(message, "?"), 0
	for _, p := range parts[:len(parts)-1] {
		if strings.ContainsFunc(p, unicode.IsLetter) {
			n++
		}
	}
	return n > 1
}

// tied reports whether another reading, which gives another result, is as good as the first for all that is known: of
// those that were answered all the same more than half were wrong.
func tied(list []Reading) bool {
	return len(list) > 1 && list[0].Score-list[1].Score < tie
}

// tie is by how much less a score says nothing.
const tie = 0.25

// guesses reports whether a reading makes up what the message is about: no number says which ones the top clients are,
// and a title is not who wrote it.
func (r Reading) guesses() bool {
	return slices.ContainsFunc(r.Features, func(f Feature) bool { return noAnswer[f.Name] })
}

// Features of what comes first by nothing that is said, of an answer to who that shows nobody, and of what is listed
// for some of its rows where none is meant.
const (
	doubtTop    = "doubt top of what"
	doubtNobody = "doubt nobody"
	doubtNot    = "doubt not of repeated"
)

// featEchoes is the feature of what shows nothing but what the message says.
const featEchoes = "echoes"

// noAnswer are features of readings that are no answer, however likely they are.
var noAnswer = map[string]bool{doubtTop: true, doubtNobody: true, doubtNot: true, featEchoes: true}

// How questions begin that ask for people, and for some of what there is.
const (
	asksWho   = "askwho"
	asksWhich = "askwhich"
)

// dropped are the kinds of words that no answer passes over.
var dropped = map[string]bool{
	link.SkipUnknown: true,
	link.SkipNamed:   true,
	link.SkipNumber:  true,
	link.SkipLinked:  true,
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
	st := standingOf(list)
	out := []Feature{
		{featSure + "bias", 1},
		{featSure + "share", st.share},
		{featSure + "odds", odds(st.share)},
		{featSure + "margin", st.margin},
		{featSure + "agreed", st.agreed},
		{featSure + "agreed odds", odds(st.agreed)},
		{featSure + "agreed margin", st.differs},
		{featSure + "score of a word", max(-maxOdds, min(maxOdds, top.Score/words))},
		{featSure + "words", math.Log(words)},
	}
	sum, used := map[string]float64{}, true
	for _, f := range top.Features {
		kind, rest, _ := strings.Cut(f.Name, " ")
		cat, how, _ := strings.Cut(rest, " ")
		switch {
		case kind+" " == featSkip && polite[rest]:
		case kind+" " == featSkip:
			sum[f.Name] += f.Value
			used = used && unmissed[rest]
		case kind == featFollows, kind == featAlone && rest == "":
			sum[kind] += f.Value
		case kind == "doubt", strings.HasPrefix(kind, shapePrefix) && !strings.Contains(kind, "&"):
			sum[f.Name] += f.Value
		case kind+" " == featMiss:
			sum[featMiss+cat] += f.Value
		case kind+" " == featSpan:
			sum[featSpan+how] += f.Value / words
		}
	}
	if used {
		sum[allUsed], sum[allUsed+", agreed"], sum[allUsed+", agreed odds"] = 1, st.agreed, odds(st.agreed)
	}
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		out = append(out, Feature{featSure + name, sum[name]})
	}
	return out
}

const allUsed = "all used"

// unmissed are the kinds of words that may be passed over where all others are used.
var unmissed = map[string]bool{
	link.SkipMark:      true,
	link.SkipFiller:    true,
	"of":               true,
	"rel":              true,
	string(link.CatBe): true,
	"ask":              true,
	"show":             true,
	"poss":             true,
	"all":              true,
	"altogether":       true,
	"exists":           true,
	"yesno":            true,
	"verb":             true,
}

// polite are the kinds of words that a question is put in, which say nothing of what is asked for: return me all.
var polite = map[string]bool{"show": true, "all": true}

// maxOdds bounds logarithms of odds.
const maxOdds = 6

func odds(share float64) float64 {
	return max(-maxOdds, min(maxOdds, math.Log(share/max(1-share, 1e-9))))
}

// standing is how the first reading stands beside the others.
type standing struct {
	share, agreed   float64 // of all belief: that in the first reading, and in those that give the same result
	margin, differs float64 // how far it is ahead of the next, and of the next that gives another result
}

func standingOf(list []Reading) standing {
	top := list[0].Score
	best := slices.MaxFunc(list, func(a, b Reading) int { return cmp.Compare(a.Score, b.Score) }).Score
	st, sum := standing{share: math.Exp(top - best), margin: maxOdds, differs: maxOdds}, 0.0
	for i, r := range list {
		belief := math.Exp(r.Score - best)
		for _, score := range r.alike {
			belief += math.Exp(score - best)
		}
		sum += belief
		if i == 0 {
			st.agreed = belief
		} else {
			st.differs = min(st.differs, top-r.Score)
		}
	}
	st.margin = st.differs
	for _, score := range list[0].alike {
		st.margin = min(st.margin, top-score)
	}
	st.share, st.agreed = st.share/sum, st.agreed/sum
	return st
}
