package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// offlineNote stays out of the answer's text: planned_by says the same, on every turn.
const offlineNote = "Planned offline: no language model is configured."

// maxReason bounds what a tool says of its failure, in characters.
const maxReason = 1000

// settle answers turns that run nothing: a direct reply, a question back, a refusal, a plan that was only asked for. It
// reports whether this is one.
func (t *turn) settle(res plan.Response) bool {
	p := res.Plan
	switch {
	case p.Clarify != "":
		t.resp.Outcome, t.resp.Question = OutcomeClarify, p.Clarify
		t.say(p.Clarify)
	case p.Refuse != "":
		t.resp.Outcome = OutcomeRefuse
		t.say(p.Refuse)
	case len(p.Steps) == 0 && res.Direct != "":
		t.resp.Outcome = OutcomeAnswer
		t.say(res.Direct)
	case len(p.Steps) == 0:
		t.resp.Outcome = OutcomeRefuse
		t.say(t.offer())
	case t.req.Mode == "plan":
		t.resp.Outcome = OutcomeAnswer
		t.say(describe(p))
	default:
		return false
	}
	t.resp.Completeness = t.completeness(nil)
	return true
}

// say adds a paragraph to the answer.
func (t *turn) say(text string) {
	t.sayBoth(text, text)
}

// sayBoth adds a paragraph of which the log and the session have a shorter one.
func (t *turn) sayBoth(whole, brief string) {
	if whole = strings.TrimSpace(whole); whole != "" {
		t.text = append(t.text, paragraph{whole, strings.TrimSpace(brief)})
	}
}

// offer says what can be asked here, for a message that no planner had an answer to.
func (t *turn) offer() string {
	if len(t.ask.Tables) == 0 {
		return "This cannot be answered here, and there are no tables to ask about. Attach a file, or name some under data.sources."
	}
	names := make([]string, 0, 5)
	for _, info := range t.ask.Tables[:min(len(t.ask.Tables), cap(names))] {
		names = append(names, fmt.Sprintf("%s (%s)", escape(info.Name), text.Count(info.Rows, "row")))
	}
	return fmt.Sprintf("This cannot be answered here. Tables here: %s. Try: how many rows are in %s?", strings.Join(names, ", "), escape(t.ask.Tables[0].Name))
}

// describe writes a plan for people.
func describe(p plan.Plan) string {
	var b strings.Builder
	b.WriteString("Nothing was run. The plan:\n")
	for i, s := range p.Steps {
		args, err := json.Marshal(s.Args)
		if err != nil {
			args = []byte("{}") // a plan came out of JSON
		}
		fmt.Fprintf(&b, "\n%d. `%s` %s `%s`", i+1, s.ID, s.Tool, strings.ReplaceAll(tools.SeenJSON(string(args)), "`", "'"))
	}
	return b.String()
}

// answer makes the response of what the plan gave.
func (t *turn) answer(ctx context.Context, out tools.Outcome) {
	began := t.opts.Now()
	t.sendStep(StepStarted, StepMetadata{StepID: "format", Kind: "format", Status: "started"})
	t.recordSteps(out)
	for i := range out.Answer {
		t.show(ctx, &out.Answer[i])
	}
	if !t.askWhich(ctx, out) {
		for _, m := range out.Missing {
			t.lack(shorten(m, maxReason))
		}
	}
	t.outcome(out)
	t.stepNotes(out)
	if !t.asOf.IsZero() && slices.ContainsFunc(out.Steps, t.dated) {
		t.note(fmt.Sprintf("%s as of %s; \"this year\" and the like count from there.", t.whose(), t.asOf.Format("2 January 2006")))
	}
	t.resp.Completeness = t.completeness(out.Steps)
	t.sendStep(StepFinished, StepMetadata{StepID: "format", Kind: "format", Status: "done", DurMS: millis(t.opts.Now().Sub(began))})
}

// dated reports whether a step speaks of the data that the turn's date comes from.
func (t *turn) dated(s tools.StepResult) bool { return s.Result.AsOf.Equal(t.asOf) }

// whose names the data that the turn's date comes from.
func (t *turn) whose() string {
	for _, info := range t.ask.Tables {
		if info.Source == "demo" && info.AsOf.Equal(t.asOf) {
			return "Demo data"
		}
	}
	return "Data"
}

// recordSteps lists what was run.
func (t *turn) recordSteps(out tools.Outcome) {
	for _, s := range out.Steps {
		t.recordStep(s)
	}
	for _, s := range out.Pending {
		t.resp.Pending = append(t.resp.Pending, Pending{
			Step: s.ID, Tool: s.Tool, Args: s.Args, ArgsHash: shownHash(s.ArgsHash, s.Attempt), Reason: s.Code, Attempt: s.Attempt, Effect: s.Effect,
		})
	}
}

