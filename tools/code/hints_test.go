package code

import (
	"context"
	"slices"
	"testing"
)

// TestOpenWorld: the tools that ask a model or an embedder say that they reach further than the files.
func TestOpenWorld(t *testing.T) {
	embed := func(context.Context, []string) ([][]float32, error) { return nil, nil }
	write := func(context.Context, string, string) (string, error) { return "", nil }
	for _, c := range []struct {
		name   string
		change func(*Options)
		open   []string
	}{
		{"neither", func(*Options) {}, nil},
		{"model", func(o *Options) { o.Write = write }, []string{"ask_index"}},
		{"embedder", func(o *Options) { o.Embed = embed }, []string{"ask_index", "ensure_repo_index", "search_code", "search_repo", "semantic_search"}},
	} {
		k := cook(t, nil, c.change)
		var open []string
		for _, tool := range k.kit.Tools() {
			if *tool.Def.Annotations.OpenWorldHint {
				open = append(open, tool.Def.Name)
			}
		}
		slices.Sort(open)
		if !slices.Equal(open, c.open) {
			t.Errorf("%s: %v reach out", c.name, open)
		}
	}
}
