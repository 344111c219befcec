package link

import (
	"strings"
	"testing"
)

func TestLexicons(t *testing.T) {
	v, err := lexicons()
	if err != nil {
		t.Fatal(err)
	}
	if len(v.languages) == 0 || !v.clitics["'s"] {
		t.Error("no words")
	}
}

// TestLexiconErrors holds that an error names the line and what is wrong with it.
func TestLexiconErrors(t *testing.T) {
	for data, want := range map[string]string{
		"agg sum : total\nagg":                       "line 2: \"agg\" is no sense",
		"agg sum more : total":                       "is no sense",
		"! : total":                                  "is no sense",
		"agg sum : total |  | whole":                 "an empty phrase",
		"agg sum : total | total":                    `"total" stands twice for agg sum`,
		"\n\nagg sum : a b c d e f g h i":            "line 3: \"a b c d e f g h i\" has more than 8 words",
		"agg sum : total\n# agg\nagg sum : =total":   "line 3",
		"agg sum : total # twice\n\nagg sum : total": "line 3",
	} {
		_, err := parseLexicon(data)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
}

// FuzzSpans holds that no message breaks the reading of its spans, that tokens lie in the message one behind the other,
// and spans within the tokens, within bounds.
func FuzzSpans(f *testing.F) {
	for _, seed := range []string{"How many orders?", "$3m in Q3 2019, “New York” or 5k–7k", "Gesamtumsatz pro Kunde", "a-b_c.d'e's", "-.5% '", "\xff\x00²½1990s", "1,234.5.6-7/8:9"} {
		f.Add(seed)
	}
	s := linkShop()
	f.Fuzz(func(t *testing.T, message string) {
		toks := Tokenize(message)
		end := 0
		for _, tok := range toks {
			if tok.Start < end || tok.End <= tok.Start || tok.End > len(message) {
				t.Fatalf("%q: token %q from %d to %d, after %d", message, tok.Text, tok.Start, tok.End, end)
			}
			end = tok.End
		}
		spans := s.Spans(t.Context(), toks, theShopValues)
		if len(spans) > maxSpans {
			t.Errorf("%q: %d spans", message, len(spans))
		}
		for _, sp := range spans {
			if sp.From < 0 || sp.To <= sp.From || sp.To > len(toks) || sp.Score <= 0 || sp.Score > 1 || sp.How == "" {
				t.Errorf("%q: span %+v", message, sp)
			}
		}
	})
}
