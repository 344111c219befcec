package semantic_test

import (
	"fmt"
	"testing"

	"catena/query/semantic"
)

// A column that repeats one of the row that its row refers to is known as a copy; one that is merely called alike is not.
func TestCopies(t *testing.T) {
	town := func(i int) string { return fmt.Sprintf("Town %c", 'A'+i%7) }
	m := infer(t,
		read(t, "shops", rows("shop_id,shop_name,town,opened,status", 12, func(i int) string {
			return fmt.Sprintf("S%02d,Shop %c,%s,2020-01-%02d,%d", i, 'A'+i, town(i), i, i%2)
		})),
		read(t, "sales", rows("sale_no,shop_id,shop_name,town,status,opened", 90, func(i int) string {
			shop := i%12 + 1
			name := town(shop)
			if shop == 3 {
				name = "the town of " + name
			}
			return fmt.Sprintf("%d,S%02d,Shop %c,%s,%d,2021-02-%02d", i, shop, 'A'+shop, name, i%3, i%28+1)
		})))
	e, _ := m.Entity("sales")
	want := map[string]semantic.ColumnName{"shop_name": {Table: "shops", Column: "shop_name"}, "town": {Table: "shops", Column: "town"}}
	for _, f := range e.Fields {
		if f.CopyOf != want[f.Name] {
			t.Errorf("%s is a copy of %v, want %v", f.Name, f.CopyOf, want[f.Name])
		}
	}
}
