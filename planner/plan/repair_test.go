package plan

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMend(t *testing.T) {
	top := step("s1", "top_clients", `{"limit":5}`)
	tests := map[string]struct{ in, want string }{ // want "" leaves the plan as it is
		"case":                  {step("s1", "Top_Clients", `{}`), step("s1", "top_clients", `{}`)},
		"camel":                 {step("s1", "topClients", `{}`), step("s1", "top_clients", `{}`)},
		"slip":                  {step("s1", "top_clietns", `{}`), step("s1", "top_clients", `{}`)},
		"alias":                 {step("s1", "crm:top_clients", `{}`), step("s1", "top_clients", `{}`)},
		"upstream alias":        {step("s1", "files:read", `{}`), step("s1", "files__read", `{}`)},
		"host's prefix":         {step("s1", "mcp__catena__top_clients", `{}`), step("s1", "top_clients", `{}`)},
		"function prefix":       {step("s1", "functions.top_clients", `{}`), step("s1", "top_clients", `{}`)},
		"destructive alias":     {step("s1", "crm:delete_client", `{"id":"a"}`), step("s1", "delete_client", `{"id":"a"}`)},
		"destructive slip":      {step("s1", "delete_cleint", `{"id":"a"}`), ""},
		"destructive case":      {step("s1", "deleteClient", `{"id":"a"}`), ""},
		"another server":        {step("s1", "mail__read", `{}`), ""},
		"another tool":          {step("s1", "stop_clients", `{}`), ""},
		"argument's case":       {step("s1", "top_clients", `{"sortBy":"name"}`), step("s1", "top_clients", `{"sort_by":"name"}`)},
		"plural":                {step("s1", "client_revenue", `{"client_id":["a"]}`), step("s1", "client_revenue", `{"client_ids":["a"]}`)},
		"both spellings":        {step("s1", "top_clients", `{"sortBy":"name","sort_by":"revenue"}`), ""},
		"number as text":        {step("s1", "top_clients", `{"limit":" 5 "}`), step("s1", "top_clients", `{"limit":5}`)},
		"grouped number":        {step("s1", "weather", `{"city":"a","days":"1,234,567"}`), step("s1", "weather", `{"city":"a","days":1234567}`)},
		"maybe a decimal comma": {step("s1", "weather", `{"city":"a","days":"1,234"}`), ""},
		"a word":                {step("s1", "top_clients", `{"limit":"five"}`), ""},
		"out of range":          {step("s1", "top_clients", `{"limit":500}`), ""},
		"leading zeros":         {step("s1", "top_clients", `{"limit":"007"}`), ""},
		"boolean as text":       {step("s1", "client_revenue", `{"client_ids":["a"],"exact":"True"}`), step("s1", "client_revenue", `{"client_ids":["a"],"exact":true}`)},
		"number for text":       {step("s1", "weather", `{"city":75001}`), step("s1", "weather", `{"city":"75001"}`)},
		"ids as numbers":        {step("s1", "client_revenue", `{"client_ids":[7]}`), step("s1", "client_revenue", `{"client_ids":["7"]}`)},
		"enum's case":           {step("s1", "top_clients", `{"sort_by":" REVENUE"}`), step("s1", "top_clients", `{"sort_by":"revenue"}`)},
		"enum's meaning":        {step("s1", "top_clients", `{"sort_by":"turnover"}`), ""},
		"midnight":              {step("s1", "top_clients", `{"since":"2026-03-05T00:00:00Z"}`), step("s1", "top_clients", `{"since":"2026-03-05"}`)},
		"an hour":               {step("s1", "top_clients", `{"since":"2026-03-05T10:00:00Z"}`), ""},
		"one in a list":         {step("s1", "weather", `{"city":["Oslo"]}`), step("s1", "weather", `{"city":"Oslo"}`)},
		"two in a list":         {step("s1", "weather", `{"city":["Oslo","Rome"]}`), ""},
		"one for a list":        {step("s1", "client_revenue", `{"client_ids":"a"}`), step("s1", "client_revenue", `{"client_ids":["a"]}`)},
		"many in a text":        {step("s1", "client_revenue", `{"client_ids":"a, b"}`), ""},
		"list as text":          {step("s1", "client_revenue", `{"client_ids":"[\"a\"]"}`), step("s1", "client_revenue", `{"client_ids":["a"]}`)},
		"a statement over a step": {top + "," + step("s2", "ask", `{"sql":"SELECT a FROM s1 JOIN other ON 1"}`),
			top + "," + step("s2", "ask", `{"sql":"SELECT a FROM s1 JOIN other ON 1","tables":{"s1":{"$ref":"s1"}}}`)},
		"a statement with names":   {top + "," + step("s2", "ask", `{"sql":"SELECT a FROM s1, \"s2\"","tables":{"s1":{"$ref":"s1"}}}`), ""},
		"a statement over no step": {top + "," + step("s2", "ask", `{"sql":"SELECT s1 FROM clients WHERE a = s1"}`), ""},
		"null":                     {step("s1", "top_clients", `{"region":null}`), step("s1", "top_clients", `{}`)},
		"required null":            {step("s1", "weather", `{"city":null}`), ""},
		"mustache":                 {top + "," + step("s2", "draw", `{"data":"{{ s1 }}"}`), top + "," + step("s2", "draw", `{"data":{"$ref":"s1"}}`)},
		"dollar":                   {top + "," + step("s2", "draw", `{"data":"${s1.rows}"}`), top + "," + step("s2", "draw", `{"data":{"$ref":"s1.rows"}}`)},
		"dollar word":              {top + "," + step("s2", "draw", `{"data":"$s1.rows"}`), top + "," + step("s2", "draw", `{"data":{"$ref":"s1.rows"}}`)},
		"json path":                {top + "," + step("s2", "draw", `{"data":"$.s1.rows"}`), top + "," + step("s2", "draw", `{"data":{"$ref":"s1.rows"}}`)},
		"bare":                     {top + "," + step("s2", "client_revenue", `{"client_ids":"s1.rows[*].id"}`), top + "," + step("s2", "client_revenue", `{"client_ids":{"$ref":"s1.rows[*].id"}}`)},
		"inside a text":            {top + "," + step("s2", "weather", `{"city":"in {{s1.rows[0].city}}!"}`), top + "," + step("s2", "weather", `{"city":{"$concat":["in ",{"$ref":"s1.rows[0].city"},"!"]}}`)},
		"not a step":               {top + "," + step("s2", "weather", `{"city":"{{name}} $5 <b>"}`), ""},
		"list for one": {top + "," + step("s2", "weather", `{"city":{"$ref":"s1.rows[*].city"}}`),
			top + `,{"id":"s2","tool":"weather","args":{"city":{"$ref":"each"}},"each":{"$ref":"s1.rows[*].city"}}`},
		"two of one list": {top + "," + step("s2", "weather", `{"city":{"$ref":"s1.rows[*].city"},"days":{"$ref":"s1.rows[*].n"}}`),
			top + `,{"id":"s2","tool":"weather","args":{"city":{"$ref":"each.city"},"days":{"$ref":"each.n"}},"each":{"$ref":"s1.rows[*]"}}`},
		"two lists": {top + "," + step("s2", "weather", `{"city":{"$ref":"s1.rows[*].city"},"days":{"$ref":"s1.columns[*].n"}}`), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := parsed(t, tt.in)
			before := fmt.Sprint(in)
			got, repairs := Mend(in, testTools)
			if fmt.Sprint(in) != before {
				t.Error("the given plan was changed")
			}
			want := in
			if tt.want != "" {
				want = parsed(t, tt.want)
			}
			if diff := cmp.Diff(want.Steps, got.Steps); diff != "" {
				t.Error(diff)
			}
			if (len(repairs) > 0) != (tt.want != "") || len(got.Repairs) != len(repairs) {
				t.Errorf("repairs %+v", repairs)
			}
			for _, r := range repairs {
				if r.Why == "" || r.Code == "" || r.Path == "" {
					t.Errorf("repair %+v", r)
				}
			}
			if again, more := Mend(got, testTools); len(more) > 0 {
				t.Errorf("a second round changes more: %+v to %+v", more, again.Steps)
			}
		})
	}
}

