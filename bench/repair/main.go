// Command repair scores the plan language on what models write: broken plans, broken JSON.
//
//	go -C bench run ./repair -data DIR [-split dev] [-v] [-json]
//
// DIR holds the folders malformed and retrieval. plan_cases goes the way of a model's answer (Parse, Mend, Validate): a row is right when the outcome is
// the expected one or the second that the row accepts: the same DAG (step order is free), repairs reported where something was
// mended and none where nothing was, or a finding with one of the row's codes at the row's step. A silent change is a plan that was
// taken although the row expects an error or another plan, or that was mended without a word.
//
// Then come faults that a grammar makes (planner/plan/plantest), by families, over tools of its own and those of livemcpbench: a row is right when
// it is taken as the plan that is meant, or refused, as its fault demands. A silent change is there any other plan than the one that is meant.
//
// Families are then left out in turn: the rules that no other family's rows exercise are off, and a row that one of
// these mended counts as refused. The same for single forms, and for all rules but those that the rows of plan_cases,
// on which they were written, exercise.
//
// real_llm_outputs and the two corpora measure the lenient reading of JSON (loosejson.Read): exact values; for rows that are
// broken, the tools in order. real_plans counts the rows whose plan by Parse, which does not guess, has the tools and arguments of the
// expected value; rows with a step that names no tool are none. The corpora are the tests of two libraries that disagree with each other: shapes, not truth.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"catena/bench/sets"
)

// figures is the last line with -json.
type figures struct {
	PlanRight       int `json:"plan_right"`
	PlanTotal       int `json:"plan_total"`
	Silent          int `json:"silent_changes"`
	RealExact       int `json:"real_exact"`
	RealTotal       int `json:"real_total"`
	RealPlans       int `json:"real_plans"` // rows whose plan by Parse calls the expected tools with the expected arguments
	JSONRepairOK    int `json:"jsonrepair_ok"`
	JSONRepairTotal int `json:"jsonrepair_total"`
	JSONRepairPyOK  int `json:"json_repair_ok"`
	JSONRepairPyAll int `json:"json_repair_total"`

	Families []family  `json:"families"`
	LeftOut  []leftOut `json:"left_out"`

	Unmended family `json:"unmended"` // all families, without Mend: what its rules hold back, refused or silent

	dev, made []row
}

func main() {
	o := sets.Flags("repair", "the folders malformed and retrieval")
	o.Parse()
	f, err := run(o)
	o.End(f, err)
}

func run(o *sets.Options) (figures, error) {
	var f figures
	for _, score := range []func(*sets.Options, *figures) error{planCases, families, realOutputs, corpora} {
		if err := score(o, &f); err != nil {
			return f, err
		}
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(name string, n, of int) {
		fmt.Fprintf(out, "%s\t%d of %d\t%.1f %%\n", name, n, of, 100*float64(n)/float64(max(of, 1)))
	}
	row("plan_cases", f.PlanRight, f.PlanTotal)
	fmt.Fprintf(out, "silent changes\t%d\n", f.Silent)
	for _, x := range f.Families {
		row(fmt.Sprintf("faults of %s (%d silent)", x.Name, x.Silent), x.Right, x.Total)
	}
	row(fmt.Sprintf("all faults, without Mend (%d silent)", f.Unmended.Silent), f.Unmended.Right, f.Unmended.Total)
	row("real outputs, exact value", f.RealExact, f.RealTotal)
	row("real outputs, as plans", f.RealPlans, f.RealTotal)
	row("jsonrepair's pairs", f.JSONRepairOK, f.JSONRepairTotal)
	row("json_repair's pairs", f.JSONRepairPyOK, f.JSONRepairPyAll)
	printLeftOut(out, "plan_cases", leaveOut(f.dev, f.dev), o.Verbose)
	f.LeftOut = leaveOut(f.made, f.dev)
	printLeftOut(out, "grammar's faults", f.LeftOut, o.Verbose)
	return f, out.Flush()
}
