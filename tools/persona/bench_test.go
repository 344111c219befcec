package persona_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/persona"
)

// BenchmarkRead reads each kind of resource over 2,000 personas with 20,000 relationships.
func BenchmarkRead(b *testing.B) {
	docs, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "s.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer docs.Close()
	s := persona.Embedded(docs)
	k := persona.New(persona.Options{Store: s})
	if err := s.Merge(b.Context(), "ann", benchGraph()); err != nil {
		b.Fatal(err)
	}
	reg := tools.NewRegistry(tools.Options{})
	if err := reg.RegisterResources(k.Resources()...); err != nil {
		b.Fatal(err)
	}
	for _, uri := range []string{"neo4j://personas/p0001", "neo4j://personas/all", "neo4j://relationships/all", "neo4j://interactions/recent/50",
		"neo4j://emotional_climate/current", "neo4j://attachment_styles/analysis", "neo4j://goals/active"} {
		b.Run(uri[len("neo4j://"):], func(b *testing.B) {
			for b.Loop() {
				if _, err := reg.ReadResource(b.Context(), access.Caller{ID: "ann"}, uri); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkImport imports 2,000 personas with 20,000 relationships from JSON.
func BenchmarkImport(b *testing.B) {
	docs, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "s.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer docs.Close()
	k := persona.New(persona.Options{Store: persona.Embedded(docs)})
	var file bytes.Buffer
	if err := persona.Write(&file, benchGraph()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	n := 0
	for b.Loop() {
		n++
		if _, err := k.Import(b.Context(), fmt.Sprint("owner", n), bytes.NewReader(file.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}

// benchGraph has 2,000 personas, each with 20 relationships.
func benchGraph() persona.Graph {
	var g persona.Graph
	const people = 2000
	now := time.Now().UTC()
	for i := range people {
		g.Personas = append(g.Personas, persona.Persona{ID: fmt.Sprintf("p%04d", i), Name: fmt.Sprintf("Person %d", i), AttachmentStyle: persona.Styles[i%5],
			Traits: persona.DefaultTraits(), Goals: []string{"build trust"}, Description: "likes long walks and short messages", Created: now})
	}
	for i := range people {
		for j := 1; j <= 10; j++ {
			x, y := g.Personas[i].ID, g.Personas[(i+j)%people].ID
			g.Relationships = append(g.Relationships, persona.Relationship{Persona1ID: min(x, y), Persona2ID: max(x, y), Type: "friendship", Created: now,
				Levels: persona.Levels{Trust: 3.25, Intimacy: 4.125, Strength: 7}})
		}
	}
	for i := range 1000 {
		g.Interactions = append(g.Interactions, persona.Interaction{ID: fmt.Sprint(i), SenderID: "p0000", RecipientID: "p0001", Content: "hello", At: now.Add(time.Duration(i))})
	}
	return g
}
