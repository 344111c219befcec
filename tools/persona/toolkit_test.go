package persona_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/handle"
	"catena/tools/persona"
)

var ann = access.Caller{ID: "ann", Via: "test"}

// world is a registry with the toolkit over a store in memory.
type world struct {
	t       *testing.T
	docs    *sqlite.Store
	store   persona.Store
	kit     *persona.Toolkit
	reg     *tools.Registry
	mu      sync.Mutex
	updated []string
}

func newWorld(t *testing.T, change ...func(*persona.Options)) *world {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { docs.Close() })
	w := &world{t: t, docs: docs, store: persona.Embedded(docs)}
	opt := persona.Options{Store: w.store, Updated: func(owner, uri string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.updated = append(w.updated, owner+" "+uri)
	}}
	for _, f := range change {
		f(&opt)
	}
	w.kit = persona.New(opt)
	tables := handle.New(handle.Options{})
	t.Cleanup(tables.Close)
	w.reg = tools.NewRegistry(tools.Options{Tables: tables})
	for _, err := range []error{w.reg.Register(w.kit.Tools()...), w.reg.RegisterResources(w.kit.Resources()...),
		w.reg.RegisterPrompts(w.kit.Prompts()...), w.reg.RegisterLive(w.kit.Live()...)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

type object = map[string]any

// call calls a tool and returns its structured result as JSON values.
func (w *world) call(c access.Caller, tool string, args object) (object, tools.Result) {
	w.t.Helper()
	res, err := w.reg.Call(w.t.Context(), tools.Call{Caller: c, Tool: tool, Args: args})
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(res.Structured)
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		w.t.Fatalf("%s: %v: %s", tool, err, raw)
	}
	for _, one := range w.kit.Tools() {
		if one.Def.Name != tool || res.IsError {
			continue
		}
		if err := tools.CheckJSON(context.Background(), one.Def.RawOutputSchema, any(out)); err != nil {
			w.t.Errorf("%s: a success does not fit the output schema: %v", tool, err)
		}
	}
	return out, res
}

func (w *world) read(uri string) (object, error) {
	w.t.Helper()
	list, err := w.reg.ReadResource(w.t.Context(), ann, uri)
	if err != nil {
		return nil, err
	}
	c := list[0].(mcp.TextResourceContents)
	var out object
	if err := json.Unmarshal([]byte(c.Text), &out); err != nil {
		w.t.Fatalf("%s: %v: %s", uri, err, c.Text)
	}
	return out, nil
}

func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(object)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func TestUpdate(t *testing.T) {
	w := newWorld(t)
	got, _ := w.call(ann, "update_relationship_metrics", object{"persona1_id": "lila", "persona2_id": "don", "trust_delta": 5.0, "intimacy_delta": -0.1})
	r := at(t, got, "updated_relationship")
	for name, want := range (object{"trust_level": 10.0, "intimacy_level": 6.7, "relationship_strength": 7.2}) {
		if at(t, r, name) != want {
			t.Errorf("%s is %v, want %v", name, at(t, r, name), want)
		}
	}
	if at(t, r, "participant_names", 0) != "Lila" || at(t, r, "participants", 1) != "don" || at(t, r, "changes", "trust_delta") != 5.0 || got["success"] != true {
		t.Errorf("%v", got)
	}
	if d, err := w.read("neo4j://relationships/don/lila"); err != nil || at(t, d, "relationship", "trust_level") != 10.0 {
		t.Error(d, err)
	}
	// Another owner still has the bundled relationship.
	if other, err := w.store.Relationship(t.Context(), "bob", "don", "lila"); err != nil || other.Trust != 7.5 {
		t.Error(other, err)
	}
	if !strings.Contains(strings.Join(w.updated, "\n"), "ann neo4j://relationships/lila/don") {
		t.Error(w.updated)
	}
}

