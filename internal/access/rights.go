package access

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Rights that belong to no tool. Chat, Metrics and Admin are scopes of that name; the others follow from scopes.
const (
	Chat     = "chat"    // send messages, plan, follow runs, read sessions
	Metrics  = "metrics" // read /metrics
	Admin    = "admin"   // everything
	Manage   = "manage"  // change what the server does for all: its model, its tools: Admin without read-only
	Edit     = "edit"    // change or delete conversations, and decide about steps: Chat without read-only
	Tables   = "tables"  // read the tables that answers and calls gave, and the caller's uploads: Chat, or a right to call some tool
	Upload   = "upload"  // upload tables: Chat or a right to change something with a tool, without read-only
	ByTarget = "target"  // what the request names says which right it needs, and the chokepoint holds it: a tool, a prompt, a resource
)

// Scope is the scope to ask for where a right is missing.
func Scope(right string) string {
	switch right {
	case Metrics, Admin:
		return right
	case Manage:
		return Admin
	}
	return Chat
}

// readOnly takes away what changes things, whatever else is granted.
const readOnly = "read-only"

// Rights are what scopes and roles come to. They do not change once they are made, so that callers share them. A nil *Rights has
// nothing.
type Rights struct {
	chat, metrics, admin bool
	readOnly             bool
	read, write          []pattern
	scopes               []string
}

var everything = &Rights{chat: true, metrics: true, admin: true, scopes: []string{Admin}}

// ParseRights makes Rights of scopes and of the scopes that roles stand for. A scope is one of
//
//	chat               send messages, keep conversations; the tools that answer them need scopes of their own
//	tools:PATTERN      call and read what the pattern names; "tools" alone is tools:*
//	read:PATTERN       the same for what changes nothing
//	write:PATTERN      the same for what changes something
//	read-only          nothing that changes anything, whatever else is granted
//	metrics            read /metrics
//	admin              everything, /metrics too
//
// A PATTERN is the name of a tool, prompt, resource or live table, of a toolset, toolset:name, or of an area (Areas), with * and ?
// as path.Match has them. A role that is not in roles gives nothing: tokens carry roles of other programs too. An error names the
// scope that is none.
func ParseRights(scopes, has []string, roles map[string][]string) (*Rights, error) {
	r := &Rights{}
	for _, s := range scopes {
		if err := r.add(s); err != nil {
			return nil, err
		}
	}
	for _, role := range has {
		for _, s := range roles[role] {
			if err := r.add(s); err != nil {
				return nil, fmt.Errorf("role %s: %w", role, err)
			}
		}
	}
	slices.Sort(r.scopes)
	r.scopes = slices.Compact(r.scopes)
	return r, nil
}

// CheckScope returns an error that says what is wrong with a scope, nil when it is one.
func CheckScope(scope string) error { return new(Rights).add(scope) }

func (r *Rights) add(scope string) error {
	verb, name, has := strings.Cut(scope, ":")
	if !has && verb == "tools" {
		name = "*"
	}
	if !has && (verb == "read" || verb == "write") || has && name == "" {
		return fmt.Errorf("the scope %q names nothing; write %s:* or %s:crm", scope, verb, verb)
	}
	var list []pattern
	if verb == "tools" || verb == "read" || verb == "write" {
		var err error
		if list, err = patterns(name); err != nil {
			return fmt.Errorf("the scope %q: %w", scope, err)
		}
	} else if has {
		return fmt.Errorf("the scope %q is none; there are chat, tools:..., read:..., write:..., read-only, metrics and admin", scope)
	}
	switch verb {
	case Chat:
		r.chat = true
	case Metrics:
		r.metrics = true
	case Admin:
		r.admin, r.chat, r.metrics = true, true, true
	case readOnly:
		r.readOnly = true
	case "tools":
		r.read, r.write = append(r.read, list...), append(r.write, list...)
	case "read":
		r.read = append(r.read, list...)
	case "write":
		r.write = append(r.write, list...)
	default:
		return fmt.Errorf("the scope %q is none; there are chat, tools:..., read:..., write:..., read-only, metrics and admin", scope)
	}
	r.scopes = append(r.scopes, scope)
	return nil
}

// Scopes returns what the rights were made of, sorted, those of roles among them.
func (r *Rights) Scopes() []string {
	if r == nil {
		return nil
	}
	return slices.Clone(r.scopes)
}

// CallsTools reports whether any tool may be called.
func (r *Rights) CallsTools() bool {
	return r != nil && (r.admin || len(r.read) > 0 || !r.readOnly && len(r.write) > 0)
}

