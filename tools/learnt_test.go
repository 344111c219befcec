package tools_test

import (
	"context"
	"testing"
	"time"

	"catena/tools"
)

// What one process learnt of latencies the next one knows; what is no such thing is refused or left out.
func TestLearnt(t *testing.T) {
	slow := quick("slow", func(context.Context, tools.Call) (tools.Result, error) {
		time.Sleep(5 * time.Millisecond)
		return tools.Result{Text: "done"}, nil
	})
	first, second := registry(t, tools.Options{}, slow), registry(t, tools.Options{}, slow)
	if _, changed, err := first.Learnt(); changed || err != nil {
		t.Fatal(changed, err)
	}
	for n := range 10 {
		if _, err := first.Call(t.Context(), tools.Call{Caller: ann, Tool: "slow", Args: map[string]any{"n": float64(n)}}); err != nil {
			t.Fatal(err)
		}
	}
	data, changed, err := first.Learnt()
	if !changed || err != nil {
		t.Fatal(changed, err)
	}
	if _, changed, _ := first.Learnt(); changed {
		t.Error("nothing was learnt since")
	}
	if err := second.Learn(data); err != nil {
		t.Fatal(err)
	}
	for _, args := range []map[string]any{nil, {"n": 3.0}} {
		want, _ := first.Estimate("slow", args)
		if got, known := second.Estimate("slow", args); !known || got != want || got < 5*time.Millisecond {
			t.Errorf("%v: %v instead of %v", args, got, want)
		}
	}
	if err := second.Learn([]byte("{")); err == nil {
		t.Error("it learnt from half a text")
	}
	if err := second.Learn([]byte(`{"x":{"w":-1,"s":1,"n":1},"y":{"w":0,"s":1,"n":3}}`)); err != nil {
		t.Error(err)
	}
	if _, known := second.Estimate("x", nil); known {
		t.Error("it believes a negative weight")
	}
}
