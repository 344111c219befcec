package columnar_test

import (
	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForeignColumns(t *testing.T) {
	pq, stream := tabletest.Foreign()
	for name, data := range map[string][]byte{"t.parquet": pq, "t.arrows": stream} {
		named, err := load.Bytes(data, name, table.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []string{"7000000000000000000000000000000000000000000000000.001|-12.34|a\ufffdb|null", "null|null|null|2.5"}
		if diff := cmp.Diff(want, rowsOf(named.Table)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if got := named.Table.Names(); !slices.Equal(got, []string{"wide", "small\ufffd", "text", "float"}) {
			t.Errorf("%s: names %q", name, got)
		}
		if len(named.Report.Notes) == 0 {
			t.Errorf("%s: nothing is said of NaN", name)
		}
	}
}
