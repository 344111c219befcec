package tools_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

func TestTableArg(t *testing.T) {
	tabs := handle.New(handle.Options{})
	h, err := tabs.Put(t.Context(), ann, handle.Meta{Name: "people"}, people(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	wire, err := json.Marshal(table.Wire(people(t, 2), "", 2, false))
	if err != nil {
		t.Fatal(err)
	}
	var object any
	if err := json.Unmarshal(wire, &object); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		data any
		rows int
	}{
		"handle":    {h, 3},
		"wire":      {object, 2},
		"reference": {map[string]any{"handle": h}, 3},
		"records":   {[]any{map[string]any{"a": json.Number("1")}}, 1},
		"csv":       {"a,b\n1,2\n3,4\n", 2},
		"json":      {`[{"a":1}]`, 1},
	} {
		src, err := tools.TableArg(t.Context(), tabs, tools.Call{Caller: ann, Args: map[string]any{"data": tc.data}}, "data")
		if err != nil || src.Table.NumRows() != tc.rows {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]any{"nothing": nil, "foreign": h, "number": json.Number("5"), "empty text": "", "handle that never was": "tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		_, err := tools.TableArg(t.Context(), tabs, tools.Call{Caller: bob, Args: map[string]any{"data": data}}, "data")
		var arg *tools.ArgumentError
		if !errors.As(err, &arg) || arg.Code == "" || !strings.HasPrefix(err.Error(), "data: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
