package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTerminal lays Markdown of our own out: columns line up, and escapes are taken back.
func TestTerminal(t *testing.T) {
	for _, c := range []struct {
		name, markdown, want string
		width                int
	}{
		{"text", "**Top** \\*5\\* of a\\_b \\~ &lt;b&gt; &amp;amp;\n", "Top *5* of a_b ~ <b> &amp;\n", 80},
		{"table", "| Client | Sum |\n|:--|--:|\n| a \\| b | 1.50 |\n| **Total** | **21.50** |\n", "Client    Sum\n─────────────\na | b    1.50\nTotal   21.50\n", 80},
		{"narrow", "| Client | Sum |\n|:--|--:|\n| a rather long name of one | 1234567.50 |\n", "Client               Sum\n────────────────────────\na rather lo…  1234567.50\n", 24},
		{"an odd mark", "2**3 is 8\n", "2**3 is 8\n", 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, terminal{width: c.width}.render(c.markdown)); d != "" {
				t.Error(d)
			}
		})
	}
}
