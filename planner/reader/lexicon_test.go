package reader

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
