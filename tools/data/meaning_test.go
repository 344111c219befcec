package data_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

const shopModel = `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - {name: orders, source: orders, primary_key: [nr], ai_context: {synonyms: [sales]}}
    metrics:
      - name: turnover
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
`

// meant is a registry over a folder with tables and a model file.
func meant(t *testing.T) (*tools.Registry, *data.Sources) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"orders.csv": "nr,buyer,amount\n1,2,10.5\n2,2,11.5\n3,1,7.25\n", "buyers.csv": "id,name\n1,Adler\n2,Bach\n", "shop.semantic.yaml": shopModel,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, tableLimits)
	if errs := sources.Load(context.Background(), dir); len(errs) > 0 {
		t.Fatal(errs)
	}
	reg := tools.NewRegistry(tools.Options{Tables: kept, Render: data.Render})
	if err := reg.Register(data.New(data.Options{Sources: sources, Tables: kept}).Tools()...); err != nil {
		t.Fatal(err)
	}
	return reg, sources
}

// The model is made once for callers at the same time, and a metric's faults are told.
func TestMeaning(t *testing.T) {
	reg, _ := meant(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			list := rows(call(t, reg, "list_tables", `{}`).Table)
			if list[1][0] != "orders" || list[1][6] != "order" || list[1][7] != "buyer -> buyers.id" {
				t.Errorf("%q", list)
			}
		})
	}
	all.Wait()
	if list := rows(call(t, reg, "list_tables", `{}`).Table); list[1][8] != "sales" || list[1][9] != "metric__turnover" || list[0][9] != "" {
		t.Errorf("synonyms and metrics: %q", list)
	}
	told := call(t, reg, "describe_table", `{"table":"orders"}`)
	for _, want := range []string{"Also called sales.", "Metric metric__turnover: sum of Amount of all orders."} {
		if !slices.Contains(told.Notes, want) {
			t.Errorf("no %q in %q", want, told.Notes)
		}
	}
	res := call(t, reg, "metric__turnover", `{"group_by":["buyers.name"],"where":{"buyers.name":["Bach","x"]}}`)
	if got := rows(res.Table); res.Title != "Turnover by name (1 condition)" || got[0][0] != "Bach" || got[0][1] != "22.00" {
		t.Errorf("%q %q", res.Title, got)
	}
	for args, want := range map[string]string{
		`{"group_by":["orders.nr"]}`:                   "must be one of",
		`{"where":{"buyers.name":{"from":"A","x":1}}}`: "x",
		`{"where":{"buyers.name":null}}`:               "null",
		`{"limit":0}`:                                  "limit",
	} {
		if res := call(t, reg, "metric__turnover", args); res.Code == "" || !strings.Contains(res.Text, want) {
			t.Errorf("%s: %q %s", args, res.Code, res.Text)
		}
	}
}

// What a model file says holds for the operator's tables alone: an upload of a table's name has none of it, and a metric
// goes on over the operator's.
func TestMeaningOfUploads(t *testing.T) {
	reg, sources := meant(t)
	own := access.Caller{ID: "ann"}
	upload := tools.Upload{Session: "s", Name: "orders.csv", Data: []byte("nr,amount\n5,1000\n5,1000\n")}
	if _, err := sources.Attach(context.Background(), own, upload); err != nil {
		t.Fatal(err)
	}
	ask := func(tool, args string) tools.Result {
		var m map[string]any
		if err := json.Unmarshal([]byte(args), &m); err != nil {
			t.Fatal(err)
		}
		res, err := reg.Call(context.Background(), tools.Call{Caller: own, Session: "s", Tool: tool, Args: m})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := ask("describe_table", `{"table":"orders"}`); slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, "identified by nr") }) {
		t.Errorf("%q", res.Notes)
	}
	if res := ask("describe_table", `{"table":"orders"}`); strings.Contains(strings.Join(res.Notes, " "), "metric__") {
		t.Errorf("an upload has the operator's metrics: %q", res.Notes)
	}
	if got := rows(ask("metric__turnover", `{}`).Table); got[0][0] != "29.25" {
		t.Errorf("%q", got)
	}
}
