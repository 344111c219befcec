package server

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestAnswersMayHaveNull: a pointer without omitempty is null where it points to nothing.
func TestAnswersMayHaveNull(t *testing.T) {
	type answer struct {
		Always  float64  `json:"always"`
		Known   *float64 `json:"known"`
		Omitted *float64 `json:"omitted,omitempty"`
	}
	for answers, want := range map[bool]string{true: `["number","null"]`, false: `"number"`} {
		g := &schemaMaker{answers: answers}
		got, err := json.Marshal(g.object(reflect.TypeFor[answer](), 0)["properties"])
		if err != nil || string(got) != `{"always":{"type":"number"},"known":{"type":`+want+`},"omitted":{"type":"number"}}` {
			t.Errorf("%v: %s, %v", answers, got, err)
		}
	}
}
