package persona

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// DocsTx is one change of an owner's documents and events. internal/store says what its methods do.
type DocsTx = interface {
	Empty() bool
	Get(kind, id string) ([]byte, error)
	Put(kind, id string, body []byte) error
	Add(id string, at int64, body []byte) error
	Has(id string) (bool, error)
	Clear() error
}

// Docs keeps the documents and events of owners, by version. *sqlite.Store implements it.
type Docs interface {
	GraphRead(ctx context.Context, owner string, epoch, version int64,
		head func(epoch, version, events int64), each func(kind, id string, body []byte) error) error
	GraphEvents(ctx context.Context, owner string, limit int, each func(id string, body []byte) error) error
	GraphChange(ctx context.Context, owner string, change func(tx DocsTx) error) error
	Ping(ctx context.Context) error
}

// Kinds of documents.
const (
	kindPersona      = "persona"
	kindRelationship = "relationship"
)

// mirrored bounds the documents that are held in memory, over all owners: about 300 bytes each. Owners that were not asked for
// longest go first; the one that is being read stays, whatever its size.
const mirrored = 500_000

// Embedded makes a store over documents. Personas and relationships of an owner are mirrored in memory when they are first
// read; every later read asks the documents only for what changed since, so it sees all writes, also those of other processes.
// An owner who has written nothing yet has the bundled personas.
func Embedded(docs Docs) Store {
	return &embedded{docs: docs, most: mirrored, owners: map[string]*mirror{}}
}

type embedded struct {
	docs   Docs
	most   int64      // documents in memory
	mu     sync.Mutex // guards the rest
	owners map[string]*mirror
	clock  int64 // counts reads
}

func (e *embedded) Kind() string { return "embedded" }

func (e *embedded) Healthy(ctx context.Context) error { return Unavailable(e.docs.Ping(ctx)) }

// mirror returns the mirror of an owner, and makes room for it.
func (e *embedded) mirror(owner string) *mirror {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clock++
	m := e.owners[owner]
	if m == nil {
		m = newMirror()
		e.owners[owner] = m
	}
	m.used = e.clock
	for sum := e.size(); sum > e.most && len(e.owners) > 1; sum = e.size() {
		oldest := ""
		for name, x := range e.owners {
			if name != owner && (oldest == "" || x.used < e.owners[oldest].used) {
				oldest = name
			}
		}
		delete(e.owners, oldest)
	}
	return m
}

// size is the number of documents in memory. Mirrors without any count too, so that they go as well.
func (e *embedded) size() int64 {
	sum := int64(0)
	for _, m := range e.owners {
		sum += m.size.Load() + 10
	}
	return sum
}

// read brings the owner's mirror up to date and gives it to f, or the bundle where the owner has nothing. f may not keep any
// of it.
func (e *embedded) read(ctx context.Context, owner string, f func(m *mirror) error) error {
	m := e.mirror(owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.refresh(ctx, e.docs, owner); err != nil {
		return Unavailable(err)
	}
	if m.version == 0 {
		b := bundled()
		b.mu.Lock()
		defer b.mu.Unlock()
		return f(b)
	}
	return f(m)
}

func (e *embedded) Version(ctx context.Context, owner string) (version string, err error) {
	m := e.mirror(owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.refresh(ctx, e.docs, owner); err != nil {
		return "", Unavailable(err)
	}
	return fmt.Sprintf("%d.%d", m.epoch, m.version), nil
}

func (e *embedded) Persona(ctx context.Context, owner, id string) (p Persona, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		x, ok := m.personas[id]
		if !ok {
			return noPersona(id)
		}
		p = x.Persona
		return nil
	})
	return p, err
}

func (e *embedded) Personas(ctx context.Context, owner string, limit int) (list []Persona, total int, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		list, total = m.listPersonas(limit), len(m.personas)
		return nil
	})
	return list, total, err
}

// personasJSON and relationshipsJSON are the lists as the resources show them: encoding/json takes 2 to 4 us for each
// element, which is most of the time of a read.
func (e *embedded) personasJSON(ctx context.Context, owner string, limit int) (list rawJSON, total int, err error) {
	return listJSON(ctx, e, owner, limit, func(m *mirror) (*listed, []*person) { return &m.peopleJSON, m.people })
}

