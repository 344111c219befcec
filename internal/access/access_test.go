package access

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAllowAll(t *testing.T) {
	if err := (AllowAll{}).Allow(Local("cli"), Target{Toolset: "crm", Name: "find_clients"}); err != nil {
		t.Error("the local caller:", err)
	}
	if err := (AllowAll{}).Allow(Caller{}, Target{Toolset: "crm", Name: "find_clients"}); !errors.Is(err, ErrForbidden) {
		t.Error("nobody:", err)
	}
}

func TestRights(t *testing.T) {
	read, write := Target{"crm", "get_top_clients", true}, Target{"memory", "store_memory", false}
	chat := Target{Toolset: "core", Name: "chat"}
	climate := Target{"persona", "emotional_climate", true}
	change := Target{"persona", "update_relationship_metrics", false}
	record := Target{"persona", "record_interaction", false}
	remote := Target{"files", "files__read", false}
	all := []Target{read, write, chat, climate, change, record, remote}
	for _, test := range []struct {
		scopes, roles string
		want          string // names that are allowed
		may           string // of chat metrics admin
	}{
		{"", "", "", ""},
		{"chat", "", "chat", "chat"},
		{"admin", "", "get_top_clients store_memory chat emotional_climate update_relationship_metrics record_interaction files__read", "chat metrics admin"},
		{"admin read-only", "", "get_top_clients chat emotional_climate", "chat metrics admin"},
		{"tools", "", "get_top_clients store_memory emotional_climate update_relationship_metrics record_interaction files__read", ""},
		{"tools:*", "", "get_top_clients store_memory emotional_climate update_relationship_metrics record_interaction files__read", ""},
		{"tools:crm", "", "get_top_clients", ""},
		{"tools:crm:get_*", "", "get_top_clients", ""},
		{"tools:memory:get_*", "", "", ""},
		{"tools:store_memory metrics", "", "store_memory", "metrics"},
		{"tools:store_memory read-only", "", "", ""},
		{"read:*", "", "get_top_clients emotional_climate", ""},
		{"write:*", "", "store_memory update_relationship_metrics record_interaction files__read", ""},
		{"tools:files__*", "", "files__read", ""},
		{"", "relationship_viewer", "chat emotional_climate", "chat"},
		{"", "relationship_editor", "chat emotional_climate update_relationship_metrics", "chat"},
		{"", "interaction_recorder", "chat record_interaction", "chat"},
		{"", "somebody_elses_role", "", ""},
		{"", "user", "get_top_clients store_memory chat emotional_climate update_relationship_metrics record_interaction files__read", "chat"},
	} {
		r, err := ParseRights(strings.Fields(test.scopes), strings.Fields(test.roles), DefaultRoles())
		if err != nil {
			t.Fatal(err)
		}
		c := Caller{ID: "ann", Rights: r}
		var got, may []string
		for _, what := range all {
			err := Granted{}.Allow(c, what)
			if err == nil {
				got = append(got, what.Name)
			} else if !errors.Is(err, ErrForbidden) {
				t.Error(err)
			}
		}
		for _, right := range []string{Chat, Metrics, Admin} {
			if c.May(right) {
				may = append(may, right)
			}
		}
		if strings.Join(got, " ") != test.want || strings.Join(may, " ") != test.may {
			t.Errorf("%s/%s: %v %v", test.scopes, test.roles, got, may)
		}
		if (Granted{}).Allow(Caller{Rights: r}, read) == nil || (Caller{Rights: r}).May(Chat) {
			t.Error("nobody may do something")
		}
	}
}

func TestNotScopes(t *testing.T) {
	for _, scope := range []string{"", "Chat", "read", "write", "tools:", "read:", "tools:[", "tools:a b", "run:crm", "chat:x", "everything"} {
		if CheckScope(scope) == nil {
			t.Errorf("%q is taken for a scope", scope)
		}
	}
	if _, err := Roles(map[string][]string{"x": {"nothing"}}); err == nil || !strings.Contains(err.Error(), "role x") {
		t.Error(err)
	}
}

func TestLocalMayDoEverything(t *testing.T) {
	for _, what := range []Target{{"core", "chat", false}, {"crm", "x", false}, {"data", "table", true}} {
		if err := (Granted{}).Allow(Local("cli"), what); err != nil {
			t.Error(what, err)
		}
	}
}

func ExampleGranted() {
	rights, _ := ParseRights([]string{"chat", "read:crm"}, nil, nil)
	ann := Caller{ID: "ann", Rights: rights}
	fmt.Println(Granted{}.Allow(ann, Target{Toolset: "crm", Name: "get_top_clients", ReadOnly: true}))
	fmt.Println(Granted{}.Allow(ann, Target{Toolset: "memory", Name: "list_memories", ReadOnly: true}))
	// Output:
	// <nil>
	// no scope and no role of the caller covers it: not permitted
}

func BenchmarkAllow(b *testing.B) {
	rights, _ := ParseRights([]string{"chat", "tools:crm", "read:data", "tools:files__*"}, nil, nil)
	ann := Caller{ID: "ann", Rights: rights}
	for b.Loop() {
		_ = Granted{}.Allow(ann, Target{Toolset: "files", Name: "files__read_file", ReadOnly: true})
	}
}

// TestScopeOfTarget: the scope that a refusal names covers just what was refused, and can stand in a header.
func TestScopeOfTarget(t *testing.T) {
	for want, target := range map[string]Target{
		"chat":                  {Toolset: "core", Name: "chat"},
		"read:crm:get_top":      {Toolset: "crm", Name: "get_top", ReadOnly: true},
		"write:files:files__rm": {Toolset: "files", Name: "files__rm"},
		"read:notes":            {Toolset: "notes", Name: `A "name" of five words`, ReadOnly: true},
		"write:notes":           {Toolset: "notes", Name: "a*"},
		"write:personas:x":      {Toolset: "personas", Name: "x"},
		"write:*":               {Toolset: "personas", Name: "x y"},
		"read:*":                {Toolset: "\u00e9", Name: "x", ReadOnly: true},
	} {
		if got := target.Scope(); got != want {
			t.Errorf("%+v: %s, want %s", target, got, want)
		}
		rights, err := ParseRights([]string{want}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := (Granted{}).Allow(Caller{ID: "x", Rights: rights}, target); err != nil {
			t.Errorf("%s does not cover %+v", want, target)
		}
	}
}
