package persona

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
)

// Toolset is the name that everything of this package is registered under.
const Toolset = "persona"

// Options are the parts of a toolkit. Store is needed.
type Options struct {
	Store Store
	// Write gives what writes now: one call of a model without tools, for generate_contextual_response. Where it is nil or
	// gives nil, the answer is put together by rules.
	Write func() func(ctx context.Context, system, prompt string) (string, error)
	// Updated is told of each resource that a write changed; nil tells nobody.
	Updated func(owner, uri string)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Toolkit is the tools, resources, prompts and live tables over a store. It is safe for concurrent use.
type Toolkit struct {
	opt  Options
	away outage
}

// New makes a toolkit.
func New(opt Options) *Toolkit {
	if opt.Updated == nil {
		opt.Updated = func(string, string) {}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Toolkit{opt: opt}
}

// Kind is that of the store: "embedded" or "neo4j".
func (k *Toolkit) Kind() string { return k.opt.Store.Kind() }

// Healthy returns nil when the store answers.
func (k *Toolkit) Healthy(ctx context.Context) error { return k.opt.Store.Healthy(ctx) }

// Tools returns the tools, ready to be registered.
func (k *Toolkit) Tools() []tools.Tool {
	return tools.Outside(tools.Closed([]tools.Tool{k.updateTool(), k.recordTool(), k.compatibilityTool(), k.strategyTool(), k.goalsTool(), k.responseTool(),
		k.commitTool(), k.finalizeTool()}))
}

type object = map[string]any

// spec is what differs between tools.
type spec struct {
	name, title, description string
	in                       object // properties
	required                 []string
	writes                   bool // else read-only
	idempotent               bool
	columns                  []table.Column
	effect                   func(ctx context.Context, call tools.Call) (tools.Effect, error) // of what writes
	small                    func(args map[string]any) bool
	work                     func(ctx context.Context, call tools.Call) (tools.Result, error)
}

// define makes a tool. The errors of its work that an asker can mend become results.
func (k *Toolkit) define(s spec) tools.Tool {
	in := object{"type": "object", "additionalProperties": false, "properties": s.in}
	if len(s.required) > 0 {
		in["required"] = s.required
	}
	raw, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", s.name, err)) // maps of plain values always encode
	}
	out, err := json.Marshal(outputs[s.name])
	if err != nil {
		panic(fmt.Sprintf("the output schema of %s: %v", s.name, err))
	}
	readOnly, no, same := !s.writes, false, !s.writes || s.idempotent
	return tools.Tool{Toolset: Toolset, JSON: true, Columns: s.columns, Effect: s.effect, Small: s.small,
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) {
			res, err := s.work(ctx, call)
			if err != nil {
				return k.failure(err)
			}
			return res, nil
		},
		Def: mcp.Tool{Name: s.name, Title: s.title, Description: s.description, RawInputSchema: raw, RawOutputSchema: out,
			Annotations: mcp.ToolAnnotation{Title: s.title, ReadOnlyHint: &readOnly, DestructiveHint: &no, IdempotentHint: &same, OpenWorldHint: &no}}}
}

// Codes of errors, as clients of the persona graph know them.
const (
	codeNoPersona      = "PERSONA_NOT_FOUND"
	codeNoRelationship = "RELATIONSHIP_NOT_FOUND"
	codeInvalid        = "INVALID_ARGUMENT"
	codeUnavailable    = "DATABASE_UNAVAILABLE"
	codeUnknown        = "OUTCOME_UNKNOWN"
)

// failure makes a result of an error that the asker can mend; any other is returned.
func (k *Toolkit) failure(err error) (tools.Result, error) {
	var missing *NotFoundError
	var argument *tools.ArgumentError
	switch {
	case errors.As(err, &missing) && len(missing.IDs) == 2:
		return failed(tools.CodeNotFound, codeNoRelationship, missing.Error(),
			"Read neo4j://relationships/all or query the table relationships for those that there are."+k.beginning()), nil
	case errors.As(err, &missing):
		return failed(tools.CodeNotFound, codeNoPersona, missing.Error(), "Read neo4j://personas/all or query the table personas for those that there are."+k.beginning()), nil
	case errors.As(err, &argument):
		return failed(argument.Code, codeInvalid, argument.Error(), "Change the argument and call again."), nil
	case errors.Is(err, ErrOutcomeUnknown):
		return failed("outcome_unknown", codeUnknown, "the store of personas went away while it wrote, so that it is not known whether the change was made",
			"Read the relationship when /health says that the store is back, before you try again."), nil
	case errors.Is(err, ErrUnavailable):
		return failed(tools.CodeUnavailable, codeUnavailable, "the store of personas cannot be reached; nothing was changed",
			"Try again in a moment; /health says when it is back."), nil
	}
	return tools.Result{}, err
}

