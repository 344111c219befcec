package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"catena/tools/code/codetest"
)

// counting is an embedder that counts what it is asked.
type counting struct {
	texts atomic.Int64
	fail  atomic.Bool
}

func (c *counting) embed(_ context.Context, texts []string) ([][]float32, error) {
	if c.fail.Load() {
		return nil, errors.New("the embedder is down, key sk-" + strings.Repeat("a1", 20))
	}
	c.texts.Add(int64(len(texts)))
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{float32(strings.Count(text, "a")) + 1, float32(strings.Count(text, "e")) + 1, float32(len(text))}
	}
	return out, nil
}

func TestVectors(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	many(t, root, 100)
	var e counting
	with := func(model string) func(*Options) {
		return func(o *Options) { o.Dir, o.Embed, o.EmbedModel = dir, e.embed, model }
	}
	w := workspaces(t, root, with("one"))
	e.fail.Store(true)
	st := ensure(t, w, ".")
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	m, err := x.Manifest()
	if err != nil || m.Unembedded == 0 || !strings.Contains(x.Log(), "the embedder is down") || strings.Contains(x.Log(), "sk-a1") {
		t.Errorf("an embedder that is down does not stop the index, and shows: %d %v\n%s", m.Unembedded, err, x.Log())
	}
	e.fail.Store(false)
	again := ensure(t, w, ".")
	if again.IndexID == st.IndexID {
		t.Error("missing vectors are made by the next Ensure")
	}
	model, dimensions, chunks := view(t, w, again.IndexID).Snapshot.Embedded()
	if n := e.texts.Load(); n != int64(chunks) || n < 100 || model != "one" || dimensions != 3 {
		t.Errorf("%d texts for %d vectors of %d by %s", n, chunks, dimensions, model)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// The same texts elsewhere come from the cache; another model makes its own.
	if err := os.RemoveAll(filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	w = workspaces(t, root, with("one"))
	ensure(t, w, ".")
	if n := e.texts.Load(); n != int64(chunks) {
		t.Errorf("%d texts were embedded again", n-int64(chunks))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ensure(t, workspaces(t, root, with("two")), ".")
	if n := e.texts.Load(); n != 2*int64(chunks) {
		t.Errorf("another model: %d texts", n-int64(chunks))
	}
}

func TestBadVectors(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	for name, embed := range map[string]func(context.Context, []string) ([][]float32, error){
		"too few": func(context.Context, []string) ([][]float32, error) { return nil, nil },
		"empty": func(_ context.Context, texts []string) ([][]float32, error) {
			return make([][]float32, len(texts)), nil
		},
		"zeros": func(_ context.Context, texts []string) ([][]float32, error) {
			return slices.Repeat([][]float32{{0, 0}}, len(texts)), nil
		},
		"too long": func(_ context.Context, texts []string) ([][]float32, error) {
			return slices.Repeat([][]float32{make([]float32, 99_999)}, len(texts)), nil
		},
		"different": func(_ context.Context, texts []string) ([][]float32, error) {
			return append(slices.Repeat([][]float32{{1, 2}}, len(texts)-1), []float32{1}), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := workspaces(t, root, func(o *Options) { o.Embed = embed })
			st := ensure(t, w, ".")
			x, _ := w.Find("ann", st.IndexID)
			if m, err := x.Manifest(); err != nil || m.Unembedded == 0 {
				t.Errorf("%+v %v", m, err)
			}
		})
	}
}
