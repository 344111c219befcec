package reader

import (
	"slices"
	"testing"

	"catena/planner/reader/link"
)

// The grammar that comes with the program can be read.
func TestGrammarReads(t *testing.T) {
	g, err := theGrammar()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := g.symbols[string(catQuery)]; !ok {
		t.Fatal("the grammar makes no questions")
	}
}

func TestGrammarErrors(t *testing.T) {
	for _, tt := range []struct{ text, why string }{
		{"Query Set : list 1", "no arrow"},
		{"Query <- Set", "no action"},
		{"Query <- Set : nothing 1", "unknown action"},
		{"Query <- Set : list 2", "no such part"},
		{"Query <- Set? : list 1", "nothing left"},
	} {
		if _, err := parseGrammar(tt.text, actions); err == nil {
			t.Errorf("%s: %q was read", tt.why, tt.text)
		}
	}
}

// Rules that part at a symbol and score alike are tried in their own order, whenever a message is read.
func TestGrammarOrder(t *testing.T) {
	act := func(_ *scope, _ []meaning, consts []string) (meaning, []Feature) { return word{cat: consts[0]}, nil }
	ids := []string{"a", "b", "c", "d", "e", "f"}
	var text string
	for _, id := range ids {
		text += "Query <- count " + id + " : say " + id + "\n"
	}
	g, err := parseGrammar(text, map[string]action{"say": act})
	if err != nil {
		t.Fatal(err)
	}
	spans := []link.Span{{To: 1, Category: "count"}}
	for _, id := range ids {
		spans = append(spans, link.Span{From: 1, To: 2, Category: link.Category(id)})
	}
	for range 20 {
		c := &chart{
			g: g, scope: &scope{}, weigh: func(string) float64 { return 0 },
			toks: make([]link.Token, 2), skip: make([]float64, 3),
		}
		c.parse(spans)
		var got []string
		for _, n := range c.roots("Query") {
			got = append(got, n.mean.(word).cat)
		}
		if !slices.Equal(got, ids) {
			t.Fatalf("in the order %q", got)
		}
	}
}
