package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// tool is a tool that all servers have, with how its answers are checked.
type tool struct {
	name      string
	arguments string
	bar       float64                        // on the ratio to mcp-go
	right     func(body, number []byte) bool // each answer, quickly
	whole     func(body []byte) error        // the first answer, cell by cell
}

var echoTool = tool{
	name: "echo", arguments: fmt.Sprintf(`{"message":"The quick brown fox says %d to the lazy dog."}`, firstNumber), bar: 1.5,
	right: func(body, number []byte) bool {
		return bytes.Contains(body, bytes.Join([][]byte{[]byte(`"text":"The quick brown fox says `), number, []byte(` to the lazy dog."`)}, nil))
	},
	whole: func([]byte) error { return nil },
}

var tableTool = tool{
	name: "query_table", arguments: fmt.Sprintf(`{"table":"orders","limit":%d}`, rowCount), bar: 1.15,
	right: func(body, _ []byte) bool {
		return bytes.Contains(body, []byte(strconv.Itoa(100_000+rowCount-1))) && bytes.Contains(body, []byte(fmt.Sprintf(`"row_count":%d`, rowCount)))
	},
	whole: wholeTable,
}

func tableCalls(calls int) int { return max(20, calls/10) }

// wholeTable compares each cell of an answer with the table.
func wholeTable(body []byte) error {
	var a struct {
		Result struct {
			Structured struct {
				Columns []struct{ Name string }
				Rows    []json.RawMessage
			} `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return err
	}
	want, got := orders(), a.Result.Structured
	if len(got.Rows) != len(want) {
		return fmt.Errorf("%d rows of %d", len(got.Rows), len(want))
	}
	for i, raw := range got.Rows {
		cells := map[string]any{}
		if len(got.Columns) > 0 { // Catena's rows are lists
			var list []any
			if err := json.Unmarshal(raw, &list); err != nil || len(list) != len(got.Columns) {
				return fmt.Errorf("row %d: %w: %s", i, err, raw)
			}
			for j, c := range got.Columns {
				cells[c.Name] = list[j]
			}
		} else if err := json.Unmarshal(raw, &cells); err != nil {
			return err
		}
		o := want[i]
		for name, cell := range map[string]any{"order_id": o.ID, "client": o.Client, "region": o.Region, "ordered": o.Ordered, "quantity": o.Quantity, "revenue_usd": o.Revenue} {
			if !same(cells[name], cell) {
				return fmt.Errorf("row %d, %s: %v in place of %v", i, name, cells[name], cell)
			}
		}
	}
	return nil
}

// same compares a cell; decimals may be texts.
func same(got, want any) bool {
	if f, ok := want.(float64); ok {
		n, err := strconv.ParseFloat(fmt.Sprint(got), 64)
		return err == nil && n == f
	}
	if n, ok := want.(int); ok {
		return got == float64(n)
	}
	return got == want
}