func (e *embedded) relationshipsJSON(ctx context.Context, owner string, limit int) (list rawJSON, total int, err error) {
	return listJSON(ctx, e, owner, limit, func(m *mirror) (*listed, []*tie) { return &m.pairsJSON, m.pairs })
}

// listJSON encodes at most limit elements of one of the mirror's sorted lists, and counts all of them.
func listJSON[T interface{ encoded() ([]byte, error) }](
	ctx context.Context, e *embedded, owner string, limit int, pick func(m *mirror) (*listed, []T),
) (list rawJSON, total int, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		m.sort()
		cache, elements := pick(m)
		total = len(elements)
		list, err = cache.of(limit, total, func(i int) ([]byte, error) { return elements[i].encoded() })
		return err
	})
	return list, total, err
}

func (e *embedded) State(ctx context.Context, owner, id string) (s State, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		x, ok := m.personas[id]
		if !ok {
			return noPersona(id)
		}
		s = x.state()
		return nil
	})
	return s, err
}

func (e *embedded) Goals(ctx context.Context, owner string, limit int) (list []State, total int, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		list, total = m.listGoals(limit)
		return nil
	})
	return list, total, err
}

func (e *embedded) Relationship(ctx context.Context, owner, a, b string) (r Relationship, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		x, ok := m.ties[Key(a, b)]
		if !ok {
			return noRelationship(a, b)
		}
		r = x.named()
		return nil
	})
	return r, err
}

func (e *embedded) Relationships(ctx context.Context, owner string, limit int) (list []Relationship, total int, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		list, total = m.listTies(limit), len(m.ties)
		return nil
	})
	return list, total, err
}

func (e *embedded) Totals(ctx context.Context, owner string) (t Totals, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		t = m.total()
		return nil
	})
	return t, err
}

func (e *embedded) Interactions(ctx context.Context, owner string, limit int) (list []Interaction, total int, err error) {
	err = e.read(ctx, owner, func(m *mirror) error {
		total = int(m.events)
		if m.said != nil { // the bundle
			list = m.said[:min(len(m.said), limitOr(limit, len(m.said)))]
		} else if list, err = readEvents(ctx, e.docs, owner, limit); err != nil {
			return err
		}
		list = m.name(list)
		return nil
	})
	if err != nil {
		return nil, 0, Unavailable(err)
	}
	return list, total, nil
}

func limitOr(limit, all int) int {
	if limit < 1 {
		return all
	}
	return limit
}

func readEvents(ctx context.Context, docs Docs, owner string, limit int) ([]Interaction, error) {
	list := []Interaction{}
	err := docs.GraphEvents(ctx, owner, limit, func(_ string, body []byte) error {
		var i Interaction
		err := json.Unmarshal(body, &i)
		list = append(list, i)
		return err
	})
	return list, err
}

// graphTries is how often Graph begins again when somebody writes while it reads.
const graphTries = 20

func (e *embedded) Graph(ctx context.Context, owner string) (g Graph, err error) {
	for range graphTries {
		before, err := e.Version(ctx, owner)
		if err != nil {
			return Graph{}, err
		}
		if g, err = e.graph(ctx, owner); err != nil {
			return Graph{}, err
		}
		if after, err := e.Version(ctx, owner); err != nil || after == before {
			return g, err
		}
		select {
		case <-ctx.Done():
			return Graph{}, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return Graph{}, fmt.Errorf("%w: it is written to all the time; try again when less is going on", ErrUnavailable)
}

func (e *embedded) graph(ctx context.Context, owner string) (g Graph, err error) {
	if g.Interactions, _, err = e.Interactions(ctx, owner, 0); err != nil {
		return Graph{}, err
	}
	if g.Personas, _, err = e.Personas(ctx, owner, 0); err != nil {
		return Graph{}, err
	}
	g.Relationships, _, err = e.Relationships(ctx, owner, 0)
	return g.Bare(), err
}
