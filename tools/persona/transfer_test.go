package persona_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools/persona"
)

// TestReadErrors names what is wrong by its path.
func TestReadErrors(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct{ file, path, reason string }{
		{``, "", "must be a JSON object"},
		{`[]`, "", "must be a JSON object"},
		{`{"personas":[]`, "", "ends too early"},
		{`{"personas":[]} x`, "", "more after the end"},
		{`{"personas":{}}`, "personas", "must be a list"},
		{`{"people":[]}`, "people", "only personas, relationships and interactions"},
		{`{"personas":[],"personas":[]}`, "personas", "each once"},
		{`{"personas":[{"id":"a"},`, "personas[0].name", "missing"},
		{`{"personas":[1]}`, "personas[0]", "must be an object"},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"calm"}]}`, "personas[0].attachment_style", "one of secure"},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"secure","trust":1}]}`, "personas[0]", `unknown field "trust"`},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"secure","personality":{"openness":1.5}}]}`, "personas[0].personality.openness", "not within 0 and 1"},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"secure","personality":{"openness":"high"}}]}`, "personas[0].personality.openness", "string cannot stand here"},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"secure","goals":["x",""]}]}`, "personas[0].goals[1]", "missing"},
		{`{"personas":[{"id":"a","name":"` + long + `","attachment_style":"secure"}]}`, "personas[0].name", "100000 bytes"},
		{`{"personas":[{"id":"a\u0000","name":"A","attachment_style":"secure"}]}`, "personas[0].id", "not valid text"},
		{`{"personas":[{"id":"a","name":"A","attachment_style":"secure"},{"id":"a","name":"B","attachment_style":"secure"}]}`, "personas[1]", "twice"},
		{`{"relationships":[{"persona1_id":"a","persona2_id":"b"},{"persona1_id":"b","persona2_id":"a"}]}`, "relationships[1]", "twice"},
		{`{"relationships":[{"persona1_id":"a","persona2_id":"a"}]}`, "relationships[0].persona2_id", "themselves"},
		{`{"relationships":[{"persona1_id":"a","persona2_id":"b","trust_level":11}]}`, "relationships[0].trust_level", "not within 0 and 10"},
		{`{"relationships":[{"persona1_id":"a","persona2_id":"b","trust_level":"x"}]}`, "relationships[0].trust_level", "cannot stand here"},
		{`{"interactions":[{"sender_id":"a","recipient_id":"b","content":"x"}]}`, "interactions[0].timestamp", "missing"},
		{`{"interactions":[{"sender_id":"a","recipient_id":"b","content":"x","timestamp":"yesterday"}]}`, "interactions[0]", "yesterday"},
		{`{"interactions":[{"sender_id":"a","recipient_id":"b","content":"x","emotional_valence":-2,"timestamp":"2025-01-01T00:00:00Z"}]}`, "interactions[0].emotional_valence", "not within -1 and 1"},
	} {
		_, err := persona.Read(strings.NewReader(c.file))
		var bad *persona.GraphError
		if !errors.As(err, &bad) || bad.Path != c.path || !strings.Contains(bad.Reason, c.reason) {
			t.Errorf("%.120s:\n%v, want %s: ... %s", c.file, err, c.path, c.reason)
		}
	}
}

func TestReadDefaults(t *testing.T) {
	g, err := persona.Read(strings.NewReader(`{
		"interactions": [{"sender_id":"b","recipient_id":"a","content":"x","timestamp":"2025-01-01T02:00:00+02:00"}],
		"relationships": [{"persona1_id":"b","persona2_id":"a","persona1_name":"ignored","trust_level":0}],
		"personas": [{"id":"a","name":"A","attachment_style":"secure","personality":{"openness":0}},{"id":"b","name":"B","attachment_style":"avoidant"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if p := g.Personas[0].Traits; p.Openness != 0 || p.Neuroticism != 0.5 || g.Personas[1].Traits != persona.DefaultTraits() {
		t.Errorf("traits %+v", p)
	}
	if r := g.Relationships[0]; r.Persona1ID != "a" || r.Persona1Name != "" || r.Trust != 0 || r.Intimacy != 5 {
		t.Errorf("%+v", r)
	}
	if i := g.Interactions[0]; i.ID != "int_b_a_1735689600000_2d711642b726b044" || i.At.Location() != time.UTC {
		t.Errorf("%+v", i)
	}
}

// invent makes a graph of random content.
func invent(r *rand.Rand) persona.Graph {
	word := func() string {
		letters := []rune("abc \"\\\n\t<>&é日😀|%/'`$\u2028")
		out := []rune{'w'}
		for range r.IntN(12) {
			out = append(out, letters[r.IntN(len(letters))])
		}
		return string(out)
	}
	at := func() time.Time { return time.UnixMicro(r.Int64N(2e15)).UTC() }
	var g persona.Graph
	for i := range 2 + r.IntN(8) {
		p := persona.Persona{ID: fmt.Sprint(word(), i), Name: word(), Age: r.IntN(90), Role: word(), AttachmentStyle: persona.Styles[r.IntN(5)],
			Traits: persona.Traits{Openness: r.Float64(), Conscientiousness: r.Float64(), Neuroticism: 1}, Created: at()}
		for range r.IntN(3) {
			p.Goals = append(p.Goals, word())
		}
		g.Personas = append(g.Personas, p)
	}
	for i := range g.Personas {
		for j := range i {
			a, b := g.Personas[i].ID, g.Personas[j].ID
			if r.IntN(2) == 0 {
				continue
			}
			tie := persona.Relationship{Persona1ID: min(a, b), Persona2ID: max(a, b), Type: word()}
			for range r.IntN(3) {
				when := at()
				said := persona.Interaction{ID: persona.NewInteractionID(a, b, when), SenderID: a, RecipientID: b,
					Content: word(), Valence: r.Float64(), Impact: -r.Float64(), At: when}
				g.Interactions = append(g.Interactions, said)
				tie = tie.With(said)
			}
			if more := r.IntN(3); more > 0 { // long ago
				tie.Interactions += more
				tie.Valence = 2*r.Float64() - 1
			}
			tie.Levels, tie.Updated = persona.Levels{Trust: 10 * r.Float64(), Intimacy: 10 * r.Float64(), Strength: 10}, at()
			g.Relationships = append(g.Relationships, tie)
		}
	}
	return g
}

var anyOrder = cmp.Options{cmpopts.EquateEmpty(), cmpopts.SortSlices(func(a, b persona.Persona) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b persona.Relationship) bool { return a.Key() < b.Key() }),
	cmpopts.SortSlices(func(a, b persona.Interaction) bool { return a.ID < b.ID })}

// TestRoundTrip imports random graphs and exports them: nothing is lost or changed, and a second round is byte for byte the same.
func TestRoundTrip(t *testing.T) {
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	k := persona.New(persona.Options{Store: persona.Embedded(docs)})
	for seed := range uint64(40) {
		want := invent(rand.New(rand.NewPCG(seed, 7)))
		var first, second, third bytes.Buffer
		if err := persona.Write(&first, want); err != nil {
			t.Fatal(err)
		}
		got, err := k.Replace(t.Context(), fmt.Sprint("a", seed), &first)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if d := cmp.Diff(want, got, anyOrder); d != "" {
			t.Fatalf("seed %d: read (-want +got):\n%s", seed, d)
		}
		if err := k.Export(t.Context(), fmt.Sprint("a", seed), &second); err != nil {
			t.Fatal(err)
		}
		text := second.String()
		if got, err = k.Replace(t.Context(), fmt.Sprint("b", seed), &second); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if d := cmp.Diff(want, got, anyOrder); d != "" {
			t.Fatalf("seed %d: exported (-want +got):\n%s", seed, d)
		}
		if err := k.Export(t.Context(), fmt.Sprint("b", seed), &third); err != nil || third.String() != text {
			t.Fatalf("seed %d: the second export differs (%v)", seed, err)
		}
	}
}

// TestImportFirst imports before anything else was written: lila and don stay, and others may know them.
func TestImportFirst(t *testing.T) {
	w := newWorld(t)
	_, err := w.kit.Import(t.Context(), "ann", strings.NewReader(`{"personas":[{"id":"max","name":"Max","attachment_style":"secure"}],
		"relationships":[{"persona1_id":"max","persona2_id":"lila"}],
		"interactions":[{"sender_id":"max","recipient_id":"lila","content":"x","emotional_valence":1,"timestamp":"2025-01-01T00:00:00Z"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	people, _, err := w.store.Personas(t.Context(), "ann", 0)
	if err != nil || len(people) != 3 {
		t.Errorf("%v, %v", people, err)
	}
	got, res := w.call(ann, "record_interaction", object{"sender_id": "lila", "recipient_id": "max", "content": "y", "emotional_valence": 0.5})
	if at(t, got, "relationship", "interaction_count") != 2.0 || at(t, got, "relationship", "emotional_valence") != 0.75 {
		t.Errorf("%v: %s", got, res.Text)
	}
	var bad *persona.GraphError
	if _, err := w.kit.Replace(t.Context(), "ann", strings.NewReader(`{}`)); !errors.As(err, &bad) || bad.Path != "personas" {
		t.Errorf("replaced by nobody: %v", err)
	}
}

// TestImportAllOrNothing imports files whose last line is wrong.
func TestImportAllOrNothing(t *testing.T) {
	w := newWorld(t)
	for _, file := range []string{
		`{"personas":[{"id":"n","name":"N","attachment_style":"secure"},{"id":"m"}]}`,
		`{"personas":[{"id":"n","name":"N","attachment_style":"secure"}],"relationships":[{"persona1_id":"n","persona2_id":"nobody"}]}`,
	} {
		var bad *persona.GraphError
		if _, err := w.kit.Import(t.Context(), "ann", strings.NewReader(file)); !errors.As(err, &bad) {
			t.Errorf("%v", err)
		}
		if _, total, err := w.store.Personas(t.Context(), "ann", 0); err != nil || total != 2 {
			t.Errorf("%d personas, %v", total, err)
		}
	}
	if len(w.updated) > 0 {
		t.Errorf("told of %v", w.updated)
	}
}

// FuzzRead reads anything: it gives a graph that is written and read again as the same, or a typed error.
func FuzzRead(f *testing.F) {
	var bundle bytes.Buffer
	if err := persona.Write(&bundle, persona.Bundle()); err != nil {
		f.Fatal(err)
	}
	f.Add(bundle.Bytes())
	f.Add([]byte(`{"personas":[{"id":"a","name":"A","attachment_style":"secure","created_at":"0001-01-01T00:00:00Z"}],"relationships":[{"persona1_id":"b","persona2_id":"a","trust_level":1e-300}]}`))
	f.Add([]byte(`{"interactions":[{"sender_id":"a","recipient_id":"b","content":"\ud800","timestamp":"9999-12-31T23:59:59.999999999+14:00"}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		g, err := persona.Read(bytes.NewReader(file))
		if err != nil {
			var bad *persona.GraphError
			if !errors.As(err, &bad) || bad.Reason == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var out bytes.Buffer
		if err := persona.Write(&out, g); err != nil {
			t.Fatal(err)
		}
		again, err := persona.Read(&out)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(g, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}
