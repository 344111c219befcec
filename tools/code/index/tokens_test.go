package index

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	for name, want := range map[string][]string{
		"ReadAll": {"readall", "read", "all"}, "HTTPServer": {"httpserver", "http", "server"}, "max_bytes": {"max_bytes", "max", "byte"},
		"the": nil, "buffers": {"buffer"}, "_": nil, "x": {"x"}, "aB": {"ab"},
	} {
		got := terms(name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEachPart(t *testing.T) {
	for _, c := range []struct{ language, text, comments string }{
		{"go", "a // one\n\"// no\" /* two */ b '/' // three", "// one/* two */// three"},
		{"python", "x = 1 # one\n\"\"\"two\"\"\"\ny = '# no'", "# one\"\"\"two\"\"\""},
		{"sql", "select 1 -- one", "-- one"},
		{"html", "<p><!-- one --></p>", "<!-- one -->"},
		{"markdown", "# a heading", ""},
		{"c", "/* open", "/* open"},
	} {
		var all, comments strings.Builder
		eachPart(c.language, c.text, func(part string, comment bool) {
			all.WriteString(part)
			if comment {
				comments.WriteString(part)
			}
		})
		if all.String() != c.text || comments.String() != c.comments {
			t.Errorf("%s: %q of %q", c.language, comments.String(), all.String())
		}
	}
}

func TestQuestions(t *testing.T) {
	for text, want := range map[string][]string{
		"How does io.ReadAll work?":     {"readall"},
		"Engine::Turn, and the planner": {"planner", "turn"},
		"what is the":                   nil,
	} {
		var got []string
		for _, n := range ask(text).names {
			got = append(got, n.name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
