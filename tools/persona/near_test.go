package persona_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"catena/tools/persona"
)

// TestNear names personas otherwise than by their ids.
func TestNear(t *testing.T) {
	w := newWorld(t)
	g := persona.Graph{}
	for _, p := range [][2]string{{"oneil", "Shay O\u2019Neil"}, {"p7", "Ren\u00e9e"}, {"ann1", "Ann"}, {"ann2", "ann"}, {"all", "Al"}} {
		g.Personas = append(g.Personas, persona.Persona{ID: p[0], Name: p[1], AttachmentStyle: "secure"})
	}
	for _, id := range []string{"oneil", "ann1", "ann2"} {
		g.Relationships = append(g.Relationships, persona.Relationship{Persona1ID: id, Persona2ID: "p7"})
	}
	if err := w.store.Merge(t.Context(), "ann", g); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{"O'Neil": "oneil", "o\u2019neil": "oneil", "SHAY ONEIL": "oneil", "renee": "p7", "Rene\u0301e": "p7", "Lila": "lila",
		"All": "all", "ann1": "ann1", "ANN1": "ann1"} {
		got, res := w.call(ann, "assess_goal_progress", object{"persona_id": given})
		if res.IsError || at(t, got, "goal_progress", "persona_id") != want {
			t.Errorf("%q: %v", given, res.Text)
		}
	}
	if got, res := w.call(ann, "analyze_persona_compatibility", object{"persona1_id": "Ren\u00e9e", "persona2_id": "O'Neil"}); res.IsError || at(t, got, "compatibility_analysis", "relationship") == nil {
		t.Errorf("a pair: %v", res.Text)
	}
	if got, res := w.call(ann, "record_interaction", object{"sender_id": "RENEE", "recipient_id": "o'neil", "content": "x"}); res.IsError || at(t, got, "recorded", "sender_id") != "p7" {
		t.Errorf("a write: %v", res.Text)
	}
	before, err := w.store.Version(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]object{"update_relationship_metrics": {"persona1_id": "Ann", "persona2_id": "p7"},
		"record_interaction": {"sender_id": "Ann", "recipient_id": "p7", "content": "x"}, "assess_goal_progress": {"persona_id": "ANN"}} {
		if got, res := w.call(ann, tool, args); !res.IsError || got["code"] != "PERSONA_NOT_FOUND" || !strings.Contains(res.Text, "ann1, ann2") {
			t.Errorf("%s with a name of two: %v", tool, res.Text)
		}
	}
	if _, res := w.call(ann, "update_relationship_metrics", object{"persona1_id": "Lila", "persona2_id": "LILA"}); !res.IsError {
		t.Errorf("one with itself: %v", res.Text)
	}
	if after, err := w.store.Version(t.Context(), "ann"); err != nil || after != before {
		t.Errorf("something was written: %s, %s, %v", before, after, err)
	}
}

// TestAll reads a persona whose id is that of the list.
func TestAll(t *testing.T) {
	w := newWorld(t)
	if _, err := w.kit.Import(t.Context(), "ann", strings.NewReader(`{"personas":[{"id":"all","name":"Al","attachment_style":"secure"}]}`)); err != nil {
		t.Fatal(err)
	}
	if got, err := w.read("neo4j://personas/%61ll"); err != nil || at(t, got, "persona", "name") != "Al" {
		t.Errorf("%v, %v", got, err)
	}
	if !slices.Contains(w.updated, "ann neo4j://personas/%61ll") {
		t.Error("told of another URI")
	}
}

// TestMissingFile is a store whose file went away: that is no missing persona.
func TestMissingFile(t *testing.T) {
	err := persona.Unavailable(fmt.Errorf("stat: %w", fs.ErrNotExist))
	if !errors.Is(err, persona.ErrUnavailable) || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
