package tools

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/tools/handle"
)

// CodeUntrusted is the code of a step that was stopped because what an untrusted source said would have decided who gets something,
// where to, or what is run.
const CodeUntrusted = "untrusted_value"

// UntrustedAction is what becomes of a step in which an untrusted value would stand in a sink.
type UntrustedAction string

// The actions. The zero value stops.
const (
	UntrustedStop  UntrustedAction = "stop"  // the step fails with CodeUntrusted
	UntrustedAsk   UntrustedAction = "ask"   // it waits for a decision about its arguments
	UntrustedAllow UntrustedAction = "allow" // it runs
)

// Flows is the policy for values out of untrusted sources. The zero value stops every step in which one would be a recipient, a URL, a
// path or code, but for paths within one server: what lists files may name the file that is read there.
type Flows struct {
	Action UntrustedAction
	// Allow are the arguments that may take any value: tool.argument, with path.Match's wildcards, as in files__*.path.
	Allow []string
}

// allows reports whether an argument of a tool may take a value of these origins.
func (f Flows) allows(e *entry, argument string, sink Sink, from []handle.Origin) bool {
	for _, pattern := range f.Allow {
		if ok, err := path.Match(pattern, e.Def.Name+"."+argument); ok && err == nil {
			return true
		}
	}
	if sink != SinkPath || !e.facts.ReadOnly {
		return false
	}
	return !slices.ContainsFunc(from, func(o handle.Origin) bool { return o.Toolset != e.Toolset })
}

// violation is an untrusted value in a sink.
type violation struct {
	argument string
	sink     Sink
	from     []handle.Origin
}

// String says what is wrong and what to do.
func (v violation) String() string {
	names := make([]string, 0, 3)
	for _, o := range v.from[:min(3, len(v.from))] {
		names = append(names, o.String())
	}
	what := map[Sink]string{SinkRecipient: "who gets something", SinkURL: "an address", SinkPath: "a path", SinkSQL: "what is run"}[v.sink]
	return fmt.Sprintf("its argument %s would come from %s, which is not trusted to decide %s; write the value in the message, or let it through in executor.untrusted_allow",
		v.argument, strings.Join(names, ", "), what)
}

// tainted reports whether a step refers to a result that has untrusted sources.
func (r *run) tainted(i int) bool {
	return slices.ContainsFunc(r.graph.Needs[i], func(j int) bool { return len(r.steps[j].Result.Origins) > 0 })
}

// originsOf are the untrusted sources of the steps that a value refers to; element are those of the step's each.
func (r *run) originsOf(v any, element []handle.Origin) []handle.Origin {
	var out []handle.Origin
	for _, ref := range plan.Refs(v) {
		if ref.Step == plan.Each {
			out = handle.AddOrigins(out, element...)
		} else if i, ok := r.graph.Index(ref.Step); ok {
			out = handle.AddOrigins(out, r.steps[i].Result.Origins...)
		}
	}
	return out
}

// checkFlows finds the first argument of a step that an untrusted source would decide and the policy does not let it. args are
// resolved.
func (r *run) checkFlows(s plan.Step, t task, args map[string]any, element []handle.Origin) (violation, bool) {
	e := t.entry
	if e == nil || len(t.call.Origins) == 0 || r.x.opt.Flows.Action == UntrustedAllow {
		return violation{}, false
	}
	w := flowWalk{run: r, entry: e, element: element}
	for _, name := range sortedNames(s.Args) {
		if w.argument = name; w.walk(s.Args[name], args[name], e.sinks.field(name)) {
			return w.found, true
		}
	}
	return violation{}, false
}

// flowWalk goes through an argument as it was planned beside what it resolved to.
type flowWalk struct {
	run      *run
	entry    *entry
	element  []handle.Origin
	argument string // of the tool
	found    violation
}

func (w *flowWalk) walk(planned, value any, at *sinkTree) bool {
	switch x := planned.(type) {
	case map[string]any:
		values, _ := value.(map[string]any)
		for _, name := range sortedNames(x) {
			if w.walk(x[name], values[name], at.field(name)) {
				return true
			}
		}
		return false
	case []any:
		values, _ := value.([]any)
		for i, p := range x {
			if i < len(values) && w.walk(p, values[i], at.element()) {
				return true
			}
		}
		return false
	case plan.Ref, *plan.Ref, plan.Concat:
		from := w.run.originsOf(x, w.element)
		return len(from) > 0 && w.value(value, at, from)
	}
	return false
}

// value looks for a sink in a value that came from untrusted sources.
func (w *flowWalk) value(v any, at *sinkTree, from []handle.Origin) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, name := range sortedNames(x) {
			if w.value(x[name], at.field(name), from) {
				return true
			}
		}
		return false
	case []any:
		for _, e := range x {
			if w.value(e, at.element(), from) {
				return true
			}
		}
		return false
	case nil, bool:
		return false
	case string:
		if x == "" || w.run.saidByUser(x) {
			return false
		}
	}
	if at.sink == SinkNone || w.run.x.opt.Flows.allows(w.entry, w.argument, at.sink, from) {
		return false
	}
	w.found = violation{w.argument, at.sink, from}
	return true
}

// saidByUser reports whether the user's message holds a value as words of its own: then the user named it, whoever repeats it.
func (r *run) saidByUser(v string) bool { return r.userWords(v) != "" }

// userWords are the words of the user's message that are a value, as they stand there; "" for none.
func (r *run) userWords(v string) string {
	const shortest = 3
	text, v := strings.ToLower(r.req.Message), strings.ToLower(strings.TrimSpace(v))
	if len(v) < shortest || text == "" {
		return ""
	}
	for from := 0; ; {
		i := strings.Index(text[from:], v)
		if i < 0 {
			return ""
		}
		i += from
		end := i + len(v)
		if (i == 0 || !valueByte(text[i-1])) && (end == len(text) || !valueByte(text[end]) || end+1 == len(text) || !valueByte(text[end+1]) && strings.IndexByte(".:?", text[end]) >= 0) {
			if len(text) != len(r.req.Message) {
				return v // letters whose small form is longer stand before it
			}
			return r.req.Message[i:end]
		}
		from = i + 1
	}
}

// valueByte reports whether a byte would go on with an address, a path or a word.
func valueByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("-_./@:?&=%+#~", c) >= 0
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// sinksFor are the sinks of a tool: those that it declares, or that its schema says.
func sinksFor(t Tool, in json.RawMessage) *sinkTree {
	if t.Sinks == nil {
		return sinksOf(in)
	}
	tree := &sinkTree{said: true}
	for name, sink := range t.Sinks {
		tree.set(name, &sinkTree{sink: sink, said: true})
	}
	return tree
}

// Closed says of tools that none of their arguments decides who gets something, where to, or what is run: they work on what the caller
// has here. It is for toolkits of our own; a tool that says otherwise keeps its Sinks. It returns the list.
func Closed(list []Tool) []Tool {
	for i := range list {
		if list[i].Sinks == nil {
			list[i].Sinks = map[string]Sink{}
		}
	}
	return list
}
