package reader

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/query"
)

// lexiconWords are a phrase of each sense of the English lexicon that has one of its own, and the words of some tables.
func lexiconWords(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile("link/data/lexicon.en.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields("wards ward stays stay status dead arrived left private non-private age visits cost 3 2024 May")
	for _, line := range strings.Split(string(text), "\n") {
		cat, phrases, ok := strings.Cut(line, " : ")
		if !ok || strings.HasPrefix(cat, ".") || strings.HasPrefix(cat, "#") {
			continue
		}
		first, _, _ := strings.Cut(phrases, "|")
		words = append(words, strings.TrimPrefix(strings.TrimSpace(first), "="))
	}
	return words
}

// FuzzReadings holds that no words in any order break the reading of a message, and that what is read can be checked.
func FuzzReadings(f *testing.F) {
	words := lexiconWords(f)
	for _, seed := range []string{"month no dead stays", "which wards no dead stays", "average age private or"} {
		var picks []byte
		for _, w := range strings.Fields(seed) {
			i := slices.Index(words, w)
			if i < 0 {
				f.Fatalf("%q is no word of the lexicon", w)
			}
			picks = append(picks, byte(i%256), byte(i/256))
		}
		f.Add(picks)
	}
	s := stays()
	dead := plan.Hit{Table: "stays", Column: "status", Value: "dead", Match: plan.Exact, Score: 1, Rows: 9, Values: 1}
	values := severalHits{"dead": {dead}}
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	r := New()
	f.Fuzz(func(t *testing.T, picks []byte) {
		var message []string
		for i := 0; i+1 < len(picks) && i < 16; i += 2 {
			message = append(message, words[(int(picks[i])+256*int(picks[i+1]))%len(words)])
		}
		req := plan.Request{Message: strings.Join(message, " "), Tables: s.tables, Values: values, Now: now}
		list, err := r.Readings(t.Context(), req, s.Model)
		if err != nil {
			t.Fatal(err)
		}
		for _, rd := range list {
			if _, faults := query.Check(rd.Query, s); len(faults) > 0 && !faults[0].Doubt {
				t.Errorf("%q: %v", req.Message, faults)
			}
		}
	})
}
