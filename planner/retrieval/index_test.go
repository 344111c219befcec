package retrieval

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/cputime"
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

// shop is a catalogue whose words are seldom those of the questions.
func shop() []plan.Tool {
	return append(house(),
		tool("files__write_file", "Writes content to a path, replacing what is there.", "path", "content"),
		tool("files__read_file", "Gives the content of a path.", "path"),
		tool("garage__list_repairs", "Repairs of a vehicle with dates and cost.", "plate"),
		tool("garage__quote", "What a repair will cost.", "plate", "fault"),
		tool("post__parcel_status", "Where a shipment is and when it arrives.", "tracking_number"),
		tool("sky__forecast", "Weather for the next days at a place.", "place", "days"),
		tool("bank__transfer", "Moves money between accounts.", "from", "to", "amount"),
		tool("chef__suggest", "Dishes that can be cooked with given ingredients.", "ingredients"),
	)
}

var update = flag.Bool("update", false, "rewrite the golden file in testdata")

// TestGolden shows what is found for messages in the words of people.
func TestGolden(t *testing.T) {
	tools := shop()
	x := New(tools)
	var b strings.Builder
	for _, message := range []string{
		"do I need an umbrella on Saturday?",
		"my car makes a noise, how much to get it fixed?",
		"where is the package that I ordered",
		"I have rice and leeks, what's for dinner?",
		"pay the plumber 80 euros",
		"Look up the tides at Emden and save them in ~/notes/tides.md",
		"what does /srv/lists/todo.txt say",
		"anything good at the cinema?",
		"find 'bread of Emden' among the loaves",
		"erase note 12",
	} {
		fmt.Fprintln(&b, message)
		for _, h := range x.Search(message, 3) {
			fmt.Fprintf(&b, "  %-24s %.2f\n", tools[h.Tool].Name, h.Cosine)
		}
	}
	path := filepath.Join("testdata", "found.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("what is found changed (-want +got); run with -update if it is right:\n%s", d)
	}
}

// TestOrderOfTools: what a tool gets does not depend on where it stands, and the same again gives the same again.
func TestOrderOfTools(t *testing.T) {
	tools := shop()
	names := func(tools []plan.Tool, hits []Hit) map[string]float64 {
		out := map[string]float64{}
		for _, h := range hits {
			out[tools[h.Tool].Name] = math.Round(h.Score*1e6) / 1e6
		}
		return out
	}
	const message = "Fix my car, then save the weather in /home/a/b.txt"
	want := names(tools, New(tools).Search(message, 20))
	random := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		random.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		if d := cmp.Diff(want, names(tools, New(tools).Search(message, 20))); d != "" {
			t.Fatalf("another order gives other scores (-want +got):\n%s", d)
		}
	}
}

func TestToolsComeAndGo(t *testing.T) {
	tools := house()
	const message = "is my shipment on its way?"
	for _, h := range New(tools).Search(message, 1) {
		if h.Cosine > 0.5 {
			t.Errorf("%s is found for a shipment, with a cosine of %.2f", tools[h.Tool].Name, h.Cosine)
		}
	}
	more := append(tools, tool("parcel_status", "Where a parcel is.", "number"))
	if hits := New(more).Search(message, 1); len(hits) == 0 || hits[0].Tool != len(tools) {
		t.Errorf("a new tool is not found: %v", hits)
	}
	for _, h := range New(more[1:]).Search("high water in the harbour", 5) {
		if more[1:][h.Tool].Name == "harbour_tides" {
			t.Error("a tool that is gone is found")
		}
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

func TestReached(t *testing.T) {
	scores := []float64{0, 5, 1, 4, 3, 2, -1}
	for n, want := range map[int]int{1: 1, 2: 2, 5: 5, 50: 5} {
		least, got := reached(scores, n), 0
		for _, s := range scores {
			if s > 0 && s >= least {
				got++
			}
		}
		if got != want {
			t.Errorf("%d scores reach reached(%d) = %v, want %d", got, n, least, want)
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
	cputime.Each(b, func(int) {
		x.Search("find the nearest hotel with a pool for two nights and book a table for dinner", 40)
	})
}

func BenchmarkNew4000(b *testing.B) {
	tools := many(4000)
	for b.Loop() {
		New(tools)
	}
}
