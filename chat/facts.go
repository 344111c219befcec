package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// gather fills in what the planner is told: the tools and tables of the caller, and what the date is.
func (t *turn) gather(ctx context.Context) error {
	t.ask.Message, t.ask.Locale, t.ask.TimeZone = t.req.Message, t.req.Locale, t.req.TimeZone
	t.ask.MaxRows, t.ask.Owner = int(t.req.MaxRows), t.caller.ID
	t.ask.Tools = switchedOn(t.opts.Catalogue.Planning(t.caller), t.req.ToolsOff)
	if t.opts.Tables != nil {
		came := t.attach(ctx)
		tables, err := t.opts.Tables.Describe(ctx, t.caller, t.req.SessionID)
		if err != nil {
			return fmt.Errorf("chat: the tables could not be described: %w", err)
		}
		t.ask.Tables = slices.Clone(tables)
		for i, info := range t.ask.Tables {
			t.ask.Tables[i].Attached = info.Handle != "" && slices.Contains(came, info.Handle)
		}
		t.ask.Values = t.opts.Tables.Values(ctx, t.caller, t.req.SessionID)
	}
	t.ask.Now, t.asOf = t.now()
	t.ask.Clock = t.started
	if t.req.Now != nil {
		t.ask.Clock = *t.req.Now
	}
	return ctx.Err()
}

// attach loads the files that came with the message and returns the handles of their tables. One that cannot be loaded
// is said and does not stop the others; unread tells those apart.
func (t *turn) attach(ctx context.Context) (came []string) {
	if len(t.req.Attachments) == 0 {
		return nil
	}
	began := t.opts.Now()
	t.sendStep(StepStarted, StepMetadata{StepID: "load", Kind: "load", Status: "started"})
	defer func() {
		t.sendStep(StepFinished, StepMetadata{StepID: "load", Kind: "load", Status: "done",
			DurMS: millis(t.opts.Now().Sub(began))})
	}()
	for _, a := range t.req.Attachments {
		got, err := t.opts.Tables.Attach(ctx, t.caller, t.uploadOf(a))
		came = append(came, got.Handles...)
		var taken *tools.NameTakenError
		if errors.As(err, &taken) {
			t.nameTaken = append(t.nameTaken, taken)
			continue
		}
		if err == nil {
			if a.Braces {
				t.braces = append(t.braces, braced{append(slices.Clone(got.Tables), got.Handles...), string(a.Data)})
			}
			t.tellLoaded(ctx, a, got)
			continue
		}
		reason, hint := "it could not be read as a table", "Send it as CSV, JSON, .xlsx or Parquet."
		var format *table.FormatError
		switch {
		case errors.As(err, &format):
			reason, hint = strings.TrimSuffix(format.Reason, "."), sentence(format.Hint)
		case errors.Is(err, handle.ErrBusy):
			reason, hint = "other files were read all the time", "Send it again in a moment."
		default:
			t.opts.Log.WarnContext(ctx, "an attachment could not be loaded", "run", t.req.RunID, "error", err.Error())
		}
		t.unread = append(t.unread, strings.TrimSpace(fmt.Sprintf("%s was not loaded: %s. %s", a.Name, reason, hint)))
	}
	return came
}

// uploadOf is an attachment as an upload. Names that nobody chose are no conflict.
func (t *turn) uploadOf(a Attachment) tools.Upload {
	u := tools.Upload{Session: t.req.SessionID, Name: a.Name, MediaType: a.MediaType, Locale: t.req.Locale,
		OnConflict: t.req.OnConflict, Data: a.Data}
	if a.Unnamed && u.OnConflict == "" {
		u.OnConflict = tools.KeepBoth
	}
	return u
}

// tellLoaded notes what became of an attachment.
func (t *turn) tellLoaded(ctx context.Context, a Attachment, got tools.Uploaded) {
	t.note(fmt.Sprintf("%s was loaded as %s.", a.Name, JoinNames(got.Tables)))
	for _, n := range got.Notes {
		t.note(n)
	}
	t.tellLoading(ctx, got.Handles)
}

