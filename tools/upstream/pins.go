package upstream

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Approval is which tools of a server are approved by themselves.
type Approval string

// FirstSeen approves a tool when it is seen for the first time (also ""): trust on first use. Always leaves each to a
// person.
const (
	FirstSeen Approval = "first"
	Always    Approval = "always"
)

// pins hold the tools of servers to what was approved: a server that says something else of a tool than when it was
// approved may have been changed by somebody else, and a description is read by models.
type pins struct {
	records Records
	approve Approval
	seen    seenPending
}

// seenPending is what servers of this process said of tools that wait for review, by its hash. A process with a server
// of its own that still says the former thing, such as the one of `catena tools review`, must not take back what
// another process saw.
type seenPending struct {
	mu   sync.Mutex
	hash map[[2]string]string // by server and tool
}

func (s *seenPending) put(server, tool string, definition json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hash == nil {
		s.hash = map[[2]string]string{}
	}
	s.hash[[2]string{server, tool}] = hash(definition)
}

func (s *seenPending) drop(server, tool string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.hash, [2]string{server, tool})
}

// has reports whether a server of this process said it.
func (s *seenPending) has(server, tool string, definition json.RawMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.hash[[2]string{server, tool}]
	return ok && h == hash(definition)
}

// pin is what is kept of a tool.
type pin struct {
	// the definition as the server wrote it; none when it was never approved
	Approved json.RawMessage `json:"approved,omitempty"`
	At       time.Time       `json:"at"`
	Pending  json.RawMessage `json:"pending,omitempty"` // the definition that waits for review
	Since    time.Time       `json:"since,omitzero"`
	Gone     bool            `json:"gone,omitempty"` // the server no longer has it
	Left     time.Time       `json:"left,omitzero"`  // since when
}

// What is kept of a server whose tools come and go.
const (
	// tools; further ones are not taken: who forgot an old one for each new one would be led to trust anew
	maxPins  = 2 * maxListed
	keepGone = 90 * 24 * time.Hour // after which a tool that is gone is forgotten
)

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
		x.Approved, x.Pending = within(x.Approved), within(x.Pending)
		all[id] = x
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what was approved of its tools cannot be read: %w", err)
	}
	return all, nil
}

