package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRows(t *testing.T) {
	got, err := parseRows("kind\tname\tparameters\ttoolset\nroute\tGET /x\ttakes words: of all kinds\tcore\ntool\tfind\tquery*:string limit:integer=5\tdata\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{Kind: "route", Name: "GET /x", Toolset: "core"},
		{Kind: "tool", Name: "find", Toolset: "data", Params: []param{{Name: "query", Type: "string", Required: true}, {Name: "limit", Type: "integer", Default: "5"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"h\ntool\tx\n", "h\ntool\tx\tnotype\tdata\n"} {
		if _, err := parseRows(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestCompare(t *testing.T) {
	params := []param{{Name: "data", Type: "table", Required: true}, {Name: "limit", Type: "integer", Default: "5"}, {Name: "format", Type: "string", Default: "markdown"}, {Name: "desc", Type: "boolean", Default: "false"}}
	for _, c := range []struct {
		name, schema string
		faults       int
	}{
		{"right", `{"required":["data"],"properties":{"data":{"anyOf":[{"type":"string"},{"type":"array"}]},"limit":{"type":["integer","null"],"default":5},"format":{"type":"string","default":"markdown"},"desc":{"type":"boolean","default":false},"more":{}}}`, 0},
		{"empty", `{}`, 4},
		{"types", `{"required":["data"],"properties":{"data":{"type":"array"},"limit":{"type":"number","default":5},"format":{"default":"markdown"},"desc":{"type":"boolean","default":false}}}`, 2},
		{"defaults", `{"required":["data"],"properties":{"data":{},"limit":{"type":"integer"},"format":{"default":"json"},"desc":{"default":true}}}`, 3},
		{"required", `{"required":["limit","more"],"properties":{"data":{},"limit":{"type":"integer","default":5},"format":{"default":"markdown"},"desc":{"default":false}}}`, 3},
	} {
		var s schema
		if err := json.Unmarshal([]byte(c.schema), &s); err != nil {
			t.Fatal(err)
		}
		if got := compare(params, s); len(got) != c.faults {
			t.Errorf("%s: %d faults, want %d: %v", c.name, len(got), c.faults, got)
		}
	}
}