func TestFailures(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		tool string
		args object
		code string // of the structured error
		res  string // of the result
	}{
		{"update_relationship_metrics", object{"persona1_id": "lila", "persona2_id": "nobody"}, "RELATIONSHIP_NOT_FOUND", tools.CodeNotFound},
		{"update_relationship_metrics", object{"persona1_id": "lila", "persona2_id": "lila"}, "INVALID_ARGUMENT", tools.CodeBadValue},
		{"record_interaction", object{"sender_id": "lila", "recipient_id": "nobody", "content": "x"}, "RELATIONSHIP_NOT_FOUND", tools.CodeNotFound},
		{"commit_relationship_state", object{"persona1_id": "a/b", "persona2_id": "é ü"}, "RELATIONSHIP_NOT_FOUND", tools.CodeNotFound},
		{"analyze_persona_compatibility", object{"persona1_id": "lila", "persona2_id": "nobody"}, "PERSONA_NOT_FOUND", tools.CodeNotFound},
		{"assess_goal_progress", object{"persona_id": "nobody"}, "PERSONA_NOT_FOUND", tools.CodeNotFound},
		{"generate_contextual_response", object{"persona_id": "a\x00b", "context": "x"}, "INVALID_ARGUMENT", tools.CodeBadValue},
		{"update_relationship_metrics", object{"persona1_id": "", "persona2_id": "don"}, "", tools.CodeInvalidArguments},
		{"record_interaction", object{"sender_id": "lila", "recipient_id": "don", "content": "x", "emotional_valence": -1.5}, "", tools.CodeInvalidArguments},
		{"record_interaction", object{"sender_id": "lila", "recipient_id": "don", "content": "\xff"}, "INVALID_ARGUMENT", tools.CodeBadValue},
	} {
		got, res := w.call(ann, c.tool, c.args)
		if !res.IsError || res.Code != c.res || c.code != "" && (got["code"] != c.code || got["hint"] == "" || got["error"] == "") {
			t.Errorf("%s %v: %+v %v", c.tool, c.args, res, got)
		}
	}
	if v, err := w.store.Version(t.Context(), "ann"); err != nil || v != "0.0" {
		t.Errorf("something was written: %s %v", v, err)
	}
}

// TestUnavailable closes the store in the middle.
func TestUnavailable(t *testing.T) {
	w := newWorld(t)
	w.docs.Close()
	for _, tool := range []string{"update_relationship_metrics", "analyze_persona_compatibility", "commit_relationship_state"} {
		got, res := w.call(ann, tool, object{"persona1_id": "lila", "persona2_id": "don"})
		if !res.IsError || got["code"] != "DATABASE_UNAVAILABLE" {
			t.Errorf("%s: %+v", tool, res)
		}
	}
	if err := w.kit.Healthy(t.Context()); !errors.Is(err, persona.ErrUnavailable) || !errors.Is(err, store.ErrClosed) {
		t.Error("healthy:", err)
	}
	if got, err := w.read("neo4j://personas/all"); err != nil || got["error"] != "The store of personas is not available" {
		t.Error("read:", got, err)
	}
	if err := w.reg.HasResource(t.Context(), ann, "neo4j://personas/all"); !errors.Is(err, persona.ErrUnavailable) {
		t.Error("subscribed to what cannot be read:", err)
	}
	if _, res := w.call(ann, "autonomous_strategy_selection", object{"persona_id": "x"}); res.IsError {
		t.Error("a strategy needs no store")
	}
}

// graphServer is a store that says that it is a server of graphs.
type graphServer struct{ persona.Store }

func (graphServer) Kind() string { return "neo4j" }

// TestResourcesOfADeadServer: each resource answers with an error as its content while the server is away.
func TestResourcesOfADeadServer(t *testing.T) {
	w := newWorld(t, func(o *persona.Options) { o.Store = graphServer{o.Store} })
	w.docs.Close()
	for _, uri := range []string{"neo4j://personas/all", "neo4j://personas/lila", "neo4j://personas/nobody", "neo4j://relationships/all",
		"neo4j://relationships/lila/don", "neo4j://interactions/recent/3", "neo4j://emotional_climate/current",
		"neo4j://attachment_styles/analysis", "neo4j://goals/active", "neo4j://psychological_insights/trends"} {
		if got, err := w.read(uri); err != nil || got["error"] != "Neo4j database not available" {
			t.Errorf("%s: %v, %v", uri, got, err)
		}
	}
}

