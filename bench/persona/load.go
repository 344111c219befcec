package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
	"catena/tools/persona"
)

// load is a run: clients that write and clients that read, for a while.
type load struct {
	options
	house *house
	graph persona.Graph

	mu     sync.Mutex // guards the rest
	took   map[string][]time.Duration
	counts []count // of the hot relationships
}

// count is what writers have done to one relationship.
type count struct {
	updates, interactions int
	trust, valence        float64 // sums
}

// kinds of reads, by the URI that a client asks for.
func (l *load) kinds(r *rand.Rand) (kind, uri string) {
	tie := l.graph.Relationships[r.IntN(len(l.graph.Relationships))]
	switch r.IntN(9) {
	case 0, 1:
		return "persona", "neo4j://personas/" + tie.Persona1ID
	case 2:
		return "relationship", "neo4j://relationships/" + tie.Persona2ID + "/" + tie.Persona1ID
	case 3:
		return "recent 50", "neo4j://interactions/recent/50"
	case 4:
		return "all personas", "neo4j://personas/all"
	case 5:
		return "all relationships", "neo4j://relationships/all"
	case 6:
		return "climate", "neo4j://emotional_climate/current"
	case 7:
		return "styles", "neo4j://attachment_styles/analysis"
	}
	if r.IntN(2) == 0 {
		return "goals", "neo4j://goals/active"
	}
	return "trends", "neo4j://psychological_insights/trends"
}

func (l *load) run(ctx context.Context) error {
	l.took, l.counts = map[string][]time.Duration{}, make([]count, l.hot)
	ctx, cancel := context.WithTimeout(ctx, l.options.took)
	defer cancel()
	errs := make(chan error, l.readers+l.writers)
	var all sync.WaitGroup
	for i := range l.readers {
		all.Go(func() { errs <- l.client(ctx, rand.New(rand.NewPCG(1, uint64(i))), l.readPause, l.read) })
	}
	for i := range l.writers {
		all.Go(func() { errs <- l.client(ctx, rand.New(rand.NewPCG(2, uint64(i))), l.writePause, l.write) })
	}
	all.Wait()
	close(errs)
	var found []error
	for err := range errs {
		found = append(found, err)
	}
	return errors.Join(found...)
}

