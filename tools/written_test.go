package tools_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/handle"
)

// TestWrittenTexts: a text of another server that was read as a table goes to tools of other servers as it was written, to ours as a table; texts that
// are read one for each element stay texts where one of them is no table.
func TestWrittenTexts(t *testing.T) {
	texts := map[string]string{"a": "x,y\n1,2\n3,4\n", "b": "no table"}
	foreign := func(name string, h tools.Handler) tools.Tool {
		x := quick(name, h)
		x.Raw = json.RawMessage(`{"name":"` + name + `","inputSchema":{"type":"object"}}`)
		return x
	}
	read := func(_ context.Context, c tools.Call) (tools.Result, error) {
		text := texts[c.Text("path")]
		list, ok := load.ReadListing([]byte(text), "read", table.Limits{})
		if !ok {
			return tools.Result{Text: text}, nil
		}
		return tools.Result{Table: list.Table, Written: text}, nil
	}
	r := registry(t, tools.Options{}, foreign("read", read), foreign("write", echo), quick("ours", echo))
	out, _ := run(t, r, parse(t, `{"steps":[
		{"id":"s0","tool":"ours","args":{"two":["a","b"],"same":["a","a"]}},
		{"id":"s1","tool":"read","args":{"path":"a"}},
		{"id":"s2","tool":"write","args":{"text":{"$ref":"s1"}}},
		{"id":"s3","tool":"ours","args":{"text":{"$ref":"s1"}}},
		{"id":"s4","tool":"read","each":{"$ref":"s0.two"},"args":{"path":{"$ref":"each"}}},
		{"id":"s5","tool":"read","each":{"$ref":"s0.same"},"args":{"path":{"$ref":"each"}}}]}`))
	if got := out.Steps[2].Result.Structured; !cmp.Equal(got, any(map[string]any{"text": texts["a"]})) {
		t.Errorf("another server got %q", got)
	}
	if got, _ := out.Steps[3].Result.Structured.(map[string]any)["text"].(string); !handle.Is(got) {
		t.Errorf("ours got %q", got)
	}
	if s := out.Steps[4]; s.Status != tools.StepDone || !cmp.Equal(s.Result.Structured, any([]any{texts["a"], texts["b"]})) {
		t.Errorf("each of two: %s %v", s.Error, s.Result)
	}
	if s := out.Steps[5]; s.Result.Table == nil || s.Result.Table.NumRows() != 4 {
		t.Errorf("each of one kind: %s %v", s.Error, s.Result)
	}
}
