package server

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// What is wrong with a plan quotes little of it.
func TestBoundedFindings(t *testing.T) {
	long := strings.Repeat("z", 50_000)
	got := boundedFindings(plan.Findings{{Code: "c", Path: "/steps/" + long, Step: long, Message: "The step " + long + " is too long."}, {Code: "d", Path: "/steps/1", Message: "Short."}})
	if n := len(got[0].Path) + len(got[0].Step) + len(got[0].Message); n > 3*plan.LongestError {
		t.Errorf("a finding of %d bytes", n)
	}
	if got[1].Path != "/steps/1" || got[1].Message != "Short." {
		t.Errorf("a short one is %+v", got[1])
	}
}
