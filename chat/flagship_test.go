package chat_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"catena/chat"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

const flagship = "Show me the top 5 USA clients and analyze their revenue trends"

// given plans the one question that flagship asks, as a model would, and knows no other.
type given struct{}

func (given) Plan(_ context.Context, req plan.Request) (plan.Response, error) {
	if req.Message != flagship {
		return plan.Response{}, planner.ErrNoPlan
	}
	p, err := plan.Parse(`{"title":"top clients and their revenue trend","confidence":0.9,"steps":[
		{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
		{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}}},
		{"id":"s3","tool":"analyze_trend","args":{"data":{"$ref":"s2"},"value_column":"revenue_usd","group_column":"client"}}],
		"answer":[{"$ref":"s1"},{"$ref":"s3"}]}`, plan.Limits{})
	return plan.Response{Plan: p, By: "llm"}, err
}

// house is the real thing without a model: offline planner, demo data, both toolkits, registry, executor, store.
func house(t testing.TB) *chat.Engine {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := sqlite.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := handle.New(handle.Options{Store: s, Log: quiet})
	t.Cleanup(func() {
		kept.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Journal: s, Log: quiet, Render: data.Render})
	sources := data.NewSources(kept, table.Limits{})
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
	kit := data.New(data.Options{Sources: sources, Tables: kept})
	if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
		t.Fatal(err)
	}
	return chat.NewEngine(chat.Options{
		Planner: planner.Fallback(given{}, offline.New()), Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: s, Tables: kit, Log: quiet,
	})
}

// TestFlagship asks the question that the product is judged by, over the real toolkits, and a follow-up.
func TestFlagship(t *testing.T) {
	e := house(t)
	ctx := context.Background()
	resp, err := e.Turn(ctx, access.Local("cli"), chat.Request{Message: flagship}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(resp.Outcome, resp.ToolsExecuted, resp.Intent, resp.PromptType, resp.Completeness.State); got != "answer[get_top_clients get_client_revenue analyze_trend]tool_chaintablecomplete" {
		t.Error(got)
	}
	for _, want := range []string{
		"**Top 5 clients in the USA by revenue this year** (showing 5 of ", "|#|Client|Revenue YTD (USD)|Share of USA|", "\n|-:|-|-:|-:|", "\n|1|", "\n|5|",
		"||**Total** (gross margin: mean weighted by revenue YTD)|**$", "**Revenue trend, December 2023 to October 2026, monthly** (5 rows)", "is not complete.", "\n- Demo data as of ",
	} {
		if !strings.Contains(resp.Response, want) {
			t.Errorf("missing: %s", want)
		}
	}
	for _, bad := range []string{"client_id", "\n|6|", "{", "NaN", "as of 2026-"} {
		if strings.Contains(resp.Response, bad) {
			t.Errorf("there is %q in it", bad)
		}
	}
	if t.Failed() {
		t.Log(resp.Response)
	}
	if len(resp.Tables) != 2 || resp.Tables[0].RowCount != 5 || resp.Tables[0].TotalRows <= 5 || resp.Tables[0].Truncated {
		t.Errorf("%+v", resp.Tables)
	}
	count, err := e.Turn(ctx, access.Local("cli"), chat.Request{Message: "How many clients are there?", SessionID: resp.SessionID}, nil)
	if err != nil || !strings.Contains(count.Response, "**: 412") {
		t.Errorf("%v\n%s", err, count.Response)
	}
}

func BenchmarkFlagship(b *testing.B) {
	e := house(b)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Turn(ctx, access.Local("cli"), chat.Request{Message: flagship}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
