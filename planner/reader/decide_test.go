package reader

import (
	"math"
	"testing"

	"catena/planner/reader/link"
)

func TestDecide(t *testing.T) {
	sure := map[string]float64{"sure bias": 2, "bar 0.030": 0.8, "bar 0.200": 0.5}
	for name, tc := range map[string]struct {
		scores []float64
		bias   float64
		risk   float64
		want   string
		others int
	}{
		"nothing read":              {nil, 2, 0.03, Refuse, 0},
		"sure":                      {[]float64{3, -3}, 2, 0.03, Answer, 0},
		"two that are close":        {[]float64{3, 2.9, -9}, 0.1, 0.03, Clarify, 1},
		"unsure":                    {[]float64{3, -3}, 0.1, 0.03, Refuse, 0},
		"unsure, at a higher risk":  {[]float64{3, -3}, 0.1, 0.2, Answer, 0},
		"all risks":                 {[]float64{3, 2.9}, -5, 1, Answer, 1},
		"close, but none is likely": {[]float64{3, 2.9}, -5, 0.03, Refuse, 1},
		"below any risk learnt":     {[]float64{3, -3}, 2, 0.01, Refuse, 0},
	} {
		sure["sure bias"] = tc.bias
		var list []Reading
		for _, s := range tc.scores {
			list = append(list, Reading{Score: s})
		}
		d := New(WithWeights(sure)).Decide("a message", list, tc.risk)
		if d.Outcome != tc.want || len(d.Others) != tc.others {
			t.Errorf("%s: %+v", name, d)
		}
		if len(list) > 0 && math.Abs(d.Probability-1/(1+math.Exp(-tc.bias))) > 1e-9 {
			t.Errorf("%s: %v", name, d.Probability)
		}
	}
}

// Readings that give the same result stand together against the others.
func TestStanding(t *testing.T) {
	st := standingOf([]Reading{{Score: 1, alike: []float64{1}}, {Score: 1, alike: []float64{-30}}})
	if math.Abs(st.share-1.0/3) > 1e-9 || math.Abs(st.agreed-2.0/3) > 1e-9 || st.margin != 0 || st.differs != 0 {
		t.Errorf("%+v", st)
	}
	if st := standingOf([]Reading{{Score: 1}}); st.share != 1 || st.agreed != 1 || st.margin != maxOdds {
		t.Errorf("alone: %+v", st)
	}
}

func TestEvidenceAllUsed(t *testing.T) {
	for skipped, want := range map[string]bool{
		link.SkipFiller: true, "of": true, link.SkipUnknown: false, link.SkipFixed + "not": false,
	} {
		list := Evidence("two words", []Reading{{Features: []Feature{{featSkip + skipped, 1}}}})
		got := false
		for _, f := range list {
			got = got || f.Name == featSure+allUsed
		}
		if got != want {
			t.Errorf("%s passed over: %v", skipped, list)
		}
	}
}

// TestDecideDropsNoWord: a reading that passes over a word which may say what is meant is no answer, however sure.
func TestDecideDropsNoWord(t *testing.T) {
	r := New(WithWeights(map[string]float64{"sure bias": 5, "bar 0.030": 0.8}))
	for skip, want := range map[string]string{
		featSkip + link.SkipFiller: Answer, featSkip + link.SkipUnknown: Refuse, featSkip + link.SkipNamed: Refuse, featSkip + link.SkipNumber: Refuse,
	} {
		list := []Reading{{Features: []Feature{fact(skip)}}}
		if d := r.Decide("a message", list, 0.03); d.Outcome != want {
			t.Errorf("%s: %s, want %s", skip, d.Outcome, want)
		}
		if d := r.Decide("a message", list, 1); d.Outcome != Answer {
			t.Errorf("%s, at all risks: %s", skip, d.Outcome)
		}
	}
}

func TestSeveralQuestions(t *testing.T) {
	for message, want := range map[string]bool{
		"": false, "how many?": false, "how many??": false, "how many": false, "what is it? Return the name.": false,
		"how many orders? how many of these are open?": true, "? how many? ": false, "which? and where? Return both.": true,
	} {
		if got := severalQuestions(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
