package code

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		{"model", func(o *Options) { o.Write = now(write) }, []string{"ask_index"}},
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

func TestForPeople(t *testing.T) {
	for in, want := range map[string]string{
		indexHint: "index it first: ask “index this repository”, or run `catena index`",
		`Call ensure_repo_index with {"path": "/x"}`:                       "index it first: ask “index this repository”, or run `catena index`",
		"Ask again when it is done; mimir://status/01X says how far it is": "Ask again when it is done",
	} {
		if got := forPeople(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// A damaged index is made anew by the question that meets it, which says so.
func TestDamagedIsMadeAnew(t *testing.T) {
	for _, auto := range []bool{true, false} {
		dir := t.TempDir()
		k := cook(t, market, func(o *Options) { o.Dir = dir })
		k.index()
		if err := k.kit.Close(); err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(dir, "data", "*", "gen-*", "manifest.gob"))
		if err != nil || len(names) != 1 {
			t.Fatalf("%v %v", names, err)
		}
		if err := os.WriteFile(names[0], []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		k = cook(t, nil, func(o *Options) { o.Dir, o.Roots, o.AutoIndex = dir, []string{k.root}, auto })
		res := k.call("list_functions", `{}`)
		switch said := strings.Join(res.Notes, " ") + res.Text; {
		case auto && (res.IsError || !strings.Contains(said, "damaged, so it was made anew")):
			t.Errorf("with auto_index: %s", said)
		case !auto && (!res.IsError || !strings.Contains(said, "is damaged") || !strings.Contains(said, "catena index") || strings.Contains(said, "ensure_repo_index")):
			t.Errorf("without: %s", said)
		}
	}
}
