package plan

import (
	"catena/planner/loosejson"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// usable brings the arguments of a written call under the names and types that its tool declares. What does not fit is a
// question that names the argument, what is near it and what the tool takes.
func usable(t Tool, args map[string]any) (map[string]any, string) {
	d := decoder{lim: DefaultLimits}
	tree, _ := d.value(args, top, 1).(map[string]any)
	if len(d.found) > 0 {
		return nil, refusedCall(t, d.found)
	}
	r := argumentReader{declared: fieldsOf(t)}
	named := make(map[string]any, len(tree))
	for _, key := range sortedKeys(tree) {
		name := key
		if f, ok := r.field(key); ok {
			name = f.name
		}
		if _, twice := named[name]; twice {
			return nil, t.Name + " was not run: " + name + " is given twice; give it once."
		}
		named[name] = tree[key]
	}
	if unknown := unknownNames(t, named); len(unknown) > 0 {
		return nil, refusedCall(t, unknown)
	}
	mended, _ := Mend(Plan{Steps: []Step{{ID: "s1", Tool: t.Name, Args: named}}}, []Tool{t})
	if len(mended.Steps) != 1 || !slices.Equal(sortedKeys(mended.Steps[0].Args), sortedKeys(named)) {
		return named, "" // what was changed is not what was written
	}
	return mended.Steps[0].Args, ""
}

// unknownNames finds the arguments that a tool does not take, before anything is mended: a near name is asked about, not taken.
func unknownNames(t Tool, args map[string]any) (found Findings) {
	in := shared.schemas.get(t.InputSchema).Schema
	if in == nil {
		return nil
	}
	names := fieldNames(in)
	for _, name := range sortedKeys(args) {
		if known, open := property(in, name); len(known) > 0 || open && in.AdditionalProperties != false {
			continue
		}
		found = append(found, Finding{Code: UnknownArgument, Message: t.Name + " takes no " + loosejson.Shown(name) + suggestion(name, "it takes", names)})
	}
	return found
}

// refusedCall is the question about a call that cannot be made as it is written.
func refusedCall(t Tool, found Findings) string {
	const most = 5
	var parts []string
	for _, f := range found {
		text := strings.TrimRight(strings.TrimSuffix(f.Message, OrClarify), ".")
		if !slices.Contains(parts, text) && len(parts) < most {
			parts = append(parts, text)
		}
	}
	return ended(t.Name + " was not run: " + strings.Join(parts, "; "))
}

// Plan is the plan of the calls, checked against the tools and tables, with the message for its title. A question back is a
// plan, too. ok is false when there are no calls, or words beside them that the calls alone would leave out.
func (v Invocations) Plan(title, message string, tools []Tool, tables []TableInfo) (p Plan, ok bool) {
	if len(v.Calls) == 0 {
		return Plan{}, false
	}
	for _, c := range v.Calls {
		if c.Question != "" {
			return Plan{Clarify: c.Question, Confidence: 0.9}, true
		}
	}
	order, sorted := v.rowOrder()
	if len(v.Rest) > 0 && !sorted {
		return Plan{}, false
	}
	p = Plan{Title: title, Confidence: 0.99}
	for i, c := range v.Calls {
		s := Step{ID: "s" + strconv.Itoa(i+1), Tool: c.Tool, Args: c.Args}
		p.Steps = append(p.Steps, s)
		p.Answer = append(p.Answer, Ref{Step: s.ID})
	}
	if sorted && !p.sortBy(order, tools) {
		return Plan{}, false
	}
	if found := shared.Validate(p, tools, tables, DefaultLimits, message); len(found) > 0 {
		i := slices.IndexFunc(p.Steps, func(s Step) bool { return s.ID == found[0].Step })
		t, _ := FindTool(tools, p.Steps[max(i, 0)].Tool)
		return Plan{Clarify: refusedCall(t, found), Confidence: 0.9}, true
	}
	return p, true
}

// orderedRows are words beside a call that ask for an order of its rows and for nothing else: "sorted by area",
// ", then sort it by area descending".
var orderedRows = regexp.MustCompile(
	"(?i)^[\\s,;:.`\"'*]*(?:(?:and|then)\\s+)*(?:sort|sorted|order|ordered)(?:\\s+(?:it|them|that|this))?" +
		"\\s+by\\s+[`\"']?([\\pL\\pN_][\\pL\\pN_-]*(?:\\s[\\pL\\pN_-]+){0,2}?)[`\"']?" +
		"(?:,?\\s+(asc|ascending|desc|descending))?[\\s.!]*$",
)

// notInColumn are words that end the name of a column: what they begin is more than an order.
var notInColumn = WordSet("and or then for in of where with by the from to")

// rowOrder is the order that the words beside a single call ask for, where they ask for that alone.
func (v Invocations) rowOrder() (o Order, ok bool) {
	if len(v.Calls) != 1 || len(v.Rest) != 1 {
		return o, false
	}
	m := orderedRows.FindStringSubmatch(v.Rest[0])
	if m == nil {
		return o, false
	}
	words := strings.Fields(strings.ToLower(m[1]))
	if slices.ContainsFunc(words, func(w string) bool { return notInColumn[w] }) {
		return o, false
	}
	return Order{Column: m[1], Desc: strings.HasPrefix(strings.ToLower(m[2]), "desc")}, true
}

// sortBy adds a step that sorts the rows of the last one, and answers with it; false where no tool does that.
func (p *Plan) sortBy(o Order, tools []Tool) bool {
	const data, by = "data", "order_by"
	at := slices.IndexFunc(tools, func(t Tool) bool {
		in := shared.schemas.get(t.InputSchema).Schema
		return in != nil && t.ReadOnly && hasArguments(in, data, by)
	})
	if at < 0 {
		return false
	}
	s := Step{ID: "s" + strconv.Itoa(len(p.Steps)+1), Tool: tools[at].Name}
	s.Args = map[string]any{
		data: Ref{Step: p.Steps[len(p.Steps)-1].ID},
		by:   []any{map[string]any{"column": o.Column, "desc": o.Desc}},
	}
	p.Steps, p.Answer = append(p.Steps, s), []any{Ref{Step: s.ID}}
	return true
}

// Left is the first call that a plan does not make with all its arguments, and whether there is one. An argument that the plan
// refers to another step for counts as made.
func (v Invocations) Left(p Plan) (Invocation, bool) {
	for _, c := range v.Calls {
		made := slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Tool == c.Tool && holds(s.Args, c.Args) })
		if !made {
			return c, true
		}
	}
	return Invocation{}, false
}

