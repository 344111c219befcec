package verbs_test

import (
	"context"
	"fmt"
	"time"

	"catena/query"
	"catena/query/run"
	"catena/table"
	"catena/tools"
	"catena/tools/data/verbs"
)

// few are tables that a verb may ask about.
type few struct{ run.TableMap }

func (f few) Columns(name string) (out []verbs.Column, err error) {
	for _, field := range query.SchemaOf(f.TableMap[name]) {
		out = append(out, verbs.Column{Field: field})
	}
	return out, nil
}

func (f few) Run(ctx context.Context, q query.Query) (*table.Table, error) {
	out, err := run.Run(ctx, q, f)
	if err != nil {
		return nil, err
	}
	return out.Table, nil
}

func (f few) Keys(context.Context, string, string) ([]verbs.Pair, error) { return nil, nil }

func (f few) AsOf(string) time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func (f few) Put(name string, t *table.Table) string {
	f.TableMap[name] = t
	return name
}

// A verb makes a query of a call's arguments.
func Example() {
	b := table.NewBuilder(table.Column{Name: "team", Type: table.Text}, table.Column{Name: "points", Type: table.Int})
	for _, row := range []struct {
		team   string
		points int64
	}{{"red", 3}, {"blue", 1}, {"red", 4}} {
		if err := b.Append(table.TextValue(row.team), table.IntValue(row.points)); err != nil {
			fmt.Println(err)
		}
	}
	tables := few{run.TableMap{"games": b.Table()}}
	call := tools.Call{Args: map[string]any{"by": []any{"team"}, "value": "points"}}
	for _, v := range verbs.List() {
		if v.Name != "share_of_total" {
			continue
		}
		ans, err := v.Build(context.Background(), call, map[string]string{"data": "games"}, tables)
		if err != nil {
			fmt.Println(err)
			return
		}
		t, err := tables.Run(context.Background(), ans.Query)
		fmt.Println(ans.Title, err)
		for row := range t.NumRows() {
			fmt.Println(t.Row(row))
		}
	}
	// Output:
	// Share of points by team <nil>
	// [red 7 0.875 0.875]
	// [blue 1 0.125 1]
}
