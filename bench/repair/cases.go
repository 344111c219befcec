package main

import (
	"encoding/json"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/planner/plan"
)

// planCase is one row of plan_cases.
type planCase struct {
	ID       string
	Category string
	Raw      string
	Outcome  string          // valid, repaired, error
	Expected json.RawMessage `json:"expected_plan"`
	Errors   []string
	Step     string
	Note     string
	Also     *struct {
		Outcome string
		Errors  []string
		Args    json.RawMessage `json:"expected_args"`
	} `json:"also_accept"`
}

// verdict is what became of one text.
type verdict struct {
	taken    plan.Plan
	plan     neutralPlan
	findings plan.Findings
	repairs  []plan.Repair
}

func (v verdict) outcome() string {
	switch {
	case len(v.findings) > 0:
		return "error"
	case len(v.repairs) > 0:
		return "repaired"
	}
	return "valid"
}

// judge takes a text the way of a model's answer.
func judge(text string, tools []plan.Tool) (verdict, error) { return judgeBy(text, tools, plan.Mend) }

type mender func(plan.Plan, []plan.Tool) (plan.Plan, []plan.Repair)

// unmended is Mend with all its rules off.
func unmended(p plan.Plan, _ []plan.Tool) (plan.Plan, []plan.Repair) { return p, nil }

func judgeBy(text string, tools []plan.Tool, mend mender) (verdict, error) {
	p, err := plan.Parse(text, plan.Limits{})
	if err != nil {
		found := plan.FindingsOf(err)
		if found == nil {
			return verdict{}, err
		}
		return verdict{findings: found}, nil
	}
	p, _ = mend(p, tools)
	v := verdict{findings: plan.Validate(p, tools, nil, plan.Limits{}), repairs: p.Repairs, taken: p}
	if len(v.findings) > 0 {
		return v, nil
	}
	if v.plan, err = fromPlan(p); err != nil { // each, which no row expects
		v.plan = neutralPlan{}
	}
	return v, nil
}

func planCases(o *sets.Options, f *figures) error {
	catalogue, err := sets.Lines[neutralTool](o.Path("malformed", "catalog.jsonl"), 0)
	if err != nil {
		return err
	}
	rows, err := sets.Lines[planCase](o.Path("malformed", "SPLIT", "plan_cases.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	tools := toTools(catalogue)
	for _, r := range rows {
		v, err := judge(r.Raw, tools)
		if err != nil {
			return err
		}
		right, err := r.right(v)
		if err != nil {
			return err
		}
		refusable := r.Outcome == "error" || r.Also != nil && r.Also.Outcome == "error"
		f.dev = append(f.dev, row{r.Category, r.ID, rulesOf(v.repairs), right, refusable})
		f.PlanTotal++
		if right {
			f.PlanRight++
			continue
		}
		silent := len(v.findings) == 0
		if silent {
			f.Silent++
		}
		got, _ := json.Marshal(v.plan)
		o.Missf("%s: want %s %v at %q, got %s (silent: %t)\n  findings %v\n  repairs %+v\n  plan %s\n  raw %s",
			r.ID, r.Outcome, r.Errors, r.Step, v.outcome(), silent, v.findings, v.repairs, got, cut(r.Raw))
	}
	return nil
}

func (r planCase) right(v verdict) (bool, error) {
	if r.Outcome == "error" {
		if v.has(r.Errors, r.Step) {
			return true, nil
		}
	} else if v.outcome() == r.Outcome {
		want, err := decode[neutralPlan](r.Expected)
		if err != nil || sameDAG(v.plan, want, strings.Contains(r.Note, "renaming")) {
			return err == nil, err
		}
	}
	switch {
	case r.Also == nil:
		return false, nil
	case r.Also.Outcome == "error":
		return v.has(r.Also.Errors, ""), nil
	case v.outcome() != r.Also.Outcome:
		return false, nil
	case r.Also.Args != nil:
		return v.hasArgs(r.Step, r.Also.Args)
	}
	want, err := decode[neutralPlan](r.Expected)
	return err == nil && sameDAG(v.plan, want, strings.Contains(r.Note, "renaming")), err
}

// has reports whether one of the findings has one of the codes, at the step when the row names one.
func (v verdict) has(codes []string, step string) bool {
	return slices.ContainsFunc(v.findings, func(f plan.Finding) bool {
		return slices.Contains(codes, code(f.Code, codes)) && (step == "" || f.Step == step)
	})
}

// hasArgs reports whether the step has these arguments among its own.
func (v verdict) hasArgs(step string, raw []byte) (bool, error) {
	want, err := decode[map[string]any](raw)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(v.plan.Steps, func(s neutralStep) bool { return s.ID == step })
	if i < 0 {
		return false, nil
	}
	for k, x := range want {
		if got, ok := v.plan.Steps[i].Args[k]; !ok || !equal(got, x) {
			return false, nil
		}
	}
	return true, nil
}

func cut(s string) string {
	const most = 600
	if len(s) > most {
		return s[:most/2] + " [...] " + s[len(s)-most/2:]
	}
	return s
}
