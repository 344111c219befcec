package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"catena/planner/plan"
)

// The sets' neutral plan language is ours but for two things: its answer is one tree where ours is a list, and its findings
// have a code not_json for texts that ours calls no_plan or syntax.

// neutralStep and neutralPlan are a plan as the sets write it. Refs and concatenations stay the objects that they are in JSON.
type (
	neutralStep struct {
		ID   string         `json:"id"`
		Tool string         `json:"tool"`
		Args map[string]any `json:"args"`
	}
	neutralPlan struct {
		Steps  []neutralStep `json:"steps"`
		Answer any           `json:"answer,omitempty"`
	}
)

// fromPlan writes a plan of ours in the neutral language.
func fromPlan(p plan.Plan) (neutralPlan, error) {
	var out neutralPlan
	for _, s := range p.Steps {
		if s.Each != nil || s.When != nil {
			return out, fmt.Errorf("step %s: each and when have no form in the neutral language", s.ID)
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return out, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var own struct {
		Steps  []neutralStep `json:"steps"`
		Answer []any         `json:"answer"`
	}
	if err := dec.Decode(&own); err != nil {
		return out, err
	}
	out.Steps = own.Steps
	switch len(own.Answer) {
	case 0:
	case 1:
		out.Answer = own.Answer[0]
	default:
		out.Answer = own.Answer
	}
	return out, nil
}

// toTools reads the sets' tools as a planner is told of them.
func toTools(list []neutralTool) []plan.Tool {
	out := make([]plan.Tool, 0, len(list))
	for _, t := range list {
		out = append(out, plan.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			ReadOnly: !t.Annotations.Destructive, Destructive: t.Annotations.Destructive})
	}
	return out
}

type neutralTool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  struct {
		Destructive bool `json:"destructiveHint"`
	} `json:"annotations"`
}

// code is a finding's code as the sets call it, for rows that expect want.
func code(c plan.Code, want []string) string {
	if (c == plan.NoPlan || c == plan.Syntax) && slices.Contains(want, "not_json") {
		return "not_json"
	}
	return string(c)
}

// sameDAG compares plans; renamed lets the steps have other ids in the same order.
func sameDAG(a, b neutralPlan, renamed bool) bool {
	if len(a.Steps) != len(b.Steps) || !equal(a.Answer, b.Answer) && !renamed {
		return false
	}
	if renamed {
		for i := range a.Steps {
			if a.Steps[i].Tool != b.Steps[i].Tool || !equal(a.Steps[i].Args, b.Steps[i].Args) {
				return false
			}
		}
		return true
	}
	for _, s := range a.Steps {
		i := slices.IndexFunc(b.Steps, func(t neutralStep) bool { return t.ID == s.ID })
		if i < 0 || b.Steps[i].Tool != s.Tool || !equal(s.Args, b.Steps[i].Args) {
			return false
		}
	}
	return true
}

// equal compares JSON values, numbers by value.
func equal(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		p, ok1 := new(big.Rat).SetString(x.String())
		q, ok2 := new(big.Rat).SetString(y.String())
		return ok1 && ok2 && p.Cmp(q) == 0
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	}
	return reflect.DeepEqual(a, b)
}

// decode reads JSON of the sets with numbers as they are written.
func decode[T any](raw []byte) (T, error) {
	var v T
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return v, dec.Decode(&v)
}
