package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/memory"
)

// score is the relevance of the one memory that a query finds; -1 when it finds none.
func (r *rig) score(owner, query string) float64 {
	r.t.Helper()
	_, s := r.call(owner, "search_memory", object{"query": query, "limit": json.Number("1")})
	list := s["results"].([]any)
	if len(list) == 0 {
		return -1
	}
	return list[0].(object)["relevance_score"].(float64)
}

func TestScores(t *testing.T) {
	r := newRig(t, memory.Options{})
	r.keep("ann", "Globex prefers calls on Monday about its paymentService", "client")
	tests := []struct {
		query string
		want  float64
	}{
		{"Globex", 100},
		{"what about GLOBEX and the calls?", 100},
		{"client", 100},
		{"calling", 90},
		{"payment", 90},
		{"paymentService", 100},
		{"payment service", 90},
		{"Globx", 70},
		{"prefres", 70},
		{"pay", 60},
		{"globex initech", 45.8}, // half of the words; the unknown one is the rarer, and weighs more
		{"initech", -1},
		{"on", 100}, // nothing but a stop word: then it is looked for
		{"the", -1},
	}
	for _, test := range tests {
		if got := r.score("ann", test.query); got != test.want {
			t.Errorf("%q: %v, want %v", test.query, got, test.want)
		}
	}
}

// TestScoresAreStable stores much else beside a memory: its score must stay nearly as it was.
func TestScoresAreStable(t *testing.T) {
	r := newRig(t, memory.Options{})
	const query = "does Globex want a call on Friday"
	r.keep("ann", "Globex prefers calls on Monday.")
	first := r.score("ann", query)
	r.keepAll("ann", 2000, func(i int) string {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		return fmt.Sprintf("%s %s %s number %d", word(random.Uint64N(5000)), word(random.Uint64N(5000)), word(random.Uint64N(5000)), i)
	})
	if after := r.score("ann", query); first < 40 || after < first-5 || after > first+5 {
		t.Errorf("alone %v, among 2000 others %v", first, after)
	}
}

// TestCommonWords has more memories of a word than are looked at, and an old one that has two such words, or one beside a rare one.
func TestCommonWords(t *testing.T) {
	r := newRig(t, memory.Options{})
	old := []string{"alpha and beta together, long ago", "alpha with a zebra"}
	for _, s := range old {
		r.keep("ann", s)
	}
	r.keepAll("ann", 1100, func(i int) string { return fmt.Sprintf("alpha number %d", i) })
	r.keepAll("ann", 1100, func(i int) string { return fmt.Sprintf("beta number %d", i) })
	r.keepAll("ann", 100, func(i int) string { return fmt.Sprintf("zebra number %d", i) })
	for i, query := range []string{"alpha beta", "alpha zebra"} {
		if got := r.search("ann", query); len(got) == 0 || got[0] != old[i] {
			t.Errorf("%s: %q", query, got)
		}
	}
}

func TestOrder(t *testing.T) {
	r := newRig(t, memory.Options{})
	r.keep("ann", "Coffee: the office has coffee, and coffee, and more coffee.")
	r.keep("ann", "A long text in which coffee comes once among very many other words that have nothing at all to do with the drink itself.")
	r.keep("ann", "Coffee is short.")
	r.keep("ann", "Coffees are inflected.")
	got := r.search("ann", "coffee")
	equal(t, "number", len(got), 4)
	for i, want := range []string{"Coffee: the", "Coffee is", "A long", "Coffees"} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("place %d: %q, want %q", i, got[i], want)
		}
	}
}

func TestSearchSays(t *testing.T) {
	r := newRig(t, memory.Options{})
	r.keep("ann", "Globex prefers calls.", "a, b", "c")
	res, s := r.call("ann", "search_memory", object{"query": "Globx"})
	equal(t, "corrected", s["corrected"], any(object{"globx": []any{"globex"}}))
	equal(t, "notes", res.Notes, []string{`"globx" was taken to mean globex too.`})
	equal(t, "untrusted", res.Untrusted, true)
	equal(t, "columns", res.Table.Names(), []string{"memory_id", "content", "tags", "relevance_score", "created_at"})
	one := s["results"].([]any)[0].(object)
	equal(t, "tags", one["tags"], any([]any{"a, b", "c"}))
	equal(t, "count", s["count"], any(1.0))

	r.keep("ann", "A note about halls.")
	_, s = r.call("ann", "search_memory", object{"query": "calls"})
	equal(t, "both are found", s["count"], any(2.0))
	equal(t, "a known word is not corrected", s["corrected"], any(nil))

	res, s = r.call("ann", "search_memory", object{"query": "unheard of"})
	equal(t, "nothing", res.Text, `Nothing that is remembered fits "unheard of".`)
	equal(t, "no results", s["results"], any([]any{}))

	_, s = r.call("ann", "search_memory", object{"query": strings.Repeat("word1 word2 globex ", 3000) + many(60)})
	equal(t, "state of a long query", s["completeness"].(object)["state"], any("partial"))
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "distinct%d ", i)
	}
	return b.String()
}

func TestNamespaces(t *testing.T) {
	r := newRig(t, memory.Options{})
	for _, ns := range []string{"work", "home"} {
		if res, _ := r.call("ann", "store_memory", object{"content": "The key is in the drawer.", "namespace": ns}); res.IsError {
			t.Fatal(res.Text)
		}
	}
	for ns, want := range map[string]int{"work": 1, "home": 1, "default": 0} {
		_, s := r.call("ann", "search_memory", object{"query": "key", "namespace": ns})
		equal(t, ns, len(s["results"].([]any)), want)
	}
	_, s := r.call("ann", "list_memories", object{})
	equal(t, "all", s["total"], any(2.0))
	_, s = r.call("ann", "list_memories", object{"namespace": "home"})
	equal(t, "of one", s["total"], any(1.0))
}

// FuzzSearch sends any query: it must be answered, or refused for its form, and never with another's memory.
func FuzzSearch(f *testing.F) {
	r := newRig(f, memory.Options{})
	for i := range 50 {
		r.keep("ann", fmt.Sprintf("Globex prefers calls number %d, %s of ann", i, word(uint64(i))))
		r.keep("bob", fmt.Sprintf("Globex secret number %d, %s of bob", i, word(uint64(i))))
	}
	for _, q := range []string{"globex", `AND OR NEAR( * "`, "secret", "a\x00b", "\xff", "'; DROP TABLE memories; --", "1_globex", "=globex", "terms:globex", "glob*", "-x ^y", "東京", strings.Repeat("(", 500)} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		res, err := r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: "search_memory", Args: object{"query": query}})
		if err != nil {
			t.Fatal(err)
		}
		if res.IsError {
			if ok := utf8.ValidString(query) && !strings.ContainsRune(query, 0) && strings.TrimSpace(query) != "" && utf8.RuneCountInString(query) <= 64<<10; ok {
				t.Fatalf("refused %q: %s", query, res.Text)
			}
			return
		}
		for row := range res.Table.NumRows() {
			if content := res.Table.Value(row, 1).Text(); !strings.HasSuffix(content, "of ann") {
				t.Fatalf("%q gave %q", query, content)
			}
			if score, ok := res.Table.Value(row, 3).Float(); !ok || score < 10 || score > 100 {
				t.Fatalf("%q has the score %v", query, score)
			}
		}
	})
}
