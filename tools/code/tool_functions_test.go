package code

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/text"
)

// TestFunctionsBeyondTheCut: a folder's functions are listed, and counted, however many there are elsewhere.
func TestFunctionsBeyondTheCut(t *testing.T) {
	const files, each = 11, 1001
	repo := map[string]string{"z/last.go": "package z\n\nfunc Alpha() {}\n\nfunc Omega() {}\n", "z/last.py": "def gamma():\n    pass\n"}
	for i := range files {
		var b strings.Builder
		b.WriteString("package a\n")
		for j := range each {
			fmt.Fprintf(&b, "\nfunc F%d() {}\n", each*i+j)
		}
		repo[fmt.Sprintf("a/f%d.go", i)] = b.String()
	}
	k := cook(t, repo)
	k.index()
	for _, c := range []struct {
		args  string
		want  []string
		total int
	}{
		{`{"path":"z","language":"go"}`, []string{"Alpha", "Omega"}, 2},
		{`{"language":"python"}`, []string{"gamma"}, 1},
		{`{"path":"z","limit":1,"language":"go"}`, []string{"Alpha"}, 2},
		{`{"path":"a","limit":1}`, []string{"F0"}, files * each},
		{`{"limit":1}`, []string{"F0"}, files*each + 3},
	} {
		res := k.call("list_functions", c.args)
		if diff := cmp.Diff(c.want, column(t, res, "function")); diff != "" {
			t.Errorf("%s: %s", c.args, diff)
		}
		if !strings.HasPrefix(res.Text, text.Count(c.total, "function")) || max(res.Total, len(c.want)) != c.total {
			t.Errorf("%s: %s (total %d)", c.args, res.Text, res.Total)
		}
	}
}
