package plan

import (
	"bytes"
	"slices"
	"strings"
)

// Same reports whether two descriptions of a tool are equal in all that a plan was made by: what it says of itself, what it takes
// and gives, and what it changes.
func (t Tool) Same(u Tool) bool {
	return t.Name == u.Name && t.Toolset == u.Toolset && t.Title == u.Title && t.Description == u.Description &&
		t.ReadOnly == u.ReadOnly && t.Destructive == u.Destructive && t.Idempotent == u.Idempotent &&
		slices.Equal(t.Phrases, u.Phrases) &&
		bytes.Equal(t.InputSchema, u.InputSchema) && bytes.Equal(t.OutputSchema, u.OutputSchema)
}

// FindTool returns the tool that a plan means by a name: its own, or toolset:tool or toolset__tool. For a tool of an upstream
// server, whose name is <server>__<tool>, server:tool is the alias.
func FindTool(tools []Tool, name string) (Tool, bool) {
	for _, t := range tools {
		if t.Name == name {
			return t, true
		}
	}
	set, short, ok := strings.Cut(name, ":")
	if !ok {
		set, short, ok = strings.Cut(name, "__")
	}
	if !ok {
		return Tool{}, false
	}
	for _, t := range tools {
		if t.Toolset == set && t.Name == short || t.Name == set+"__"+short {
			return t, true
		}
	}
	return Tool{}, false
}

// toolIndex finds tools by name. Few tools are searched in order; many get a map.
type toolIndex struct {
	all  []Tool
	name map[string]int
}

func indexTools(tools []Tool) toolIndex {
	x := toolIndex{all: tools}
	if len(tools) > 32 {
		x.name = make(map[string]int, len(tools))
		for i, t := range tools {
			if _, twice := x.name[t.Name]; !twice {
				x.name[t.Name] = i
			}
		}
	}
	return x
}

func (x toolIndex) find(name string) (Tool, bool) {
	if i, ok := x.name[name]; ok {
		return x.all[i], true
	}
	if x.name != nil && !strings.Contains(name, ":") && !strings.Contains(name, "__") {
		return Tool{}, false
	}
	return FindTool(x.all, name)
}

// nearNames are the names for a suggestion: all of a small catalogue, the near ones of a large one.
func (x toolIndex) nearNames(name string) []string {
	const few = 20
	names := make([]string, 0, len(x.all))
	for _, t := range x.all {
		names = append(names, t.Name)
	}
	if len(names) <= few {
		return names
	}
	if near := nearest(name, names); near != "" {
		return []string{near}
	}
	return nil
}
