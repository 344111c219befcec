package pipeline_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
	"catena/tools/data/pipeline"
)

// A currency that a column beside the amounts names stays with them in a result without that column.
func TestCurrencyOfAColumnBeside(t *testing.T) {
	named, err := load.Bytes([]byte("shop,revenue,currency\nA,100.50,EUR\nB,200.25,EUR\n"), "d.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	known := pipeline.WithUnits(named.Table, profiler.Describe(t.Context(), named.Table))
	if got := known.Column(1).Unit; got != "EUR" || named.Table.Column(1).Unit != "" {
		t.Errorf("unit %q, of the source %q", got, named.Table.Column(1).Unit)
	}
}

func TestMixedUnitsStayApart(t *testing.T) {
	const signs = "shop,paid\nx,$10.00\nx,€20.00\ny,$5.00\n"
	const codes = "shop,price,currency\nx,10.00,USD\nx,20.00,EUR\ny,5.00,USD\n"
	const masses = "shop,w\nx,3 kg\ny,40 g\ny,1 kg\n"
	const parts = "shop,p\nx,15%\ny,0.2\nz,8%\n"
	const sum = `"select":[{"expr":"sum","column":"COL","as":"n"}]`
	tests := []struct {
		name, csv, column, query string
		columns                  []string
		rows                     int
		fails                    bool
	}{
		{"signs", signs, "paid", sum, []string{"currency", "n"}, 2, false},
		{"signs by shop", signs, "paid", sum + `,"group_by":["shop"]`, []string{"shop", "currency", "n"}, 3, false},
		{"one sign left", signs, "paid", sum + `,"filter":[{"column":"shop","op":"eq","value":"y"}]`, []string{"n"}, 1, false},
		{"share", signs, "paid", sum + `,"group_by":["shop"],"share_of_total":"n"`, nil, 0, true},
		{"top", codes, "price", sum + `,"group_by":["shop"],"order_by":[{"column":"n","desc":true}],"limit":1`, nil, 0, true},
		{"codes", codes, "price", sum, []string{"currency", "n"}, 2, false},
		{"codes asked for", codes, "price", sum + `,"group_by":["currency"]`, []string{"currency", "n"}, 2, false},
		{"one code left", codes, "price", sum + `,"filter":[{"column":"currency","op":"eq","value":"USD"}]`, []string{"n"}, 1, false},
		{"masses", masses, "w", strings.Replace(sum, "sum", "mean", 1), []string{"unit", "n"}, 2, false},
		{"codes by another name", "firm,ccy,amount\nA,EUR,100\nB,USD,200\n", "amount", sum, []string{"ccy", "n"}, 2, false},
		{"signs under a short name", "firm,value,cur\nA,100,€\nB,200,$\n", "value", sum, []string{"cur", "n"}, 2, false},
		{"codes under a German name", "Firma,Währung,Betrag\nA,EUR,100\nB,USD,200\n", "Betrag", sum, []string{"Währung", "n"}, 2, false},
		{"units", "weight,unit\n100,kg\n200,g\n", "weight", sum, []string{"unit", "n"}, 2, false},
		{"units by the column's name", "height,weight,weight_uom\n5,100,lb\n6,200,oz\n", "weight", sum, []string{"weight_uom", "n"}, 2, false},
		{"top of units", "thing,weight,unit\na,100,kg\nb,200,g\n", "weight", sum + `,"group_by":["thing"],"order_by":[{"column":"n","desc":true}],"limit":1`, nil, 0, true},
		{"one unit", "weight,unit\n100,kg\n200,kg\n", "weight", sum, []string{"n"}, 1, false},
		{"sizes are no units", "stock,size\n100,S\n200,M\n30,L\n", "stock", sum, []string{"n"}, 1, false},
		{"units that nobody knows", "item,qty\na,12 pcs\nb,3 boxes\nc,1 box\n", "qty", sum, []string{"unit", "n"}, 2, false},
		{"words beside some", "item,qty\na,12\nb,3 about\nc,1 maybe\n", "qty", sum, []string{"n"}, 1, false},
		{"one unknown unit", "item,qty\na,12 boxes\nb,1 box\n", "qty", sum, []string{"n"}, 1, false},
		{"magnitudes and a sign", "c,paid\na,1.2M\nb,900k\nc,$3.4B\n", "paid", sum, []string{"n"}, 1, false},
		{"magnitudes as words", "c,paid\na,1.2 bn\nb,90 mn\nc,$3.4B\n", "paid", sum, []string{"n"}, 1, false},
		{"the largest of codes", codes, "price", strings.Replace(sum, "sum", "max", 1), []string{"currency", "n"}, 2, false},
		{"two figures of signs", signs, "paid", `"select":[{"expr":"max","column":"COL","as":"n"},{"expr":"mean","column":"COL","as":"m"}]`, []string{"currency", "n", "m"}, 2, false},
		{"places", "item,qty\na,1st\nb,2nd\n", "qty", sum, []string{"n"}, 1, false},
		{"percent and plain", parts, "p", strings.Replace(sum, "sum", "mean", 1), []string{"unit", "n"}, 2, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(test.csv), "paid.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var args map[string]any
			if err := json.Unmarshal([]byte(strings.ReplaceAll("{"+test.query+"}", "COL", test.column)), &args); err != nil {
				t.Fatal(err)
			}
			args["table"] = "paid"
			q, err := plan.ParseQuery(args)
			if err != nil {
				t.Fatal(err)
			}
			meta := profiler.Describe(t.Context(), named.Table)
			got, notes, _, err := pipeline.Run(t.Context(), q, func(string) (*table.Table, error) { return named.Table, nil }, meta)
			var fault *pipeline.Error
			if test.fails {
				if !errors.As(err, &fault) {
					t.Errorf("got %v, want an Error", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.columns, got.Names()); diff != "" || got.NumRows() != test.rows {
				t.Errorf("%d rows, want %d; columns %s; notes %q", got.NumRows(), test.rows, diff, notes)
			}
		})
	}
}