func TestResources(t *testing.T) {
	w := newWorld(t)
	odd := []string{"a/b", "a b", "ünï", "100%", "a%2Fb", "?#", "a|b", "{x}", "+", "..", "日本"}
	g := persona.Graph{}
	for _, id := range odd {
		g.Personas = append(g.Personas, persona.Persona{ID: id, Name: "N " + id, AttachmentStyle: "secure", Traits: persona.DefaultTraits()})
	}
	for _, id := range odd[1:] {
		g.Relationships = append(g.Relationships, persona.Relationship{Persona1ID: min(id, odd[0]), Persona2ID: max(id, odd[0])})
	}
	if err := w.store.Merge(t.Context(), "ann", g); err != nil {
		t.Fatal(err)
	}
	for _, id := range odd {
		got, err := w.read("neo4j://personas/" + url.PathEscape(id))
		if err != nil || at(t, got, "persona", "id") != id {
			t.Errorf("persona %q: %v %v", id, got, err)
		}
		if id == odd[0] {
			continue
		}
		got, err = w.read("neo4j://relationships/" + url.PathEscape(id) + "/" + url.PathEscape(odd[0]))
		if err != nil || at(t, got, "relationship", "relationship_strength") != 0.0 {
			t.Errorf("relationship %q: %v %v", id, got, err)
		}
	}
	for _, id := range []string{"a b", "ünï", "100%", "a|b", "{x}", "+", "日本"} { // as clients write them that encode nothing
		if got, err := w.read("neo4j://personas/" + id); err != nil || at(t, got, "persona", "id") != id {
			t.Errorf("persona %q as it is: %v %v", id, got, err)
		}
	}
	for _, uri := range []string{"neo4j://personas/all", "neo4j://relationships/all", "neo4j://interactions/recent/3", "neo4j://emotional_climate/current",
		"neo4j://attachment_styles/analysis", "neo4j://goals/active", "neo4j://psychological_insights/trends"} {
		got, err := w.read(uri)
		if err != nil || got["last_updated"] == nil {
			t.Errorf("%s: %v %v", uri, got, err)
		}
	}
	for uri, want := range map[string]string{
		"neo4j://personas/nobody":                                  "Persona nobody not found",
		"neo4j://relationships/a/b":                                "Relationship between a and b not found",
		"neo4j://interactions/recent/x":                            `"x" is no number of interactions; ask for 0 to 50`,
		"neo4j://interactions/recent/-1":                           `"-1" is no number of interactions; ask for 0 to 50`,
		"neo4j://personas/" + strings.Repeat("a", persona.MaxID+1): "the id in the URI has 201 bytes; 1 to 200 are possible",
	} {
		if got, err := w.read(uri); err != nil || got["error"] != want {
			t.Errorf("%s: %v %v", uri, got, err)
		}
		if err := w.reg.HasResource(t.Context(), ann, uri); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("subscribed to %s: %v", uri, err)
		}
	}
	if got, err := w.read("neo4j://interactions/recent/0"); err != nil || got["count"] != 0.0 || len(got["interactions"].([]any)) != 0 {
		t.Error(got, err)
	}
	if got, err := w.read("neo4j://else"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(got, err)
	}
}

// TestDeltasBeyond: a change beyond the range is clamped, and notes say so.
func TestDeltasBeyond(t *testing.T) {
	for _, c := range []struct {
		delta, level, change float64
		notes                []any
	}{
		{50, 10, 10, []any{"trust_delta 50 is beyond -10 to 10, so 10 was used.", "Trust is at 10 now, the highest level."}},
		{-1e300, 0, -10, []any{"trust_delta -1e+300 is beyond -10 to 10, so -10 was used.", "Trust is at 0 now, the lowest level."}},
		{3, 10, 3, []any{"Trust is at 10 now, the highest level."}},
		{0.5, 8, 0.5, []any{}},
	} {
		w := newWorld(t)
		got, res := w.call(ann, "update_relationship_metrics", object{"persona1_id": "lila", "persona2_id": "don", "trust_delta": c.delta})
		r := at(t, got, "updated_relationship")
		if res.IsError || at(t, r, "trust_level") != c.level || at(t, r, "changes", "trust_delta") != c.change {
			t.Errorf("%v: %v", c.delta, got)
		}
		if diff := cmp.Diff(c.notes, got["notes"]); diff != "" {
			t.Errorf("%v: %s", c.delta, diff)
		}
	}
}

