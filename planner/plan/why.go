package plan

import (
	"catena/planner/loosejson"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Reason says why one slot of a plan is filled as it is.
type Reason struct {
	Step  string `json:"step"`
	Slot  string `json:"slot"`            // JSON pointer into the step's args; "" for the choice of the tool, each and when for those
	Value string `json:"value"`           // as text; of a slot that is long, its beginning
	Words string `json:"words,omitempty"` // of the message, as they are written; "" for what it does not say
	How   string `json:"how"`             // one of the Hows
}

// The ways in which a slot comes to its value.
const (
	HowMessage = "message" // the words say it
	HowDefault = "default" // the schema's default
	HowStep    = "step"    // an earlier step gives it
	HowNeeded  = "needed"  // of a tool: a later step takes what it gives
	HowTable   = "table"   // it follows from the table: its own name, or what its columns are
	HowPlanner = "planner" // chosen; neither the message nor a schema says it
)

// Reasons says for each tool and each argument of a plan where it was taken from: the words of the message, a default, an earlier
// step. said are what the planner itself knows of that; the rest is found by comparing the plan with the message, so that it can be said of
// any plan. An argument with parts, such as the conditions of a query, has a reason for each. tools and tables are those that the plan was
// made with. They come in the order of the steps, the choice of a tool first, then its slots by name.
func Reasons(message string, p Plan, tools []Tool, tables []TableInfo, said []Reason) []Reason {
	w := whys{said: said, words: messageWords(message), plan: p, tables: tables}
	index := indexTools(tools)
	for i, s := range p.Steps {
		t, _ := index.find(s.Tool)
		w.step, w.in = s.ID, shared.schemas.get(t.InputSchema).Schema
		w.tool(i, t)
		if s.Each != nil {
			w.note(Each, *s.Each, Each)
		}
		if s.When != nil {
			w.note("when", s.When.Ref, "when")
		}
		for _, k := range sortedKeys(s.Args) {
			w.slot("/"+loosejson.Escape(k), k, s.Args[k])
		}
	}
	return w.out
}

type whys struct {
	said   []Reason
	words  []messageWord
	plan   Plan
	tables []TableInfo
	step   string
	in     *schema
	out    []Reason
}

// tool says why a tool was chosen: the words of the message that its name, else its description, has; else what takes its result.
func (w *whys) tool(i int, t Tool) {
	s := w.plan.Steps[i]
	r := Reason{Step: s.ID, Value: s.Tool}
	_, own, two := strings.Cut(s.Tool, "__")
	if !two {
		own = s.Tool
	}
	if r.Words = w.sharing(NameWords(own)); r.Words == "" && !isQuery(s) {
		r.Words = w.sharing(FoldWords(t.Title + " " + t.Description))
	}
	switch {
	case r.Words != "":
		r.How = HowMessage
	case isQuery(s):
		r.How = HowTable
	case slices.ContainsFunc(w.plan.Steps[i+1:], func(o Step) bool { return takes(o, s.ID) }):
		r.How = HowNeeded
	default:
		r.How = HowPlanner
	}
	w.out = append(w.out, r)
}

// isQuery reports whether a step asks a table: its arguments are those of Query.
func isQuery(s Step) bool {
	return s.Args["table"] != nil && (s.Args["select"] != nil || s.Args["filter"] != nil || s.Args["group_by"] != nil) || s.Tool == "query_table"
}

// takes reports whether a step takes something of another one's result.
func takes(s Step, id string) bool {
	refs := Refs(s.Args)
	if s.Each != nil {
		refs = append(refs, *s.Each)
	}
	return slices.ContainsFunc(refs, func(r Ref) bool { return r.Step == id })
}

// slot says why an argument has its value; lists and the objects in them have a reason for each element.
func (w *whys) slot(at, name string, v any) {
	if i := slices.IndexFunc(w.said, func(r Reason) bool { return r.Step == w.step && r.Slot == at }); i >= 0 {
		r := w.said[i]
		r.Value = cmp.Or(r.Value, textOf(v))
		w.out = append(w.out, r)
		return
	}
	if list, ok := v.([]any); ok && slices.ContainsFunc(list, func(e any) bool { _, object := e.(map[string]any); return object }) || ok && len(list) > 1 && len(Refs(v)) == 0 {
		for i, e := range list {
			w.note(fmt.Sprintf("%s/%d", at, i), e, name)
		}
		return
	}
	w.note(at, v, name)
}

func (w *whys) note(at string, v any, name string) {
	r := Reason{Step: w.step, Slot: at, Value: textOf(v)}
	switch refs := Refs(v); {
	case len(refs) > 0:
		r.How = HowStep
	case name == "table":
		r.How = HowTable
		if r.Words = w.meaning(r.Value); r.Words != "" {
			r.How = HowMessage
		}
	default:
		if r.Words = w.saying(name, v); r.Words != "" {
			r.How = HowMessage
		} else if w.isDefault(name, v) {
			r.How = HowDefault
		} else if name == "select" || name == "group_by" || name == "order_by" {
			r.How = HowTable
		} else {
			r.How = HowPlanner
		}
	}
	w.out = append(w.out, r)
}

// isDefault reports whether the schema gives an argument this value where nothing else is said.
func (w *whys) isDefault(name string, v any) bool {
	found, _ := property(orAny(w.in), name)
	if len(found) == 0 || found[0].Default == nil {
		return false
	}
	a, errA := json.Marshal(found[0].Default)
	b, errB := json.Marshal(v)
	return errA == nil && errB == nil && string(a) == string(b)
}

// textOf writes a value of a slot for people: a condition or an aggregate as it is read.
func textOf(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		if list, ok := v.([]any); ok {
			parts := make([]string, len(list))
			for i, e := range list {
				parts[i] = textOf(e)
			}
			return cut(strings.Join(parts, ", "))
		}
		if r, ok := v.(Ref); ok {
			return r.String()
		}
		return cut(valueText(v))
	}
	if any, ok := m["any"].([]any); ok {
		parts := make([]string, len(any))
		for i, e := range any {
			parts[i] = textOf(e)
		}
		return cut(strings.Join(parts, " or "))
	}
	col, _ := m["column"].(string)
	if expr, ok := m["expr"].(string); ok {
		return strings.TrimSpace(expr + " " + col)
	}
	if op, ok := m["op"].(string); ok && col != "" {
		return cut(strings.TrimSpace(strings.Join([]string{col, fmt.Sprint(op), whenText(m["value"])}, " ")))
	}
	if desc, ok := m["desc"].(bool); ok && desc {
		return col + ", largest first"
	}
	if period, ok := m["period"].(string); ok {
		return period + " of " + col
	}
	if col != "" {
		return col
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return cut(string(raw))
}

func whenText(v any) string {
	if v == nil {
		return ""
	}
	return textOf(v)
}

// cut shortens a text for a line.
func cut(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// line is a reason for people.
func (r Reason) line() string {
	what := strings.ReplaceAll(strings.TrimPrefix(r.Slot, "/"), "/", " ")
	if r.Slot == "" {
		what = "tool"
	}
	var why string
	switch r.How {
	case HowMessage:
		why = "“" + r.Words + "”"
	case HowDefault:
		why = "the default"
	case HowStep:
		why = "from an earlier step"
	case HowNeeded:
		why = "a later step takes what it gives"
	case HowTable:
		why = "what the table has"
	default:
		why = "chosen; the message does not say it"
	}
	return fmt.Sprintf("  %s %s = %s: %s\n", r.Step, what, r.Value, why)
}
