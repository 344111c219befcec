package reader

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"catena/internal/text"
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

// TestNoWordsInCode holds that the language of messages is data: no string literal of the package's code is a phrase of a
// lexicon. Names that the code shares with the data files stand for themselves: categories and senses of the lexicons,
// what the grammar calls its actions, and operators of the algebra.
func TestNoWordsInCode(t *testing.T) {
	v, err := lexicons()
	if err != nil {
		t.Fatal(err)
	}
	phrases, names := map[string]bool{}, map[string]bool{}
	for name := range actions {
		names[name] = true
	}
	for _, l := range v.languages {
		for _, s := range l.senses {
			phrases[strings.Join(s.folds, " ")] = s.cat != catMeasure // units are no words
			names[string(s.cat)] = true
			for _, part := range strings.FieldsFunc(s.sense, func(r rune) bool { return r == ':' || r == ',' }) {
				names[part] = true
			}
		}
	}
	said, err := sayings.ReadFile("data/say.en.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(said)) {
		key, _, _ := strings.Cut(line, " = ")
		names[key] = true
	}
	for _, f := range operatorNames {
		names[f] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go") && f.Name() != "category.go" {
			for at, lit := range literals(t, f.Name()) {
				if fold := text.Fold(lit); phrases[fold] && !names[fold] && strings.ContainsFunc(lit, wordRune) {
					t.Errorf("%s: %q is a word of a lexicon", at, lit)
				}
			}
		}
	}
}

// operatorNames are names of the algebra, of features and of the folder that happen to be words of a language too.
var operatorNames = strings.Fields("add follows unknown data counted century nothing begin nearest used small lower")

// literals are the string literals of a file, those of imports and tags apart, by where they stand.
func literals(t *testing.T, file string) map[string]string {
	t.Helper()
	fset := gotoken.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); n.Kind == gotoken.STRING && err == nil {
				out[fset.Position(n.Pos()).String()] = s
			}
		}
		return true
	})
	return out
}

// FuzzSpans holds that no message breaks the reading of its spans, that tokens lie in the message one behind the other, and
// spans within the tokens, within bounds.
func FuzzSpans(f *testing.F) {
	for _, seed := range []string{"How many orders?", "$3m in Q3 2019, “New York” or 5k–7k", "Gesamtumsatz pro Kunde", "a-b_c.d'e's", "-.5% '", "\xff\x00²½1990s", "1,234.5.6-7/8:9"} {
		f.Add(seed)
	}
	s := linkShop()
	f.Fuzz(func(t *testing.T, message string) {
		toks := tokenize(message)
		end := 0
		for _, tok := range toks {
			if tok.start < end || tok.end <= tok.start || tok.end > len(message) {
				t.Fatalf("%q: token %q from %d to %d, after %d", message, tok.text, tok.start, tok.end, end)
			}
			end = tok.end
		}
		spans := s.spans(t.Context(), toks, theShopValues)
		if len(spans) > maxSpans {
			t.Errorf("%q: %d spans", message, len(spans))
		}
		for _, sp := range spans {
			if sp.from < 0 || sp.to <= sp.from || sp.to > len(toks) || sp.score <= 0 || sp.score > 1 || sp.how == "" {
				t.Errorf("%q: span %+v", message, sp)
			}
		}
	})
}