// recordStep lists one step.
func (t *turn) recordStep(s tools.StepResult) {
	info := StepInfo{
		ID: s.ID, Tool: s.Tool, Status: string(s.Status), Attempt: s.Attempt, StartedAt: s.Started, DurationMS: millis(s.Duration),
		Error: Plain(shorten(s.Error, maxReason)), Args: cappedArgs(s.Args), Reused: s.Reused,
	}
	if s.Result.Table != nil {
		rows := s.Result.Table.NumRows()
		info.Rows = &rows
		t.resp.PromptType = "table"
	}
	t.resp.Steps = append(t.resp.Steps, info)
	if s.Attempt > 0 {
		t.resp.ToolsExecuted = append(t.resp.ToolsExecuted, s.Tool)
	}
}

// outcome decides how the turn ended: waiting for approval, answered in whole or part, or failed altogether.
func (t *turn) outcome(out tools.Outcome) {
	switch {
	case len(out.Pending) > 0:
		t.resp.Outcome = OutcomeApproval
		t.sayWaits()
	case t.resp.Question != "":
		t.resp.Outcome = OutcomeClarify
	case len(t.text) > 0 || len(t.resp.Tables) > 0 || len(t.resp.Charts) > 0:
		t.resp.Outcome = OutcomeAnswer
		if declined := t.declined(out); declined != "" {
			t.note(declined)
		}
	case t.declined(out) != "" && !slices.ContainsFunc(out.Steps, func(s tools.StepResult) bool { return s.Status == tools.StepFailed }):
		t.resp.Outcome = OutcomeAnswer
		t.say(t.declined(out))
	default:
		t.resp.Outcome = OutcomeError
		t.resp.Error = failure(out)
		t.say(t.resp.Error.Detail)
	}
}

// failure says why nothing came of a plan: the first step that failed.
func failure(out tools.Outcome) *Problem {
	for _, s := range out.Steps {
		if s.Status == tools.StepFailed {
			p := &Problem{Code: s.Code, Detail: Plain(shorten(s.Error, maxReason)), Hint: "Ask in other words, or see the steps for what was tried."}
			if p.Code == "" {
				p.Code = "tool_failed"
			}
			if p.Detail == "" {
				p.Detail = s.Tool + " failed without saying why."
			}
			return p
		}
	}
	return &Problem{Code: "no_result", Detail: "The plan ran, but gave nothing to show.", Hint: "Ask in other words."}
}

// stepNotes adds what the tools of steps that are not shown themselves had to say.
func (t *turn) stepNotes(out tools.Outcome) {
	shown := map[string]bool{}
	for _, item := range out.Answer {
		if item.Result != nil {
			shown[item.Step] = true
		}
	}
	for _, s := range out.Steps {
		if !shown[s.ID] {
			for _, n := range t.ownNotes(&s.Result) {
				t.note(n)
			}
		}
	}
}

// showText shows a result without a table of its own: the records that it holds as one, else its text, else its fields.
// A text that a chart says too is left to the chart.
func (t *turn) showText(ctx context.Context, step string, r *tools.Result) {
	notes := t.ownNotes(r)
	// what nobody has written for people
	machine := parseJSON(r.Text) != nil || repeats(r.Structured, strings.TrimSpace(r.Text))
	bare := r.Structured != nil && len(r.Charts) == 0
	if bare && (machine || r.Untrusted) {
		if t.showRecords(ctx, step, r, notes, machine) {
			return
		}
	}
	var text string
	switch {
	case r.Structured == nil && len(r.Charts) == 0 && strings.TrimSpace(r.Text) == "":
		text, notes = t.withoutValue(step, notes), nil
	case bare && machine:
		text = t.valueText(ctx, step, r)
	default:
		text = t.wholeText(step, r)
	}
	for _, n := range notes {
		t.note(n)
	}
	if text != "" && !slices.ContainsFunc(r.Charts, func(c tools.Chart) bool { return c.Alt == r.Text }) {
		t.sayFact(text)
	}
}

// wholeText is the text of a result, and the fields that the text of another server's tool leaves out.
func (t *turn) wholeText(step string, r *tools.Result) string {
	text := t.toolText(r, t.toolOf(step), t.remote(step))
	if text != "" && t.remote(step) && leavesOut(r.AsWritten(), r.Text) {
		text += "\n\n" + fieldsText(r.AsWritten())
	}
	return text
}

// valueText writes a structured result that is no table for people.
func (t *turn) valueText(ctx context.Context, step string, r *tools.Result) string {
	v, err := jsonValue(r.Structured)
	if err != nil {
		return fieldsText(r.AsWritten())
	}
	v, written := unwrapped(v, r.AsWritten())
	if text, ok := onlyText(v); ok {
		worded := *r
		worded.Text = text
		return t.toolText(&worded, t.toolOf(step), t.remote(step))
	}
	if text := factsText(ctx, v, t.title(r), t.req.Locale); text != "" {
		return text
	}
	return fieldsText(written)
}

