package profiler

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
)

// A column of currencies or units is found by its cells; want says which numbers it keeps apart.
func TestUnitColumn(t *testing.T) {
	for _, tt := range []struct {
		name, csv string
		want      map[string]string
	}{
		{"a short name", "firm,ccy,amount\nA,EUR,100\nB,USD,200\n", map[string]string{"amount": "ccy"}},
		{"another language", "Firma,Währung,Betrag\nA,EUR,100\nB,USD,200\n", map[string]string{"Betrag": "Währung"}},
		{"signs", "firm,worth,x\nA,100,€\nB,200,$\n", map[string]string{"worth": "x"}},
		{"gaps", "firm,amount,cur\nA,100,EUR\nB,200,USD\nC,5,\n", map[string]string{"amount": "cur"}},
		{"money elsewhere", "revenue,score,cur\n100,4,EUR\n200,5,USD\n", map[string]string{"revenue": "cur"}},
		{"counts", "orders,cur\n100,EUR\n200,USD\n", map[string]string{}},
		{"units", "weight,unit\n100,kg\n200,g\n", map[string]string{"weight": "unit"}},
		{"units under any name", "k,weight,x\na,100,kg\nb,200,g\nc,3,lb\n", map[string]string{"weight": "x"}},
		{"quantities", "item,qty,uom\na,100,kg\nb,200,L\n", map[string]string{"qty": "uom"}},
		{"each its own", "height,weight,height_unit,weight_unit\n1,2,cm,kg\n3,4,in,lb\n", map[string]string{"height": "height_unit", "weight": "weight_unit"}},
		{"each its currency", "price,price_ccy,cost,cost_ccy\n1,EUR,2,USD\n3,USD,4,EUR\n", map[string]string{"price": "price_ccy", "cost": "cost_ccy"}},
		{"one currency", "firm,ccy,amount\nA,EUR,100\nB,EUR,200\n", map[string]string{}},
		{"a spelling", "firm,ccy,amount\nA,EUR,100\nB,eur,200\n", map[string]string{}},
		{"sizes", "stock,size\n100,S\n200,M\n30,L\n", map[string]string{}},
		{"genders", "height,sex\n1.5,m\n1.6,f\n", map[string]string{}},
		{"words that are codes", "n,what\n1,ALL\n2,TOP\n3,TRY\n", map[string]string{}},
		{"paid by the period", "seats,billing\n5,month\n6,year\n", map[string]string{}},
		{"not all are codes", "amount,code\n5,EUR\n6,USD\n7,ZZY\n", map[string]string{}},
		{"units of two kinds", "value,x\n5,kg\n6,km\n", map[string]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(tt.csv), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, m := range Describe(t.Context(), named.Table) {
				if m.UnitColumn == "" {
					continue
				}
				got[m.OriginalName] = m.UnitColumn
				if m.Aggregation != AggregateNone || !strings.Contains(strings.Join(m.Warnings, " "), "do not add up") {
					t.Errorf("%s: %s, %q", m.OriginalName, m.Aggregation, m.Warnings)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
