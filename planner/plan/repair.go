package plan

import (
	"catena/planner/loosejson"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Mend changes what has one reading and returns the changed plan with a list of what changed, which is also appended to
// its Repairs: the spelling of a tool's or argument's name, the type of a value that is written as another type, the case
// of an enum's word, references written as text, a list given to a tool that takes one element, a last step that only says
// what the answer is.
//
// It never drops or adds a step that calls a tool, never guesses a required value, never clamps a number, and never takes a
// near name for a destructive tool. What has two readings stays as it is, for Validate to report. The plan given is not changed.
func Mend(p Plan, tools []Tool) (Plan, []Repair) { return shared.Mend(p, tools) }

// Mend is the function Mend with this checker's compiled schemas.
func (c *Checker) Mend(p Plan, tools []Tool) (Plan, []Repair) {
	r := repairing{comparisons: comparisons{left: maxComparisons}, tools: indexTools(tools), schemas: &c.schemas, plan: p, ids: make(map[string]bool, len(p.Steps)), place: make(map[string]int, len(p.Steps))}
	for i, s := range p.Steps {
		r.ids[s.ID] = true
		if _, twice := r.place[s.ID]; !twice {
			r.place[s.ID] = i
		}
	}
	r.plan.Steps = slices.Clone(p.Steps)
	for i := range r.plan.Steps {
		r.step(i)
	}
	r.plan.Answer = slices.Clone(p.Answer)
	for i, a := range r.plan.Answer {
		r.path = "/answer/" + strconv.Itoa(i)
		r.plan.Answer[i] = r.references(a)
		if s, ok := r.plan.Answer[i].(string); ok {
			if ref, err := ParseRef(s); err == nil && r.ids[ref.Step] { // no text that says anything
				r.note(BadReference, s, ref, "a reference written as a text")
				r.plan.Answer[i] = ref
			}
		}
	}
	r.finish()
	if len(r.done) > 0 {
		r.plan.Repairs = append(slices.Clone(p.Repairs), r.done...)
	}
	return r.plan, r.done
}

type repairing struct {
	comparisons
	tools       toolIndex
	schemas     *schemas
	plan        Plan
	ids         map[string]bool
	place       map[string]int // of the first step with an id
	at          int            // the step that is mended
	destructive bool           // its tool is
	path        string
	done        []Repair
}

func (r *repairing) note(c Code, from, to any, why string) {
	r.done = append(r.done, Repair{Path: r.path, Code: string(c), From: from, To: to, Why: why})
}

// stepRules are the rules over the arguments of a step as a whole, in order. Each matches by the tool's input schema alone, and what it changes
// is a repair; where a step has two readings it stays as it is. Names and values have rules of their own: likenesses and valueRules.
var stepRules = []struct {
	family string
	apply  func(r *repairing, s *Step, in *schema, base string)
}{
	{"wrapped arguments", (*repairing).unwrapArgs},
	{"names, types, enums, formats, lists", func(r *repairing, s *Step, in *schema, base string) { s.Args = r.object(s.Args, in, base, 0) }},
	{"missing value with one source", (*repairing).tableBefore},
	{"tables of a statement", (*repairing).tablesOfSQL},
	{"list for one", (*repairing).each},
}

func (r *repairing) step(i int) {
	s := &r.plan.Steps[i]
	r.at = i
	r.path = fmt.Sprintf("/steps/%d/tool", i)
	t, ok := r.tool(s)
	r.destructive = t.Destructive
	s.Args = maps.Clone(s.Args)
	base := fmt.Sprintf("/steps/%d/args", i)
	for _, k := range sortedKeys(s.Args) {
		r.path = base + "/" + loosejson.Escape(k)
		s.Args[k] = r.references(s.Args[k])
	}
	if !ok {
		return
	}
	in := r.schemas.get(t.InputSchema).Schema
	if in == nil {
		return
	}
	for _, rule := range stepRules {
		rule.apply(r, s, in, base)
	}
}

// object mends the names and values of an object's fields.
func (r *repairing) object(m map[string]any, in *schema, base string, depth int) map[string]any {
	if m == nil {
		return nil
	}
	m = maps.Clone(m)
	r.fieldsOf(m, in, base)
	for _, k := range sortedKeys(m) {
		found, _ := property(in, k)
		r.path = base + "/" + loosejson.Escape(k)
		if m[k] == nil && len(found) > 0 && allowed(found[0], 0)&kindNull == 0 && !required(in, k) {
			r.note(TypeMismatch, nil, nil, "null for an argument that may be left out")
			delete(m, k)
			continue
		}
		if len(found) == 1 {
			m[k] = r.value(m[k], found[0], depth)
		}
	}
	return m
}

// unwrapArgs takes the arguments out of an object that only wraps them: {"args": {"arguments": {...}}}, {"args": {"<tool>": {...}}}.
func (r *repairing) unwrapArgs(s *Step, in *schema, base string) {
	if len(s.Args) != 1 {
		return
	}
	for k, v := range s.Args {
		inner, ok := v.(map[string]any)
		if found, open := property(in, k); !ok || len(found) > 0 || open || k != s.Tool && !slices.Contains(argNames, k) {
			return
		}
		r.path = base
		r.note(UnknownArgument, k, nil, "the arguments were wrapped in another object")
		s.Args = maps.Clone(inner)
	}
}

// finish takes a last step that calls no tool, but says what the answer is, for the answer.
func (r *repairing) finish() {
	n := len(r.plan.Steps) - 1
	if n < 1 {
		return
	}
	last := r.plan.Steps[n]
	if _, known := r.tools.find(last.Tool); known || !isFinish(last.Tool) || len(last.Args) > 1 || last.Each != nil || last.When != nil || r.place[last.ID] != n {
		return
	}
	refers := func(ref Ref) bool { return ref.Step == last.ID }
	for _, s := range r.plan.Steps[:n] {
		uses := false
		s.refs(func(ref Ref) { uses = uses || refers(ref) })
		if uses {
			return
		}
	}
	for _, v := range last.Args {
		if len(r.plan.Answer) == 0 {
			r.plan.Answer = []any{v}
		} else if !reflect.DeepEqual(r.plan.Answer, []any{v}) {
			return // two answers
		}
	}
	if slices.ContainsFunc(Refs(r.plan.Answer), refers) {
		return
	}
	r.plan.Steps = r.plan.Steps[:n]
	r.path = "/steps/" + strconv.Itoa(n)
	r.note(UnknownTool, last.Tool, nil, "the step calls no tool; it says what the answer is")
}

func required(in *schema, name string) bool {
	for _, p := range parts(in, 0, nil) {
		if slices.Contains(p.Required, name) {
			return true
		}
	}
	return false
}

// tool finds the step's tool and corrects its name.
func (r *repairing) tool(s *Step) (Tool, bool) {
	if t, ok := r.tools.find(s.Tool); ok {
		if t.Name != s.Tool {
			r.note(UnknownTool, s.Tool, t.Name, "toolset:tool is another name of the tool")
			s.Tool = t.Name
		}
		return t, true
	}
	if s.Tool == "" || len(s.Tool) > maxNear {
		return Tool{}, false
	}
	names := make([]string, len(r.tools.all))
	for i, t := range r.tools.all {
		names[i] = t.Name
	}
	name := r.onlyLike(s.Tool, names, otherSpelling)
	if name == "" {
		name = r.onlyLike(bareTool(s.Tool), names, otherSpelling, slipOfKeys)
	}
	t, ok := r.tools.find(name)
	if !ok || name == "" || t.Destructive {
		return Tool{}, false
	}
	r.note(UnknownTool, s.Tool, t.Name, "the only tool with a name like it")
	s.Tool = t.Name
	return t, true
}

// bareTool takes off what models and MCP hosts put around a tool's name: functions.x, mcp__server__x, server.x, server/x, server__x, x().
func bareTool(name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if _, tool, ok := strings.Cut(rest, "__"); ok {
			return tool
		}
	}
	if k := strings.LastIndex(name, "__"); k > 0 {
		name = name[k+2:]
	}
	return name[strings.LastIndexAny(name, "./:")+1:]
}

