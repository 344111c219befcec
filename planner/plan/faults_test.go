package plan

import (
	"encoding/json"
	"testing"

	"catena/planner/plan/plantest"
)

// outcomeOf takes the text of a case the way of a model's answer.
func outcomeOf(t *testing.T, c plantest.Case) plantest.Outcome {
	t.Helper()
	tools := make([]Tool, 0, len(c.Tools))
	for _, x := range c.Tools {
		tools = append(tools, Tool{Name: x.Name, InputSchema: x.Input, OutputSchema: x.Output, Destructive: x.Destructive, ReadOnly: !x.Destructive})
	}
	p, err := Parse(c.Text, Limits{})
	if err != nil {
		return plantest.Outcome{Refused: true}
	}
	p, _ = Mend(p, tools)
	if found := Validate(p, tools, []TableInfo{}, Limits{}); len(found) > 0 {
		return plantest.Outcome{Refused: true}
	}
	told := len(p.Repairs) > 0
	p.Repairs = nil
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return plantest.Outcome{Told: told, Plan: raw}
}

// TestFaults: plans with faults made by a grammar over schemas that it makes too are mended to the plan that is meant, or refused, as each
// fault demands. None is changed without a word.
func TestFaults(t *testing.T) {
	const each = 3
	for _, family := range plantest.Families() {
		t.Run(family, func(t *testing.T) {
			right, all := 0, 0
			for _, c := range plantest.Cases(family, 1, each, nil) {
				ok, silent := c.Judge(outcomeOf(t, c))
				all++
				if ok {
					right++
				}
				if silent {
					t.Errorf("%s: a silent change\n%s\nwant %s", c.Fault, c.Text, c.Want)
				} else if !ok {
					t.Logf("%s: wrong\n%s\nwant %s", c.Fault, c.Text, c.Want)
				}
			}
			if all == 0 || float64(right) < 0.95*float64(all) {
				t.Errorf("%d of %d are right", right, all)
			}
		})
	}
}

// FuzzFaults: no fault of the grammar, whatever the schema, changes a plan silently. An input is a plan with each fault of a family.
func FuzzFaults(f *testing.F) {
	families := plantest.Families()
	for i := range families {
		f.Add(uint64(2), uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, family uint8) {
		for _, c := range plantest.Cases(families[int(family)%len(families)], seed, 1, nil) {
			if _, silent := c.Judge(outcomeOf(t, c)); silent {
				t.Errorf("%s, %s: a silent change\n%s\nwant %s", c.Family, c.Fault, c.Text, c.Want)
			}
		}
	})
}
