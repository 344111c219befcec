// Command persona measures the tools and resources of personas over the embedded store: many personas and relationships are
// imported, then some clients change relationships while others read.
//
//	go -C bench run ./persona [-personas 10000] [-relationships 100000] [-seconds 15] [-json]
//
// Everything goes through the registry, as for an MCP client: arguments are checked, results are JSON. The store is SQLite in a
// temporary folder, and a write is on disk when its tool returns. After the run it checks that no update was lost: each relationship
// that was written to must have the levels, the number of interactions and the mean valence that its writers count. Bounds are checked
// at each read.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/handle"
	"catena/tools/persona"
)

// limitMS is the bar for the 95th percentile of each kind of read.
const limitMS = 5

type options struct {
	personas, relationships, interactions int
	readers, writers, hot                 int
	took, readPause, writePause           time.Duration
}

func main() {
	var o options
	flag.IntVar(&o.personas, "personas", 10_000, "personas to import")
	flag.IntVar(&o.relationships, "relationships", 100_000, "relationships to import")
	flag.IntVar(&o.interactions, "interactions", 50_000, "interactions to import")
	flag.IntVar(&o.readers, "readers", 4, "clients that read")
	flag.IntVar(&o.writers, "writers", 16, "clients that write")
	flag.IntVar(&o.hot, "hot", 50, "relationships that are written to")
	flag.DurationVar(&o.readPause, "read-pause", 5*time.Millisecond, "pause of a client after a read; 0 reads as fast as it can")
	flag.DurationVar(&o.writePause, "write-pause", 20*time.Millisecond, "pause of a client after a write")
	seconds := flag.Float64("seconds", 15, "how long to read and write")
	asJSON := flag.Bool("json", false, "end with one JSON object of all figures")
	flag.Parse()
	o.took = time.Duration(*seconds * float64(time.Second))
	if err := run(context.Background(), o, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "persona:", err)
		os.Exit(1)
	}
}

var caller = access.Local("bench")

// house is a registry with the persona tools.
type house struct {
	docs   *sqlite.Store
	tables *handle.Tables
	reg    *tools.Registry
	kit    *persona.Toolkit
}

func newHouse(ctx context.Context, path string) (*house, error) {
	docs, err := sqlite.Open(ctx, path, store.Options{})
	if err != nil {
		return nil, err
	}
	h := &house{docs: docs, tables: handle.New(handle.Options{})}
	h.reg = tools.NewRegistry(tools.Options{Tables: h.tables})
	h.kit = persona.New(persona.Options{Store: persona.Embedded(docs), Updated: h.reg.Updated})
	return h, errors.Join(h.reg.Register(h.kit.Tools()...), h.reg.RegisterResources(h.kit.Resources()...))
}

func (h *house) close() {
	h.tables.Close()
	h.docs.Close()
}

func run(ctx context.Context, o options, asJSON bool) error {
	dir, err := os.MkdirTemp("", "catena-persona-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "catena.db")
	h, err := newHouse(ctx, path)
	if err != nil {
		return err
	}
	defer func() { h.close() }()
	figures := map[string]any{"personas": o.personas, "relationships": o.relationships, "interactions": o.interactions}
	g := invent(o)
	var file bytes.Buffer
	if err := persona.Write(&file, g); err != nil {
		return err
	}
	size := file.Len()
	start := time.Now()
	if _, err := h.kit.Import(ctx, caller.ID, &file); err != nil {
		return err
	}
	figures["import_ms"] = millis(time.Since(start))
	h.close() // as after a restart: nothing is in memory
	if h, err = newHouse(ctx, path); err != nil {
		return err
	}
	start = time.Now()
	if _, err := h.reg.ReadResource(ctx, caller, "neo4j://personas/all"); err != nil {
		return err
	}
	figures["first_read_ms"] = millis(time.Since(start))
	fmt.Printf("%d personas, %d relationships, %d interactions (%.1f MB of JSON), %s, %d CPUs\n", o.personas, o.relationships, o.interactions,
		float64(size)/1e6, runtime.Version(), runtime.NumCPU())
	fmt.Printf("import %.0f ms, first read after a start %.0f ms\n", figures["import_ms"], figures["first_read_ms"])
	l := &load{options: o, house: h, graph: g}
	if err := l.run(ctx); err != nil {
		return err
	}
	ok := l.report(figures)
	if err := l.check(ctx, figures); err != nil {
		return err
	}
	if asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(figures); err != nil {
			return err
		}
	}
	if !ok {
		return fmt.Errorf("the 95th percentile of some reads is above %d ms", limitMS)
	}
	return nil
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// invent makes a graph, the same for the same numbers.
func invent(o options) persona.Graph {
	r := rand.New(rand.NewPCG(1, 2))
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	var g persona.Graph
	for i := range o.personas {
		g.Personas = append(g.Personas, persona.Persona{ID: fmt.Sprintf("p%05d", i), Name: fmt.Sprintf("Person %05d", r.IntN(o.personas)),
			AttachmentStyle: persona.Styles[r.IntN(len(persona.Styles))], Description: "Invented for a measurement; likes long walks and short messages.",
			Traits: persona.Traits{Openness: r.Float64(), Conscientiousness: r.Float64(), Extraversion: r.Float64(), Agreeableness: r.Float64(), Neuroticism: r.Float64()},
			Goals:  []string{"build trust"}, Created: at})
	}
	seen := map[string]bool{}
	for len(g.Relationships) < o.relationships {
		a, b := g.Personas[r.IntN(o.personas)].ID, g.Personas[r.IntN(o.personas)].ID
		if a > b {
			a, b = b, a
		}
		if key := persona.Key(a, b); a == b || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		g.Relationships = append(g.Relationships, persona.Relationship{Persona1ID: a, Persona2ID: b, Type: "friendship", Created: at,
			Levels: persona.Levels{Trust: 10 * r.Float64(), Intimacy: 10 * r.Float64(), Strength: 10 * r.Float64()}})
	}
	for i := range o.interactions {
		x := g.Relationships[o.hot+r.IntN(len(g.Relationships)-o.hot)]
		when := at.Add(time.Duration(i) * time.Second)
		g.Interactions = append(g.Interactions, persona.Interaction{ID: persona.InteractionID(x.Persona1ID, x.Persona2ID, when, fmt.Sprint(i)),
			SenderID: x.Persona1ID, RecipientID: x.Persona2ID, Content: "Shall we meet on Saturday?", Valence: 2*r.Float64() - 1, At: when})
	}
	for i := range o.hot { // known levels, far enough from the bounds
		g.Relationships[i].Levels = persona.Levels{Trust: 5, Intimacy: 5, Strength: 5}
	}
	return g
}
