package data_test

import (
	"context"
	"testing"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

var ann = access.Caller{ID: "ann"}

// kitchen is a registry with both toolkits over the demo data.
func kitchen(t testing.TB, model data.Model) (*tools.Registry, *data.Toolkit) {
	t.Helper()
	kept := handle.New(handle.Options{})
	sources := demoSources(t, kept)
	kit := data.New(data.Options{Sources: sources, Tables: kept, Model: func() data.Model { return model }})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Render: data.Render})
	if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
		t.Fatal(err)
	}
	return reg, kit
}

func demoSources(t testing.TB, kept *handle.Tables) *data.Sources {
	t.Helper()
	sources := data.NewSources(kept, tableLimits)
	named, err := crm.Tables(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	asOf, err := crm.AsOf()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range named {
		sources.Add(data.SourceTable{Name: n.Name, Table: n.Table, Source: "demo", AsOf: asOf})
	}
	return sources
}

const flagship = `{"title":"top clients and their revenue trend","steps":[
	{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
	{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}}},
	{"id":"s3","tool":"analyze_trend","args":{"data":{"$ref":"s2"},"value_column":"revenue_usd","group_column":"client"}}],
	"answer":[{"$ref":"s1"},{"$ref":"s3"}]}`

func TestFlagship(t *testing.T) {
	reg, _ := kitchen(t, nil)
	p, err := plan.Parse(flagship, plan.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if f := plan.Validate(p, reg.Planning(ann), nil, plan.Limits{}); len(f) > 0 {
		t.Fatal(f)
	}
	out, err := tools.NewExecutor(reg, tools.ExecutorOptions{}).Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Session: "s", Plan: p}, nil)
	if err != nil || len(out.Missing) > 0 {
		t.Fatal(err, out.Missing)
	}
	for _, item := range out.Answer {
		t.Log(data.Render(*item.Result))
	}
	for _, s := range out.Steps {
		t.Log(s.ID, s.Duration, s.Result.Table.NumRows())
	}
}
