package plan

import (
	"catena/planner/loosejson"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TableArgument is the one argument of a tool that it needs and that takes a table, "" where there is none or more than one.
func TableArgument(in *jsonschema.Schema) string {
	only := ""
	if in == nil {
		return only
	}
	for _, name := range fieldNames(in) {
		found, _ := property(in, name)
		if len(found) != 1 || !required(in, name) || format(found[0]) != TableRef {
			continue
		}
		if only != "" {
			return ""
		}
		only = name
	}
	return only
}

// tableBefore gives a step that needs a table, and names none, the one of an earlier step: the only one that no other step takes, else the only one.
// Where two can be meant the argument stays missing, and the validator says so.
func (r *repairing) tableBefore(s *Step, in *schema, base string) {
	name := TableArgument(in)
	if _, given := s.Args[name]; name == "" || given || s.Each != nil {
		return
	}
	taken := map[string]bool{}
	for _, other := range r.plan.Steps {
		other.refs(func(ref Ref) { taken[ref.Step] = true })
	}
	var all, free []string
	for _, before := range r.plan.Steps[:r.at] {
		out := r.output(before.ID)
		if before.ID == "" || out == nil || !isTable(out) {
			continue
		}
		if all = append(all, before.ID); !taken[before.ID] {
			free = append(free, before.ID)
		}
	}
	if len(free) != 1 {
		free = all
	}
	if len(free) != 1 {
		return
	}
	ref := Ref{Step: free[0]}
	r.path = base + "/" + loosejson.Escape(name)
	r.note(MissingRequired, nil, ref, "the only table of an earlier step that it can be")
	if s.Args == nil {
		s.Args = map[string]any{}
	}
	s.Args[name] = ref
}