// within is a definition that was kept before there were bounds, as it would come in now.
func within(kept json.RawMessage) json.RawMessage {
	if len(kept) <= smallDefinition {
		return kept
	}
	small, _, _, _ := bounded(kept) // what breaks a bound is not listed any more, and stays what it is
	return small
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

// admission is what becomes of a list of tools.
type admission struct {
	good    []remoteTool // as they were approved
	held    []string     // names of those that are otherwise
	surplus int          // those for which there is no room
}

// admit compares a list of tools with what was approved, and keeps what is new.
func (p *pins) admit(ctx context.Context, server string, list []remoteTool) (out admission, err error) {
	known, err := p.of(ctx, server)
	if err != nil {
		return out, err
	}
	now := time.Now().UTC()
	if err := p.forget(ctx, server, known, list, now); err != nil {
		return out, err
	}
	changes := map[string]pin{}
	room := maxPins - len(known)
	for _, t := range list {
		x, there := known[t.Name]
		before := x
		x.Gone, x.Left = false, time.Time{}
		if !there {
			if room <= 0 {
				out.surplus++
				continue
			}
			room--
		}
		if p.passes(server, &x, there, t, now) {
			out.good = append(out.good, t)
		} else {
			out.held = append(out.held, t.Name)
		}
		if !there || before.Gone != x.Gone || !bytes.Equal(before.Pending, x.Pending) {
			changes[t.Name] = x
		}
		delete(known, t.Name)
	}
	for name, x := range known { // those that the list does not have
		leaves := x.Pending == nil || p.seen.has(server, name, x.Pending)
		if x.Gone {
			leaves = x.Left.IsZero()
		}
		if leaves {
			x.Gone, x.Left = true, now
			changes[name] = x
		}
	}
	return out, p.putAll(ctx, server, changes)
}

// passes reports whether a tool may be used as its server lists it now, and puts down in x what follows from that: it
// is approved, or waits for a person. There says whether x was kept before.
func (p *pins) passes(server string, x *pin, there bool, t remoteTool, now time.Time) bool {
	asApproved := there && x.Approved != nil && hash(x.Approved) == hash(t.raw)
	if first := !there && p.approve != Always; first || asApproved {
		if first || x.Pending != nil && p.seen.has(server, t.Name, x.Pending) {
			x.Approved, x.At, x.Pending, x.Since = t.raw, now, nil, time.Time{}
		}
		return true
	}
	if x.Pending == nil || hash(x.Pending) != hash(t.raw) {
		x.Pending, x.Since = t.raw, now
	}
	p.seen.put(server, t.Name, t.raw)
	return false
}

// forget drops tools that are gone for long and not in the list, here and in known.
func (p *pins) forget(
	ctx context.Context, server string, known map[string]pin, list []remoteTool, now time.Time,
) error {
	listed := map[string]bool{}
	for _, t := range list {
		listed[t.Name] = true
	}
	for name, x := range known {
		left := x.Gone && !x.Left.IsZero()
		if listed[name] || !left || now.Sub(x.Left) < keepGone {
			continue
		}
		if err := p.records.DeleteRecord(ctx, pinKind(server), name); err != nil {
			return fmt.Errorf("the approval of %s cannot be forgotten: %w", name, err)
		}
		delete(known, name)
		p.seen.drop(server, name)
	}
	return nil
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
	Server string `json:"server"`
	Tool   string `json:"tool"` // its own name
	Name   string `json:"name"` // what it would be called here
	// what counts of the definition, as indented JSON; "" when it was never approved
	Approved string    `json:"approved"`
	Pending  string    `json:"pending"` // the same of the new one
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
				out = append(out, Review{Server: name, Tool: tool, Name: exportName(name, tool),
					Approved: shown(x.Approved), Pending: shown(x.Pending), Since: x.Since})
			}
		}
	}
	slices.SortFunc(out, func(a, b Review) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Accept approves what Reviews gave. The server offers the tool within some seconds, also where another process runs
// it. A definition that has changed again since gives an error that wraps fs.ErrNotExist.
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

// Dismiss takes a tool that Reviews gave from those that wait, and leaves what was approved of it: for one that no
// server describes so any more. A server that does is noticed when it lists its tools again.
func (s *Servers) Dismiss(ctx context.Context, r Review) error {
	known, err := s.pins.of(ctx, r.Server)
	if err != nil {
		return err
	}
	x, ok := known[r.Tool]
	if !ok || x.Pending == nil || shown(x.Pending) != r.Pending {
		return fmt.Errorf("%s has changed meanwhile: %w", r.Name, fs.ErrNotExist)
	}
	if x.Approved == nil {
		if err := s.pins.records.DeleteRecord(ctx, pinKind(r.Server), r.Tool); err != nil {
			return fmt.Errorf("%s cannot be dismissed: %w", r.Name, err)
		}
		return nil
	}
	x.Pending, x.Since = nil, time.Time{}
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

// pinned is what counts of a definition: all that is passed on but icons and _meta.
type pinned struct {
	Name         any            `json:"name"`
	Title        any            `json:"title,omitempty"`
	Description  any            `json:"description,omitempty"`
	InputSchema  any            `json:"inputSchema,omitempty"`
	OutputSchema any            `json:"outputSchema,omitempty"`
	Annotations  any            `json:"annotations,omitempty"`
	Other        map[string]any `json:"other,omitempty"` // what else stands there
}

// essence is what counts of a definition. The order of keys does not, nor does a key that has nothing.
func essence(raw json.RawMessage) (pinned, error) {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return pinned{}, err
	}
	x := pinned{Name: all["name"], Title: all["title"], Description: all["description"],
		InputSchema: all["inputSchema"], OutputSchema: all["outputSchema"], Annotations: all["annotations"]}
	for _, key := range []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"} {
		delete(all, key)
	}
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	x.Other = all
	return x, nil
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

// shown is what counts of a definition for people: every character that cannot be seen is written as its number, for
// what is hidden from people may be meant for models.
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
