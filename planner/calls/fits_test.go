package calls_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"catena/planner/calls"
	"catena/planner/plan"
)

var clockTools = []plan.Tool{
	{
		Name: "get_current_time", Description: "Get the current time in a city.", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
	},
	{
		Name: "delete_alarm", Description: "Deletes an alarm.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"alarm_id":{"type":"string"}},"required":["alarm_id"]}`),
	},
}

func anyTool(plan.Tool) bool { return true }

// TestFitsHalf: a call for one of two names that are said together does half of what is said, and says so.
func TestFitsHalf(t *testing.T) {
	grade := []plan.Tool{{
		Name: "grade_student", Description: "Give a student a grade.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"student":{"type":"string"},"grade":{"type":"integer"}},"required":["student","grade"]}`),
	}}
	for message, passed := range map[string]int{
		"grade the student ann with 3":          0,
		"grade the students ann and bob with 3": 1,
		"grade the students Ann and Bob with 3": 0,
	} {
		fits := calls.NewSet(grade).Fits(message, time.Now(), anyTool)
		if len(fits) == 0 || fits[0].Passed != passed {
			t.Errorf("%q: %+v", message, fits)
		}
	}
}

// TestFits: each word of the message has its use, and what is missing is named.
func TestFits(t *testing.T) {
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	const message = "what time is it in Tokyo, roughly"
	fits := calls.NewSet(clockTools).Fits(message, now, anyTool)
	if len(fits) == 0 || fits[0].Tools[0] != "get_current_time" {
		t.Fatalf("%+v", fits)
	}
	want := map[string]calls.Use{"what": calls.Small, "time": calls.Named, "Tokyo": calls.Filled, "roughly": calls.Unused}
	for _, p := range fits[0].Parts {
		word := message[p.Start:p.End]
		if use, ok := want[word]; ok && use != p.Use {
			t.Errorf("%q is of use %d, want %d", word, p.Use, use)
		}
	}
	open := calls.NewSet(clockTools).Fits("what is the current time", now, anyTool)
	if len(open) == 0 || strings.Join(open[0].Open, " ") != "city" {
		t.Errorf("%+v", open)
	}
	readOnly := func(t plan.Tool) bool { return t.ReadOnly }
	for _, f := range calls.NewSet(clockTools).Fits("delete alarm A12", now, readOnly) {
		if f.Tools[0] == "delete_alarm" {
			t.Error("a tool that may not be called is called")
		}
	}
}
