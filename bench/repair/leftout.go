package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"catena/planner/plan"
)

// row is what became of one text, for the families that are left out.
type row struct {
	family, form string
	rules        []string // that mended it
	right        bool
	refusable    bool // a refusal is right too
}

// leftOut is a family whose own rules are off: those that no row beside the family's exercises. A row that one of
// these mended counts as refused: another rule might have mended it, or the plan might have passed as it was written,
// which these figures do not tell.
type leftOut struct {
	Name   string   `json:"name"`
	Total  int      `json:"total"`
	Family int      `json:"family_left_out"` // right by the rules that rows of other families exercise
	Form   int      `json:"form_left_out"`   // right by the rules that rows of other forms exercise, of any family
	Dev    int      `json:"dev_rows_only"`   // right by the rules that the rows of plan_cases exercise
	Own    []string `json:"own_rules"`       // those that no other family exercises
	Cases  []string `json:"single_rules"`    // those that one form alone exercises: special cases, if there are any
}

// rulesOf names the rules that mended a plan: by the reason, and each fault of a text that was read in spite of some.
func rulesOf(repairs []plan.Repair) []string {
	var out []string
	for _, r := range repairs {
		code, why := r.Code, r.Why
		if faults, several := strings.CutPrefix(why, "read in spite of "); several {
			for _, f := range strings.Split(faults, ", ") {
				out = append(out, code+": "+f)
			}
			continue
		}
		out = append(out, code+": "+why)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// users tells which of a key of rows exercise a rule.
func users(rows []row, key func(row) string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, r := range rows {
		for _, rule := range r.rules {
			if out[rule] == nil {
				out[rule] = map[string]bool{}
			}
			out[rule][key(r)] = true
		}
	}
	return out
}

// leaveOut scores each family with its own rules off. dev are the rows of plan_cases.
func leaveOut(rows, dev []row) []leftOut {
	byFamily := users(rows, func(r row) string { return r.family })
	byForm := users(rows, func(r row) string { return r.family + "/" + r.form })
	inDev := users(dev, func(row) string { return "dev" })
	var out []leftOut
	for _, r := range rows {
		i := slices.IndexFunc(out, func(x leftOut) bool { return x.Name == r.family })
		if i < 0 {
			i = len(out)
			out = append(out, leftOut{Name: r.family})
		}
		x := &out[i]
		x.Total++
		own := func(rule string) bool { return len(byFamily[rule]) < 2 }
		x.Family += r.without(own)
		single := func(rule string) bool { return len(byForm[rule]) < 2 }
		x.Form += r.without(single)
		x.Dev += r.without(func(rule string) bool { return inDev[rule] == nil })
		for _, rule := range r.rules {
			if own(rule) && !slices.Contains(x.Own, rule) {
				x.Own = append(x.Own, rule)
			}
			if single(rule) && !slices.Contains(x.Cases, rule) {
				x.Cases = append(x.Cases, rule)
			}
		}
	}
	return out
}

// without is 1 when the row is right with some rules off.
func (r row) without(off func(rule string) bool) int {
	right := r.right
	if slices.ContainsFunc(r.rules, off) {
		right = r.refusable
	}
	if right {
		return 1
	}
	return 0
}

func printLeftOut(out io.Writer, title string, list []leftOut, verbose bool) {
	fmt.Fprintf(out, "\n%s, with rules off\trows\tfamily left out\tform left out\tdev's rules alone\n", title)
	var sum leftOut
	line := func(x leftOut) {
		share := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(x.Total, 1))) }
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%s\n", x.Name, x.Total, share(x.Family), share(x.Form), share(x.Dev))
	}
	for _, x := range list {
		line(x)
		sum.Total, sum.Family = sum.Total+x.Total, sum.Family+x.Family
		sum.Form, sum.Dev = sum.Form+x.Form, sum.Dev+x.Dev
		for _, rule := range x.Own {
			if verbose {
				fmt.Fprintf(out, "  its own rule: %s (of one form: %t)\n", rule, slices.Contains(x.Cases, rule))
			}
		}
	}
	sum.Name = "all"
	line(sum)
}
