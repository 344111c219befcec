package main

import (
	"cmp"
	"fmt"

	"catena/bench/answers"
)

// judge says whether a prediction is right, and why not.
func judge(q question, p prediction) (bool, string) {
	want := cmp.Or(q.Gold.Outcome, "answer")
	back := p.Outcome == "refuse" || p.Outcome == "clarify"
	switch {
	case !q.answerable() || want == "refuse" || want == "clarify":
		if back && len(p.Rows) == 0 {
			return true, "ok"
		}
		return false, "answered an unanswerable question"
	case want == "approval" && p.Outcome != "approval":
		return false, "did not ask for approval"
	case want == "approval" && p.Rows == nil:
		return true, "ok"
	case back:
		return false, "refused or asked back"
	case p.Rows == nil:
		return false, "no table"
	}
	for _, g := range append([]answers.Gold{q.Gold}, q.Gold.Alt...) {
		if g.Match(p.Rows) {
			return true, "ok"
		}
	}
	return false, fmt.Sprintf("rows %d, gold %d", len(p.Rows), len(q.Gold.Rows))
}
