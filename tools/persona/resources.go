package persona

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

const mediaJSON = "application/json"

// Resources returns the resources and templates, ready to be registered: fixed URIs first, since they also fit the templates. Each
// reads as a JSON object with last_updated, the moment of reading. What is not there, and a store that is down, read as an object with
// error, as clients of the persona graph expect it; subscribing to what is not there fails.
func (k *Toolkit) Resources() []tools.Resource {
	return []tools.Resource{
		k.fixed(uriPersonas, "personas", "All personas", "Every persona with its attachment style and traits, by name.", k.readPersonas),
		k.fixed(uriRelationships, "relationships", "All relationships", "Every relationship with its levels, by the names of both.", k.readRelationships),
		k.fixed(uriClimate, "emotional_climate", "Emotional climate", "Safety, positivity, authenticity and growth potential over all relationships, by rules.", k.climate),
		k.fixed(uriStyles, "attachment_styles", "Attachment styles", "How the attachment styles of related personas go together, by rules.", k.styles),
		k.fixed(uriGoals, "active_goals", "Active goals", "The goals of personas and how far they have come, by rules.", k.active),
		k.fixed(uriTrends, "psychological_trends", "Trends", "Where trust, intimacy and warmth went lately, by rules.", k.trends),
		k.template("neo4j://personas/{persona_id}", "persona", "A persona", "One persona by its id.", k.readPersona),
		k.template("neo4j://relationships/{persona1_id}/{persona2_id}", "relationship", "A relationship", "The relationship of two personas; the order of the ids does not matter.", k.readRelationship),
		k.template("neo4j://interactions/recent/{count}", "recent_interactions", "Recent interactions",
			fmt.Sprintf("The newest interactions, newest first: as many as asked for, at most %d.", maxRecent), k.readRecent),
	}
}

func (k *Toolkit) fixed(uri, name, title, description string, read func(ctx context.Context, owner string) (object, error)) tools.Resource {
	return tools.Resource{Toolset: Toolset, Def: &mcp.Resource{URI: uri, Name: name, Title: title, Description: description, MIMEType: mediaJSON},
		Read: k.reader(func(ctx context.Context, call tools.ResourceCall) (object, error) { return read(ctx, call.Caller.ID) }),
		Known: func(ctx context.Context, call tools.ResourceCall) error {
			_, err := read(ctx, call.Caller.ID)
			return err
		}}
}

func (k *Toolkit) template(uri, name, title, description string, read func(ctx context.Context, call tools.ResourceCall) (object, error)) tools.Resource {
	t := mcp.NewResourceTemplate(uri, name, mcp.WithTemplateDescription(description), mcp.WithTemplateMIMEType(mediaJSON))
	t.Title = title
	return tools.Resource{Toolset: Toolset, Template: &t, Read: k.reader(read), Complete: k.complete,
		Known: func(ctx context.Context, call tools.ResourceCall) error { _, err := read(ctx, call); return err }}
}

// reader makes the contents of what read gives.
func (k *Toolkit) reader(read func(ctx context.Context, call tools.ResourceCall) (object, error)) func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
	return func(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
		v, err := read(ctx, call)
		if said := k.unreadable(err); said != "" {
			v, err = object{"error": said}, nil
		}
		if err != nil {
			return nil, err
		}
		v["last_updated"] = stamp(k.now())
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: call.URI, MIMEType: mediaJSON, Text: content(v)}}, nil
	}
}

// unreadable says for clients why something cannot be read; "" for an error that is not theirs.
func (k *Toolkit) unreadable(err error) string {
	var absent *NotFoundError
	switch {
	case errors.As(err, &absent):
		return absent.resourceText()
	case errors.Is(err, ErrUnavailable) && k.Kind() == "neo4j":
		return "Neo4j database not available"
	case errors.Is(err, ErrUnavailable):
		return "The store of personas is not available"
	case errors.Is(err, fs.ErrNotExist): // no id, or no number
		text, _ := strings.CutSuffix(err.Error(), ": "+fs.ErrNotExist.Error())
		return text
	}
	return ""
}

// jsonText is a value as JSON, with < and > as they are. Values of this package always encode: they are texts, finite numbers and times.
func jsonText(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("persona: %v", err))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// rawJSON is JSON that goes into a resource as it is.
type rawJSON []byte

// content is the text of a resource.
func content(v object) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(v)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonText(name) + ":")
		if raw, ok := v[name].(rawJSON); ok {
			b.Write(raw)
		} else {
			b.WriteString(jsonText(v[name]))
		}
	}
	b.WriteByte('}')
	return b.String()
}

// listing is a list with its count, as far as it is shown.
func listing(name string, list any, count, total int) object {
	return object{name: list, "count": count, "total": total, "truncated": total > count}
}

// lister is a Store that has its lists as JSON.
type lister interface {
	personasJSON(ctx context.Context, owner string, limit int) (rawJSON, int, error)
	relationshipsJSON(ctx context.Context, owner string, limit int) (rawJSON, int, error)
}

func (k *Toolkit) readPersonas(ctx context.Context, owner string) (object, error) {
	if s, ok := k.opt.Store.(lister); ok {
		list, total, err := s.personasJSON(ctx, owner, maxList)
		return listing("personas", list, min(total, maxList), total), err
	}
	list, total, err := k.opt.Store.Personas(ctx, owner, maxList)
	return listing("personas", list, len(list), total), err
}

func (k *Toolkit) readRelationships(ctx context.Context, owner string) (object, error) {
	if s, ok := k.opt.Store.(lister); ok {
		list, total, err := s.relationshipsJSON(ctx, owner, maxList)
		return listing("relationships", list, min(total, maxList), total), err
	}
	list, total, err := k.opt.Store.Relationships(ctx, owner, maxList)
	return listing("relationships", list, len(list), total), err
}

func (k *Toolkit) readPersona(ctx context.Context, call tools.ResourceCall) (object, error) {
	id, err := variable(call, "persona_id")
	if err != nil {
		return nil, err
	}
	p, err := k.persona(ctx, call.Caller.ID, &id)
	return object{"persona": p}, err
}

func (k *Toolkit) readRelationship(ctx context.Context, call tools.ResourceCall) (object, error) {
	a, err := variable(call, "persona1_id")
	if err != nil {
		return nil, err
	}
	b, err := variable(call, "persona2_id")
	if err != nil {
		return nil, err
	}
	r, err := k.relationship(ctx, call.Caller.ID, &a, &b)
	return object{"relationship": r}, err
}

func (k *Toolkit) readRecent(ctx context.Context, call tools.ResourceCall) (object, error) {
	count, err := variable(call, "count")
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is no number of interactions; ask for 0 to %d: %w", short(count), maxRecent, fs.ErrNotExist)
	}
	list, total, err := k.opt.Store.Interactions(ctx, call.Caller.ID, min(max(n, 1), maxRecent)) // 0 would be all
	list = list[:min(n, len(list))]
	out := listing("interactions", list, len(list), total)
	out["total_available"] = total
	return out, err
}

// variable is a part of a URI, which the registry has read out of its escapes.
func variable(call tools.ResourceCall, name string) (string, error) {
	s := call.Vars[name]
	if s == "" || len(s) > MaxID {
		return "", fmt.Errorf("the id in the URI has %d bytes; 1 to %d are possible: %w", len(s), MaxID, fs.ErrNotExist)
	}
	return s, nil
}
