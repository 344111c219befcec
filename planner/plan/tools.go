package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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

// How the tools of other servers are called.
const (
	LongestToolName = 64   // bytes: what hosts accept
	ServerSeparator = "__" // between the server's name and the tool's
)

// nameRunes are the characters that every host accepts in a tool's name.
const nameRunes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// ServerTool is the name of a server's tool among all tools: <server>__<tool> in the characters and the length that
// hosts accept. What does not fit ends in a hash of the whole, and so does a name that had characters replaced, so that
// two tools never meet under one name.
func ServerTool(server, tool string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(nameRunes, r) {
			return r
		}
		return '_'
	}, tool)
	name := server + ServerSeparator + plain
	if plain == tool && len(name) <= LongestToolName {
		return name
	}
	sum := sha256.Sum256([]byte(tool))
	tail := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), LongestToolName-len(tail))] + tail
}

// FindTool returns the tool that a plan means by a name: its own, or toolset:tool or toolset__tool. For a tool of an upstream
// server, whose name is <server>__<tool>, server:tool is the alias, and the tool may be called as its server calls it.
func FindTool(tools []Tool, name string) (Tool, bool) {
	for _, t := range tools {
		if t.Name == name {
			return t, true
		}
	}
	set, short, ok := strings.Cut(name, ":")
	if !ok {
		set, short, ok = strings.Cut(name, ServerSeparator)
	}
	if !ok {
		return Tool{}, false
	}
	full := ServerTool(set, short)
	for _, t := range tools {
		if t.Toolset == set && t.Name == short || t.Name == full {
			return t, true
		}
	}
	return Tool{}, false
}

// NamedTool returns the tool that a message means by a name: see FindTool; else the only tool that its server calls so.
func NamedTool(tools []Tool, name string) (Tool, bool) {
	if t, known := FindTool(tools, name); known {
		return t, true
	}
	if of := (toolIndex{all: tools}).ofServers(name); len(of) == 1 {
		return of[0], true
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

// ofServers are the tools of other servers that their servers call by a name.
func (x toolIndex) ofServers(name string) (out []Tool) {
	for _, t := range x.all {
		if t.Toolset != "" && t.Name == ServerTool(t.Toolset, name) {
			out = append(out, t)
		}
	}
	return out
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

// declaredField is an argument that a tool declares.
type declaredField struct {
	name string
	list bool
	flag bool // a boolean
}

// fieldsOf are the arguments of a tool, by their names.
func fieldsOf(t Tool) []declaredField {
	in := shared.schemas.get(t.InputSchema).Schema
	if in == nil {
		return nil
	}
	var out []declaredField
	for _, name := range fieldNames(in) {
		found, _ := property(in, name)
		var kind kinds
		for _, p := range found {
			kind |= allowed(p, 0)
		}
		out = append(out, declaredField{name, kind&kindList != 0 && kind&kindText == 0, kind&kindBool != 0 && kind&kindText == 0})
	}
	return out
}

func (r *argumentReader) field(name string) (declaredField, bool) {
	i := slices.IndexFunc(r.declared, func(d declaredField) bool { return d.name == name })
	if i < 0 {
		key := fold(name)
		i = slices.IndexFunc(r.declared, func(d declaredField) bool { return fold(d.name) == key })
	}
	if i < 0 {
		return declaredField{}, false
	}
	return r.declared[i], true
}