// sentence writes a clause as a sentence, "" for none.
func sentence(clause string) string {
	if clause = strings.TrimSuffix(strings.TrimSpace(clause), "."); clause == "" {
		return ""
	}
	return text.Capital(clause) + "."
}

// refuseUnread refuses a message whose attachments could not be read, before anything is planned: an answer from other
// tables would look like one about them.
func (t *turn) refuseUnread() bool {
	if len(t.unread) == 0 {
		return false
	}
	for _, m := range t.unread {
		t.lack(m)
		t.say(escape(Plain(m)))
	}
	t.say("Nothing was asked of other tables. Send the message again with a file that can be read, or without it.")
	t.resp.Outcome, t.resp.Intent, t.resp.PromptType, t.resp.Title = OutcomeRefuse, "direct", "general",
		shorten(t.req.Message, 80)
	t.resp.Completeness = t.completeness(nil)
	return true
}

// now is the date that a message's "this year" counts from: the request's; else, when all tables that are neither
// results of ours nor live ones have an as-of date, the latest of these, which is then returned as asOf too; else the
// clock.
func (t *turn) now() (now, asOf time.Time) {
	if t.req.Now != nil {
		return *t.req.Now, time.Time{}
	}
	for _, info := range t.ask.Tables {
		if info.Source == "result" || info.Live {
			continue
		}
		if info.AsOf.IsZero() {
			return t.started, time.Time{}
		}
		if info.AsOf.After(asOf) {
			asOf = info.AsOf
		}
	}
	if asOf.IsZero() {
		return t.started, asOf
	}
	return asOf, asOf
}

// lack says what is not in the answer. It makes the answer partial.
func (t *turn) lack(sentence string) {
	sentence = plainLine(sentence)
	for _, m := range t.missing {
		if m == sentence {
			return
		}
	}
	t.missing = append(t.missing, sentence)
}

// plan asks the planner and takes over what it says about itself.
func (t *turn) plan(ctx context.Context) (plan.Response, error) {
	began := t.opts.Now()
	t.sendStep(StepStarted, StepMetadata{StepID: "plan", Kind: "plan", Status: "started"})
	res, err := t.makePlan(ctx)
	meta := StepMetadata{StepID: "plan", Kind: "plan", Status: "done", DurMS: millis(t.opts.Now().Sub(began))}
	t.resp.Usage = t.resp.Usage.Add(res.Usage)
	if err != nil && ctx.Err() != nil {
		meta.Status = string(tools.StepCancelled)
		t.sendStep(StepFinished, meta)
		return res, ctx.Err()
	}
	if err != nil {
		meta.Status = "failed"
		t.sendStep(StepFinished, meta)
		if len(t.req.Plan) > 0 {
			return res, err // of the plan that came, not of a planner
		}
		return res, &planningError{err}
	}
	roundConfidence(&res.Plan)
	meta.Detail = fmt.Sprintf("%s, %s", text.Count(len(res.Plan.Steps), "step"), res.By)
	t.sendStep(StepFinished, meta)
	t.takePlan(res)
	return res, nil
}

// makePlan asks the planner, or takes the plan that came with the message: it has to be as valid as any.
func (t *turn) makePlan(ctx context.Context) (plan.Response, error) {
	own, err := t.req.ownPlan()
	if err != nil {
		return plan.Response{}, err
	}
	if own == nil {
		if len(t.braces) == 0 { // else nothing starts before the whole plan was looked at
			t.beginEarly(ctx)
		}
		res, err := t.opts.Planner.Plan(ctx, t.ask)
		if question := t.unusedBraces(res.Plan); question != "" {
			res.Plan = plan.Plan{Clarify: question, Confidence: 0.5}
		}
		return res, err
	}
	p, _ := plan.Mend(*own, t.ask.Tools)
	if found := plan.Validate(p, t.ask.Tools, t.ask.Tables, plan.Limits{}.WithContext(ctx)); len(found) > 0 {
		return plan.Response{}, found
	}
	return plan.Response{Plan: p, By: "given"}, nil
}