// fieldsOf corrects the spelling of the names of an object's fields: another case or separator, a plural, a slip.
func (r *repairing) fieldsOf(m map[string]any, in *schema, base string) {
	var names []string
	for _, k := range sortedKeys(m) {
		if found, open := property(in, k); len(found) > 0 || open {
			continue
		}
		if names == nil && r.take(len(in.Properties)) {
			names = fieldNames(in)
		}
		to := r.onlyLike(k, names, otherSpelling, otherNumber, slipOfKeys)
		if _, taken := m[to]; taken || to == "" {
			continue
		}
		r.path = base + "/" + loosejson.Escape(k)
		r.note(UnknownArgument, k, to, "the only argument with a name like it")
		m[to] = m[k]
		delete(m, k)
	}
}

// output is the schema of a step's result, nil when nothing is known of it.
func (r *repairing) output(step string) *schema {
	i, ok := r.place[step]
	if !ok || r.plan.Steps[i].Each != nil {
		return nil
	}
	t, ok := r.tools.find(r.plan.Steps[i].Tool)
	if !ok {
		return nil
	}
	return r.schemas.get(t.OutputSchema).Schema
}

// only completes a reference to a whole result, which is no value of the wanted kind, where one field alone of the result
// can be meant: the only table where a table is wanted, or the only field that there is.
func (r *repairing) only(ref Ref, in *schema) Ref {
	out := r.output(ref.Step)
	if len(ref.Path) > 0 || out == nil || isTable(out) {
		return ref
	}
	want := allowed(in, 0)
	if format(in) != TableRef && want&allowed(out, 0) != 0 {
		return ref
	}
	names := fieldNames(out)
	fits := func(name string) bool {
		found, _ := property(out, name)
		if len(found) != 1 {
			return false
		}
		if format(in) == TableRef {
			return format(found[0]) == TableRef
		}
		return len(names) == 1 && want&allowed(found[0], 0) != 0
	}
	i := slices.IndexFunc(names, fits)
	if i < 0 || slices.ContainsFunc(names[i+1:], fits) {
		return ref
	}
	to := Ref{Step: ref.Step, Path: []Seg{{Field: names[i]}}}
	r.note(ReferenceType, ref, to, "the only part of the result that fits")
	return to
}

