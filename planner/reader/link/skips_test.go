package link

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// TestSkips says what passing over each token of a message means: the kinds in their order, "-" for a mark.
func TestSkips(t *testing.T) {
	values := shopValues{
		"nyc": {Table: "customers", Column: "city", Value: "NYC", Match: plan.Exact, Score: 1, Rows: 2, Values: 1},
	}
	for message, want := range map[string]string{
		"orders served":          "named verb",
		"orders cancelled":       "named unknown",
		"written orders":         "verb named",
		"Gotham (NYC)":           "unknown - linked -",
		"to gotham (NYC)":        "of - - linked -",
		"out of gotham (NYC)":    "of of - - linked -",
		"orders cancelled (NYC)": "named unknown - linked -",
		"orders of Gotham (NYC)": "named of - - linked -",
		"Gotham (best)":          "unknown - fixed super -",
		"cancelled (NYC) Gotham": "unknown - linked - unknown",
		"total weight in kg":     "fixed agg named named named",
		"weight in kilograms":    "named filler filler",
		"weight in pounds":       "named of fixed unit",
		"price in euros":         "named of fixed unit",
		"weight in hours":        "named fixed dur fixed dur",
		"price w/ weight":        "named of named",
		"orders where weight is": "named rel named be",
		"where orders are":       "fixed ask named be",
		"the most weight":        "fixed super fixed super named",
		"the most common weight": "filler fixed super fixed frequent named",
	} {
		s := linkShop()
		toks := Tokenize(message)
		kinds := Skips(toks, s.Spans(t.Context(), toks, values))
		for i, k := range kinds {
			kinds[i] = strings.ReplaceAll(k, SkipMark, "-")
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", message, got, want)
		}
	}
}