// switchedOn are the tools but for those of these names, or of toolsets of these names.
func switchedOn(all []plan.Tool, off []string) []plan.Tool {
	if len(off) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(t plan.Tool) bool {
		return slices.Contains(off, t.Name) || slices.Contains(off, t.Toolset)
	})
}

// takePlan takes over what a plan says of the turn, and tells it.
func (t *turn) takePlan(res plan.Response) {
	t.resp.PlannedBy, t.resp.Confidence = res.By, res.Plan.Confidence
	t.resp.Title = t.ownWords(res.Plan.Title)
	if t.resp.Title == "" {
		t.resp.Title = shorten(t.req.Message, 80)
	}
	t.resp.Intent, t.resp.PromptType = Intent(res.Plan), promptType(res, t.ask.Tools)
	for _, n := range res.Notes {
		t.note(n)
	}
	if t.opts.Writer == nil && res.By == "offline" && len(res.Notes) == 0 {
		t.note(offlineNote)
	}
	t.resp.Reading, t.resp.Alternatives = res.Plan.Reading, res.Plan.Alternatives
	if res.Plan.Clarify != "" {
		for _, a := range res.Plan.Alternatives {
			t.resp.Choices = append(t.resp.Choices, a.Reading)
		}
	}
	p := res.Plan
	if len(p.Steps) > 0 || len(p.Alternatives) > 0 {
		t.resp.Plan = &p
	}
	if len(p.Steps) > 0 {
		t.send(Payload{Type: ActivitySnapshot, MessageID: t.req.RunID + "-plan",
			ActivityType: ActivityPlan, Content: &p})
	}
}

// beginEarly lets the planner start what is safe to start while it still plans.
func (t *turn) beginEarly(ctx context.Context) {
	if t.opts.Early && t.req.Mode != "plan" {
		t.early = t.opts.Executor.Early(ctx, t.runRequest())
		t.ask.Early = t.early
	}
}

// cancelEarly stops what was started of a plan that did not run.
func (t *turn) cancelEarly() {
	if t.early != nil {
		t.early.Cancel()
	}
}

// planningError says that no planner could do its work.
type planningError struct{ err error }

func (e *planningError) Error() string { return "chat: no plan could be made: " + e.err.Error() }
func (e *planningError) Unwrap() error { return e.err }

// Intent names what a plan does: tool_chain, the one tool's name, clarify or direct.
func Intent(p plan.Plan) string {
	switch {
	case len(p.Steps) > 1:
		return "tool_chain"
	case len(p.Steps) == 1:
		return p.Steps[0].Tool
	case p.Clarify != "":
		return "clarify"
	}
	return "direct"
}

// promptType sorts messages by what answers them: table when a step's tool declares a table as its output, tool for
// other tools, clarify, general.
func promptType(res plan.Response, all []plan.Tool) string {
	if res.Plan.Clarify != "" {
		return "clarify"
	}
	if len(res.Plan.Steps) == 0 {
		return "general"
	}
	for _, s := range res.Plan.Steps {
		for _, tool := range all {
			if tool.Name == s.Tool && givesTable(tool.OutputSchema) {
				return "table"
			}
		}
	}
	return "tool"
}

// givesTable reports whether an output schema is that of a table: it has columns and rows of its own, not somewhere
// within.
func givesTable(schema json.RawMessage) bool {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	return json.Unmarshal(schema, &s) == nil && s.Properties["columns"] != nil && s.Properties["rows"] != nil
}

// JoinNames writes "a", "a and b", "a, b and c".
func JoinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