// beginning says why lila and don may be missing.
func (k *Toolkit) beginning() string {
	if k.Kind() != "neo4j" {
		return ""
	}
	return " A graph in Neo4j begins empty; catena persona import or catena persona reset fills it."
}

// failed is a failure in the shape that clients know.
func failed(code, known, text, hint string) tools.Result {
	res := tools.Failed(code, text+". "+hint)
	res.Structured = object{"error": text, "code": known, "hint": hint}
	return res
}

// id reads an id; both says that it names one of two who must differ.
func id(call tools.Call, name string) (string, error) {
	s := call.Text(name)
	if err := (Persona{ID: s, Name: "x", AttachmentStyle: styleSecure}).check(""); err != nil {
		return "", &tools.ArgumentError{Argument: name, Code: tools.CodeBadValue, Reason: fmt.Sprintf("an id has 1 to %d bytes of text", MaxID), Err: err}
	}
	return s, nil
}

// ids reads the two ids of a relationship.
func ids(call tools.Call, first, second string) (a, b string, err error) {
	if a, err = id(call, first); err != nil {
		return "", "", err
	}
	if b, err = id(call, second); err != nil {
		return "", "", err
	}
	if a == b {
		return "", "", &tools.ArgumentError{Argument: second, Code: tools.CodeBadValue, Reason: "it must be somebody else than " + first}
	}
	return a, b, nil
}

// number reads a number argument; its range was checked by the schema.
func number(call tools.Call, name string) float64 { return numberIn(call.Args, name) }

func numberIn(args map[string]any, name string) float64 {
	switch x := args[name].(type) {
	case float64:
		return x
	case int:
		return float64(x)
	case int64:
		return float64(x)
	case json.Number:
		f, err := x.Float64()
		if err == nil {
			return f
		}
	}
	return 0
}

func idSchema(description string) object {
	return object{"type": "string", "minLength": 1, "maxLength": MaxID, "description": description}
}

func textSchema(most int, description string) object {
	return object{"type": "string", "maxLength": most, "description": description}
}

func numberSchema(low, high float64, description string) object {
	return object{"type": "number", "minimum": low, "maximum": high, "default": 0, "description": description}
}

// deltaSchema has no bounds: what is beyond them is clamped, not refused.
func deltaSchema(description string) object {
	return object{"type": "number", "default": 0, "description": description + " More than 10 or less than -10 is clamped."}
}

// now is the moment of a call, in UTC and to the microsecond, as stores keep it.
func (k *Toolkit) now() time.Time { return k.opt.Now().UTC().Truncate(time.Microsecond) }

// stamp writes a time as clients read it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// URIs of the resources.
const (
	uriPersonas      = "neo4j://personas/all"
	uriPersona       = "neo4j://personas/"
	uriRelationships = "neo4j://relationships/all"
	uriRelationship  = "neo4j://relationships/"
	uriRecent        = "neo4j://interactions/recent/"
	uriClimate       = "neo4j://emotional_climate/current"
	uriStyles        = "neo4j://attachment_styles/analysis"
	uriGoals         = "neo4j://goals/active"
	uriTrends        = "neo4j://psychological_insights/trends"
)

// personaURI is the URI of one persona. One whose id is all has it with an escape, since the plain one is that of the list.
func personaURI(id string) string {
	if uri := uriPersona + escape(id); uri != uriPersonas {
		return uri
	}
	return uriPersona + "%61ll"
}

func relationshipURI(a, b string) string {
	return uriRelationship + escape(a) + "/" + escape(b)
}

// announceTie tells of the resources that a change of one relationship changed.
func (k *Toolkit) announceTie(owner, a, b string, said bool) {
	for _, uri := range []string{relationshipURI(a, b), relationshipURI(b, a), uriRelationships, uriClimate, uriStyles, uriGoals, uriTrends} {
		k.opt.Updated(owner, uri)
	}
	if said {
		k.announceRecent(owner)
	}
}

// announceRecent tells of the newest interactions, under each number that can be asked for.
func (k *Toolkit) announceRecent(owner string) {
	for n := 1; n <= maxRecent; n++ {
		k.opt.Updated(owner, fmt.Sprintf("%s%d", uriRecent, n))
	}
}

// announce tells of everything that a graph touches.
func (k *Toolkit) announce(owner string, g Graph) {
	for _, uri := range []string{uriPersonas, uriRelationships, uriClimate, uriStyles, uriGoals, uriTrends} {
		k.opt.Updated(owner, uri)
	}
	k.announceRecent(owner)
	for _, p := range g.Personas {
		k.opt.Updated(owner, personaURI(p.ID))
	}
	for _, r := range g.Relationships {
		k.opt.Updated(owner, relationshipURI(r.Persona1ID, r.Persona2ID))
		k.opt.Updated(owner, relationshipURI(r.Persona2ID, r.Persona1ID))
	}
}

// missing reports whether err says that a persona or a relationship is not there.
func missing(err error) bool {
	var absent *NotFoundError
	return errors.As(err, &absent)
}
