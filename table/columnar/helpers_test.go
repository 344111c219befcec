package columnar_test

import (
	"errors"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
)

// hostileMemory is the budget that hostile files are read with. Files of some kilobytes that need more are refused.
const hostileMemory = 64 << 20

func rowsOf(t *table.Table) []string { return tabletest.Rows(t) }

func wantOver(t *testing.T, err error, what string) {
	t.Helper()
	var over *table.LimitError
	if !errors.As(err, &over) || over.What != what {
		t.Fatalf("the error is %v, not one of the limit of %s", err, what)
	}
}

// typed is a table with a column of each type, units and zones.
func typed(t testing.TB) *table.Table {
	t.Helper()
	columns := []string{
		`"id","type":"integer"`, `"zip","type":"text"`, `"price","type":"decimal","scale":2,"unit":"USD"`, `"noise","type":"float"`, `"ok","type":"boolean"`, `"day","type":"date"`,
		`"seen","type":"datetime"`, `"local","type":"datetime","zone":"Europe/Berlin"`, `"clock","type":"time"`, `"took","type":"duration"`,
	}
	rows := []string{
		`1,"00501",1204551.25,1e-30,true,"2024-02-29","2024-02-29T23:59:59.123456","2024-02-29T23:59:59.123456+01:00","09:30:00","26h0m1s"`,
		`-20,"=1+1",-0.10,3.5e0,false,"1900-03-01","2024-03-01T00:59:59","2024-03-01T00:59:59+01:00","00:00:00","-1m0s"`,
		`null,null,null,null,null,null,null,null,null,null`,
	}
	made, err := load.Text(`{"columns":[{"name":`+strings.Join(columns, `},{"name":`)+`}],"rows":[[`+strings.Join(rows, "],[")+`]]}`, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}
