package sets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dev.jsonl")
	if err := os.WriteFile(path, []byte("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	type rec struct{ A int }
	for _, c := range []struct {
		limit int
		want  []rec
	}{{0, []rec{{1}, {2}, {3}}}, {2, []rec{{1}, {2}}}} {
		got, err := Lines[rec](path, c.limit)
		if err != nil || cmp.Diff(c.want, got) != "" {
			t.Errorf("limit %d: %v %v", c.limit, got, err)
		}
	}
	if err := os.WriteFile(path, []byte("{\"a\":1}\n{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Lines[rec](path, 0); err == nil {
		t.Error("a broken record is an error")
	}
	o := Options{Data: "d", Split: "dev"}
	if got := o.Path("nist", "SPLIT", "x.SPLIT.json"); got != filepath.Join("d", "nist", "dev", "x.dev.json") {
		t.Error(got)
	}
}
