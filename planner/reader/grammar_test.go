package reader

import "testing"

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
