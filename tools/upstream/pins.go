package upstream

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Records keeps small things that last. internal/store has it.
type Records interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	DeleteRecord(ctx context.Context, kind, id string) error
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// Approval is which tools of a server are approved by themselves.
type Approval string

// FirstSeen approves a tool when it is seen for the first time (also ""): trust on first use. Always leaves each to a person.
const (
	FirstSeen Approval = "first"
	Always    Approval = "always"
)

// pins hold the tools of servers to what was approved: a server that says something else of a tool than when it was approved may have
// been changed by somebody else, and a description is read by models.
type pins struct {
	records Records
	approve Approval
}

// pin is what is kept of a tool.
type pin struct {
	Approved json.RawMessage `json:"approved,omitempty"` // the definition as the server wrote it; none when it was never approved
	At       time.Time       `json:"at"`
	Pending  json.RawMessage `json:"pending,omitempty"` // the definition that waits for review
	Since    time.Time       `json:"since,omitzero"`
	Gone     bool            `json:"gone,omitempty"` // the server no longer has it
}

// pinKind is the kind of the records of a server's tools.
func pinKind(server string) string { return "upstream_pin/" + server }

// of gives the pins of a server, by the tool's own name.
func (p *pins) of(ctx context.Context, server string) (map[string]pin, error) {
	all := map[string]pin{}
	err := p.records.Records(ctx, pinKind(server), func(id string, data []byte) error {
		var x pin
		if err := json.Unmarshal(data, &x); err != nil {
			return fmt.Errorf("the approval of %s: %w", id, err)
		}
		all[id] = x
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what was approved of its tools cannot be read: %w", err)
	}
	return all, nil
}

func (p *pins) put(ctx context.Context, server, tool string, x pin) error {
	data, err := json.Marshal(x)
	if err == nil {
		err = p.records.PutRecord(ctx, pinKind(server), tool, data)
	}
	if err != nil {
		return fmt.Errorf("the approval of %s cannot be kept: %w", tool, err)
	}
	return nil
}

// admit gives those tools of a list that are as they were approved, and the names of the others.
func (p *pins) admit(ctx context.Context, server string, list []remoteTool) (good []remoteTool, held []string, err error) {
	known, err := p.of(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now().UTC()
	changes := map[string]pin{}
	for _, t := range list {
		x, there := known[t.Name]
		before := x
		x.Gone = false
		switch {
		case !there && p.approve != Always, there && x.Approved != nil && hash(x.Approved) == hash(t.raw):
			if !there || x.Pending != nil {
				x.Approved, x.At, x.Pending, x.Since = t.raw, now, nil, time.Time{}
			}
			good = append(good, t)
		default:
			if x.Pending == nil || hash(x.Pending) != hash(t.raw) {
				x.Pending, x.Since = t.raw, now
			}
			held = append(held, t.Name)
		}
		if !there || before.Gone != x.Gone || !bytes.Equal(before.Pending, x.Pending) {
			changes[t.Name] = x
		}
		delete(known, t.Name)
	}
	for name, x := range known {
		if !x.Gone {
			x.Gone = true
			changes[name] = x
		}
	}
	return good, held, p.putAll(ctx, server, changes)
}

// putAll keeps several pins, some at a time: a store makes such durable together.
func (p *pins) putAll(ctx context.Context, server string, changes map[string]pin) error {
	const at = 16
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	free := make(chan struct{}, at)
	for name, x := range changes {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			if err := p.put(ctx, server, name, x); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Review is a tool that waits for a person.
type Review struct {
	Server   string    `json:"server"`
	Tool     string    `json:"tool"`     // its own name
	Name     string    `json:"name"`     // what it would be called here
	Approved string    `json:"approved"` // what counts of the definition, as indented JSON; "" when it was never approved
	Pending  string    `json:"pending"`  // the same of the new one
	Since    time.Time `json:"since"`
}

// Reviews lists the tools of the configured servers that wait for review, by server and name.
func (s *Servers) Reviews(ctx context.Context) ([]Review, error) {
	var out []Review
	for _, name := range s.names() {
		known, err := s.pins.of(ctx, name)
		if err != nil {
			return nil, err
		}
		for tool, x := range known {
			if x.Pending != nil && !x.Gone {
				out = append(out, Review{Server: name, Tool: tool, Name: exportName(name, tool), Approved: shown(x.Approved), Pending: shown(x.Pending), Since: x.Since})
			}
		}
	}
	slices.SortFunc(out, func(a, b Review) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Accept approves what Reviews gave. The server offers the tool within some seconds, also where another process runs it. A definition
// that has changed again since gives an error that wraps fs.ErrNotExist.
func (s *Servers) Accept(ctx context.Context, r Review) error {
	known, err := s.pins.of(ctx, r.Server)
	if err != nil {
		return err
	}
	x, ok := known[r.Tool]
	if !ok || x.Pending == nil || shown(x.Pending) != r.Pending {
		return fmt.Errorf("%s has changed meanwhile: %w", r.Name, fs.ErrNotExist)
	}
	x.Approved, x.At, x.Pending, x.Since = x.Pending, time.Now().UTC(), nil, time.Time{}
	return s.pins.put(ctx, r.Server, r.Tool, x)
}

func (s *Servers) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, srv := range s.list {
		out = append(out, srv.Name)
	}
	slices.Sort(out)
	return out
}

// pinned is what counts of a definition: what models and people read, what is checked, and what the tool says that it does.
type pinned struct {
	Name         string `json:"name"`
	Title        any    `json:"title,omitempty"`
	Description  any    `json:"description,omitempty"`
	InputSchema  any    `json:"inputSchema,omitempty"`
	OutputSchema any    `json:"outputSchema,omitempty"`
	Annotations  any    `json:"annotations,omitempty"`
}

// essence is what counts of a definition. The order of keys does not.
func essence(raw json.RawMessage) (pinned, error) {
	var x pinned
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&x)
	return x, err
}

// hash is the SHA-256 of what counts of a definition, with its keys sorted, in hex.
func hash(raw json.RawMessage) string {
	x, err := essence(raw)
	if err == nil {
		raw, err = json.Marshal(x)
	}
	if err != nil {
		return "" // listTools has read it before
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// shown is what counts of a definition for people: every character that cannot be seen is written as its number, for what is hidden
// from people may be meant for models.
func shown(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	x, err := essence(raw)
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(x) != nil {
		return ""
	}
	var out strings.Builder
	for _, r := range b.String() {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\U%08x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// memory keeps records until the end of the process.
type memory struct {
	mu   sync.Mutex
	kept map[string]map[string][]byte
}

// PutRecord keeps a record.
func (m *memory) PutRecord(_ context.Context, kind, id string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]map[string][]byte{}
	}
	if m.kept[kind] == nil {
		m.kept[kind] = map[string][]byte{}
	}
	m.kept[kind][id] = data
	return nil
}

// DeleteRecord forgets a record.
func (m *memory) DeleteRecord(_ context.Context, kind, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept[kind], id)
	return nil
}

// Records gives the records of a kind.
func (m *memory) Records(_ context.Context, kind string, each func(id string, data []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, data := range m.kept[kind] {
		if err := each(id, data); err != nil {
			return err
		}
	}
	return nil
}
