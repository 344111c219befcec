package plan

import (
	"catena/planner/loosejson"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Checker validates and repairs plans. It compiles each tool's schemas once, by their bytes. The zero value is ready; it is
// safe for concurrent use. Validate and Mend use one of their own.
type Checker struct {
	schemas schemas
}

var shared Checker

// Validate returns everything that is wrong with a plan, or nil. tools are those that the caller may call; tables are those
// that the planner was told of (nil: names of tables are not checked). References count as values of an unknown content:
// they are checked against the other tool's output schema where there is one. The plan is not changed.
func Validate(p Plan, tools []Tool, tables []TableInfo, lim Limits) Findings {
	return shared.Validate(p, tools, tables, lim, "")
}

// Validate is the function Validate with the user's message, which may be "": a text that looks like a placeholder
// ("TODO") is taken for a value when the user wrote it.
func (c *Checker) Validate(p Plan, tools []Tool, tables []TableInfo, lim Limits, message string) Findings {
	v := validation{plan: p, tools: indexTools(tools), tables: tables, lim: lim.within(), schemas: &c.schemas, message: message}
	if !v.form() {
		return v.found
	}
	v.graph = GraphOf(p)
	v.calls = make([]*call, len(p.Steps))
	known := make([]call, len(p.Steps))
	for i, s := range p.Steps {
		if v.tool(i, s, &known[i]) {
			v.calls[i] = &known[i]
		}
	}
	for i := range p.Steps {
		v.step(i)
	}
	v.answers()
	v.found = append(v.found, v.graph.cycleFindings(p)...)
	return v.found
}

// validation is one run of Validate.
type validation struct {
	plan    Plan
	tools   toolIndex
	tables  []TableInfo
	lim     Limits
	schemas *schemas
	message string
	graph   Graph
	calls   []*call
	at      loosejson.Pointer // where content and walk are
	input   [1]*schema        // of the tool whose references are looked at
	unsound bool              // the step's arguments hold what no schema can be asked about
	found   Findings
}

// inStep sets the path to a field of a step.
func (v *validation) inStep(i int, field string) {
	v.at = append(v.at[:0], loosejson.Part{Key: "steps"}, loosejson.Part{Index: i}, loosejson.Part{Key: field})
}

func (v *validation) add(c Code, step, path, format string, args ...any) {
	if len(v.found) < maxFindings {
		v.found = append(v.found, Finding{Code: c, Path: path, Step: step, Message: fmt.Sprintf(format, args...)})
	}
}

// form checks the plan as a whole and reports whether its steps are worth looking at.
func (v *validation) form() bool {
	p := v.plan
	n := 0
	for _, set := range []bool{len(p.Steps) > 0 || p.says(), p.Clarify != "", p.Refuse != ""} {
		if set {
			n++
		}
	}
	if n == 0 {
		v.add(NoPlan, "", "", "the plan has no steps; give steps, or a question in clarify, or a reason in refuse")
	}
	if n > 1 {
		v.add(AmbiguousMultiplePlans, "", "", "a plan has steps, or clarify, or refuse; give one of them")
	}
	if math.IsNaN(p.Confidence) || p.Confidence < 0 || p.Confidence > 1 {
		v.add(OutOfRange, "", "/confidence", "confidence is a number from 0 to 1")
	}
	if len(p.Steps) > v.lim.Steps {
		v.add(TooManySteps, "", "/steps", "the plan has %d steps; %d are allowed", len(p.Steps), v.lim.Steps)
		return false
	}
	each := 0
	for _, s := range p.Steps {
		if s.Each != nil {
			each++
		}
	}
	if each > v.lim.FanOut {
		v.add(TooManySteps, "", "/steps", "%d steps run once per element; %d may", each, v.lim.FanOut)
	}
	return true
}

// call is a step's tool with its schemas; nil stands for a tool that is not known.
type call struct {
	tool  Tool
	in    compiled
	out   outcome // what its result is, as a whole
	place int     // of the step
}

// tool checks a step's id and tool, and fills in what is known of it.
func (v *validation) tool(i int, s Step, c *call) bool {
	path := func(field string) string { return "/steps/" + strconv.Itoa(i) + "/" + field }
	if !ValidID(s.ID) {
		v.add(Syntax, s.ID, path("id"), `a step needs an id of 1 to 64 letters, digits, _ and -, other than "each"`)
	} else if first, _ := v.graph.Index(s.ID); first != i {
		v.add(DuplicateID, s.ID, path("id"), "two steps have the id %s; give each its own", s.ID)
	}
	if s.Tool == "" {
		v.add(MissingTool, s.ID, path("tool"), "the step names no tool")
		return false
	}
	t, ok := v.tools.find(s.Tool)
	if ok {
		*c = call{tool: t, in: v.schemas.get(t.InputSchema), out: v.schemas.get(t.OutputSchema).whole, place: i}
		return true
	}
	if s.Tool == "chat" {
		v.add(ForbiddenTool, s.ID, path("tool"), "chat is for MCP clients; a plan may not call it")
	} else {
		v.add(UnknownTool, s.ID, path("tool"), "there is no tool %s%s", loosejson.Shown(s.Tool), suggestion(s.Tool, thereAre, v.tools.nearNames(s.Tool)))
	}
	return false
}

func (v *validation) step(i int) {
	s := v.plan.Steps[i]
	c := v.calls[i]
	v.unsound = false
	v.inStep(i, "args")
	v.content(s, s.Args, 0)
	if s.Each != nil {
		v.inStep(i, "each")
		v.each(s)
	}
	if s.When != nil {
		v.inStep(i, "when")
		v.when(s)
	}
	if c != nil && !v.unsound && !v.arguments(s, c) {
		c = nil
	}
	v.inStep(i, "args")
	v.references(s, c)
}

// content checks every value of the arguments for what no schema may let through. Below the arguments themselves and lists
// of them, texts are often conditions on data, where "unknown" is a value: there placeholders are not looked for.
func (v *validation) content(s Step, x any, depth int) {
	if depth > v.lim.Depth {
		v.unsound = true
		v.add(TooDeep, s.ID, v.at.String(), "the value is nested deeper than %d; write it flatter", v.lim.Depth)
		return
	}
	switch x := x.(type) {
	case string:
		v.text(s, x, depth)
	case map[string]any:
		in := depth + 1
		if depth > 0 {
			in = max(in, 3)
		}
		n := len(v.found)
		for k, e := range x {
			v.at.Push(k, 0)
			v.content(s, e, in)
			v.at.Pop()
		}
		v.sort(n)
	case []any:
		v.elements(s, x, depth+1)
	case Concat:
		v.at.Push("$concat", 0)
		v.elements(s, x.Parts, max(depth+1, 3))
		v.at.Pop()
	case nil, bool, Ref, *Ref:
	default:
		v.number(s, x)
	}
}

// sort puts the findings from the nth on, which came up in no order, in that of their places.
func (v *validation) sort(n int) {
	if n+1 < len(v.found) {
		slices.SortStableFunc(v.found[n:], func(a, b Finding) int { return strings.Compare(a.Path, b.Path) })
	}
}

func (v *validation) elements(s Step, list []any, depth int) {
	for i, e := range list {
		v.at.Push("", i)
		v.content(s, e, depth)
		v.at.Pop()
	}
}

// BadNumber says which number of the plan's arguments cannot be worked with and why, "" where all can.
func (p *Plan) BadNumber() string {
	for _, s := range p.Steps {
		if why := badNumber(s.Args); why != "" {
			return why
		}
	}
	return ""
}

func badNumber(x any) string {
	var parts []any
	switch x := x.(type) {
	case json.Number:
		if why := loosejson.BadNumber(x.String()); why != "" {
			return loosejson.Shown(x.String()) + " cannot be worked with: " + why
		}
	case map[string]any:
		for _, k := range sortedKeys(x) {
			parts = append(parts, x[k])
		}
	case []any:
		parts = x
	case Concat:
		parts = x.Parts
	}
	for _, part := range parts {
		if why := badNumber(part); why != "" {
			return why
		}
	}
	return ""
}

func (v *validation) number(s Step, x any) {
	n := len(v.found)
	switch n := x.(type) {
	case json.Number:
		text := n.String()
		if !json.Valid([]byte(text)) {
			v.add(TypeMismatch, s.ID, v.at.String(), "%s is no number", loosejson.Shown(text))
		} else if why := loosejson.BadNumber(text); why != "" {
			v.add(OutOfRange, s.ID, v.at.String(), "%s", why)
		}
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			v.add(TypeMismatch, s.ID, v.at.String(), "%v is no JSON number", n)
		}
	case int, int64, int32, uint32, uint64, float32:
	default:
		v.add(TypeMismatch, s.ID, v.at.String(), "a value of Go type %T has no JSON", x)
	}
	v.unsound = v.unsound || len(v.found) > n
}
