package chat

import (
	"context"
	"fmt"

	"catena/chat/form"
	"catena/planner/plan"
	"catena/profiler"
)

// formTries is how often a model may map an answer: a mapping that does not fit is told why, once.
const formTries = 2

// FormAnswer is what of an answer can be put into a schema.
func (r *Response) FormAnswer() form.Answer {
	a := form.Answer{Tables: make([]form.Table, len(r.Tables))}
	for i, t := range r.Tables {
		a.Tables[i] = form.Table{Title: t.Title, Columns: t.Columns, Rows: t.Rows, RowCount: t.RowCount, TotalRows: t.TotalRows, Truncated: t.Truncated}
	}
	return a
}

// fitForm has a model map the answer into the schema that the client asks for, where the names of its columns do not. What goes wrong costs
// the mapping, never the answer: the server says then why it does not fit.
func (t *turn) fitForm(ctx context.Context, planned plan.Response) {
	asked := t.req.Form != nil && t.opts.Writer != nil && !planned.ModelFailed
	answered := t.resp.Outcome == OutcomeAnswer && len(t.resp.Tables) > 0
	if !asked || !answered {
		return
	}
	schema, err := form.Read(t.req.Form)
	if err != nil {
		return // the server has told it
	}
	answer := t.resp.FormAnswer()
	if _, err := schema.ByNames(answer); err == nil {
		return
	}
	answer.Message = t.req.Message
	for i, v := range t.views {
		answer.Tables[i].Totals = len(profiler.TotalsOf(v.Table(), t.resp.Tables[i].Columns)) > 0
	}
	began := t.opts.Now()
	t.sendStep(StepStarted, StepMetadata{StepID: "form", Kind: "llm", Status: "started"})
	meta := StepMetadata{StepID: "form", Kind: "llm", Status: "done"}
	if t.resp.Mapping, err = t.mapForm(ctx, schema, answer); err != nil {
		meta.Status, meta.Error = "failed", "the model did not map the answer into the schema"
		t.opts.Log.WarnContext(ctx, "an answer was not mapped into the asked schema", "run", t.req.RunID, "error", err.Error())
	}
	meta.DurMS = millis(t.opts.Now().Sub(began))
	t.sendStep(StepFinished, meta)
}

// mapForm asks the model for a mapping.
func (t *turn) mapForm(ctx context.Context, schema *form.Schema, answer form.Answer) (form.Mapping, error) {
	ctx, cancel := context.WithTimeout(ctx, t.opts.WriteTimeout)
	defer cancel()
	prompt := schema.Prompt(answer)
	var wrong error
	for range formTries {
		text, usage, err := t.opts.Writer.Write(ctx, form.System, prompt)
		t.resp.Usage = t.resp.Usage.Add(usage)
		if err != nil {
			return nil, err
		}
		m, err := schema.FromModel(answer, text)
		if err == nil {
			return m, nil
		}
		wrong = err
		prompt = fmt.Sprintf("%s\nYour last answer cannot be used: %s.", schema.Prompt(answer), clip(plainLine(err.Error()), maxReason))
	}
	return nil, wrong
}
