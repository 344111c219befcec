package main

import (
	"encoding/json"

	"catena/bench/sets"
	"catena/planner/plan"
	"catena/planner/plan/plantest"
)

// family is what became of the faults of one family.
type family struct {
	Name   string `json:"name"`
	Right  int    `json:"right"`
	Total  int    `json:"total"`
	Silent int    `json:"silent_changes"`
}

func (f *family) count(right, silent bool) {
	f.Total++
	if right {
		f.Right++
	}
	if silent {
		f.Silent++
	}
}

// made is how many texts there are of each fault.
const made = 20

// families scores faults that a grammar makes, family by family, in plans over its own tools and over those of servers in the wild.
func families(o *sets.Options, f *figures) error {
	foreign, err := foreignTools(o)
	if err != nil {
		return err
	}
	for _, name := range plantest.Families() {
		sum := family{Name: name}
		for _, c := range plantest.Cases(name, 20261121, made, foreign) {
			got, err := outcomeOf(c, plan.Mend)
			if err != nil {
				return err
			}
			bare, err := outcomeOf(c, unmended)
			if err != nil {
				return err
			}
			f.Unmended.count(c.Judge(bare.Outcome))
			right, silent := c.Judge(got.Outcome)
			refusable := c.Verdict != plantest.Meant
			f.made = append(f.made, row{c.Family, c.Fault, got.rules, right, refusable})
			sum.count(right, silent)
			if !right {
				o.Missf("%s, %s: right: %t, silent: %t, refused: %t %v\n  got %s\n  want %s\n  text %s", c.Family, c.Fault, right, silent, got.Refused, got.why, got.Plan, c.Want, cut(c.Text))
			}
		}
		f.Families = append(f.Families, sum)
	}
	return nil
}

type outcome struct {
	plantest.Outcome
	why   plan.Findings
	rules []string
}

func outcomeOf(c plantest.Case, mend mender) (outcome, error) {
	tools := make([]plan.Tool, 0, len(c.Tools))
	for _, t := range c.Tools {
		tools = append(tools, plan.Tool{Name: t.Name, InputSchema: t.Input, OutputSchema: t.Output, Destructive: t.Destructive, ReadOnly: !t.Destructive})
	}
	v, err := judgeBy(c.Text, tools, mend)
	if err != nil || len(v.findings) > 0 {
		return outcome{Outcome: plantest.Outcome{Refused: true}, why: v.findings}, err
	}
	taken := v.taken
	taken.Repairs = nil
	raw, err := json.Marshal(taken)
	return outcome{Outcome: plantest.Outcome{Told: len(v.repairs) > 0, Plan: raw}, rules: rulesOf(v.repairs)}, err
}

// foreignTools are those of the servers whose tools are to be found.
func foreignTools(o *sets.Options) ([]plantest.Tool, error) {
	list, err := sets.Lines[neutralTool](o.Path("retrieval", "livemcpbench", "tools.jsonl"), 0)
	if err != nil {
		return nil, err
	}
	out := make([]plantest.Tool, 0, len(list))
	for _, t := range list {
		out = append(out, plantest.Tool{Name: t.Name, Input: t.InputSchema})
	}
	return out, nil
}
