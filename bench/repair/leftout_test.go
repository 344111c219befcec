package main

import (
	"reflect"
	"testing"

	"catena/planner/plan"
)

// TestLeaveOut: a row that a rule of its family alone mended is right only where a refusal is.
func TestLeaveOut(t *testing.T) {
	rows := []row{
		{family: "a", form: "1", rules: []string{"shared"}, right: true},
		{family: "a", form: "2", rules: []string{"own"}, right: true},
		{family: "a", form: "3", rules: []string{"own"}, right: true},
		{family: "a", form: "4", rules: []string{"once"}, right: true},
		{family: "a", form: "5", rules: []string{"refused"}, right: true, refusable: true},
		{family: "a", form: "6", right: true},
		{family: "a", form: "7"},
		{family: "b", form: "1", rules: []string{"shared"}, right: true},
	}
	dev := []row{{family: "c", rules: []string{"once"}}}
	want := []leftOut{
		{Name: "a", Total: 7, Family: 3, Form: 5, Dev: 3,
			Own: []string{"own", "once", "refused"}, Cases: []string{"once", "refused"}},
		{Name: "b", Total: 1, Family: 1, Form: 1, Dev: 0},
	}
	if got := leaveOut(rows, dev); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestRulesOf: each fault of a text that was read in spite of several is a rule of its own.
func TestRulesOf(t *testing.T) {
	got := rulesOf([]plan.Repair{
		{Code: "syntax", Why: "read in spite of a comment, a missing comma"},
		{Code: "enum", Why: "near"}, {Code: "enum", Why: "near"},
	})
	if want := []string{"enum: near", "syntax: a comment", "syntax: a missing comma"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
