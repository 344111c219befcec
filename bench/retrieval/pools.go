package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/planner/plan"
)

// pool is a catalogue with the queries that are put to it.
type pool struct {
	name    string
	tools   []plan.Tool
	ids     []string // of the tools, in the same order
	queries []query
}

// query is a line of queries.jsonl.
type query struct {
	ID           string              `json:"id"`
	Query        string              `json:"query"`
	Relevant     []string            `json:"relevant"`
	Alternatives map[string][]string `json:"alternatives"` // of a relevant tool: the same tool of other servers
}

// described is a line of tools.jsonl, as each of the sets writes it.
type described struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	InputSchema   json.RawMessage `json:"inputSchema"`
	Parameters    json.RawMessage `json:"parameters"`
	Responses     map[string]any  `json:"responses"`
	Server        string          `json:"server"`
	Functionality any             `json:"functionality"`
	Domain        any             `json:"domain"`
}

// argument is a parameter as ToolRet's sets write it.
type argument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        string `json:"type"`
}

// loadPool reads a folder of the retrieval set. It gives false where the folder or the split of it is missing.
func loadPool(o *sets.Options, name string) (pool, bool, error) {
	p := pool{name: name}
	if _, err := os.Stat(o.Path("retrieval", name, "SPLIT", "queries.jsonl")); errors.Is(err, fs.ErrNotExist) {
		return p, false, nil
	}
	lines, err := sets.Lines[described](o.Path("retrieval", name, "tools.jsonl"), 0)
	if err != nil {
		return p, false, err
	}
	for _, d := range lines {
		p.tools = append(p.tools, d.tool())
		p.ids = append(p.ids, d.ID)
	}
	p.queries, err = sets.Lines[query](o.Path("retrieval", name, "SPLIT", "queries.jsonl"), o.Limit)
	return p, true, err
}

// tool is the description as a catalogue of Catena has it.
func (d described) tool() plan.Tool {
	t := plan.Tool{Name: d.Name, Description: strings.Trim(d.Description, `"`), InputSchema: d.InputSchema, ReadOnly: true}
	if server, _, ok := strings.Cut(d.ID, "::"); ok {
		t.Toolset, t.Name = server, server+"__"+d.Name
	}
	if extra := plainText(d.Functionality) + plainText(d.Domain); extra != "" {
		t.Description += " " + extra
	}
	if len(t.InputSchema) == 0 {
		t.InputSchema = schemaOf(d.Parameters)
	}
	if len(d.Responses) > 0 {
		t.OutputSchema, _ = json.Marshal(map[string]any{"type": "object", "properties": d.Responses})
	}
	return t
}

// schemaOf makes a JSON Schema of ToolRet's parameters, a list or an object by names.
func schemaOf(raw json.RawMessage) json.RawMessage {
	properties := map[string]any{}
	var list []argument
	var named map[string]argument
	if json.Unmarshal(raw, &list) == nil {
		for _, a := range list {
			properties[a.Name] = map[string]any{"type": "string", "description": a.Description}
		}
	} else if json.Unmarshal(raw, &named) == nil {
		for name, a := range named {
			properties[name] = map[string]any{"type": "string", "description": a.Description}
		}
	}
	out, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
	return out
}

// servers gives the tools' servers.
func (p pool) server(id string) string {
	server, _, _ := strings.Cut(id, "::")
	return server
}

// poolNames are the sets of the figures first, then those that are only looked at.
func poolNames(o *sets.Options) []string {
	scored := []string{"toolret_apigen", "toolret_apibank", "livemcpbench", "metatool"}
	dirs, _ := filepath.Glob(o.Path("retrieval", "*", "tools.jsonl"))
	for _, d := range dirs {
		if name := filepath.Base(filepath.Dir(d)); !slices.Contains(scored, name) {
			scored = append(scored, name)
		}
	}
	slices.SortStableFunc(scored[4:], func(a, b string) int { return cmp.Compare(a, b) })
	return scored
}

// plainText is a text, or the texts of a list, as sentences.
func plainText(v any) string {
	switch v := v.(type) {
	case string:
		return v + ". "
	case []any:
		out := ""
		for _, e := range v {
			out += plainText(e)
		}
		return out
	}
	return ""
}
