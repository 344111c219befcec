package index

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStem(t *testing.T) {
	for _, family := range []string{
		"parse parses parsed parsing parser", "read reads reading reader", "scan scans scanned scanning scanner", "create creates created creating creation",
		"entry entries", "class classes", "connect connects connected connection", "call calls called calling caller", "recursive recursively",
		"write writes writing writer", "index indexes indexed indexing",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if stem(w) != stem(words[0]) {
				t.Errorf("%s is %s, %s is %s", words[0], stem(words[0]), w, stem(w))
			}
		}
	}
	for _, w := range []string{"string", "thing", "bus", "this", "need", "id", "utf8", "red", "größe"} {
		if stem(w) != w {
			t.Errorf("%s became %s", w, stem(w))
		}
	}
}

func TestTerms(t *testing.T) {
	for name, want := range map[string][]string{
		"ReadAll": {"readall", "read", "all"}, "HTTPServer": {"httpserver", "http", "serv"}, "max_bytes": {"max_bytes", "max", "byt"},
		"the": nil, "buffers": {"buf"}, "_": nil, "x": {"x"}, "aB": {"ab"},
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
