package tools_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools"
)

// A configured server that is named like a toolset of ours takes nothing away.
func TestReplaceLeavesOwnTools(t *testing.T) {
	upstream := func(name string) tools.Tool {
		x := quick(name, echo)
		x.Toolset, _, _ = strings.Cut(name, "__")
		return x
	}
	r := registry(t, tools.Options{}, quick("a", echo), quick("b", echo))
	if d := cmp.Diff([]string{"test"}, r.Toolsets()); d != "" {
		t.Error(d)
	}
	if err := r.Replace("test", upstream("test__a")); err == nil || !strings.Contains(err.Error(), "mcpServers") {
		t.Errorf("a server named like a toolset: %v", err)
	}
	if err := r.Replace("test"); err != nil {
		t.Error(err)
	}
	if n := len(r.List(ann)); n != 2 {
		t.Errorf("%d tools of 2 are left", n)
	}
	for _, names := range [][]string{{"far__x", "far__y"}, {"far__y"}, nil} {
		var list []tools.Tool
		for _, name := range names {
			list = append(list, upstream(name))
		}
		if err := r.Replace("far", list...); err != nil {
			t.Error(err)
		}
		if n := len(r.List(ann)); n != 2+len(names) {
			t.Errorf("%v: %d tools", names, n)
		}
	}
	if d := cmp.Diff([]string{"test"}, r.Toolsets()); d != "" {
		t.Error(d)
	}
}
