package load_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
)

func TestMoreTablesThanTheLimit(t *testing.T) {
	many := func(n int) []byte {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "t%d,u\n1,2\n3,4\n\n", i)
		}
		return []byte(b.String())
	}
	for _, n := range []int{257, 300, 20_000} {
		_, err := load.Tables(many(n), "many.csv", table.Limits{})
		var over *table.LimitError
		if !errors.As(err, &over) || over.What != table.LimitTables || over.Limit != 256 {
			t.Errorf("%d tables: %v", n, err)
		}
	}
	if found, err := load.Tables(many(256), "many.csv", table.Limits{}); err != nil || len(found) != 256 {
		t.Errorf("256 tables: %d, %v", len(found), err)
	}
	if found, err := load.Tables([]byte(strings.Repeat("same,u\n1,2\n3,4\n\n", 2000)), "many.csv", table.Limits{}); err != nil || len(found) != 1 || found[0].Table.NumRows() != 4000 {
		t.Errorf("a table in 2,000 parts: %d, %v", len(found), err)
	}
}
