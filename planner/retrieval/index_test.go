package retrieval

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/planner/plan"
)

func tool(name, description string, args ...string) plan.Tool {
	properties := map[string]any{}
	for _, a := range args {
		properties[a] = map[string]string{"type": "string"}
	}
	in, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
	return plan.Tool{Name: name, Description: description, InputSchema: in}
}

func house() []plan.Tool {
	login := tool("openSession", "Logs a person in.", "user", "secret")
	login.OutputSchema = json.RawMessage(`{"type":"object","properties":{"ticket_key":{"type":"string"}}}`)
	return []plan.Tool{
		tool("harbour_tides", "High and low water at a harbour.", "harbour", "day"),
		tool("bakery__list_loaves", "Which loaves a bakery has today.", "kind"),
		tool("erase_note", "Removes a note for good.", "note_number", "ticket_key"),
		tool("film_showings", "Showings of films at picture houses near a place.", "place", "genre"),
		login,
	}
}

func TestSearch(t *testing.T) {
	x := New(house())
	for _, tt := range []struct {
		message string
		want    int
	}{
		{"when is high water in the harbour of Emden?", 0},
		{"what loaves are there", 1},
		{"please delete my note 12", 2}, // delete is near to erase and remove
		{"is there a movie on tonight?", 3},
	} {
		hits := x.Search(tt.message, 2)
		if len(hits) == 0 || hits[0].Tool != tt.want {
			t.Errorf("Search(%q) = %v, want tool %d first", tt.message, hits, tt.want)
		}
	}
}

func TestSearchBringsWhatAToolNeeds(t *testing.T) {
	hits := New(house()).Search("erase note 12", 2)
	if len(hits) != 2 || hits[0].Tool != 2 || hits[1].Tool != 4 {
		t.Errorf("Search = %v, want the tool that erases and the one that gives its key", hits)
	}
}

func TestSearchBounds(t *testing.T) {
	x := New(house())
	for _, message := range []string{"", "the of and", "zzqx", strings.Repeat("harbour water film ", 50_000)} {
		if hits := x.Search(message, 3); len(hits) > 3 {
			t.Errorf("%d hits, want 3 at most", len(hits))
		}
	}
	if hits := x.Search("harbour", 0); hits != nil {
		t.Errorf("Search of none = %v", hits)
	}
	if hits := New(nil).Search("harbour", 3); len(hits) != 0 {
		t.Errorf("Search of an empty catalogue = %v", hits)
	}
}

func TestCompound(t *testing.T) {
	for name, want := range map[string]string{"weatherforecast": "weath forecast", "harbour": "", "ocr": ""} {
		got := compound(name)
		words := map[string]bool{}
		for _, w := range got {
			words[w] = true
		}
		if want == "" && len(got) > 0 {
			t.Errorf("compound(%q) = %v, want nothing", name, got)
		}
		for _, w := range strings.Fields(want) {
			if !words[w] {
				t.Errorf("compound(%q) = %v, want %s in it", name, got, w)
			}
		}
	}
}

func TestNear(t *testing.T) {
	if got := Near(Stem("film"), Stem("movie")); got < leastCosine || got > 1 {
		t.Errorf("film and movie: %v", got)
	}
	if got := Near(Stem("film"), Stem("harbour")); got != 0 {
		t.Errorf("film and harbour: %v, want 0", got)
	}
	for _, a := range Alike(Stem("hotel")) {
		if a.Cosine < leastCosine-0.01 || a.Cosine > 1 || !Known(a.Stem) {
			t.Errorf("near hotel: %+v", a)
		}
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("high water in Emden", 3)
	x := New(house())
	f.Fuzz(func(t *testing.T, message string, n int) {
		hits := x.Search(message, n)
		for i, h := range hits {
			if h.Score <= 0 || i > 0 && h.Score > hits[i-1].Score || i >= n {
				t.Fatalf("hits out of order: %v", hits)
			}
		}
	})
}

// many makes a catalogue of n tools out of some hundred words.
func many(n int) []plan.Tool {
	random := rand.New(rand.NewPCG(1, 1))
	stems := nearStems().stems[:3000]
	pick := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = stems[random.IntN(len(stems))]
		}
		return strings.Join(words, " ")
	}
	out := make([]plan.Tool, n)
	for i := range out {
		out[i] = tool(fmt.Sprintf("%s_%d", strings.ReplaceAll(pick(2), " ", "_"), i), pick(14), strings.Fields(pick(3))...)
	}
	return out
}

func BenchmarkSearch4000(b *testing.B) {
	x := New(many(4000))
	for b.Loop() {
		x.Search("find the nearest hotel with a pool for two nights and book a table for dinner", 40)
	}
}

func BenchmarkNew4000(b *testing.B) {
	tools := many(4000)
	for b.Loop() {
		New(tools)
	}
}
