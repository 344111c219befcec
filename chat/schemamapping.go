package chat

import (
	"context"
	"fmt"
	"strings"

	"catena/chat/form"
	"catena/planner/plan"
	"catena/profiler"
)

// formTries is how often a model may map an answer: a mapping that does not fit is told why, once.
const formTries = 2

// Why a model mapped no answer.
const (
	codeNoMapping  = "mapping_unavailable"
	codeBadMapping = "mapping_refused"
)

// FormAnswer is what of an answer can be put into a schema.
func (r *Response) FormAnswer() form.Answer {
	a := form.Answer{Tables: make([]form.Table, len(r.Tables))}
	for i, t := range r.Tables {
		a.Tables[i] = form.Table{Title: t.Title, Columns: t.Columns, Rows: t.Rows, RowCount: t.RowCount,
			TotalRows: t.TotalRows, Truncated: t.Truncated}
	}
	return a
}

// fitForm has a model map the answer into the schema that the client asks for, where the names of its columns do not
// fill all of it. What goes wrong costs the mapping, never the answer, and is told.
func (t *turn) fitForm(ctx context.Context, planned plan.Response) {
	if t.req.Form == nil || t.resp.Outcome != OutcomeAnswer || len(t.resp.Tables) == 0 {
		return
	}
	schema, err := form.Read(t.req.Form)
	if err != nil {
		return // the server has told it
	}
	answer := t.resp.FormAnswer()
	_, left, err := schema.ByNames(ctx, answer)
	if err == nil && len(left) == 0 {
		return
	}
	if t.opts.Writer != nil && !planned.ModelFailed {
		t.mapAnswer(ctx, schema, answer)
	}
	if err == nil && t.resp.Mapping == nil {
		t.resp.Notes = append(t.resp.Notes,
			fmt.Sprintf("Left out of the asked schema, as no column is called so: %s.",
				clip(strings.Join(left, ", "), maxReason)))
	}
}

// mapAnswer keeps the model's mapping, or what was wrong with it.
func (t *turn) mapAnswer(ctx context.Context, schema *form.Schema, answer form.Answer) {
	answer.Message = t.req.Message
	for i, v := range t.views {
		answer.Tables[i].Totals = len(profiler.TotalsOf(v.Table(), t.resp.Tables[i].Columns)) > 0
	}
	began := t.opts.Now()
	t.sendStep(StepStarted, StepMetadata{StepID: "form", Kind: "llm", Status: "started"})
	meta := StepMetadata{StepID: "form", Kind: "llm", Status: "done"}
	var err error
	if t.resp.Mapping, t.resp.MappingFault, err = t.mapForm(ctx, schema, answer); err != nil {
		meta.Status, meta.Error = "failed", t.resp.MappingFault.Detail
		t.opts.Log.WarnContext(ctx, "an answer was not mapped into the asked schema", "run", t.req.RunID,
			"error", err.Error())
	}
	meta.DurMS = millis(t.opts.Now().Sub(began))
	t.sendStep(StepFinished, meta)
}

// mapForm asks the model for a mapping. The problem says to who asked why there is none; the error has what is for the
// log.
func (t *turn) mapForm(ctx context.Context, schema *form.Schema, answer form.Answer) (form.Mapping, *Problem, error) {
	ctx, cancel := context.WithTimeout(ctx, t.opts.WriteTimeout)
	defer cancel()
	prompt := schema.Prompt(answer)
	var wrong error
	for range formTries {
		text, usage, err := t.opts.Writer.Write(ctx, form.System, prompt)
		t.resp.Usage = t.resp.Usage.Add(usage)
		if err != nil {
			return nil, &Problem{Code: codeNoMapping,
				Detail: "The model that maps the answer into the schema gave no answer."}, err
		}
		m, err := schema.FromModel(ctx, answer, text)
		if err == nil {
			return m, nil, nil
		}
		wrong = err
		prompt = fmt.Sprintf("%s\nYour last answer cannot be used: %s.", schema.Prompt(answer),
			clip(plainLine(err.Error()), maxReason))
	}
	return nil, &Problem{Code: codeBadMapping,
		Detail: fmt.Sprintf("The model's mapping into the schema cannot be used: %s.",
			clip(plainLine(wrong.Error()), maxReason))}, wrong
}
