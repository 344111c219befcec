package persona_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools/persona"
)

var update = flag.Bool("update", false, "rewrite the golden files and the snapshots")

// golden compares JSON with a file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (run the test with -update if the change is meant):\n%s", name, d)
	}
}

// TestSchemaSnapshots holds the tools against the schemas that clients are built on.
func TestSchemaSnapshots(t *testing.T) {
	for _, tool := range newWorld(t).kit.Tools() {
		got, err := tool.Describe()
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("..", "testdata", "snap", tool.Toolset+"."+tool.Def.Name+".json"), got)
	}
}

// TestGolden reads the resources of the bundled personas, and calls the tools that only read.
func TestGolden(t *testing.T) {
	w := newWorld(t, func(o *persona.Options) {
		o.Now = func() time.Time { return time.Date(2025, 4, 1, 8, 0, 0, 0, time.UTC) }
	})
	for name, uri := range map[string]string{"personas": "neo4j://personas/all", "persona": "neo4j://personas/don", "relationships": "neo4j://relationships/all",
		"relationship": "neo4j://relationships/lila/don", "recent": "neo4j://interactions/recent/2", "climate": "neo4j://emotional_climate/current",
		"styles": "neo4j://attachment_styles/analysis", "goals": "neo4j://goals/active", "trends": "neo4j://psychological_insights/trends"} {
		list, err := w.reg.ReadResource(t.Context(), ann, uri)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", name+".json"), pretty(t, []byte(list[0].(mcp.TextResourceContents).Text)))
	}
	both := object{"persona1_id": "lila", "persona2_id": "don"}
	for _, c := range []struct {
		tool string
		args object
	}{
		{"analyze_persona_compatibility", both}, {"commit_relationship_state", both}, {"finalize_demo_session", nil},
		{"autonomous_strategy_selection", object{"persona_id": "lila", "active_goals": "build trust"}},
		{"assess_goal_progress", object{"persona_id": "don", "goals": "build trust, feel close, learn to dance"}},
		{"generate_contextual_response", object{"persona_id": "don", "context": "She was upset and did not answer.", "goals": "trust"}},
	} {
		_, res := w.call(ann, c.tool, c.args)
		raw, err := json.Marshal(res.Structured)
		if err != nil || res.IsError {
			t.Fatal(err, res.Text)
		}
		out := pretty(t, raw)
		if res.Handle != "" {
			out = bytes.ReplaceAll(out, []byte(res.Handle), []byte("tbl_"))
		}
		golden(t, filepath.Join("testdata", c.tool+".json"), out)
	}
}

func pretty(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// TestBundle holds the bundled personas against their own numbers.
func TestBundle(t *testing.T) {
	g := persona.Bundle()
	want := persona.Relationship{Persona1ID: "don", Persona2ID: "lila"}
	for _, i := range g.Interactions {
		want = want.With(i)
	}
	if r := g.Relationships[0]; len(g.Personas) != 2 || r.Interactions != want.Interactions || r.Valence != want.Valence || !r.LastInteraction.Equal(want.LastInteraction) {
		t.Errorf("%+v, its interactions say %+v", r, want)
	}
	g.Personas[0].Name = "changed"
	if persona.Bundle().Personas[0].Name == "changed" {
		t.Error("the bundle can be changed")
	}
}
