package data_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"catena/table"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// largeSource is a toolkit over one table of so many rows, under two names.
func largeSource(t testing.TB, rows int, memory *table.MemoryBudget) (*tools.Registry, *data.Toolkit) {
	t.Helper()
	b := table.NewBuilder(table.Column{Name: "id", Type: table.Int}, table.Column{Name: "region", Type: table.Text}, table.Column{Name: "amount", Type: table.Float},
		table.Column{Name: "day", Type: table.Date}, table.Column{Name: "price", Type: table.Text})
	for i := range rows {
		if err := b.Append(table.IntValue(int64(i)), table.TextValue(fmt.Sprint("region ", i%50)), table.FloatValue(float64(i%977)/4),
			table.DateValue(2024, 1, 1+i%600), table.TextValue(fmt.Sprint(i%89, " kg"))); err != nil {
			t.Fatal(err)
		}
	}
	kept := handle.New(handle.Options{})
	sources, tab := data.NewSources(kept, tableLimits), b.Table()
	sources.Add(data.SourceTable{Name: "large", Table: tab, Source: "large.csv"})
	sources.Add(data.SourceTable{Name: "other", Table: tab, Source: "other.csv"})
	kit := data.New(data.Options{Sources: sources, Tables: kept})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Memory: memory})
	if err := reg.Register(kit.Tools()...); err != nil {
		t.Fatal(err)
	}
	return reg, kit
}

// manyDerives is a query of n columns of their own.
func manyDerives(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"as":"c%d","op":"add","left":"amount","right":%d}`, i, i)
	}
	return `{"table":"large","derive":[` + strings.Join(list, ",") + `]}`
}

// What queries make is drawn from the budget, and given back when the call is over.
func TestQueriesAreBounded(t *testing.T) {
	const rows = 20_000
	budget := table.NewMemoryBudget(16 << 20)
	reg, _ := largeSource(t, rows, budget)
	unions := strings.Repeat(`,"other"`, 60)[1:]
	for name, query := range map[string]string{
		"derived columns": manyDerives(300),
		"unions":          `{"table":"large","union":[` + unions + `]}`,
		"joins":           `{"table":"large","join":[{"table":"other","on":[["region","region"]]}]}`,
	} {
		res := call(t, reg, "query_table", query)
		if !res.IsError || res.Code != tools.CodeTooLarge || !strings.Contains(res.Text, "of memory") {
			t.Errorf("%s: %q %q", name, res.Code, res.Text)
		}
		if n := budget.Taken(); n != 0 {
			t.Errorf("%s: %d bytes stay drawn", name, n)
		}
	}
	if res := call(t, reg, "query_table", manyDerives(20)); res.IsError || res.Table.NumCols() != 25 || res.Table.NumRows() != rows {
		t.Errorf("20 columns: %s", res.Text)
	}
	if res := call(t, reg, "query_table", `{"table":"large","filter":[{"column":"id","op":"ge","value":5}],"order_by":[{"column":"amount","desc":true}],"distinct":true}`); res.IsError {
		t.Errorf("one stage after the other: %s", res.Text)
	}
}

// askedContext ends when it has been asked a number of times.
type askedContext struct {
	context.Context
	asked atomic.Int64
	most  int64
}

func (c *askedContext) Err() error {
	if c.asked.Add(1) > c.most {
		return context.Canceled
	}
	return nil
}

// A call ends with its context in each stage of a query, and in each tool over tables.
func TestCallsEndWithTheirContext(t *testing.T) {
	_, kit := largeSource(t, 9_000, nil)
	all := kit.Tools()
	for _, c := range []struct{ tool, args string }{
		{"query_table", manyDerives(3)},
		{"query_table", `{"table":"large","derive":[{"as":"kilos","op":"number","left":"price"},{"as":"n","op":"row"},{"as":"more","op":"more","left":"price","right":"amount"}]}`},
		{"query_table", `{"table":"large","filter":[{"column":"region","op":"contains","value":"7"}]}`},
		{"query_table", `{"table":"large","union":["other"]}`},
		{"query_table", `{"table":"large","join":[{"table":"other","on":[["id","id"]]}]}`},
		{"query_table", `{"table":"large","group_by":[{"column":"region"},{"column":"day","period":"month"}],"select":[{"expr":"sum","column":"amount","filter":[{"column":"id","op":"lt","value":9000}]},{"expr":"mean","column":"price"}]}`},
		{"query_table", `{"table":"large","order_by":[{"column":"price"}],"limit":3,"limit_by":["region"]}`},
		{"query_table", `{"table":"large","rank_by":"amount","share_of_total":"amount"}`},
		{"query_table", `{"table":"large","change":{"column":"amount","order":"day","by":["region"],"every":true}}`},
		{"query_table", `{"table":"large","distinct":true,"select":[{"column":"region"},{"column":"price"}]}`},
		{"clean_and_prepare_table", `{"data":"large"}`},
		{"analyze_trend", `{"data":"large","value_column":"amount","group_column":"region"}`},
		{"visualize_data", `{"data":"large","x":"region","y":"amount"}`},
	} {
		i := slices.IndexFunc(all, func(x tools.Tool) bool { return x.Def.Name == c.tool })
		if i < 0 {
			t.Errorf("there is no tool %s", c.tool)
			continue
		}
		var args map[string]any
		dec := json.NewDecoder(strings.NewReader(c.args))
		dec.UseNumber()
		if err := dec.Decode(&args); err != nil {
			t.Fatal(err)
		}
		run := func(most int64) (int64, tools.Result, error) {
			asked := &askedContext{Context: t.Context(), most: most}
			ctx, work := table.WithWork(asked, nil)
			defer work.End()
			res, err := all[i].Handler(ctx, tools.Call{Caller: ann, Session: "s", Args: args})
			if stopped := work.Stopped(); stopped != nil {
				err = stopped
			}
			return asked.asked.Load(), res, err
		}
		asks, res, err := run(1 << 40)
		if err != nil || res.IsError {
			t.Errorf("%s %s: %v %s", c.tool, c.args, err, res.Text)
			continue
		}
		if asks < 2 {
			t.Errorf("%s %s: the context was asked %d times", c.tool, c.args, asks)
		}
		for most := int64(0); most < asks; most += 1 + asks/5 {
			if _, res, err := run(most); err == nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s %s: ended at question %d of %d: %v %v", c.tool, c.args, most, asks, err, res.Text)
			}
		}
	}
}
