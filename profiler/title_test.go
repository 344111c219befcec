package profiler

import (
	"fmt"
	"testing"

	"catena/table"
	"catena/table/tabletest"
)

// What a short form stands for is said by the table's title, by the other columns, or by nothing: then it stays.
func TestNamesInTheirTable(t *testing.T) {
	for name, c := range map[string]struct {
		title   string
		columns []string
		want    map[string]string
	}{
		"the title":             {"CreditCard", []string{"CCNum", "CCType", "Amount"}, map[string]string{"CCNum": "Credit Card Number", "CCType": "Credit Card Type"}},
		"no title":              {"", []string{"CCNum", "CCType", "Amount"}, map[string]string{"CCType": "Cc Type"}},
		"a word of the title":   {"culture", []string{"cltr_id", "cltr_nm"}, map[string]string{"cltr_nm": "Culture Name"}},
		"a prefix of all":       {"DimProduct", []string{"DProdKey", "DProdSize", "DProdColor", "DProdStyle"}, map[string]string{"DProdSize": "Dim Product Size"}},
		"a column written out":  {"", []string{"warranty_start", "wrnty_end", "serial"}, map[string]string{"wrnty_end": "Warranty End"}},
		"words of any language": {"umsatz", []string{"anteil", "codigo_postal"}, map[string]string{"anteil": "Anteil", "codigo_postal": "Codigo Postal"}},
	} {
		t.Run(name, func(t *testing.T) {
			columns := make([]table.Column, len(c.columns))
			for i, n := range c.columns {
				columns[i] = table.Column{Name: n, Type: table.Text}
			}
			tab := table.NewBuilder(columns...).Table()
			for _, m := range ProfileWith(t.Context(), tab, Options{Title: c.title, Light: true}) {
				if want, ok := c.want[m.OriginalName]; ok && m.CleanedName != want {
					t.Errorf("%s is shown as %q, want %q", m.OriginalName, m.CleanedName, want)
				}
			}
		})
	}
}

// Tables of any width are read: the names of a wide one some at a time.
func TestNamesOfAWideTable(t *testing.T) {
	list := make([]string, 3*readTogether)
	for i := range list {
		list[i] = "cust_addr"
	}
	for i, n := range ReadNames("", list) {
		if n.Label != "Customer Address" {
			t.Fatalf("column %d is %q", i, n.Label)
		}
	}
}

// Short forms are looked for in names of so many bytes of a table, whatever its width, and once.
func TestStrangeNamesOfAWideTable(t *testing.T) {
	numbered := func(form string, columns int) []string {
		list := make([]string, columns)
		for i := range list {
			list[i] = fmt.Sprintf(form, i)
		}
		return list
	}
	strange := func(columns int) []string { return numbered("cstmrx_adrsq_%d_prdcv", columns) }
	for by, read := range map[string]func(list []string){
		"together": func(list []string) { readAll("wide", list) },
		"apart":    func(list []string) { ReadApart(list) },
		"levels": func(list []string) {
			meta := make([]ColumnMetadata, len(list))
			for i, name := range list {
				meta[i] = ColumnMetadata{OriginalName: name, Role: RoleMeasure, Aggregation: AggregateSum}
			}
			LevelsOf(table.NewBuilder().Table(), meta).Of(0)
		},
	} {
		cost := func(columns int) uint64 {
			readNames.known = nil
			return tabletest.Allocated(func() { read(strange(columns)) })
		}
		cost(10) // what is made once
		if few, many := cost(500), cost(8000); many > 3*few {
			t.Errorf("%s: 500 columns take %d bytes, 8,000 %d", by, few, many)
		}
	}
	for columns := range 5 {
		list := numbered("customer_sales_%d_year", 200<<columns) // plain words, which are read soon
		if once, again := ReadNames("wide", list), ReadNames("wide", list); &once[0] != &again[0] {
			t.Errorf("the names of %d columns are read again", len(list))
		}
	}
	if readSchemas.size > cachedSchemasSize {
		t.Errorf("names of %d bytes are kept", readSchemas.size)
	}
}

// A reading that differs from the dictionary's needs to be nearly sure: without a table around it a temp is no temporary thing.
func TestDictionaryIsDoubtedLess(t *testing.T) {
	for name, want := range map[string]string{
		"temp_max": "Temperature Max", "rev_total": "Revenue Total", "rtn_rate": "Return Rate", "op_margin": "Operating Margin",
	} {
		if got := ReadName(name).Label; got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}
