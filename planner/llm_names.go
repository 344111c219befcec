package planner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/planner/statement"
)

// promptNames gives what may not stand in a prompt other names: tables and columns (table_1, col_7) and values that the
// message speaks of (value_9). It takes them back in the model's plan. Numbers run through the whole request, so that one
// stands for one text.
type promptNames struct {
	shown map[string]string // kind and real text -> the one in the prompt
	real  map[string]string
	used  map[string]bool // names that are something else already
	made  map[string]bool // columns that an earlier plan or tool made, and that may be shown
	known knownTexts
}

func newPromptNames(req plan.Request) *promptNames {
	n := &promptNames{shown: map[string]string{}, real: map[string]string{}, used: map[string]bool{}, made: map[string]bool{}, known: newKnownTexts(req)}
	all := slices.Clone(req.Tables)
	fresh := map[string]bool{} // tables whose plan is in the history, by handle
	for _, t := range req.History {
		all = append(all, t.Tables...)
		for _, table := range t.Tables {
			fresh[table.Handle] = t.Plan != nil
		}
	}
	for _, t := range all {
		n.used[t.Name] = true
		for _, c := range t.Columns {
			n.used[c.Name] = true
		}
	}
	for _, t := range req.History {
		n.addMade(t.Plan)
	}
	for _, t := range all {
		if t.Name != "" && !plan.SafeName(t.Name) {
			n.add("table", t.Name)
		}
		for _, c := range t.Columns {
			unsafe := !plan.SafeName(c.Name) || t.Source == sourceResult && !fresh[t.Handle] && !n.known.named(c.Name) // nobody knows who named it
			unsafe = unsafe || t.Untrusted && !nameOnly(c.Name) && !n.known.named(c.Name)
			if unsafe && c.Name != "" {
				n.add("col", c.Name)
			}
			n.made[c.Name] = true
		}
	}
	return n
}

// The longest name that a server may give a column for a prompt to show it, unless the user's own words have it too. More would
// be room for a sentence.
const (
	maxNameWords = 4
	maxNameBytes = 32
)

// nameOnly reports whether a text is short enough to be nothing but a name.
func nameOnly(s string) bool { return len(s) <= maxNameBytes && len(plan.NameWords(s)) <= maxNameWords }

// addMade hides the names that an earlier plan gave to columns, where they may be a cell's text: "Fire" of a count of fires.
func (n *promptNames) addMade(p *plan.Plan) {
	if p == nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case []any:
			for _, e := range x {
				walk(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(x)) {
				s, ok := x[key].(string)
				switch {
				case !ok || key != "as":
					walk(x[key])
				case n.known.named(s):
					n.made[s] = true
				default:
					n.add("col", s)
				}
			}
		}
	}
	for _, s := range p.Steps {
		walk(s.Args)
	}
}

// add gives a text another name, the same one each time.
func (n *promptNames) add(kind, name string) string {
	if s := n.shown[kind+name]; s != "" {
		return s
	}
	for i := len(n.real) + 1; ; i++ {
		if s := fmt.Sprintf("%s_%d", kind, i); !n.used[s] {
			n.used[s] = true
			n.shown[kind+name], n.real[s] = s, name
			return s
		}
	}
}

// value is the name that stands for a cell's text.
func (n *promptNames) value(text string) string { return n.add("value", text) }

// mask puts the prompt's names into a text that may quote what they stand for: what Validate says of a restored plan.
func (n *promptNames) mask(text string) string {
	if len(n.real) == 0 {
		return text
	}
	names := slices.SortedFunc(maps.Keys(n.real), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(n.real[b]), len(n.real[a])), strings.Compare(a, b))
	})
	for _, name := range names {
		hidden := n.real[name]
		quoted := strconv.Quote(hidden)
		text = strings.ReplaceAll(text, quoted, `"`+name+`"`)
		if len(hidden) < 4 {
			continue
		}
		text = strings.ReplaceAll(text, quoted[1:len(quoted)-1], name)
		text = strings.ReplaceAll(text, hidden, name)
		if cut := shorten(hidden, maxQuoted); cut != hidden { // findings quote the beginning of a long text
			cut = strconv.Quote(strings.TrimSuffix(cut, "…"))
			text = strings.ReplaceAll(text, cut[1:len(cut)-1], name)
		}
	}
	return text
}

