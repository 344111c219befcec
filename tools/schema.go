package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
	"catena/table"
)

// rawSchemas returns a definition's schemas as they go over the wire; out is nil when the tool declares none.
func rawSchemas(def mcp.Tool) (in, out json.RawMessage, err error) {
	in, out = def.RawInputSchema, def.RawOutputSchema
	if in == nil {
		if in, err = json.Marshal(def.InputSchema); err != nil {
			return nil, nil, fmt.Errorf("input schema: %w", err)
		}
	}
	if out == nil && def.OutputSchema.Type != "" {
		if out, err = json.Marshal(def.OutputSchema); err != nil {
			return nil, nil, fmt.Errorf("output schema: %w", err)
		}
	}
	return in, out, nil
}

// TableSchema is the output schema of a tool that gives a table. Columns that are always there are
// named, with their types as references see them, so that a plan can be checked before it runs; on the wire a row is an
// array in the order of columns, which is why the rows have properties but no type.
func TableSchema(cols ...table.Column) json.RawMessage {
	row := map[string]any{"description": "One row: an array in column order. References read it as a record."}
	if len(cols) > 0 {
		props := make(map[string]any, len(cols))
		for _, c := range cols {
			props[c.Name] = map[string]any{"type": []string{refType(c.Type), "null"}}
		}
		row["properties"] = props
	}
	text, count := map[string]any{"type": "string"}, map[string]any{"type": "integer", "minimum": 0}
	raw, err := json.Marshal(map[string]any{
		"type": "object",
		"properties": map[string]any{
			"columns": map[string]any{"type": "array", "items": map[string]any{"type": "object", "required": []string{"name", "type"},
				"properties": map[string]any{"name": text, "type": text}}},
			"rows":       map[string]any{"type": "array", "items": row},
			"row_count":  count,
			"total_rows": count,
			"truncated":  map[string]any{"type": "boolean"},
			"handle":     map[string]any{"type": "string", "description": "Names the table for other tools' data arguments."},
		},
		"required": []string{"columns", "rows", "row_count"},
	})
	if err != nil {
		panic(err) // maps of plain values always encode
	}
	return raw
}

// ClientOutput is the output schema of a tool as its clients get results, nil for none: that of Tool.WireOutput, or Def's with rows as they are on the
// wire. What other servers declare is theirs.
func ClientOutput(t Tool) json.RawMessage {
	if t.WireOutput != nil {
		return t.WireOutput
	}
	out := t.Def.RawOutputSchema
	var s map[string]json.RawMessage
	if t.Raw != nil || json.Unmarshal(out, &s) != nil {
		return out
	}
	var props map[string]json.RawMessage
	if json.Unmarshal(s["properties"], &props) != nil || props["columns"] == nil || props["rows"] == nil || props["row_count"] == nil {
		return out
	}
	props["rows"] = wireRows
	var err error
	if s["properties"], err = json.Marshal(props); err != nil {
		return out // it is JSON: it was registered
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return out
	}
	return raw
}

// wireRows describes the rows of a table as they are on the wire, in types that programs can make classes of.
var wireRows = json.RawMessage(`{"type":"array","description":"The rows, in order.","items":{"type":"array",` +
	`"description":"The cells of a row, in the order of columns. Decimals, integers beyond 2^53, dates and times are strings: columns say the type.",` +
	`"items":{"type":["string","integer","number","boolean","null","array","object"]}}}`)

// refType is the JSON type that a reference to a cell gives.
func refType(t table.Type) string {
	switch t {
	case table.Bool:
		return "boolean"
	case table.Int:
		return "integer"
	case table.Float, table.Decimal:
		return "number"
	}
	return "string"
}

// DataSchema is the schema of an argument that takes a table in any of the forms that TableArg reads.
func DataSchema(description string) map[string]any {
	return map[string]any{
		"description": description + " A table: its handle (tbl_...) or name, an object {columns, rows}, a list of objects, or CSV text.",
		"anyOf": []any{
			map[string]any{"type": "string", "format": plan.TableRef, "minLength": 1},
			map[string]any{"type": "object"},
			map[string]any{"type": "array"},
		},
	}
}

// ErrSchema is wrapped by CheckJSON's error for a schema that does not compile.
var ErrSchema = errors.New("the schema does not compile")

// CheckJSON checks a JSON value against a schema: what a model or another program gave. The error names the places that do
// not fit, or wraps ErrSchema, or is a *plan.BoundError where the check would cost too much.
func CheckJSON(ctx context.Context, schema json.RawMessage, v any) error {
	s, err := plan.CompileSchema(schema)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSchema, err)
	}
	return plan.Check(ctx, s, v)
}

// Describe is a tool's definition as it goes over the wire, indented: what a snapshot of its schemas holds.
func (t Tool) Describe() ([]byte, error) {
	raw, err := json.Marshal(t.Def)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Def.Name, err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Def.Name, err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
