package persona

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of what Read takes.
const (
	MaxFile          = 256 << 20 // bytes
	MaxPersonas      = 100_000
	MaxRelationships = 500_000
	MaxInteractions  = 1_000_000
)

// middle is the level of a relationship whose file does not give it.
const middle = MaxLevel / 2

// Read reads a graph from JSON and checks it: an object with the lists personas, relationships and interactions, each of which
// may be missing. What an element may hold is what Persona, Relationship and Interaction show; anything else is refused, so that
// a slip does not pass for a value. Traits that are missing are 0.5, levels 5. An interaction without an id gets one that is the same
// in every reading. Relationships get the order of their ids. Errors are *GraphError with the path of what is wrong, or
// those of r. Whether personas that only relationships name are there is checked by Store.Merge.
func Read(r io.Reader) (Graph, error) {
	var g Graph
	limited := &io.LimitedReader{R: r, N: MaxFile + 1}
	dec := json.NewDecoder(limited)
	err := readObject(dec, map[string]func() error{
		"personas": func() error { return readList(dec, "personas", MaxPersonas, &g.Personas, readPersona) },
		"relationships": func() error {
			return readList(dec, "relationships", MaxRelationships, &g.Relationships, readRelationship)
		},
		"interactions": func() error { return readList(dec, "interactions", MaxInteractions, &g.Interactions, readInteraction) },
	})
	if limited.N <= 0 {
		return Graph{}, &GraphError{Reason: fmt.Sprintf("it has more than %d MiB; import it in parts", MaxFile>>20)}
	}
	if err != nil {
		return Graph{}, err
	}
	return g, g.unique()
}

// readObject reads the one object of a file, whose members are read by name.
func readObject(dec *json.Decoder, members map[string]func() error) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return malformed("", "it must be a JSON object with personas, relationships and interactions", err)
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return malformed("", "it is not valid JSON", err)
		}
		name, _ := t.(string)
		read := members[name]
		if read == nil || seen[name] {
			return &GraphError{Path: short(name), Reason: "only personas, relationships and interactions are known, each once"}
		}
		seen[name] = true
		if err := read(); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed("", "it ends too early", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return malformed("", "there is more after the end of the object", nil)
	}
	return nil
}

// malformed is an error about the form of the file, or the one that kept it from being read.
func malformed(path, reason string, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		reason = fmt.Sprintf("%s (byte %d: %s)", reason, syntax.Offset, syntax.Error())
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	return &GraphError{Path: path, Reason: reason, Err: err}
}

// readList reads a list, element by element.
func readList[T any](dec *json.Decoder, name string, most int, into *[]T, read func(path string, raw []byte) (T, error)) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return malformed(name, "it must be a list", err)
	}
	for dec.More() {
		path := fmt.Sprintf("%s[%d]", name, len(*into))
		if len(*into) == most {
			return &GraphError{Path: path, Reason: fmt.Sprintf("%d are allowed; import them in parts", most)}
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return malformed(path, "it is not valid JSON", err)
		}
		x, err := read(path, raw)
		if err != nil {
			return err
		}
		*into = append(*into, x)
	}
	_, err := dec.Token()
	return malformedEnd(name, err)
}

func malformedEnd(path string, err error) error {
	if err == nil {
		return nil
	}
	return malformed(path, "the list ends too early", err)
}

// strictly decodes one element; what it does not know is an error.
func strictly(path string, raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	var typ *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typ) && typ.Field != "":
		field := typ.Field[strings.LastIndex(typ.Field, "Levels.")+1:]
		field = strings.TrimPrefix(field, "evels.")
		return &GraphError{Path: path + "." + field, Reason: fmt.Sprintf("a %s cannot stand here", typ.Value), Err: err}
	case errors.As(err, &typ):
		return &GraphError{Path: path, Reason: fmt.Sprintf("it must be an object, not a %s", typ.Value), Err: err}
	}
	return &GraphError{Path: path, Reason: short(strings.TrimPrefix(err.Error(), "json: ")), Err: err}
}

func readPersona(path string, raw []byte) (Persona, error) {
	p := Persona{Traits: DefaultTraits()}
	if err := strictly(path, raw, &p); err != nil {
		return p, err
	}
	p.Created, p.Updated = p.Created.UTC(), p.Updated.UTC()
	return p, p.check(path)
}

