package app

import (
	"slices"
	"testing"

	"catena/internal/access"
	"catena/tools/persona"
)

// TestAreasAreWhole: everything of the persona toolset belongs to one area, so that its roles cover what comes to it.
func TestAreasAreWhole(t *testing.T) {
	p := demoParts(t)
	var have []string
	for _, x := range p.Registry.List(Local) {
		if x.Toolset == persona.Toolset {
			have = append(have, x.Def.Name)
		}
	}
	for _, x := range p.Registry.Prompts(Local) {
		if x.Toolset == persona.Toolset {
			have = append(have, x.Def.Name)
		}
	}
	for _, x := range p.Registry.Resources(Local) {
		if x.Toolset == persona.Toolset {
			have = append(have, x.Name())
		}
	}
	for _, x := range p.Registry.Live(Local) {
		if x.Toolset == persona.Toolset {
			have = append(have, x.Name)
		}
	}
	in := map[string]int{}
	for _, names := range access.Areas() {
		for _, name := range names {
			in[name]++
			if !slices.Contains(have, name) {
				t.Errorf("an area names %s, which is not there", name)
			}
		}
	}
	for _, name := range have {
		if in[name] != 1 {
			t.Errorf("%s is in %d areas; put it into one, in internal/access", name, in[name])
		}
	}
}
