package infer_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
)

// TestLateExponent checks columns of numbers of which some far below have exponents: they are what they would be had the first one an exponent.
func TestLateExponent(t *testing.T) {
	for name, c := range map[string]struct {
		first, late string
		want        table.Type
		scale       int32
	}{
		"whole numbers":             {"12", "1e-7", table.Float, 0},
		"decimals":                  {"12.50", "2.5E10", table.Float, 0},
		"more digits":               {"0.00123456789012345678", "3.3e-9", table.Decimal, 20},
		"doubles":                   {"0.001234567890123456", "3.3e-9", table.Float, 0},
		"more than a double has":    {"1234567890123456.75", "1e2", table.Decimal, 2},
		"more than a double has, e": {"1.5", "12345678901234567891e-19", table.Decimal, 19},
		"large whole numbers":       {"9007199254740993", "1e3", table.Int, 0},
		"negative and null":         {"-3", "-1e-3", table.Float, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			var csv, json strings.Builder
			csv.WriteString("id,number,text\n")
			json.WriteString("[")
			cells := make([]string, 9000)
			for i := range cells {
				switch {
				case i == 4000 || i == 8000:
					cells[i] = c.late
				case i < 20 || r.IntN(3) == 0:
					cells[i] = c.first
				case r.IntN(3) > 0:
					cells[i] = strconv.Itoa(r.IntN(500))
				}
				fmt.Fprintf(&csv, "%d,%s,text %d\n", i, cells[i], i)
				value := cells[i]
				if value == "" {
					value = "null"
				}
				fmt.Fprintf(&json, `%s{"id":%d,"number":%s,"text":"text %d"}`, strings.Repeat(",", min(i, 1)), i, value, i)
			}
			json.WriteString("]")
			for _, text := range []string{csv.String(), json.String()} {
				got, err := load.Bytes([]byte(text), "numbers", table.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if col := got.Table.Column(1); col.Type != c.want || col.Scale != c.scale {
					t.Fatalf("the column is %s of scale %d, want %s of scale %d", col.Type, col.Scale, c.want, c.scale)
				}
				for i, cell := range cells {
					v := got.Table.Value(i, 1)
					if f, err := strconv.ParseFloat(cell, 64); err != nil != v.IsNull() {
						t.Fatalf("row %d of %q is %s", i, cell, v)
					} else if x, _ := v.Float(); !v.IsNull() && x != f {
						t.Fatalf("row %d of %q is %s", i, cell, v)
					}
				}
			}
		})
	}
}
