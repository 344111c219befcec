package access

import (
	"errors"
	"fmt"
	"testing"
)

func TestAllowAll(t *testing.T) {
	if err := (AllowAll{}).Allow(Local("cli"), "crm", "find_clients"); err != nil {
		t.Error("the local caller:", err)
	}
	if err := (AllowAll{}).Allow(Caller{}, "crm", "find_clients"); !errors.Is(err, ErrForbidden) {
		t.Error("nobody:", err)
	}
}

// readers permits a toolset to callers with a role.
type readers map[string]string

func (r readers) Allow(c Caller, toolset, tool string) error {
	for _, role := range c.Roles {
		if role == r[toolset] {
			return nil
		}
	}
	return fmt.Errorf("%s needs the role %s: %w", tool, r[toolset], ErrForbidden)
}

func ExamplePolicy() {
	var p Policy = readers{"crm": "crm_reader"}
	fmt.Println(p.Allow(Caller{ID: "ann", Roles: []string{"crm_reader"}, Via: "http"}, "crm", "get_top_clients"))
	fmt.Println(p.Allow(Caller{ID: "bob", Via: "http"}, "crm", "get_top_clients"))
	// Output:
	// <nil>
	// get_top_clients needs the role crm_reader: not permitted
}
