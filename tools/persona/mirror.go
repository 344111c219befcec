package persona

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// mirror is an owner's personas and relationships in memory, as of a version of the documents.
type mirror struct {
	used int64        // guarded by the store
	size atomic.Int64 // documents

	mu                     sync.Mutex // guards the rest
	epoch, version, events int64
	personas               map[string]*person
	ties                   map[string]*tie
	people                 []*person // in the order of Store.Personas, once sorted
	pairs                  []*tie    // in the order of Store.Relationships, once sorted
	sorted                 bool
	totals                 *Totals       // nil: to be counted
	said                   []Interaction // newest first; of the bundle only
}

// person is a persona with its relationships.
type person struct {
	Persona
	ties []*tie
}

// tie is a relationship with its personas.
type tie struct {
	Relationship
	a, b *person
}

func (t *tie) named() Relationship {
	r := t.Relationship
	r.Persona1Name, r.Persona2Name = t.a.Name, t.b.Name
	return r
}

func newMirror() *mirror { return &mirror{personas: map[string]*person{}, ties: map[string]*tie{}} }

func (m *mirror) clear() {
	m.personas, m.ties, m.people, m.pairs = map[string]*person{}, map[string]*tie{}, nil, nil
	m.sorted, m.totals = false, nil
	m.size.Store(0)
}

// refresh reads what changed. After an error the next one reads everything.
func (m *mirror) refresh(ctx context.Context, docs Docs, owner string) error {
	var g Graph
	var epoch, version, events int64
	err := docs.GraphRead(ctx, owner, m.epoch, m.version, func(e, v, n int64) { epoch, version, events = e, v, n },
		func(kind, _ string, body []byte) error {
			switch kind {
			case kindPersona:
				var p Persona
				err := json.Unmarshal(body, &p)
				g.Personas = append(g.Personas, p)
				return err
			case kindRelationship:
				var r Relationship
				err := json.Unmarshal(body, &r)
				g.Relationships = append(g.Relationships, r)
				return err
			}
			return fmt.Errorf("a document of an unknown kind %q", kind)
		})
	if err != nil {
		return err
	}
	if epoch != m.epoch {
		m.clear()
	}
	m.epoch, m.version, m.events = epoch, version, events
	m.add(g)
	return nil
}

// add puts what changed in its place.
func (m *mirror) add(g Graph) {
	for _, p := range g.Personas {
		old := m.personas[p.ID]
		if old == nil {
			old = &person{}
			m.personas[p.ID] = old
			m.people = append(m.people, old)
		}
		old.Persona = p
		m.sorted, m.totals = false, nil
	}
	for _, r := range g.Relationships {
		if old := m.ties[r.Key()]; old != nil {
			m.count(old, -1)
			old.Relationship = r
			m.count(old, 1)
			continue
		}
		t := &tie{Relationship: r, a: m.personas[r.Persona1ID], b: m.personas[r.Persona2ID]}
		m.ties[r.Key()] = t
		m.pairs = append(m.pairs, t)
		t.a.ties, t.b.ties = append(t.a.ties, t), append(t.b.ties, t)
		m.sorted, m.totals = false, nil
	}
	m.size.Store(int64(len(m.people) + len(m.pairs)))
}

// count adds a relationship to the totals, or takes it out.
func (m *mirror) count(t *tie, sign int) {
	if m.totals == nil {
		return
	}
	m.totals.add(t.a.AttachmentStyle, t.b.AttachmentStyle, t.Relationship, sign)
}

// add counts a relationship; sign is 1, or -1 to take it out again.
func (t Totals) add(styleA, styleB string, r Relationship, sign int) {
	styleA, styleB = ordered(styleA, styleB)
	sum, f := t.Ties[[2]string{styleA, styleB}], float64(sign)
	sum.Count += sign
	if r.Trend.Updates > 0 {
		sum.Updated += sign
	}
	sum.Trust += f * r.Trust
	sum.Intimacy += f * r.Intimacy
	sum.Strength += f * r.Strength
	sum.Valence += f * r.Valence
	sum.TrustTrend += f * r.Trend.Trust
	sum.IntimacyTrend += f * r.Trend.Intimacy
	t.Ties[[2]string{styleA, styleB}] = sum
}

func (m *mirror) total() Totals {
	if m.totals == nil {
		m.totals = &Totals{Personas: map[string]int{}, Ties: map[[2]string]TieSum{}}
		for _, p := range m.people {
			m.totals.Personas[p.AttachmentStyle]++
		}
		for _, t := range m.pairs {
			m.count(t, 1)
		}
	}
	out := Totals{Personas: map[string]int{}, Ties: map[[2]string]TieSum{}, Interactions: int(m.events)}
	for k, v := range m.totals.Personas {
		out.Personas[k] = v
	}
	for k, v := range m.totals.Ties {
		out.Ties[k] = v
	}
	return out
}

func (m *mirror) sort() {
	if m.sorted {
		return
	}
	slices.SortFunc(m.people, func(a, b *person) int { return byName(a.Persona, b.Persona) })
	slices.SortFunc(m.pairs, func(a, b *tie) int { return byNames(a.named(), b.named()) })
	m.sorted = true
}

func (m *mirror) listPersonas(limit int) []Persona {
	m.sort()
	out := make([]Persona, min(len(m.people), limitOr(limit, len(m.people))))
	for i := range out {
		out[i] = m.people[i].Persona
	}
	return out
}

func (m *mirror) listTies(limit int) []Relationship {
	m.sort()
	out := make([]Relationship, min(len(m.pairs), limitOr(limit, len(m.pairs))))
	for i := range out {
		out[i] = m.pairs[i].named()
	}
	return out
}

func (m *mirror) listGoals(limit int) (list []State, total int) {
	m.sort()
	list = []State{}
	for _, p := range m.people {
		if len(p.Goals) == 0 {
			continue
		}
		if total++; limit < 1 || len(list) < limit {
			list = append(list, p.state())
		}
	}
	return list, total
}

// state is the persona with the means over its relationships.
func (p *person) state() State {
	s := State{Persona: p.Persona, Relationships: len(p.ties)}
	if s.Relationships == 0 {
		return s
	}
	for _, t := range p.ties {
		s.Trust += t.Trust
		s.Intimacy += t.Intimacy
		s.Strength += t.Strength
		s.Valence += t.Valence
	}
	n := float64(s.Relationships)
	s.Trust, s.Intimacy, s.Strength, s.Valence = digits(s.Trust/n), digits(s.Intimacy/n), digits(s.Strength/n), digits(s.Valence/n)
	return s
}

// name gives interactions the names of who speaks.
func (m *mirror) name(list []Interaction) []Interaction {
	out := slices.Clone(list)
	for i := range out {
		if p := m.personas[out[i].SenderID]; p != nil {
			out[i].From = p.Name
		}
		if p := m.personas[out[i].RecipientID]; p != nil {
			out[i].To = p.Name
		}
	}
	return out
}
