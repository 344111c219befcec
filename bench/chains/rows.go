package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// row is a record of one of the sets: a plan in the neutral language of the sets, and how it ends.
type row struct {
	ID       string          `json:"id"`
	Group    string          `json:"group"`
	Question string          `json:"question"`
	Status   string          `json:"status"` // invalid: a plan that breaks a schema or itself
	Why      string          `json:"why"`    // the code of what is wrong, and where
	Steps    []neutralStep   `json:"steps"`
	Answer   json.RawMessage `json:"answer"`
	Gold     json.Number     `json:"gold_answer"`
	Expected json.RawMessage `json:"expected"`
	SerialMS float64         `json:"serial_ms"`
	PathMS   float64         `json:"critical_path_ms"`
	Bound8MS float64         `json:"lower_bound_8_workers_ms"`
	Shape    string          `json:"shape"`
}

type neutralStep struct {
	ID   string          `json:"id"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// text writes the row's plan in Catena's language: the neutral one has the same references, only the answer is a list here and
// names of tools may be others. A reference to no step's id stays as it is, for the validator to refuse.
func (r row) text(tool func(name string) string) (string, error) {
	type step struct {
		ID   string          `json:"id"`
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	p := struct {
		Steps  []step            `json:"steps"`
		Answer []json.RawMessage `json:"answer,omitempty"`
	}{}
	for _, s := range r.Steps {
		p.Steps = append(p.Steps, step{s.ID, tool(s.Tool), s.Args})
	}
	if len(r.Answer) > 0 && string(r.Answer) != "null" {
		p.Answer = append(p.Answer, r.Answer)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(p)
	return b.String(), err
}

// caller is who asks in all measurements.
var caller = access.Local("bench")

var checker plan.Checker

// readPlan parses and validates a row's plan, as it comes to the executor in the product.
func readPlan(r row, catalogue []plan.Tool, tool func(string) string) (plan.Plan, error) {
	text, err := r.text(tool)
	if err != nil {
		return plan.Plan{}, err
	}
	p, err := plan.Parse(text, plan.Limits{})
	if err != nil {
		return plan.Plan{}, err
	}
	if found := checker.Validate(p, catalogue, nil, plan.Limits{}, r.Question); len(found) > 0 {
		return plan.Plan{}, found
	}
	return p, nil
}

// stand is a registry with an executor over it.
type stand struct {
	reg  *tools.Registry
	exec *tools.Executor
}

// run runs a plan to its end; a step that did not end well is an error.
func (s stand) run(ctx context.Context, p plan.Plan) (tools.Outcome, error) {
	out, err := s.exec.Run(ctx, tools.RunRequest{Caller: caller, Plan: p}, nil)
	if err != nil {
		return out, err
	}
	var errs []error
	for _, step := range out.Steps {
		if step.Status != tools.StepDone {
			errs = append(errs, fmt.Errorf("%s (%s) %s: %s", step.ID, step.Tool, step.Status, step.Error))
		}
	}
	return out, errors.Join(errs...)
}

// decode reads JSON with numbers as they are written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// canonical writes JSON with sorted keys, without spaces and HTML escapes.
func canonical(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
