package retrieval

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

func TestMeaning(t *testing.T) {
	for _, tt := range []struct{ text, near, far string }{
		{"when does the ferry leave", "departure times of boats", "share price of a company"},
		{"is it going to rain", "weather forecast", "translate a sentence"},
		{"Put a picture of my dog on the poster", "add an image", "account balance"},
		{"refundPayment", "give the money back to the customer", "play a song"},
	} {
		near, far := Meaning(tt.text).Cosine(Meaning(tt.near)), Meaning(tt.text).Cosine(Meaning(tt.far))
		if near < far+0.15 {
			t.Errorf("%q: %.2f to %q and %.2f to %q, want the first much nearer", tt.text, near, tt.near, far, tt.far)
		}
	}
	v := Meaning("Open the harbour!")
	if c := v.Cosine(Meaning("the HARBOUR open")); math.Abs(c-1) > 1e-5 {
		t.Errorf("the same words in another order: %v, want 1", c)
	}
	if v := Meaning("?! ---"); v != nil || v.Cosine(Meaning("harbour")) != 0 {
		t.Errorf("Meaning of nothing = %v, want nil", v)
	}
}

func TestToolMeaning(t *testing.T) {
	v := ToolMeaning(tool("film_showings", "Showings of films at picture houses.", "place"))
	if a, b := v.Cosine(Meaning("a movie tonight")), v.Cosine(Meaning("repair a bicycle")); a < b+0.15 {
		t.Errorf("film tool: %.2f to a movie, %.2f to a bicycle", a, b)
	}
	if v := ToolMeaning(tool("", "")); v != nil {
		t.Errorf("a tool that says nothing has %v, want nil", v)
	}
}

func TestWeightsAreSmall(t *testing.T) {
	if n := len(vectorBytes) + len(nearBytes); n > 2_750_000 {
		t.Errorf("the embedded models have %d bytes", n)
	}
	m := meanings()
	if want := len(m.vocabulary) * m.dims / 2; len(m.codes) != want || len(m.scales) != len(m.vocabulary) {
		t.Errorf("%d codes and %d scales for %d pieces of %d dimensions", len(m.codes), len(m.scales), len(m.vocabulary), m.dims)
	}
}

func TestPieces(t *testing.T) {
	v := NewVocabulary([]string{"air", "##quality", "##q", "##ual", "github", "get", "user", "0", "port"})
	for text, want := range map[string][]int32{
		"Airquality":  {0, 1},    // the longest piece is taken
		"GitHub":      {4},       // known as a whole, in spite of its capitals
		"getUser2":    {5, 6, 7}, // numbers of any size are one piece
		"port 8080":   {8, 7},    //
		"airs":        nil,       // what is left over has no piece: the word is left out
		"":            nil,       //
		"get_user;ok": {5, 6},    //
	} {
		if got := v.Pieces(text); !slices.Equal(got, want) {
			t.Errorf("Pieces(%q) = %v, want %v", text, got, want)
		}
	}
	if got := v.Pieces(strings.Repeat("get ", 5000)); len(got) != mostPieces {
		t.Errorf("%d pieces of a long text, want %d", len(got), mostPieces)
	}
}

func TestLiterals(t *testing.T) {
	for _, tt := range []struct {
		message, rest string
		asks          []string
	}{
		{"Draw up a plan and save it in ~/plans/garden.md.", "Draw up a plan and save it in", []string{"write a file"}},
		{"What does /home/ada/lease.docx say?", "What does word document say?", []string{"read a word document"}},
		{"Make slides: /out/talk.pptx", "Make slides: presentation", []string{"save a presentation"}},
		{"which files are in /var/log/", "which files are in", []string{"list the files of a directory"}},
		{"compare /a/b.txt, /a/c.txt and /a/d.txt", "compare , and", []string{"read a file", "read a file"}},
		{"write to ada@example.org about www.example.org/x and example.net", "write to email about url and domain", nil},
		{"either/or, 24/7 and 3/4", "either/or, 24/7 and 3/4", nil},
	} {
		rest, asks := literals(tt.message)
		if got := strings.Join(strings.Fields(rest), " "); got != tt.rest {
			t.Errorf("literals(%q) = %q, want %q", tt.message, got, tt.rest)
		}
		if d := cmp.Diff(tt.asks, asks); d != "" {
			t.Errorf("literals(%q) asks (-want +got):\n%s", tt.message, d)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for message, want := range map[string]string{
		`play 'Blue Train' for me`:      `play for me`,
		`don't play Ada's songs`:        `don't play Ada's songs`,
		`find "a cup", "a plate" cheap`: `find , cheap`,
		`"all of it is quoted"`:         `"all of it is quoted"`,
	} {
		if got := strings.Join(strings.Fields(unquoted(message)), " "); got != want {
			t.Errorf("unquoted(%q) = %q, want %q", message, got, want)
		}
	}
}

func FuzzMeaning(f *testing.F) {
	f.Add("Save it in /home/x.md, then mail ada@example.org 'the plan'")
	f.Add("airQuality ÄÖ \xff 12")
	f.Fuzz(func(t *testing.T, text string) {
		v := Meaning(text)
		if v != nil && math.Abs(v.Cosine(v)-1) > 1e-4 {
			t.Fatalf("length %v, want 1", v.Cosine(v))
		}
		if _, asks := literals(text); len(asks) > mostAsked {
			t.Fatalf("%d asks", len(asks))
		}
		if len(clausesOf(unquoted(text))) > 6 {
			t.Fatal("too many clauses")
		}
	})
}

// ToolMeaning gives the vector of a tool: of its name, its description and its arguments, each of length one before they are weighted
// and added. It is nil where none of them says anything.
func ToolMeaning(t plan.Tool) Vector {
	v := describe(t, newDoc(t).said.String())
	if dot(v, v) == 0 {
		return nil
	}
	return v
}

// Cosine says how near two texts are in meaning: 1 for the same words, about 0 for texts that have nothing in common, below it too.
// It is 0 where one of them says nothing.
func (v Vector) Cosine(w Vector) float64 {
	if len(v) == 0 || len(w) == 0 {
		return 0
	}
	return float64(dot(v, w))
}