// each makes the list that a tool for one element was given explicit: the step runs once per element. It needs one list;
// several arguments may take parts of the same elements.
func (r *repairing) each(s *Step, in *schema, base string) {
	if s.Each != nil {
		return
	}
	var list *Ref
	var names []string
	for _, k := range sortedKeys(s.Args) {
		ref, ok := s.Args[k].(Ref)
		found, _ := property(in, k)
		if !ok || !ref.HasAll() || len(found) != 1 || allowed(found[0], 0)&(kindList|kindObject) != 0 {
			continue
		}
		head := upToAll(ref)
		if list != nil && list.String() != head.String() {
			return // two lists: in pairs, or every combination?
		}
		list, names = &head, append(names, k)
	}
	if list == nil {
		return
	}
	if len(names) == 1 && !tailHasAll(s.Args[names[0]].(Ref)) {
		whole := s.Args[names[0]].(Ref)
		s.Each, s.Args[names[0]] = &whole, Ref{Step: Each}
	} else {
		s.Each = list
		for _, k := range names {
			ref := s.Args[k].(Ref)
			s.Args[k] = Ref{Step: Each, Path: ref.Path[len(list.Path):]}
		}
	}
	r.path = base
	r.note(ReferenceType, nil, *s.Each, "a list for a tool that takes one element: the step runs once for each")
}

func upToAll(r Ref) Ref {
	for i, s := range r.Path {
		if s.All && s.Field == "" {
			return Ref{Step: r.Step, Path: r.Path[:i+1]}
		}
	}
	return r
}

func tailHasAll(r Ref) bool {
	head := upToAll(r)
	return Ref{Path: r.Path[len(head.Path):]}.HasAll()
}