func (r *Rights) has(right string) bool {
	if r == nil {
		return false
	}
	switch right {
	case Chat:
		return r.chat
	case Metrics:
		return r.metrics
	case Admin:
		return r.admin
	case Manage:
		return r.admin && !r.readOnly
	case Edit:
		return r.chat && !r.readOnly
	case Tables:
		return r.chat || r.CallsTools()
	case Upload:
		return !r.readOnly && (r.chat || len(r.write) > 0)
	}
	return false
}

// chatTool is the tool that is a whole turn: what it calls is checked again.
var chatTool = Target{Toolset: "core", Name: "chat"}

func (r *Rights) allows(what Target) bool {
	switch {
	case r == nil:
		return false
	case what.Toolset == chatTool.Toolset && what.Name == chatTool.Name:
		return r.chat
	case r.readOnly && !what.ReadOnly:
		return false
	case r.admin:
		return true
	}
	list := r.write
	if what.ReadOnly {
		list = r.read
	}
	for i := range list {
		if list[i].matches(what) {
			return true
		}
	}
	return false
}

// pattern is one name of a scope.
type pattern struct {
	toolset, name string // "" is any
	either        string // of the toolset or of the name; "" with the others
	plain         bool   // without wildcards
}

func (p pattern) matches(what Target) bool {
	if p.either != "" {
		return p.one(p.either, what.Toolset) || p.one(p.either, what.Name)
	}
	return p.one(p.toolset, what.Toolset) && p.one(p.name, what.Name)
}

func (p pattern) one(glob, name string) bool {
	if glob == "*" || p.plain {
		return glob == "*" || glob == name
	}
	ok, err := path.Match(glob, name)
	return err == nil && ok
}

// patterns reads the part of a scope behind its verb.
func patterns(name string) ([]pattern, error) {
	if area, ok := areas[name]; ok {
		var out []pattern
		for _, x := range area.names {
			out = append(out, pattern{toolset: area.toolset, name: x, plain: true})
		}
		return out, nil
	}
	if _, err := path.Match(name, ""); err != nil || strings.ContainsAny(name, " \t,") {
		return nil, fmt.Errorf("%q is no name and no pattern; as in crm, crm:get_*, search_repo", name)
	}
	p := pattern{either: name, plain: !strings.ContainsAny(name, `*?[\`)}
	if toolset, tool, ok := strings.Cut(name, ":"); ok {
		p.toolset, p.name, p.either = toolset, tool, ""
	}
	return []pattern{p}, nil
}

// area is a part of a toolset that scopes can name.
type area struct {
	toolset string
	names   []string
}

// areas divide the persona toolset as its roles do. A test of the program holds that every tool, prompt, resource and live table of it
// is in one.
var areas = map[string]area{
	"personas": {"persona", []string{
		"personas", "persona", "attachment_styles", "active_goals", "analyze_persona_compatibility", "autonomous_strategy_selection",
		"assess_goal_progress", "generate_contextual_response", "assess_attachment_style", "generate_secure_response",
	}},
	"relationships": {"persona", []string{
		"relationships", "relationship", "emotional_climate", "psychological_trends",
		"update_relationship_metrics", "commit_relationship_state", "finalize_demo_session",
	}},
	"interactions": {"persona", []string{"interactions", "recent_interactions", "analyze_emotional_climate", "record_interaction"}},
}

// Areas names the areas and what is in each.
func Areas() map[string][]string {
	out := map[string][]string{}
	for name, a := range areas {
		out[name] = slices.Clone(a.names)
	}
	return out
}

// DefaultRoles are the roles that are there without any setting, by name, with their scopes.
func DefaultRoles() map[string][]string {
	view := []string{Chat, "read:personas", "read:relationships", "read:interactions"}
	return map[string][]string{
		"admin":                {Admin},
		"user":                 {Chat, "tools:*"},
		"reader":               {Chat, "read:*"},
		"relationship_viewer":  view,
		"relationship_editor":  append(slices.Clone(view), "write:relationships"),
		"interaction_recorder": {Chat, "read:personas", "read:interactions", "write:interactions"},
	}
}

// Roles adds roles to DefaultRoles, in the place of those with the same name, and checks the scopes of all.
func Roles(more map[string][]string) (map[string][]string, error) {
	out := DefaultRoles()
	maps.Copy(out, more)
	for _, name := range slices.Sorted(maps.Keys(more)) {
		for _, s := range more[name] {
			if err := CheckScope(s); err != nil {
				return nil, fmt.Errorf("role %s: %w", name, err)
			}
		}
	}
	return out, nil
}