// AreArguments reports whether a text is JSON objects, one or several, of arguments alone that a tool declares which
// the message names: wherever they stand in it, they are no data.
func (v Invocations) AreArguments(text string) bool {
	if len(v.named) == 0 {
		return false
	}
	d := json.NewDecoder(strings.NewReader(text))
	for n := 0; ; n++ {
		var object map[string]json.RawMessage
		if err := d.Decode(&object); err != nil {
			return n > 0 && errors.Is(err, io.EOF)
		}
		if !slices.ContainsFunc(v.named, func(t Tool) bool { return declaresAll(t, object) }) {
			return false
		}
	}
}

func declaresAll(t Tool, object map[string]json.RawMessage) bool {
	r := argumentReader{declared: fieldsOf(t)}
	for name := range object {
		if _, ok := r.field(name); !ok {
			return false
		}
	}
	return len(object) > 0
}

// holds reports whether arguments have all that was written.
func holds(args, written map[string]any) bool {
	for name, want := range written {
		got, ok := args[name]
		if !ok || !sameValue(got, want) {
			return false
		}
	}
	return true
}

// sameValue compares values by their JSON; a reference may be any value.
func sameValue(got, want any) bool {
	if _, is := got.(Ref); is {
		return true
	}
	a, err := json.Marshal(got)
	if err != nil {
		return false
	}
	b, err := json.Marshal(want)
	return err == nil && string(a) == string(b)
}

// foldedNames are the tools by their names without case and separators.
func foldedNames(tools []Tool) map[string][]Tool {
	out := make(map[string][]Tool, len(tools))
	for _, t := range tools {
		out[fold(t.Name)] = append(out[fold(t.Name)], t)
	}
	return out
}

// spelledName is a word of a name that is written as words, with what stands before the next.
var spelledName = regexp.MustCompile(`^[A-Za-z0-9_.-]+`)

// spelledAt finds the tools whose name stands at a place as words, with hyphens or in capitals ("export memories",
// exportMemories), and the end of it. Only before braces: there it is a call, elsewhere a sentence.
func (f *invocationFinder) spelledAt(start int) (end int, tools []Tool) {
	if f.spelled == nil {
		return 0, nil
	}
	const most = 8 // words
	folded, at := "", start
	for range most {
		word := spelledName.FindString(f.message[at:])
		if word == "" {
			return 0, nil
		}
		at += len(word)
		folded += fold(word)
		found := f.spelled[folded]
		if rest := f.message[at:]; found != nil && strings.HasPrefix(rest[len(leadIn.FindString(rest)):], "{") {
			return at, found
		}
		if !strings.HasPrefix(f.message[at:], " ") {
			return 0, nil
		}
		at++
	}
	return 0, nil
}