func TestPrompts(t *testing.T) {
	w := newWorld(t)
	for name, args := range map[string]map[string]string{
		"assess_attachment_style":   {"persona_id": "don"},
		"analyze_emotional_climate": {"interaction_id": "int_don_lila_1741201200000_first"},
		"generate_secure_response":  {"scenario_description": "a late reply", "personas": "don, lila, nobody"},
	} {
		got, err := w.reg.GetPrompt(context.Background(), name, tools.PromptCall{Caller: ann, Args: args})
		if err != nil || len(got.Messages) != 1 || !strings.Contains(got.Messages[0].Content.(mcp.TextContent).Text, "don") {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

func TestLive(t *testing.T) {
	w := newWorld(t)
	for name, rows := range map[string]int{"personas": 2, "relationships": 1, "interactions": 4} {
		res, err := w.reg.OpenLive(t.Context(), ann, name)
		if err != nil || res.Table.NumRows() != rows {
			t.Errorf("%s: %v %v", name, res.Table, err)
		}
	}
}

// hanging is a store that answers nothing about versions until it is told to.
type hanging struct {
	persona.Store
	asked int
	hangs bool
}

func (h *hanging) Version(ctx context.Context, owner string) (string, error) {
	h.asked++
	if !h.hangs {
		return h.Store.Version(ctx, owner)
	}
	<-ctx.Done()
	return "", ctx.Err()
}

// TestLiveAway asks for versions while the store hangs: once it waits, then not for a while, then it is back.
func TestLiveAway(t *testing.T) {
	clock := time.Now()
	h := &hanging{hangs: true}
	w := newWorld(t, func(o *persona.Options) {
		h.Store, o.Store, o.Now = o.Store, h, func() time.Time { return clock }
	})
	for range 3 {
		for _, l := range w.kit.Live() {
			if _, err := l.Version(t.Context(), ann); !errors.Is(err, persona.ErrUnavailable) {
				t.Fatal(err)
			}
		}
	}
	if h.asked != 1 {
		t.Errorf("the store was asked %d times", h.asked)
	}
	h.hangs, clock = false, clock.Add(time.Minute)
	if v, err := w.kit.Live()[0].Version(t.Context(), ann); err != nil || v == "" {
		t.Errorf("afterwards: %q, %v", v, err)
	}
}

// lost is a store that goes away while it commits.
type lost struct{ persona.Store }

func (lost) Adjust(context.Context, string, string, string, persona.Delta, time.Time) (persona.Relationship, error) {
	return persona.Relationship{}, fmt.Errorf("%w: %w", persona.ErrUnavailable, persona.ErrOutcomeUnknown)
}

func TestOutcomeUnknown(t *testing.T) {
	w := newWorld(t, func(o *persona.Options) { o.Store = lost{o.Store} })
	got, res := w.call(ann, "update_relationship_metrics", object{"persona1_id": "lila", "persona2_id": "don"})
	if !res.IsError || got["code"] != "OUTCOME_UNKNOWN" || res.Code != "outcome_unknown" || !strings.Contains(res.Text, "not known") {
		t.Errorf("%+v", res)
	}
}

// TestBroken reads documents that no store of personas writes: an error, and no panic.
func TestBroken(t *testing.T) {
	for name, put := range map[string]func(persona.DocsTx) error{
		"no JSON":      func(tx persona.DocsTx) error { return tx.Put("persona", "a", []byte("{")) },
		"unknown kind": func(tx persona.DocsTx) error { return tx.Put("else", "a", []byte("{}")) },
		"of nobody": func(tx persona.DocsTx) error {
			return tx.Put("relationship", "a|b", []byte(`{"persona1_id":"a","persona2_id":"b"}`))
		},
	} {
		w := newWorld(t)
		if err := w.docs.GraphChange(t.Context(), "ann", put); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, _, err := w.store.Personas(t.Context(), "ann", 0); !errors.Is(err, persona.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := w.store.Reset(t.Context(), "ann"); err != nil {
			t.Error(name, err)
		}
		if list, _, err := w.store.Personas(t.Context(), "ann", 0); err != nil || len(list) != 2 {
			t.Errorf("%s, after a reset: %v, %v", name, list, err)
		}
	}
}
