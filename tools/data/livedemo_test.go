package data_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
	"catena/tools/memory"
	"catena/tools/persona"
)

// liveTables are the live tables that the program has beside the demo data, as their toolkits declare them: columns and closed sets of
// values. Here they are there, and empty.
func liveTables() []tools.Live {
	list := slices.Concat(new(memory.Toolkit).Live(), persona.New(persona.Options{}).Live(), new(code.Toolkit).Live())
	for i := range list {
		columns := list[i].Columns
		list[i].Version = func(context.Context, access.Caller) (string, error) { return "1", nil }
		list[i].Open = func(context.Context, access.Caller) (tools.Result, error) {
			return tools.Result{Table: table.NewBuilder(columns...).Table()}, nil
		}
	}
	return list
}

// What is asked about the demo data is planned the same way whether live tables stand beside them or not.
func TestDemoBesideLiveTables(t *testing.T) {
	now := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	planned := func(live bool) func(message string) string {
		kept := handle.New(handle.Options{})
		t.Cleanup(kept.Close)
		reg := tools.NewRegistry(tools.Options{Policy: access.AllowAll{}, Tables: kept, Render: data.Render})
		kit := data.New(data.Options{Sources: demoSources(t, kept), Tables: kept, Live: reg})
		if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
			t.Fatal(err)
		}
		if live {
			if err := reg.RegisterLive(liveTables()...); err != nil {
				t.Fatal(err)
			}
		}
		infos, err := kit.Describe(t.Context(), ann, "s")
		if err != nil {
			t.Fatal(err)
		}
		unaided := offline.New()
		return func(message string) string {
			resp, err := unaided.Plan(t.Context(), plan.Request{Message: message, Now: now, Tools: reg.Planning(ann), Tables: infos, Values: kit.Values(t.Context(), ann, "s")})
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(resp.Plan)
			if err != nil {
				t.Fatal(err)
			}
			return string(raw)
		}
	}
	alone, beside := planned(false), planned(true)
	for _, message := range []string{
		"Show me the top 5 USA clients and analyze their revenue trends", "top 5 clients by revenue", "revenue by region this year", "how many tickets are open?", "open tickets by priority",
		"which client has the most open tickets?", "average revenue per client in DACH", "total revenue per month in 2025 as a line chart", "which region grew most this year?", "share of revenue by industry",
		"how many clients are there in Germany?", "list the clients in France", "which account owner has the most clients?", "tickets closed last month", "what columns does clients have?",
		"find client Globex", "median satisfaction by category", "who has the highest revenue?", "the lowest revenue", "compare revenue of USA and DACH in 2025", "which clients have no tickets?",
		"names of clients in the retail industry", "what was the last ticket?", "how many tickets were opened per week?", "revenue of clients with more than 5 tickets", "monthly revenue by language", "top 3 segments by revenue",
	} {
		want, got := alone(message), beside(message)
		if !strings.Contains(want, `"steps"`) {
			continue // refused or asked back; what the refusal names differs
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q is planned otherwise beside live tables:\n%s", message, d)
		}
	}
}
