package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
)

// rename filters the titles and the names of columns that a plan's steps over our tables give. A name that changes does
// so wherever the plan writes it, in later steps and the answer too; a title without a word left goes. What another
// server is given is an argument, not a heading of ours.
func (f *textFilter) rename(p *plan.Plan, list []plan.Tool) {
	own := func(s plan.Step) bool {
		t, found := plan.FindTool(list, s.Tool)
		return found && t.Toolset == ownTables
	}
	n := names{}
	for _, s := range p.Steps {
		if own(s) {
			n.add(f, s.Args)
		}
	}
	p.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		leaf := n.ref
		if own(s) {
			leaf = n.leaf
		}
		p.Steps[i] = n.step(s, leaf)
		if own(s) {
			p.Steps[i].Args = f.headed(p.Steps[i].Args)
		}
	}
	if len(n) > 0 {
		for i, item := range p.Answer {
			p.Answer = slices.Clone(p.Answer)
			p.Answer[i] = plan.Rewrite(item, n.ref, nil)
		}
	}
}

// headed are arguments with their title filtered.
func (f *textFilter) headed(args map[string]any) map[string]any {
	title, there := args["title"]
	if !there {
		return args
	}
	args = maps.Clone(args)
	if text, ok := title.(string); ok {
		title = plainLine(text)
	}
	if t, ok := f.tree(title); ok {
		args["title"] = t
	} else {
		delete(args, "title")
	}
	return args
}

// names are those that a plan gives to columns and that do not pass, and what they become.
type names map[string]string

// add finds the names in arguments, wherever they stand.
func (n names) add(f *textFilter, v any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			n.add(f, e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			name, ok := x[k].(string)
			if k != "as" || !ok {
				n.add(f, x[k])
			} else if passed := f.heading(name); passed != name {
				n[name] = cmp.Or(passed, fmt.Sprintf("value %d", len(n)+1))
			}
		}
	}
}

// step is a step with the names that it refers to. leaf is applied to its arguments.
func (n names) step(s plan.Step, leaf func(any) any) plan.Step {
	if len(n) == 0 {
		return s
	}
	s.Args, _ = plan.Rewrite(s.Args, leaf, nil).(map[string]any)
	if s.When != nil {
		when := *s.When
		when.Ref, _ = n.ref(when.Ref).(plan.Ref)
		s.When = &when
	}
	if s.Each != nil {
		each, _ := n.ref(*s.Each).(plan.Ref)
		s.Each = &each
	}
	return s
}

// leaf renames a text that is a name, and the names in a reference.
func (n names) leaf(v any) any {
	if name, ok := v.(string); ok && n[name] != "" {
		return n[name]
	}
	return n.ref(v)
}

// ref renames the names in a reference.
func (n names) ref(v any) any {
	ref, ok := v.(plan.Ref)
	if !ok {
		return v
	}
	path := slices.Clone(ref.Path)
	for i, seg := range path {
		if name := n[seg.Field]; name != "" {
			path[i].Field = name
		}
	}
	return plan.Ref{Step: ref.Step, Path: path}
}

// knownFigures are the numbers that a plan's texts may say: those of the messages, of the tables' facts, of the day and
// of the plan's own arguments, its headings aside.
func knownFigures(p plan.Plan, req plan.Request) []number {
	texts := []string{req.Message, req.Now.Format("2006 1 2")}
	facts := []any{req.Tables}
	for _, h := range req.History {
		texts, facts = append(texts, h.Message), append(facts, h.Tables)
	}
	given := map[string]bool{}
	for _, s := range p.Steps {
		namesIn(s.Args, given)
	}
	for _, s := range p.Steps {
		facts = append(facts, withoutHeadings(s.Args, given))
		if s.When != nil {
			facts = append(facts, s.When.Value)
		}
	}
	for _, fact := range facts {
		raw, err := json.Marshal(fact)
		if err == nil {
			texts = append(texts, strings.NewReplacer(`"`, " ", ":", " ", ",", " , ", "-", " ", "_",
				" ").Replace(string(raw)))
		}
	}
	return numbersIn(strings.Join(texts, "\n"))
}

// namesIn notes the names that arguments give to columns.
func namesIn(v any, given map[string]bool) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			namesIn(e, given)
		}
	case map[string]any:
		for k, e := range x {
			if name, ok := e.(string); ok && k == "as" {
				given[name] = true
			} else {
				namesIn(e, given)
			}
		}
	}
}

// withoutHeadings is a tree of arguments without what only names the result, and without the names that were given so.
func withoutHeadings(v any, given map[string]bool) any {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = withoutHeadings(e, given)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			if !slices.Contains(headingArgs, k) {
				out[k] = withoutHeadings(e, given)
			}
		}
		return out
	case string:
		if given[x] {
			return nil
		}
	case plan.Ref:
		return nil // names a step and columns
	}
	return v
}
