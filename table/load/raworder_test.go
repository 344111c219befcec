package load_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
)

// A list of objects keeps the order of its members: that of the first object, then those that later ones add. So does raw JSON, which is how arguments keep it: maps have no order.
func TestObjectsKeepTheirOrder(t *testing.T) {
	const few = `{"z":1,"a":{"q":1,"b":2},"m":"x"},{"c":3,"z":2,"a":{"b":1,"k":4}}`
	many := few + strings.Repeat(`,{"m":"y","z":2,"a":{"b":1}}`, 20_000) + `,{"last":1,"first":2}`
	ordered := []string{"z", "a.q", "a.b", "m", "c", "a.k"}
	all := append(ordered[:len(ordered):len(ordered)], "last", "first")
	lines := strings.ReplaceAll(few, "},{", "}\n{")
	for name, c := range map[string]struct {
		read func() (*table.Table, error)
		want []string
	}{
		"raw": {func() (*table.Table, error) { return load.Any(json.RawMessage("["+few+"]"), table.Limits{}) }, ordered},
		"raw rows": {func() (*table.Table, error) {
			return load.Any([]any{json.RawMessage(few[:strings.Index(few, ",{\"c\"")])}, table.Limits{})
		}, ordered[:4]},
		"a member": {func() (*table.Table, error) {
			return load.Any(json.RawMessage(`{"count":2,"results":[`+few+`]}`), table.Limits{})
		}, ordered},
		"text":  {func() (*table.Table, error) { return load.Text("["+few+"]", table.Limits{}) }, ordered},
		"lines": {func() (*table.Table, error) { return load.Text(lines, table.Limits{}) }, ordered},
		"many":  {func() (*table.Table, error) { return load.Any(json.RawMessage("["+many+"]"), table.Limits{}) }, all},
		"text in a raw": {func() (*table.Table, error) {
			return load.Any(json.RawMessage(table.AppendJSONString(nil, "["+few+"]")), table.Limits{})
		}, ordered},
		"by their keys": {func() (*table.Table, error) {
			return load.Any(json.RawMessage(`{"2024":{"z":1,"a":2},"2023":{"z":3,"a":4}}`), table.Limits{})
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tab, err := c.read()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, col := range tab.Columns() {
				got = append(got, col.Name)
			}
			if c.want == nil {
				c.want = []string{got[0], "z", "a"}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
