package orders

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/say"
)

// takes are the arguments of a tool, as its schema says.
type takes struct {
	Properties map[string]struct {
		Type  any               `json:"type"`
		AnyOf []json.RawMessage `json:"anyOf"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func takesOf(t plan.Tool) takes {
	var in takes
	_ = json.Unmarshal(t.InputSchema, &in) // a schema that cannot be read takes nothing
	return in
}

// tableArgs are the names of arguments that take a table.
var tableArgs = []string{"data", "table"}

// tabular reports whether a tool works on a table: one that another step gives, or one of those that it may be told of.
func tabular(t plan.Tool) bool {
	in, taken := takesOf(t), 0
	for _, name := range tableArgs {
		if _, ok := in.Properties[name]; !ok || slices.Contains([]string{"integer", "boolean"}, in.typeOf(name)) {
			continue
		}
		taken++
		if slices.Contains(in.Required, name) {
			return true
		}
	}
	return taken == len(tableArgs)
}

// names are the arguments of a tool: those that must be there, then the others.
func (in takes) names() (need, may []string) {
	for _, name := range slices.Sorted(maps.Keys(in.Properties)) {
		if slices.Contains(in.Required, name) {
			need = append(need, name)
		} else {
			may = append(may, name)
		}
	}
	return need, may
}

// typeOf is the type of an argument, "" where it may be any.
func (in takes) typeOf(name string) string {
	switch t := in.Properties[name].Type.(type) {
	case string:
		return t
	case []any:
		for _, x := range t {
			if s, ok := x.(string); ok && s != "null" {
				return s
			}
		}
	}
	return ""
}

// readAs says a call to people.
func (o *order) readAs(tool string, args map[string]any) string {
	if len(args) == 0 {
		return say.Text(o.req.Locale, sayCall, tool)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		value, err := json.Marshal(args[name])
		if err != nil {
			continue
		}
		parts = append(
			parts,
			say.Text(o.req.Locale, sayArgument, strings.Join(plan.NameWords(name), " "), string(value)),
		)
	}
	return say.Text(o.req.Locale, sayCallWith, tool, strings.Join(parts, ", "))
}

// givenTo asks what a tool should be given.
func (o *order) givenTo(t plan.Tool) plan.Plan {
	need, may := takesOf(t).names()
	line := say.Text(o.req.Locale, sayGiven, t.Name)
	if len(need) > 0 {
		line += " " + say.Text(o.req.Locale, sayNeeds, strings.Join(need, ", "))
	}
	if len(may) > 0 {
		line += " " + say.Text(o.req.Locale, sayTakes, strings.Join(may, ", "))
	}
	if len(need)+len(may) == 0 {
		line += " " + say.Text(o.req.Locale, sayTakesNothing)
	}
	return plan.Plan{Clarify: line, Confidence: unclear}
}

// unclear is the confidence of a question about an order that names its tool.
const unclear = 0.5

// catalogues keeps the sets of tools that were read against last.
type catalogues struct {
	mu   sync.Mutex
	sets []catalogue
}

type catalogue struct {
	tools []plan.Tool
	set   *calls.Set
}

// maxCatalogues bounds the sets that are kept.
const maxCatalogues = 16

// of is the set of tools, made when they are new. Tools that work on a table that another step gives are not in it.
func (c *catalogues) of(tools []plan.Tool) *calls.Set {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.sets, func(k catalogue) bool { return slices.EqualFunc(k.tools, tools, plan.Tool.Same) })
	if at < 0 {
		usable := slices.DeleteFunc(slices.Clone(tools), tabular)
		made := catalogue{slices.Clone(tools), calls.NewSet(usable)}
		c.sets = append([]catalogue{made}, c.sets[:min(len(c.sets), maxCatalogues-1)]...)
		return made.set
	}
	found := c.sets[at]
	copy(c.sets[1:at+1], c.sets[:at])
	c.sets[0] = found
	return found.set
}
