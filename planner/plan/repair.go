package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Mend changes what has one reading and returns the changed plan with a list of what changed, which is also appended to
// its Repairs: the spelling of a tool's or argument's name, the type of a value that is written as another type, the case
// of an enum's word, references written as text, a list given to a tool that takes one element.
//
// It never drops or adds a step, never guesses a required value, never clamps a number, and never takes a near name for a
// destructive tool. What has two readings stays as it is, for Validate to report. The plan given is not changed.
func Mend(p Plan, tools []Tool) (Plan, []Repair) { return shared.Mend(p, tools) }

// Mend is the function Mend with this checker's compiled schemas.
func (c *Checker) Mend(p Plan, tools []Tool) (Plan, []Repair) {
	r := repairing{tools: indexTools(tools), schemas: &c.schemas, plan: p, ids: make(map[string]bool, len(p.Steps))}
	for _, s := range p.Steps {
		r.ids[s.ID] = true
	}
	r.plan.Steps = slices.Clone(p.Steps)
	for i := range r.plan.Steps {
		r.step(i)
	}
	r.plan.Answer = slices.Clone(p.Answer)
	for i, a := range r.plan.Answer {
		r.path = "/answer/" + strconv.Itoa(i)
		r.plan.Answer[i] = r.references(a)
	}
	if len(r.done) > 0 {
		r.plan.Repairs = append(slices.Clone(p.Repairs), r.done...)
	}
	return r.plan, r.done
}

type repairing struct {
	tools   toolIndex
	schemas *schemas
	plan    Plan
	ids     map[string]bool
	path    string
	done    []Repair
}

func (r *repairing) note(c Code, from, to any, why string) {
	r.done = append(r.done, Repair{Path: r.path, Code: string(c), From: from, To: to, Why: why})
}

func (r *repairing) step(i int) {
	s := &r.plan.Steps[i]
	r.path = fmt.Sprintf("/steps/%d/tool", i)
	t, ok := r.tool(s)
	s.Args = maps.Clone(s.Args)
	base := fmt.Sprintf("/steps/%d/args", i)
	for _, k := range sortedKeys(s.Args) {
		r.path = base + "/" + escapePointer(k)
		s.Args[k] = r.references(s.Args[k])
	}
	if !ok {
		return
	}
	in := r.schemas.get(t.InputSchema).Schema
	if in == nil {
		return
	}
	r.argumentNames(s.Args, in, base)
	for _, k := range sortedKeys(s.Args) {
		found, _ := property(in, k)
		r.path = base + "/" + escapePointer(k)
		if s.Args[k] == nil && len(found) > 0 && allowed(found[0], 0)&kindNull == 0 && !required(in, k) {
			r.note(TypeMismatch, nil, nil, "null for an argument that may be left out")
			delete(s.Args, k)
			continue
		}
		if len(found) == 1 {
			s.Args[k] = r.value(s.Args[k], found[0], 0)
			s.Args[k] = r.onlyTable(s.Args[k], found[0])
		}
	}
	r.each(s, in, base)
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
	name := s.Tool
	for _, prefix := range []string{"functions.", "tools.", "default_api."} {
		name = strings.TrimPrefix(name, prefix)
	}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok { // how MCP hosts prefix a server's tools
		if _, tool, ok := strings.Cut(rest, "__"); ok {
			name = tool
		}
	}
	same := func(t Tool) bool { return fold(t.Name) == fold(name) }
	near := func(t Tool) bool { return typo(name, t.Name) }
	for _, like := range []func(Tool) bool{same, near} {
		found := -1
		for i, t := range r.tools.all {
			if !like(t) {
				continue
			}
			if found >= 0 || t.Destructive {
				return Tool{}, false
			}
			found = i
		}
		if found >= 0 {
			t := r.tools.all[found]
			r.note(UnknownTool, s.Tool, t.Name, "the only tool with a name like it")
			s.Tool = t.Name
			return t, true
		}
	}
	return Tool{}, false
}

// argumentNames corrects the spelling of arguments' names: another case or separator, a slip, a plural.
func (r *repairing) argumentNames(args map[string]any, in *schema, base string) {
	names := fieldNames(in)
	for _, k := range sortedKeys(args) {
		if found, open := property(in, k); len(found) > 0 || open {
			continue
		}
		to := ""
		for _, like := range []func(a, b string) bool{
			func(a, b string) bool { return fold(a) == fold(b) },
			func(a, b string) bool { return fold(a)+"s" == fold(b) || fold(a) == fold(b)+"s" },
			func(a, b string) bool { return len(a) <= maxNear && len(b) <= maxNear && typo(a, b) },
		} {
			if to = onlyName(k, names, like); to != "" {
				break
			}
		}
		if to == "" {
			continue
		}
		if _, taken := args[to]; taken {
			continue
		}
		r.path = base + "/" + escapePointer(k)
		r.note(UnknownArgument, k, to, "the only argument with a name like it")
		args[to] = args[k]
		delete(args, k)
	}
}

func onlyName(k string, names []string, like func(a, b string) bool) string {
	to := ""
	for _, n := range names {
		if like(k, n) {
			if to != "" {
				return ""
			}
			to = n
		}
	}
	return to
}

// onlyTable completes a reference to a whole result where a table is wanted and the result has one field that is a table.
func (r *repairing) onlyTable(v any, in *schema) any {
	ref, ok := v.(Ref)
	if !ok || len(ref.Path) > 0 || format(in) != TableRef {
		return v
	}
	for _, s := range r.plan.Steps {
		if s.ID != ref.Step {
			continue
		}
		t, ok := r.tools.find(s.Tool)
		out := r.schemas.get(t.OutputSchema).Schema
		if !ok || out == nil || isTable(out) {
			return v
		}
		only := ""
		for _, name := range fieldNames(out) {
			if found, _ := property(out, name); len(found) == 1 && format(found[0]) == TableRef {
				if only != "" {
					return v
				}
				only = name
			}
		}
		if only != "" {
			to := Ref{Step: ref.Step, Path: []Seg{{Field: only}}}
			r.note(ReferenceType, ref, to, "the only table in the result")
			return to
		}
	}
	return v
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