func TestMendAnswer(t *testing.T) {
	p := parsed(t, step("s1", "top_clients", `{}`))
	p.Answer = []any{"{{s1}}", "plain"}
	got, _ := Mend(p, testTools)
	if diff := cmp.Diff([]any{Ref{Step: "s1"}, "plain"}, got.Answer); diff != "" {
		t.Error(diff)
	}
}

func TestFindTool(t *testing.T) {
	for name, want := range map[string]string{"top_clients": "top_clients", "crm:top_clients": "top_clients", "files:read": "files__read", "web:top_clients": "", "read": ""} {
		if got, ok := FindTool(testTools, name); got.Name != want || ok != (want != "") {
			t.Errorf("%s: %s %v", name, got.Name, ok)
		}
	}
	many := append([]Tool{}, testTools...)
	for i := range 100 {
		many = append(many, Tool{Name: fmt.Sprintf("more_%d", i)})
	}
	x := indexTools(many)
	for _, name := range []string{"top_clients", "crm:top_clients", "more_99"} {
		if _, ok := x.find(name); !ok {
			t.Errorf("%s was not found", name)
		}
	}
	if _, ok := x.find("more_100"); ok {
		t.Error("found what is not there")
	}
}

func TestTypo(t *testing.T) {
	if typo("get_user", "set_user") || !typo("load_tabel", "load_table") || typo("load", "load_table") {
		t.Error("typo")
	}
}