func readRelationship(path string, raw []byte) (Relationship, error) {
	r := Relationship{Levels: Levels{middle, middle, middle}}
	if err := strictly(path, raw, &r); err != nil {
		return r, err
	}
	if r.Persona1ID > r.Persona2ID {
		r.Persona1ID, r.Persona2ID = r.Persona2ID, r.Persona1ID
	}
	r.Persona1Name, r.Persona2Name = "", ""
	r.Created, r.Updated, r.LastInteraction = r.Created.UTC(), r.Updated.UTC(), r.LastInteraction.UTC()
	return r, r.check(path)
}

func readInteraction(path string, raw []byte) (Interaction, error) {
	var i Interaction
	if err := strictly(path, raw, &i); err != nil {
		return i, err
	}
	i.From, i.To, i.At = "", "", i.At.UTC()
	if i.ID == "" {
		i.ID = InteractionID(i.SenderID, i.RecipientID, i.At, digest(i.Content))
	}
	return i, i.check(path)
}

// unique says which id is there twice.
func (g Graph) unique() error {
	seen := make(map[string]bool, max(len(g.Personas), len(g.Relationships), len(g.Interactions)))
	once := func(list string, i int, id string) error {
		if seen[id] {
			return &GraphError{Path: fmt.Sprintf("%s[%d]", list, i), Reason: fmt.Sprintf("%q is there twice", short(id))}
		}
		seen[id] = true
		return nil
	}
	for i, p := range g.Personas {
		if err := once("personas", i, p.ID); err != nil {
			return err
		}
	}
	clear(seen)
	for i, r := range g.Relationships {
		if err := once("relationships", i, r.Key()); err != nil {
			return err
		}
	}
	clear(seen)
	for i, x := range g.Interactions {
		if err := once("interactions", i, x.ID); err != nil {
			return err
		}
	}
	return nil
}

// Bare returns the graph without what Stores only show.
func (g Graph) Bare() Graph {
	out := Graph{Personas: g.Personas, Relationships: make([]Relationship, len(g.Relationships)), Interactions: make([]Interaction, len(g.Interactions))}
	for i, r := range g.Relationships {
		r.Persona1Name, r.Persona2Name, r.Styles = "", "", [2]string{}
		out.Relationships[i] = r
	}
	for i, x := range g.Interactions {
		x.From, x.To = "", ""
		out.Interactions[i] = x
	}
	return out
}

// Import reads a graph (see Read) and merges it into the owner's, all or nothing. What is wrong with it is a *GraphError.
// It returns what was in the file.
func (k *Toolkit) Import(ctx context.Context, owner string, r io.Reader) (Graph, error) {
	return k.take(ctx, owner, r, k.opt.Store.Merge)
}

// Replace reads a graph as Import does and puts it in place of all that the owner has, all or nothing. Without a persona in it
// the error is a *GraphError: that is what Reset is for.
func (k *Toolkit) Replace(ctx context.Context, owner string, r io.Reader) (Graph, error) {
	return k.take(ctx, owner, r, func(ctx context.Context, owner string, g Graph) error {
		if len(g.Personas) == 0 {
			return &GraphError{Path: "personas", Reason: "there must be one at least to replace the others"}
		}
		return k.opt.Store.Replace(ctx, owner, g)
	})
}

func (k *Toolkit) take(ctx context.Context, owner string, r io.Reader, write func(context.Context, string, Graph) error) (Graph, error) {
	g, err := Read(r)
	if err != nil {
		return Graph{}, err
	}
	if err := write(ctx, owner, g); err != nil {
		return Graph{}, err
	}
	k.announce(owner, g)
	return g, nil
}

// Export writes all that the owner has as Read reads it, in the order of names and with the newest interaction first.
func (k *Toolkit) Export(ctx context.Context, owner string, w io.Writer) error {
	g, err := k.opt.Store.Graph(ctx, owner)
	if err != nil {
		return err
	}
	return Write(w, g)
}

// Write writes a graph as Read reads it.
func Write(w io.Writer, g Graph) error {
	g = g.Bare()
	if g.Personas == nil {
		g.Personas = []Persona{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(g)
}

// Reset removes all that the owner has and brings the bundled personas back.
func (k *Toolkit) Reset(ctx context.Context, owner string) error {
	if err := k.opt.Store.Reset(ctx, owner); err != nil {
		return err
	}
	k.announce(owner, Bundle())
	return nil
}