// maxQuoted is how much of a text findings quote, in bytes.
const maxQuoted = 40

func (n *promptNames) table(name string) string  { return n.show("table", name) }
func (n *promptNames) column(name string) string { return n.show("col", name) }

func (n *promptNames) show(kind, name string) string {
	if s, ok := n.shown[kind+name]; ok {
		return s
	}
	if plan.SafeName(name) {
		return name
	}
	return kind // of a table that the request does not describe
}

// restore puts the real names into a model's plan.
func (n *promptNames) restore(p plan.Plan) plan.Plan {
	if len(n.real) == 0 {
		return p
	}
	out := mapPlan(p, func(s string) string {
		if r, ok := n.real[s]; ok {
			return r
		}
		return s
	})
	return inStatements(p, out, statement.Names{
		Name: func(name string) (string, bool) {
			real, ok := n.real[name]
			return real, ok
		},
		Value: func(text string, bare bool) (string, bool) {
			name := strings.Trim(text, "%") // of LIKE
			real, ok := n.real[name]
			ok = ok && (!bare || strings.HasPrefix(name, "value_"))
			return strings.Replace(text, name, real, 1), ok
		},
	})
}

// hide puts the prompt's names into an earlier plan and leaves out every text that is not known.
func (n *promptNames) hide(p plan.Plan) plan.Plan {
	out := mapPlan(p, func(s string) string {
		if shown := n.hidden(s); shown != "" {
			return shown
		}
		if n.known.has(s) || n.made[s] {
			return s
		}
		return "…"
	})
	return inStatements(p, out, statement.Names{
		Name: func(name string) (string, bool) {
			if shown := n.hidden(name); shown != "" {
				return shown, true
			}
			return "…", !nameOnly(name) || !plan.SafeName(name)
		},
		Value: func(text string, bare bool) (string, bool) {
			return "…", !bare && !n.known.has(strings.Trim(text, "%"))
		},
	})
}

// hidden is the name that stands for a table's or column's, "" where there is none.
func (n *promptNames) hidden(name string) string {
	return cmp.Or(n.shown["table"+name], n.shown["col"+name])
}

// inStatements puts other names into the statements of a plan, as they were before its texts were mapped.
func inStatements(was, mapped plan.Plan, names statement.Names) plan.Plan {
	for i, s := range was.Steps {
		if text, ok := s.Args[sqlArgument].(string); ok && s.Tool == tableTool {
			mapped.Steps[i].Args = maps.Clone(mapped.Steps[i].Args)
			mapped.Steps[i].Args[sqlArgument] = statement.Rewrite(text, names)
		}
	}
	return mapped
}

// mapPlan applies f to every text and key of the arguments and answer, and to the fields of references.
func mapPlan(p plan.Plan, f func(string) string) plan.Plan {
	leaf := func(v any) any {
		switch x := v.(type) {
		case string:
			return f(x)
		case plan.Ref:
			return mapRef(x, f)
		}
		return v
	}
	p.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		p.Steps[i] = s.Rewritten(leaf, f)
	}
	p.Answer = slices.Clone(p.Answer)
	for i, a := range p.Answer {
		p.Answer[i] = plan.Rewrite(a, leaf, f)
	}
	return p
}

func mapRef(r plan.Ref, f func(string) string) plan.Ref {
	r.Path = slices.Clone(r.Path)
	for i, s := range r.Path {
		if s.Field != "" {
			r.Path[i].Field = f(s.Field)
		}
	}
	return r
}
