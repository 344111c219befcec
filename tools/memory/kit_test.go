package memory_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/memory"
)

var update = flag.Bool("update", false, "rewrite the snapshots")

// TestSchemaSnapshots holds the tools against the schemas that clients are built on.
func TestSchemaSnapshots(t *testing.T) {
	for _, tool := range newRig(t, memory.Options{}).kit.Tools() {
		got, err := tool.Describe()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("..", "testdata", "snap", tool.Toolset+"."+tool.Def.Name+".json")
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, tool.Def.Name+" (run the test with -update if the change is meant)", string(got), string(want))
	}
}

func TestLive(t *testing.T) {
	r := newRig(t, memory.Options{})
	live := r.kit.Live()[0]
	ann, bob := access.Caller{ID: "ann"}, access.Caller{ID: "bob"}
	version := func(c access.Caller) string {
		t.Helper()
		v, err := live.Version(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	equal(t, "nothing yet", version(ann), "")
	id := r.keep("ann", "Globex prefers calls.", "client")
	first := version(ann)
	equal(t, "bob's", version(bob), "")
	r.keep("ann", "Initech pays late.")
	if version(ann) == first || first == "" {
		t.Error("the version did not change:", first)
	}
	res, err := r.registry.OpenLive(context.Background(), ann, "memories")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows", res.Table.NumRows(), 2)
	equal(t, "newest first", res.Table.Value(1, 1).Text(), "Globex prefers calls.")
	equal(t, "untrusted", res.Untrusted, true)
	r.call("ann", "delete_memory", object{"memory_id": id})
	if res, err = r.registry.OpenLive(context.Background(), ann, "memories"); err != nil || res.Table.NumRows() != 1 {
		t.Error("after a deletion:", err)
	}
}

func TestList(t *testing.T) {
	r := newRig(t, memory.Options{})
	for i := range 5 {
		r.keep("ann", fmt.Sprint("text ", i))
	}
	r.keep("bob", "Bob's text")
	var got []string
	args := object{"limit": 2.0}
	for {
		res, s := r.call("ann", "list_memories", args)
		for _, m := range s["memories"].([]any) {
			got = append(got, m.(object)["content"].(string))
		}
		if s["truncated"] != true {
			break
		}
		equal(t, "total", res.Total, 5)
		args["after"] = s["after"]
	}
	equal(t, "pages", got, []string{"text 4", "text 3", "text 2", "text 1", "text 0"})
}

func TestPrompt(t *testing.T) {
	said := func(opt memory.Options) string {
		t.Helper()
		got, err := newRig(t, opt).registry.GetPrompt(context.Background(), "venom_identity", tools.PromptCall{Caller: access.Caller{ID: "ann"}})
		if err != nil {
			t.Fatal(err)
		}
		return got.Messages[0].Content.(mcp.TextContent).Text
	}
	plain, concise := said(memory.Options{}), said(memory.Options{Variant: "concise"})
	for _, s := range []string{plain, concise} {
		if !strings.Contains(s, "You are Venom") || strings.Contains(s, "## variant") {
			t.Error(s)
		}
	}
	if plain == concise {
		t.Error("the variants are the same")
	}
	file := filepath.Join(t.TempDir(), "me.md")
	if err := os.WriteFile(file, []byte("## variant: default\nI am a test."), 0o600); err != nil {
		t.Fatal(err)
	}
	equal(t, "own file", said(memory.Options{Personality: file}), "I am a test.")
}

func TestNewRefuses(t *testing.T) {
	s, err := sqlite.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	bad := filepath.Join(t.TempDir(), "bad.md")
	if err := os.WriteFile(bad, []byte("no variants here"), 0o600); err != nil {
		t.Fatal(err)
	}
	embed := func(context.Context, []string) ([][]float32, error) { return nil, nil }
	tests := map[string]memory.Options{
		"a store is needed":                   {},
		"set embeddings.model":                {Store: s, Embed: embed},
		"leave it empty for the bundled one":  {Store: s, Personality: bad + ".gone"},
		"has no line \"## variant: default\"": {Store: s, Personality: bad},
		"it has concise, default, thorough":   {Store: s, Variant: "loud"},
	}
	for want, opt := range tests {
		if _, err := memory.New(opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// meaning embeds texts by what a few words mean: telephones, meals, and the rest.
func meaning(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := []float32{0.01, 0.01, 0.01}
		for word, axis := range map[string]int{"call": 0, "phone": 0, "ring": 0, "lunch": 1, "eat": 1, "dinner": 1, "invoice": 2, "money": 2} {
			if strings.Contains(strings.ToLower(s), word) {
				v[axis]++
			}
		}
		out[i] = v
	}
	return out, nil
}

func TestVectors(t *testing.T) {
	r := newRig(t, memory.Options{Embed: meaning, Model: "meaning"})
	r.keep("ann", "Globex prefers calls.")
	r.keep("ann", "Lunch is at noon.")
	r.keep("bob", "Bob has a phone.")
	equal(t, "by meaning", r.search("ann", "telephone number"), []string{"Globex prefers calls."})
	equal(t, "by both", r.search("ann", "who is to eat at noon")[0], "Lunch is at noon.")
	if got := r.score("ann", "telephone"); got < 95 {
		t.Error("score:", got)
	}
	_, s := r.call("ann", "list_memories", nil)
	id := s["memories"].([]any)[0].(object)["memory_id"]
	r.call("ann", "update_memory", object{"memory_id": id, "content": "The invoice is due."})
	equal(t, "after a change", r.search("ann", "dinner"), []string(nil))
}

// TestOneOrder holds results against their scores: what is shown higher has no lower one.
func TestOneOrder(t *testing.T) {
	r := newRig(t, memory.Options{Embed: meaning, Model: "meaning"})
	for _, s := range []string{
		"Globex wants a call on Monday about lunch.", "Globex has lunch at noon.", "Initech and Globex ring on Monday.", "The phone is new.",
		"An invoice for lunch, a call and dinner.", "Globex.", "Monday.", "Dinner with Globex, then a phone call.", "Money for a call to Globex on Monday.",
	} {
		r.keep("ann", s)
	}
	for _, query := range []string{"Globex phone Monday", "call Globex for lunch", "ring Monday invoice", "dinner money"} {
		_, s := r.call("ann", "search_memory", object{"query": query, "limit": 20.0})
		last := 100.0
		for _, hit := range s["results"].([]any) {
			score := hit.(object)["relevance_score"].(float64)
			if score > last {
				t.Errorf("%s: %v is above %v: %v", query, last, score, s["results"])
			}
			last = score
		}
	}
}

// TestOpenWorld says so where texts go to an embedder.
func TestOpenWorld(t *testing.T) {
	for _, embed := range []func(context.Context, []string) ([][]float32, error){nil, meaning} {
		for _, tool := range newRig(t, memory.Options{Embed: embed, Model: "meaning"}).kit.Tools() {
			name := tool.Def.Name
			sends := embed != nil && (name == "store_memory" || name == "search_memory" || name == "update_memory")
			equal(t, name, *tool.Def.Annotations.OpenWorldHint, sends)
		}
	}
}

// TestEmbedderFails stores while the embedder is down, and lets a later search make good for it; then another model.
func TestEmbedderFails(t *testing.T) {
	var down atomic.Bool
	var asked atomic.Int64
	embed := func(ctx context.Context, texts []string) ([][]float32, error) {
		asked.Add(int64(len(texts)))
		if down.Load() {
			return nil, errors.New("out of order")
		}
		return meaning(ctx, texts)
	}
	r := newRig(t, memory.Options{Embed: embed, Model: "one"})
	down.Store(true)
	res, s := r.call("ann", "store_memory", object{"content": "Globex prefers calls."})
	if s["stored"] != true || len(res.Notes) != 1 {
		t.Fatal(res.Text, res.Notes)
	}
	res, s = r.call("ann", "search_memory", object{"query": "Globex"})
	if s["count"] != 1.0 || len(res.Notes) != 1 || s["completeness"].(object)["state"] != "partial" {
		t.Error("with the embedder down:", s)
	}
	down.Store(false)
	eventually(t, r, "phone", 1)

	other := rigOn(t, r.store, memory.Options{Embed: embed, Model: "two"})
	before := asked.Load()
	eventually(t, other, "phone", 1)
	if asked.Load() < before+2 {
		t.Error("nothing was embedded by the other model")
	}
}

// eventually searches until so many are found: vectors are made in the background.
func eventually(t *testing.T, r *rig, query string, want int) {
	t.Helper()
	for range 200 {
		if len(r.search("ann", query)) == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%s was not found", query)
}

func TestBrokenVectors(t *testing.T) {
	for name, made := range map[string][][]float32{
		"none": {}, "empty": {{}}, "zero": {{0, 0}}, "two for one": {{1}, {1}}, "not a number": {{float32(nan())}},
	} {
		r := newRig(t, memory.Options{Model: "m", Embed: func(context.Context, []string) ([][]float32, error) { return made, nil }})
		res, s := r.call("ann", "store_memory", object{"content": "Globex prefers calls."})
		if s["stored"] != true || len(res.Notes) != 1 {
			t.Errorf("%s: %v %v", name, s, res.Notes)
		}
		equal(t, name, r.search("ann", "Globex"), []string{"Globex prefers calls."})
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

func Example() {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	kit, err := memory.New(memory.Options{Store: s})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer kit.Close()
	registry := tools.NewRegistry(tools.Options{})
	if err := registry.Register(kit.Tools()...); err != nil {
		fmt.Println(err)
		return
	}
	ann := access.Local("cli")
	call := func(tool string, args map[string]any) tools.Result {
		res, err := registry.Call(ctx, tools.Call{Caller: ann, Tool: tool, Args: args})
		if err != nil {
			fmt.Println(err)
		}
		return res
	}
	call("store_memory", map[string]any{"content": "Globex prefers calls on Monday.", "tags": []any{"client"}})
	res := call("search_memory", map[string]any{"query": "When can I call Globx?"})
	fmt.Println(res.Text)
	fmt.Println(res.Table.Value(0, 1).Text())
	// Output:
	// 1 memory fits "When can I call Globx?"; the best has a relevance of 80 of 100.
	// Globex prefers calls on Monday.
}
