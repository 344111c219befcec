package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// mockSpec says what a mock tool does to a fixture; see the README of chains.
type mockSpec struct {
	Table    string               `json:"table"`
	Filter   map[string][2]string `json:"filter"`
	WhereLE  [][2]string          `json:"where_le"`
	Returns  string               `json:"returns"`
	Value    string               `json:"value"`
	Multiply [2]string            `json:"multiply"`
	Echo     string               `json:"echo"`
}

// mock is the thirty tools of chains over their fixtures.
type mock struct {
	specs map[string]mockSpec
	db    map[string][]map[string]any
	defs  []mcp.Tool
}

func loadMock(dir string) (*mock, error) {
	m := &mock{db: map[string][]map[string]any{}}
	if err := readJSON(filepath.Join(dir, "mock.json"), &m.specs); err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if err := readJSON(filepath.Join(dir, "tools.json"), &raw); err != nil {
		return nil, err
	}
	for _, r := range raw {
		var def struct {
			Name        string
			Description string
			InputSchema json.RawMessage
			Annotations mcp.ToolAnnotation
		}
		if err := json.Unmarshal(r, &def); err != nil {
			return nil, err
		}
		m.defs = append(m.defs, mcp.Tool{Name: def.Name, Description: def.Description, RawInputSchema: def.InputSchema, Annotations: def.Annotations})
	}
	files, err := filepath.Glob(filepath.Join(dir, "fixtures", "*.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		var rows []map[string]any
		if err := readJSON(f, &rows); err != nil {
			return nil, err
		}
		m.db[strings.TrimSuffix(filepath.Base(f), ".json")] = rows
	}
	return m, nil
}

func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// tools gives the mock tools for a registry.
func (m *mock) tools() []tools.Tool {
	var out []tools.Tool
	for _, def := range m.defs {
		out = append(out, tools.Tool{Def: def, Toolset: "mock", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			return m.call(def.Name, call.Args)
		}})
	}
	return out
}

// call does what mock.json says. Rows come as a table, one row as a table of one row, a value as itself.
func (m *mock) call(name string, args map[string]any) (tools.Result, error) {
	s := m.specs[name]
	if s.Echo != "" {
		return tools.Result{Structured: map[string]any{"value": s.Echo}}, nil
	}
	rows := []any{}
	for _, row := range m.db[s.Table] {
		if s.keeps(row, args) {
			rows = append(rows, row)
		}
	}
	switch {
	case s.Multiply[0] != "" && len(rows) > 0:
		product := number(rows[0].(map[string]any)[s.Multiply[0]]) * number(args[s.Multiply[1]])
		return valueTable(round(product, 2))
	case s.Returns == "value" && len(rows) > 0:
		return valueTable(rows[0].(map[string]any)[s.Value])
	case s.Returns != "rows" && len(rows) == 0:
		return tools.Failed("not_found", name+": not found"), nil
	case s.Returns == "row":
		rows = rows[:1]
	}
	if len(rows) == 0 {
		return emptyLike(m.db[s.Table])
	}
	t, err := load.Any(rows, table.Limits{})
	return tools.Result{Table: t, Name: name}, err
}

func (s mockSpec) keeps(row, args map[string]any) bool {
	for arg, rule := range s.Filter {
		want, have := args[arg], row[rule[0]]
		if want == nil {
			continue
		}
		ok := false
		switch w, h := strings.ToLower(fmt.Sprint(want)), strings.ToLower(fmt.Sprint(have)); rule[1] {
		case "eq":
			ok = w == h
		case "contains":
			ok = strings.Contains(h, w)
		case "ge":
			ok = have != nil && compare(have, want) >= 0
		case "le":
			ok = have != nil && compare(have, want) <= 0
		}
		if !ok {
			return false
		}
	}
	for _, p := range s.WhereLE {
		if number(row[p[0]]) > number(row[p[1]]) {
			return false
		}
	}
	return true
}

func compare(a, b any) int {
	if _, ok := a.(json.Number); ok {
		switch x, y := number(a), number(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func number(v any) float64 {
	switch x := v.(type) {
	case json.Number:
		f, _ := x.Float64()
		return f
	case float64:
		return x
	case int:
		return float64(x)
	}
	return 0
}

func round(f float64, digits int) float64 {
	var out float64
	fmt.Sscanf(fmt.Sprintf("%.*f", digits, f), "%g", &out)
	return out
}

func valueTable(v any) (tools.Result, error) {
	t, err := load.Any([]any{map[string]any{"value": v}}, table.Limits{})
	return tools.Result{Table: t, Name: "value"}, err
}

// emptyLike is a table without rows that has the columns of a fixture.
func emptyLike(rows []map[string]any) (tools.Result, error) {
	if len(rows) == 0 {
		return tools.Result{Table: &table.Table{}}, nil
	}
	t, err := load.Any([]any{rows[0]}, table.Limits{})
	if err != nil {
		return tools.Result{}, err
	}
	return tools.Result{Table: t.Slice(0, 0)}, nil
}

// askChains asks questions that need several of the mock tools.
func askChains(ctx context.Context, p planner.Planner, dir string, list []question) ([]prediction, error) {
	m, err := loadMock(dir)
	if err != nil {
		return nil, err
	}
	kept := handle.New(handle.Options{})
	kit := data.New(data.Options{Sources: data.NewSources(kept, table.Limits{}), Tables: kept})
	reg := tools.NewRegistry(tools.Options{Tables: kept})
	if err := reg.Register(append(m.tools(), kit.Tools()...)...); err != nil {
		return nil, err
	}
	s := &stand{kit: kit, reg: reg, exec: tools.NewExecutor(reg, tools.ExecutorOptions{})}
	out := make([]prediction, len(list))
	for i, q := range list {
		req := plan.Request{Message: q.Question, Now: asOf, Tools: reg.Planning(caller)}
		if out[i], err = s.answer(ctx, p, req); err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
	}
	return out, nil
}
