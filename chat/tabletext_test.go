package chat_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/chat"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// The rows of a page that is sorted say where they stand in the whole, and are written as the whole is.
func TestPageText(t *testing.T) {
	whole, err := load.Text("client,revenue_usd\nAda,10.5\nBob,1204.25\nCy,\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	profile := chat.ProfileOf(ctx, tools.Result{Table: whole, Name: "revenue"})
	sorted, err := load.Text("client,revenue_usd,place\nCy,,3\nBob,1204.25,2\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page  chat.Page
		cells [][]string
		at    []int
	}{
		{chat.Page{Table: sorted, Places: "place", Offset: 7}, [][]string{{"Cy", ""}, {"Bob", "$1,204.25"}}, []int{2, 1}},
		{chat.Page{Table: whole.Slice(1, 1), Places: "place", Offset: 1, Locale: "de"}, [][]string{{"Bob", "1.204,25\u00a0$"}}, []int{1}},
	} {
		got, err := c.page.Text(ctx, profile)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(chat.TableText{Cells: c.cells, Places: c.at, Columns: []chat.ColumnText{
			{Name: "client", Heading: "Client"}, {Name: "revenue_usd", Heading: "Revenue (USD)", Right: true}}}, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if c.page.Table.NumCols() != 2 {
			t.Errorf("the page has the columns %q", c.page.Table.Names())
		}
	}
}
