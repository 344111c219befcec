package main

import (
	"encoding/json"
	"slices"

	"catena/bench/sets"
	"catena/planner/loosejson"
	"catena/planner/plan"
)

// realOutputs scores what models wrote.
func realOutputs(o *sets.Options, f *figures) error {
	type record struct {
		ID, Kind, Raw string
		Value         json.RawMessage `json:"expected_value"`
		Tools         []string        `json:"expected_tools"`
	}
	rows, err := sets.Lines[record](o.Path("malformed", "SPLIT", "real_llm_outputs.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.RealTotal++
		p, perr := plan.Parse(r.Raw, plan.Limits{})
		if r.Kind == "broken" {
			got, err := loosejson.Read(r.Raw, loosejson.Limits{})
			if tools := toolsIn(got.Value); err == nil && slices.Equal(tools, r.Tools) {
				f.RealExact++
			} else {
				o.Missf("%s (broken): tools %v, want %v: %v\n  %s", r.ID, tools, r.Tools, err, r.Raw)
			}
			if tools := toolsOf(p); perr == nil && slices.Equal(tools, r.Tools) {
				f.RealPlans++
			} else {
				o.Missf("%s (broken): as a plan %v, want %v: %v\n  %s", r.ID, tools, r.Tools, perr, r.Raw)
			}
			continue
		}
		want, err := decode[any](r.Value)
		if err != nil {
			return err
		}
		if got, err := loosejson.Read(r.Raw, loosejson.Limits{}); err == nil && equal(got.Value, want) {
			f.RealExact++
		} else {
			o.Missf("%s (%s): %v\n  %s", r.ID, r.Kind, err, cut(r.Raw))
		}
		if perr == nil && samePlan(p, want) {
			f.RealPlans++
		} else {
			o.Missf("%s (%s): the plan is not that of the value: %v\n  %s", r.ID, r.Kind, perr, cut(r.Raw))
		}
	}
	return nil
}

// toolsIn are the tools of a list of {tool, param}.
func toolsIn(v any) []string {
	var tools []string
	list, _ := v.([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		tool, _ := m["tool"].(string)
		tools = append(tools, tool)
	}
	return tools
}

func toolsOf(p plan.Plan) []string {
	var tools []string
	for _, s := range p.Steps {
		tools = append(tools, s.Tool)
	}
	return tools
}

// samePlan reports whether the steps have the tools and arguments of a list of {tool, param}.
func samePlan(p plan.Plan, want any) bool {
	list, ok := want.([]any)
	if !ok {
		list = []any{want}
	}
	own, err := fromPlan(p)
	if err != nil {
		return false
	}
	return slices.EqualFunc(own.Steps, list, func(s neutralStep, w any) bool {
		m, _ := w.(map[string]any)
		args, _ := m["param"].(map[string]any)
		if args == nil {
			args = map[string]any{}
		}
		return m["tool"] == s.Tool && equal(s.Args, args)
	})
}

// corpora scores the pairs of the two libraries. A row without a value wants an error.
func corpora(o *sets.Options, f *figures) error {
	type record struct {
		ID, Group, Input string
		Value            *json.RawMessage `json:"expected_value"`
		Text             *string          `json:"expected_text"`
		Empty            bool             `json:"expected_empty"`
	}
	for _, set := range []struct {
		name      string
		ok, total *int
	}{{"jsonrepair_corpus", &f.JSONRepairOK, &f.JSONRepairTotal}, {"json_repair_corpus", &f.JSONRepairPyOK, &f.JSONRepairPyAll}} {
		rows, err := sets.Lines[record](o.Path("malformed", "SPLIT", set.name+".jsonl"), o.Limit)
		if err != nil {
			return err
		}
		for _, r := range rows {
			*set.total++
			got, err := loosejson.Read(r.Input, loosejson.Limits{})
			refused := r.Empty || r.Value == nil && r.Text == nil // the library finds nothing to read, or raises
			right := refused == (err != nil)
			var want any
			if right && !refused && r.Value != nil {
				var derr error
				if want, derr = decode[any](*r.Value); derr != nil {
					return derr
				}
			}
			if right = right && (refused || equal(got.Value, want)); right {
				*set.ok++
				continue
			}
			o.Missf("%s %s: %q gives %v %v (%v), want %v (refused: %t)", r.ID, r.Group, cut(r.Input), got.Value, got.Faults, err, want, refused)
		}
	}
	return nil
}
