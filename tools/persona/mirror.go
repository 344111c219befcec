package persona

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
	striving               []*person // those of people that have goals
	sorted                 bool
	totals                 *Totals // nil: to be counted
	peopleJSON, pairsJSON  listed
	said                   []Interaction // newest first; of the bundle only
}

// person is a persona with its relationships.
type person struct {
	Persona
	ties []*tie
	json []byte // of the persona, once it was listed
}

// tie is a relationship with its personas.
type tie struct {
	Relationship
	a, b *person
	json []byte // of the relationship with its names, once it was listed
}

func (t *tie) named() Relationship {
	r := t.Relationship
	r.Persona1Name, r.Persona2Name = t.a.Name, t.b.Name
	r.Styles = [2]string{t.a.AttachmentStyle, t.b.AttachmentStyle}
	return r
}

func newMirror() *mirror { return &mirror{personas: map[string]*person{}, ties: map[string]*tie{}} }

func (m *mirror) clear() {
	m.personas, m.ties, m.people, m.pairs, m.striving = map[string]*person{}, map[string]*tie{}, nil, nil, nil
	m.resort()
	m.size.Store(0)
}

// resort is called when the order or the number of elements, or a style, may have changed.
func (m *mirror) resort() {
	m.sorted, m.totals, m.peopleJSON.json, m.pairsJSON.json = false, nil, nil, nil
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
	if err := m.add(g); err != nil {
		m.clear()
		m.epoch, m.version = 0, 0
		return err
	}
	m.epoch, m.version, m.events = epoch, version, events
	return nil
}

// add puts what changed in its place.
func (m *mirror) add(g Graph) error {
	for _, p := range g.Personas {
		old := m.personas[p.ID]
		if old == nil {
			old = &person{}
			m.personas[p.ID] = old
			m.people = append(m.people, old)
		}
		old.Persona, old.json = p, nil
		for _, t := range old.ties {
			t.json = nil // it shows the name
		}
		m.resort()
	}
	for _, r := range g.Relationships {
		if old := m.ties[r.Key()]; old != nil {
			m.count(old, -1)
			m.pairsJSON.forget(old.json)
			old.Relationship, old.json = r, nil
			m.count(old, 1)
			continue
		}
		t := &tie{Relationship: r, a: m.personas[r.Persona1ID], b: m.personas[r.Persona2ID]}
		if t.a == nil || t.b == nil {
			return fmt.Errorf("the relationship %s is of somebody who is not there", r.Key())
		}
		m.ties[r.Key()] = t
		m.pairs = append(m.pairs, t)
		t.a.ties, t.b.ties = append(t.a.ties, t), append(t.b.ties, t)
		m.resort()
	}
	m.size.Store(int64(len(m.people) + len(m.pairs)))
	return nil
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
	slices.SortFunc(m.people, byName)
	slices.SortFunc(m.pairs, func(x, y *tie) int {
		return cmp.Or(strings.Compare(x.a.Name, y.a.Name), strings.Compare(x.b.Name, y.b.Name), strings.Compare(x.a.ID, y.a.ID), strings.Compare(x.b.ID, y.b.ID))
	})
	m.striving = m.striving[:0]
	for _, p := range m.people {
		if len(p.Goals) > 0 {
			m.striving = append(m.striving, p)
		}
	}
	m.sorted = true
}

func byName(a, b *person) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
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

// listed is the beginning of a list as JSON, until something in it changes.
type listed struct {
	limit int
	json  rawJSON
}

// of gives the list. What was encoded before and has not changed is not encoded again.
func (l *listed) of(limit, all int, encoded func(i int) ([]byte, error)) (rawJSON, error) {
	if l.json != nil && l.limit == limit {
		return l.json, nil
	}
	n := min(all, limit)
	parts := make([][]byte, n)
	for i := range n {
		var err error
		if parts[i], err = encoded(i); err != nil {
			return nil, err
		}
	}
	l.limit, l.json = limit, slices.Concat([]byte{'['}, bytes.Join(parts, []byte{','}), []byte{']'})
	return l.json, nil
}

// forget is to be called when something changes whose JSON is given; nil was not in the list.
func (l *listed) forget(json []byte) {
	if json != nil {
		l.json = nil
	}
}

func (p *person) encoded() (b []byte, err error) {
	if p.json == nil {
		p.json, err = json.Marshal(p.Persona)
	}
	return p.json, err
}

func (t *tie) encoded() (b []byte, err error) {
	if t.json == nil {
		t.json, err = json.Marshal(t.named())
	}
	return t.json, err
}

func (m *mirror) listGoals(limit int) (list []State, total int) {
	m.sort()
	list = make([]State, min(len(m.striving), limitOr(limit, len(m.striving))))
	for i := range list {
		list[i] = m.striving[i].state()
	}
	return list, len(m.striving)
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
