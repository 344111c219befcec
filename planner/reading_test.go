package planner_test

import (
	"context"
	"strings"
	"testing"

	"catena/planner"
	"catena/planner/plan"
)

// fixed answers always the same.
type fixed plan.Plan

func (f fixed) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{Plan: plan.Plan(f)}, nil
}

func (f fixed) Unread(resp plan.Response) bool { return resp.Plan.Refuse == "unread" }

// Agrees is for plans of the tables that a refusal names.
func (f fixed) Agrees(_ context.Context, _ plan.Request, other plan.Plan) bool {
	name, _ := other.Steps[0].Args["table"].(string)
	return name != "" && strings.Contains(f.Refuse, name)
}

func TestReading(t *testing.T) {
	steps := func(tool, table string) fixed {
		return fixed{Steps: []plan.Step{{ID: "s1", Tool: tool, Args: map[string]any{"table": table}}}}
	}
	req := plan.Request{Tables: []plan.TableInfo{{Name: "memories", Live: true}, {Name: "cars"}}}
	for name, tc := range map[string]struct {
		tables, rest fixed
		want         string // the tool that is called, or what is said
	}{
		"read":                              {steps("query_table", "cars"), steps("get_time", ""), "query_table"},
		"not sure, and the rest would ask":  {fixed{Refuse: "not sure"}, steps("query_table", "cars"), "not sure"},
		"not sure, and the rest has a tool": {fixed{Refuse: "not sure"}, steps("get_time", ""), "get_time"},
		"a live table":                      {fixed{Refuse: "unread"}, steps("query_table", "memories"), "query_table"},
		"asked back, and the rest refuses":  {fixed{Clarify: "which"}, fixed{Refuse: "no"}, "which"},
		"unread, and the rest refuses":      {fixed{Refuse: "unread"}, fixed{Refuse: "no"}, "no"},
		"unread, and the rest would ask":    {fixed{Refuse: "unread"}, steps("query_table", "cars"), "unread"},
	} {
		got, err := planner.Reading(tc.tables, tc.rest).Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		said := got.Plan.Refuse + got.Plan.Clarify
		if len(got.Plan.Steps) > 0 {
			said = got.Plan.Steps[0].Tool
		}
		if said != tc.want {
			t.Errorf("%s: %s, want %s", name, said, tc.want)
		}
	}
}

func sure(p fixed, confidence float64) fixed { p.Confidence = confidence; return p }

func TestSurer(t *testing.T) {
	steps := func(tool, table string) fixed {
		return fixed{Steps: []plan.Step{{ID: "s1", Tool: tool, Args: map[string]any{"table": table}}}}
	}
	req := plan.Request{Tables: []plan.TableInfo{{Name: "memories", Live: true}, {Name: "cars"}}}
	for name, tc := range map[string]struct {
		tables, rest fixed
		want         string
	}{
		"read":                               {steps("query_table", "cars"), steps("get_time", ""), "query_table"},
		"not sure, and the rest agrees":      {fixed{Refuse: "cars, perhaps", Confidence: 0.4}, steps("query_table", "cars"), "query_table"},
		"not sure, and the rest differs":     {fixed{Refuse: "not sure", Confidence: 0.4}, steps("query_table", "cars"), "not sure"},
		"no idea, and the rest would ask":    {fixed{Refuse: "not sure", Confidence: 0.05}, steps("query_table", "cars"), "query_table"},
		"another tool, and the rest asks":    {steps("send_mail", ""), steps("query_table", "cars"), "query_table"},
		"another tool, and a live table":     {steps("send_mail", ""), steps("query_table", "memories"), "send_mail"},
		"another tool, and the rest has one": {steps("send_mail", ""), steps("get_time", ""), "get_time"},
		"another tool, and the rest reads":   {sure(steps("send_mail", ""), 0.9), sure(steps("query_table", "cars"), 0.8), "query_table"},
		"another tool, and the rest doubts":  {sure(steps("send_mail", ""), 0.9), sure(steps("get_time", ""), 0.8), "send_mail"},
		"another tool, and the rest refuses": {steps("send_mail", ""), fixed{Refuse: "no"}, "send_mail"},
		"asked back, and the rest refuses":   {fixed{Clarify: "which"}, fixed{Refuse: "no"}, "which"},
	} {
		got, err := planner.Surer(tc.tables, tc.rest).Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		said := got.Plan.Refuse + got.Plan.Clarify
		if len(got.Plan.Steps) > 0 {
			said = got.Plan.Steps[0].Tool
		}
		if said != tc.want {
			t.Errorf("%s: %s, want %s", name, said, tc.want)
		}
	}
}

// An answer of the rest's to what tables was not sure of is no sure one.
func TestSurerDoubts(t *testing.T) {
	req := plan.Request{Tables: []plan.TableInfo{{Name: "cars"}}}
	query := fixed{Confidence: 0.99, Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: map[string]any{"table": "cars"}}}}
	call := fixed{Confidence: 0.99, Steps: []plan.Step{{ID: "s1", Tool: "get_time"}}}
	for rest, want := range map[*fixed]bool{&query: true, &call: false} {
		got, err := planner.Surer(fixed{Refuse: "cars, perhaps"}, *rest).Plan(t.Context(), req)
		if doubted := got.Plan.Confidence < rest.Confidence; err != nil || doubted != want {
			t.Errorf("%s: %v %v", rest.Steps[0].Tool, got.Plan.Confidence, err)
		}
	}
}
