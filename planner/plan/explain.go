package plan

import (
	"catena/planner/loosejson"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Explanation says what running a plan would do: which steps at the same time, which of them change things, how long it
// should take, and what data goes where. It is made from the plan, the tools' facts and measured latencies alone; nothing runs.
type Explanation struct {
	Waves       [][]string      `json:"waves"`       // ids of the steps that run at the same time, each wave after the one before
	Steps       []ExplainedStep `json:"steps"`       // in the plan's order
	Flows       []Flow          `json:"flows"`       // what goes from where to where, in the order of the steps that take it
	Destructive []string        `json:"destructive"` // ids of the steps that change or delete things and may wait for approval: see ExplainedStep.Waits
	Stops       []Stop          `json:"stops"`       // where a value out of an untrusted source would stop a step
	// EstimatedMS is how long the steps take on the longest way through the plan, by the calls measured so far; steps of
	// tools in Unmeasured count nothing. A step with each counts as one call.
	EstimatedMS float64  `json:"estimated_ms"`
	Unmeasured  []string `json:"unmeasured"` // tools of the plan that were not called yet
	// Why says for each tool and argument where it was taken from; null where the message is not known.
	Why []Reason `json:"why"`
}

// ExplainedStep is one step of an Explanation.
type ExplainedStep struct {
	ID          string   `json:"id"`
	Tool        string   `json:"tool"`
	Server      string   `json:"server"` // the toolset or upstream server that gets the arguments
	Wave        int      `json:"wave"`   // from 1
	Needs       []string `json:"needs"`  // ids of the steps whose results it takes
	ReadOnly    bool     `json:"read_only"`
	Destructive bool     `json:"destructive"`
	Waits       string   `json:"waits,omitempty"`  // for approval: WaitsAlways or WaitsUnlessOrdered; "" for a step that does not
	Effect      string   `json:"effect,omitempty"` // what it would change or delete, in the words that would ask for approval: a line, and one for each thing about it
	Each        string   `json:"each,omitempty"`   // the list it runs once per element of
	When        string   `json:"when,omitempty"`   // the condition without which it is skipped
	EstimatedMS *float64 `json:"estimated_ms"`     // of one call; null when it was not measured
	// Untrusted are the steps, itself among them, and the tables that its result would be made of and that say what somebody else may
	// have written.
	Untrusted []string `json:"untrusted,omitempty"`
}

// When a step waits for approval.
const (
	WaitsAlways        = "always"         // whoever planned it
	WaitsUnlessOrdered = "unless_ordered" // not a small change that the message itself orders, read without a model
)

// Stop is an argument that an untrusted source would decide. The step runs nevertheless when the message itself holds the value.
type Stop struct {
	Step     string   `json:"step"`
	Argument string   `json:"argument"`
	Sink     string   `json:"sink"`   // what the argument decides: recipient, url, path or sql
	From     []string `json:"from"`   // steps and tables
	Action   string   `json:"action"` // stop, or ask: the step waits for a decision
}

// Flow is one way that data takes.
type Flow struct {
	From   string `json:"from"`   // a step's id, or "tables" for a table that was there before
	Part   string `json:"part"`   // the reference, or the table's name or handle
	As     string `json:"as"`     // table, list, value or any
	To     string `json:"to"`     // a step's id, or "answer"
	Arg    string `json:"arg"`    // JSON pointer into the step's args; "each" and "when" for those; "" for the answer
	Server string `json:"server"` // where it goes: the toolset or upstream server; "" for the answer
}

// Estimate says how long a call should take, false where nothing is known. Arguments may hold Refs.
type Estimate func(tool string, args map[string]any) (time.Duration, bool)

// Explain explains a plan that Validate accepts. estimate may be nil. The error is Findings for steps that wait for each
// other; tools that are not in the list are explained as far as the plan goes.
func Explain(p Plan, tools []Tool, estimate Estimate) (Explanation, error) {
	return shared.Explain(p, tools, estimate)
}

// Explain is the function Explain with this checker's compiled schemas.
func (c *Checker) Explain(p Plan, tools []Tool, estimate Estimate) (Explanation, error) {
	g := GraphOf(p)
	waves, err := g.Waves()
	if err != nil {
		return Explanation{}, err
	}
	if estimate == nil {
		estimate = func(string, map[string]any) (time.Duration, bool) { return 0, false }
	}
	x := explaining{plan: p, graph: g, tools: indexTools(tools), schemas: &c.schemas, estimate: estimate,
		out: Explanation{Waves: [][]string{}, Steps: []ExplainedStep{}, Flows: []Flow{}, Destructive: []string{}, Unmeasured: []string{}, Stops: []Stop{}}}
	for i := range p.Steps {
		x.step(i)
	}
	x.waves(waves)
	for _, a := range p.Answers() {
		x.flows(a, nil, Flow{To: "answer"})
	}
	return x.out, nil
}

type explaining struct {
	plan     Plan
	graph    Graph
	tools    toolIndex
	schemas  *schemas
	estimate Estimate
	out      Explanation
}

func (x *explaining) step(i int) {
	s := x.plan.Steps[i]
	t, _ := x.tools.find(s.Tool)
	e := ExplainedStep{ID: s.ID, Tool: s.Tool, Server: t.Toolset, Needs: []string{}, ReadOnly: t.ReadOnly, Destructive: t.Destructive}
	for _, j := range x.graph.Needs[i] {
		e.Needs = append(e.Needs, x.plan.Steps[j].ID)
	}
	to := Flow{To: s.ID, Server: t.Toolset}
	if s.Each != nil {
		e.Each, to.Arg = s.Each.String(), Each
		x.flows(*s.Each, nil, to)
	}
	if s.When != nil {
		e.When, to.Arg = strings.TrimSpace(fmt.Sprintf("%s %s %s", s.When.Ref, s.When.Op, whenValue(s.When.Value))), "when"
		x.flows(s.When.Ref, nil, to)
	}
	in := x.schemas.get(t.InputSchema).Schema
	for _, k := range sortedKeys(s.Args) {
		to.Arg = "/" + loosejson.Escape(k)
		var within *schema
		if found, _ := property(orAny(in), k); len(found) > 0 {
			within = found[0]
		}
		x.flows(s.Args[k], within, to)
	}
	if took, ok := x.estimate(s.Tool, s.Args); ok {
		ms := float64(took) / float64(time.Millisecond)
		e.EstimatedMS = &ms
	} else if !slices.Contains(x.out.Unmeasured, s.Tool) {
		x.out.Unmeasured = append(x.out.Unmeasured, s.Tool)
	}
	if t.Destructive {
		e.Waits = WaitsAlways
		x.out.Destructive = append(x.out.Destructive, s.ID)
	}
	x.out.Steps = append(x.out.Steps, e)
}

// orAny is a schema that says nothing where there is none.
func orAny(s *schema) *schema {
	if s == nil {
		return &schema{}
	}
	return s
}

func whenValue(v any) string {
	if v == nil {
		return ""
	}
	return valueText(v)
}

// waves notes when the steps run and how long all of them take.
func (x *explaining) waves(waves [][]int) {
	ends := make([]float64, len(x.plan.Steps))
	for w, wave := range waves {
		ids := make([]string, 0, len(wave))
		for _, i := range wave {
			e := &x.out.Steps[i]
			e.Wave = w + 1
			ids = append(ids, e.ID)
			for _, j := range x.graph.Needs[i] {
				ends[i] = max(ends[i], ends[j])
			}
			if e.EstimatedMS != nil {
				ends[i] += *e.EstimatedMS
			}
			x.out.EstimatedMS = max(x.out.EstimatedMS, ends[i])
		}
		x.out.Waves = append(x.out.Waves, ids)
	}
}

// flows notes what goes into a value: references, and tables by name or handle where the schema, or the argument's name, says
// that there are some.
func (x *explaining) flows(v any, in *schema, to Flow) {
	switch y := v.(type) {
	case Ref:
		if y.Step == Each {
			return // its list goes to each
		}
		to.From, to.Part, to.As = y.Step, y.String(), x.as(y)
		x.out.Flows = append(x.out.Flows, to)
	case Concat:
		for i, p := range y.Parts {
			x.flows(p, nil, to.at(fmt.Sprintf("/$concat/%d", i)))
		}
	case []any:
		for i, e := range y {
			var within *schema
			if found := element(orAny(in), i); len(found) > 0 {
				within = found[0]
			}
			x.flows(e, within, to.at(fmt.Sprintf("/%d", i)))
		}
	case map[string]any:
		for _, k := range sortedKeys(y) {
			var within *schema
			if found, _ := property(orAny(in), k); len(found) > 0 {
				within = found[0]
			}
			x.flows(y[k], within, to.at("/"+loosejson.Escape(k)))
		}
	case string:
		if form := format(orAny(in)); form == TableRef || form == TableName || namesTable(to.Arg) {
			to.From, to.Part, to.As = "tables", shownTable(y), "table"
			x.out.Flows = append(x.out.Flows, to)
		}
	}
}

// namesTable reports whether a place within an argument is that of a table's name, in the grammar of queries or in the
// algebra.
func namesTable(place string) bool {
	_, within, _ := strings.Cut(place, "/query/")
	return strings.HasSuffix(place, "/table") || strings.HasSuffix("/"+within, "/from")
}

// shownTable is a table's name or handle; CSV text that stands for a table is not repeated.
func shownTable(s string) string {
	if strings.Contains(s, "\n") {
		return "text"
	}
	return s
}

func (f Flow) at(path string) Flow {
	if f.To != "answer" {
		f.Arg += path
	}
	return f
}

// as says what a reference passes on, as far as the result's schema tells.
func (x *explaining) as(r Ref) string {
	if r.HasAll() {
		return "list"
	}
	i, ok := x.graph.Index(r.Step)
	if !ok {
		return "any"
	}
	t, _ := x.tools.find(x.plan.Steps[i].Tool)
	out := x.schemas.get(t.OutputSchema).Schema
	if out == nil || x.plan.Steps[i].Each != nil {
		return "any"
	}
	o, code, _ := follow(whole(out), r.Path)
	switch {
	case code != "":
		return "any"
	case o.table || slices.ContainsFunc(o.schemas, func(s *schema) bool { return format(s) == TableRef }):
		return "table"
	case o.kinds == kindList:
		return "list"
	case o.kinds&(kindList|kindObject) == 0:
		return "value"
	}
	return "any"
}

// WriteTo writes the explanation for people: a line per step by waves, then a line per flow.
func (e Explanation) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for n, ids := range e.Waves {
		fmt.Fprintf(&b, "wave %d\n", n+1)
		for _, id := range ids {
			i := slices.IndexFunc(e.Steps, func(s ExplainedStep) bool { return s.ID == id })
			b.WriteString(e.Steps[i].line())
		}
	}
	if len(e.Flows) > 0 {
		b.WriteString("data\n")
	}
	for _, f := range e.Flows {
		if fmt.Fprintf(&b, "  %s -> %s", f.Part, f.To); f.To != "answer" {
			fmt.Fprintf(&b, " %s (%s)", strings.TrimPrefix(f.Arg, "/"), f.Server)
		}
		fmt.Fprintf(&b, ", %s\n", f.As)
	}
	for _, s := range e.Stops {
		what := "stops there"
		if s.Action == "ask" {
			what = "waits for approval there"
		}
		fmt.Fprintf(&b, "%s %s: its %s would come from %s, which is not trusted; it %s unless the message names the value\n", s.Step, s.Argument, s.Sink, strings.Join(s.From, ", "), what)
	}
	if len(e.Why) > 0 {
		b.WriteString("why\n")
	}
	for _, r := range e.Why {
		b.WriteString(r.line())
	}
	if len(e.Unmeasured) < len(e.Steps) {
		fmt.Fprintf(&b, "about %.1f ms", e.EstimatedMS)
		if len(e.Unmeasured) > 0 {
			fmt.Fprintf(&b, " without %s, not called yet", strings.Join(e.Unmeasured, ", "))
		}
		b.WriteByte('\n')
	} else if len(e.Steps) > 0 {
		b.WriteString("time not known: none of these tools was called yet\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (s ExplainedStep) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s  %s (%s)", s.ID, s.Tool, s.Server)
	if s.Each != "" {
		fmt.Fprintf(&b, ", once for each of %s", s.Each)
	}
	if s.When != "" {
		fmt.Fprintf(&b, ", only when %s", s.When)
	}
	switch {
	case s.Waits == WaitsAlways:
		b.WriteString(", changes things: waits for approval")
	case s.Waits != "":
		b.WriteString(", changes things: waits for approval unless the message itself orders a small change")
	case s.ReadOnly:
		b.WriteString(", only reads")
	}
	if len(s.Untrusted) > 0 {
		fmt.Fprintf(&b, ", untrusted by %s", strings.Join(s.Untrusted, ", "))
	}
	if s.EstimatedMS != nil {
		fmt.Fprintf(&b, ", about %.1f ms", *s.EstimatedMS)
	}
	b.WriteByte('\n')
	for line := range strings.Lines(s.Effect) {
		b.WriteString("      " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}