// showRecords shows the rows in a structured result as a table and what stands beside them as fields; with a text that
// was written for people, which says more, only where nothing does. It reports whether there are rows.
func (t *turn) showRecords(ctx context.Context, step string, r *tools.Result, notes []string, machine bool) bool {
	list, ok := recordsIn(r.AsWritten())
	if !ok {
		return false
	}
	total := list.Count()
	if !machine && len(list.Beside) > 0 {
		return false
	}
	t.resp.PromptType = "table"
	tab := t.described(list.Table, step)
	t.showTable(ctx, shownTable{table: tab, name: r.Name, title: t.title(r), total: total, hide: r.Hide, signed: r.Signed, notes: notes, outside: r.Untrusted, untrusted: r.Untrusted})
	if len(list.Beside) > 0 {
		t.sayFact(fieldsText(list.Beside))
	}
	return true
}

// ownNotes are a result's notes without the one that only tells its as-of date, where the turn says that once for all.
func (t *turn) ownNotes(r *tools.Result) []string {
	notes := make([]string, len(r.Notes))
	for i, n := range r.Notes {
		notes[i] = plainLine(n)
	}
	if t.asOf.IsZero() || !r.AsOf.Equal(t.asOf) {
		return notes
	}
	date := "as of " + r.AsOf.Format(time.DateOnly)
	return slices.DeleteFunc(notes, func(n string) bool { return strings.HasSuffix(strings.TrimSuffix(n, "."), date) })
}

// show adds one item of the answer.
func (t *turn) show(ctx context.Context, item *tools.Item) {
	if item.Result == nil {
		t.showValue(ctx, item.Step, item.Value)
		return
	}
	r := item.Result
	if r.Table != nil {
		text := r.Text
		if r.Untrusted {
			text = PlainMarkdown(text)
		}
		// Beside Structured the text is a sentence about the table. Of an empty table it says enough.
		if r.Structured != nil && parseJSON(text) == nil && r.Table.NumRows() > 0 {
			t.say(text)
			text = ""
		}
		t.showTable(ctx, shownTable{
			table: r.Table, handle: r.Handle, title: t.title(r), total: r.Total, hide: r.Hide, signed: r.Signed, notes: t.ownNotes(r), name: r.Name, text: text,
			untrusted: r.Untrusted, outside: r.Untrusted && t.toolset(item.Step) != dataToolset,
		})
	} else {
		t.showText(ctx, item.Step, r)
	}
	for _, c := range r.Charts {
		t.showChart(c)
	}
}

// title is a table's heading: the tool's, else the plan's when the answer is one thing, else the table's name.
func (t *turn) title(r *tools.Result) string {
	switch {
	case r.Title != "":
		return r.Title
	case t.resp.Plan != nil && t.resp.Plan.Title != "" && len(t.resp.Plan.Answers()) == 1:
		return text.Capital(t.ownWords(t.resp.Plan.Title))
	}
	return text.Capital(strings.ReplaceAll(r.Name, "_", " "))
}

// showValue shows a value out of a step: a sentence for a scalar, a table for what has rows, fields for the rest.
func (t *turn) showValue(ctx context.Context, step string, v any) {
	title := ""
	if t.resp.Plan != nil && len(t.resp.Plan.Answers()) == 1 {
		title = text.Capital(t.ownWords(t.resp.Plan.Title))
	}
	switch v.(type) {
	case []any, map[string]any:
		tab, err := load.Any(v, table.Limits{})
		if err == nil && tab.NumCols() > 0 {
			t.showTable(ctx, shownTable{table: t.described(tab, step), title: title})
			return
		}
		t.sayFact(t.valueText(ctx, step, &tools.Result{Structured: v, Title: title, Untrusted: true}))
		return
	}
	text := scalarText(v)
	if title != "" {
		text = fmt.Sprintf("**%s**: %s", escape(title), text)
	}
	t.sayFact(text)
}

func (t *turn) sayFact(text string) {
	t.say(text)
	t.facts, t.figures = append(t.facts, text), append(t.figures, text)
}

// scalarText writes a scalar for people.
func scalarText(v any) string {
	switch x := v.(type) {
	case nil:
		return "nothing"
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case string:
		return escape(x)
	}
	plain := fmt.Sprint(v)
	if f, ok := v.(float64); ok {
		if b, err := json.Marshal(f); err == nil {
			plain = string(b) // never 1e+06
		}
	}
	whole, fraction, _ := strings.Cut(plain, ".")
	digits := strings.TrimPrefix(whole, "-")
	if len(digits) > 3 && !slices.ContainsFunc([]byte(digits), func(c byte) bool { return c < '0' || c > '9' }) {
		var n int
		if _, err := fmt.Sscan(whole, &n); err == nil {
			whole = text.Thousands(n)
		}
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}
