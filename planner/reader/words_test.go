package reader

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"catena/internal/text"
)

// rooms are the folders whose code holds no words: this one, and those within it.
var rooms = []string{".", "link", "orders", "say"}

// TestNoWordsInCode holds that the language of messages is data: no string literal of the code is a phrase of a
// lexicon. Names that the code shares with the data files stand for themselves: categories and senses of the lexicons,
// what the grammar calls its actions, and operators of the algebra.
func TestNoWordsInCode(t *testing.T) {
	phrases, names := lexiconPhrases(t)
	for name := range actions {
		names[name] = true
	}
	said, err := os.ReadFile(filepath.Join("say", "data", "say.en.txt"))
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
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", room, len(files), err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") || filepath.Base(f) == "category.go" {
				continue
			}
			for at, lit := range literals(t, f) {
				if fold := text.Fold(lit); phrases[fold] && !names[fold] && strings.ContainsFunc(lit, ofWord) {
					t.Errorf("%s: %q is a word of a lexicon", at, lit)
				}
			}
		}
	}
}

// lexiconPhrases are the phrases of all lexicons, folded, and the names of their categories and senses. Units are no
// phrases. That each line can be read is a test of package link.
func lexiconPhrases(t *testing.T) (phrases, names map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("link", "data", "lexicon.*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d lexicons, %v", len(files), err)
	}
	phrases, names = map[string]bool{}, map[string]bool{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
			head, list, ok := strings.Cut(line, " : ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			category, sense, _ := strings.Cut(strings.TrimSpace(head), " ")
			category = strings.TrimRight(category, "!=")
			names[category] = true
			apart := func(r rune) bool { return r == ':' || r == ',' }
			for _, part := range strings.FieldsFunc(strings.ReplaceAll(sense, "_", " "), apart) {
				names[part] = true
			}
			for _, phrase := range strings.Split(list, " | ") {
				if phrase = strings.TrimPrefix(strings.TrimSpace(phrase), "="); strings.ContainsFunc(phrase, ofWord) {
					phrase = strings.Join(strings.Fields(strings.ReplaceAll(text.Fold(phrase), "-", " ")), " ")
				}
				phrases[phrase] = category != ".measure"
			}
		}
	}
	if len(phrases) < 1000 {
		t.Fatalf("only %d phrases", len(phrases))
	}
	return phrases, names
}

// ofWord reports whether a character belongs to a word.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
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