// client repeats one thing, with a pause after each, until the time is over. What was begun is finished: half a call could not be counted.
func (l *load) client(ctx context.Context, r *rand.Rand, pause time.Duration, do func(context.Context, *rand.Rand) (string, error)) error {
	own := map[string][]time.Duration{}
	for ctx.Err() == nil {
		start := time.Now()
		kind, err := do(context.WithoutCancel(ctx), r)
		if err != nil {
			return err
		}
		own[kind] = append(own[kind], time.Since(start))
		time.Sleep(pause)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for kind, list := range own {
		l.took[kind] = append(l.took[kind], list...)
	}
	return nil
}

func (l *load) read(ctx context.Context, r *rand.Rand) (string, error) {
	kind, uri := l.kinds(r)
	got, err := l.house.reg.ReadResource(ctx, caller, uri)
	if err != nil {
		return "", fmt.Errorf("%s: %w", uri, err)
	}
	if kind != "relationship" {
		return kind, nil
	}
	var out struct{ Relationship persona.Relationship }
	if err := json.Unmarshal([]byte(got[0].(mcp.TextResourceContents).Text), &out); err != nil {
		return "", err
	}
	return kind, within(out.Relationship.Levels)
}

func within(v persona.Levels) error {
	for _, level := range []float64{v.Trust, v.Intimacy, v.Strength} {
		if level < 0 || level > persona.MaxLevel {
			return fmt.Errorf("a level out of bounds: %+v", v)
		}
	}
	return nil
}

// write changes a hot relationship: trust by little, so that the sum stays within the bounds and can be checked; intimacy against both
// bounds.
func (l *load) write(ctx context.Context, r *rand.Rand) (string, error) {
	i := r.IntN(l.hot)
	tie := l.graph.Relationships[i]
	if r.IntN(4) == 0 {
		valence := float64(r.IntN(201)-100) / 100
		err := l.call(ctx, "record_interaction", map[string]any{"sender_id": tie.Persona1ID, "recipient_id": tie.Persona2ID,
			"content": "measured", "emotional_valence": valence})
		l.note(i, count{interactions: 1, valence: valence})
		return "write: record", err
	}
	delta := float64(r.IntN(3)-1) * 0.001
	err := l.call(ctx, "update_relationship_metrics", map[string]any{"persona1_id": tie.Persona2ID, "persona2_id": tie.Persona1ID,
		"trust_delta": delta, "intimacy_delta": float64(r.IntN(21) - 10)})
	l.note(i, count{updates: 1, trust: delta})
	return "write: update", err
}

func (l *load) call(ctx context.Context, name string, args map[string]any) error {
	res, err := l.house.reg.Call(ctx, tools.Call{Caller: caller, Tool: name, Args: args})
	if err == nil && res.IsError {
		err = errors.New(res.Text)
	}
	return err
}

func (l *load) note(i int, c count) {
	l.mu.Lock()
	defer l.mu.Unlock()
	x := &l.counts[i]
	x.updates, x.interactions, x.trust, x.valence = x.updates+c.updates, x.interactions+c.interactions, x.trust+c.trust, x.valence+c.valence
}

// report prints the times and puts them into figures. It reports whether all reads are within the limit.
func (l *load) report(figures map[string]any) bool {
	ok := true
	fmt.Printf("\n%-20s %8s %9s %9s %9s   (%v: %d readers, pause %v; %d writers, pause %v)\n", "ms", "calls", "p50", "p95", "max",
		l.options.took, l.readers, l.readPause, l.writers, l.writePause)
	kinds := []string{}
	for kind := range l.took {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	var reads []time.Duration
	for _, kind := range kinds {
		list := l.took[kind]
		slices.Sort(list)
		p50, p95 := millis(list[len(list)/2]), millis(list[len(list)*95/100])
		fmt.Printf("%-20s %8d %9.2f %9.2f %9.2f\n", kind, len(list), p50, p95, millis(list[len(list)-1]))
		figures[kind] = map[string]any{"calls": len(list), "p50_ms": p50, "p95_ms": p95}
		if kind[:min(6, len(kind))] != "write:" {
			reads = append(reads, list...)
			ok = ok && p95 <= limitMS
		}
	}
	slices.Sort(reads)
	figures["reads_p50_ms"], figures["reads_p95_ms"] = millis(reads[len(reads)/2]), millis(reads[len(reads)*95/100])
	fmt.Printf("%-20s %8d %9.2f %9.2f\n", "all reads", len(reads), figures["reads_p50_ms"], figures["reads_p95_ms"])
	return ok
}

// check compares what is stored with what the writers did.
func (l *load) check(ctx context.Context, figures map[string]any) error {
	wrong, updates := 0, 0
	for i, want := range l.counts {
		tie := l.graph.Relationships[i]
		got, err := l.house.reg.ReadResource(ctx, caller, "neo4j://relationships/"+tie.Persona1ID+"/"+tie.Persona2ID)
		if err != nil {
			return err
		}
		var out struct{ Relationship persona.Relationship }
		if err := json.Unmarshal([]byte(got[0].(mcp.TextResourceContents).Text), &out); err != nil {
			return err
		}
		r := out.Relationship
		updates += want.updates + want.interactions
		mean := want.valence / math.Max(1, float64(want.interactions))
		if math.Abs(r.Trust-tie.Trust-want.trust) > 1e-6 || r.Trend.Updates != want.updates || r.Interactions != want.interactions ||
			math.Abs(r.Valence-mean) > 1e-5 || within(r.Levels) != nil {
			wrong++
			fmt.Printf("wrong: %+v, its writers count %+v\n", r, want)
		}
	}
	fmt.Printf("\n%d writes to %d relationships (%.0f a second), lost or out of bounds: %d\n", updates, l.hot, float64(updates)/l.options.took.Seconds(), wrong)
	figures["writes"], figures["lost"] = updates, wrong
	if wrong > 0 {
		return fmt.Errorf("%d relationships do not have what was written to them", wrong)
	}
	return nil
}
