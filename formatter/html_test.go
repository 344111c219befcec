package formatter

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"catena/table"
)

// allowedHTML are the elements and attributes that the formatter writes: nothing that runs, loads or leads anywhere.
var allowedHTML = map[string][]string{
	"html": nil, "head": nil, "body": nil, "div": {"class"}, "table": nil, "caption": nil, "thead": nil, "tbody": nil, "tfoot": nil, "tr": nil,
	"th": {"class", "scope", "aria-label", "title"}, "td": {"class", "title"}, "ul": nil, "li": nil, "p": nil,
}

// parsed reads HTML as a browser would. It gives the texts of all cells, and fails where the tree holds what it must not.
func parsed(t testing.TB, source string) (cells []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			attributes, ok := allowedHTML[n.Data]
			if !ok {
				t.Fatalf("an element %s in\n%s", n.Data, source)
			}
			for _, a := range n.Attr {
				if !slices.Contains(attributes, a.Key) {
					t.Fatalf("an attribute %s=%q of %s in\n%s", a.Key, a.Val, n.Data, source)
				}
			}
			if n.Data == "td" || n.Data == "th" {
				cells = append(cells, content(n))
			}
		case html.CommentNode:
			t.Fatalf("a comment in\n%s", source)
		}
	}
	return cells
}

func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// Whatever cells, names, title and notes hold, the HTML has no markup of theirs, and each cell reads as it should.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</table><b>", "<!--", "]]>", "&lt;b&gt;", "a\x00b", "\u2028", "javascript:x", "' onmouseover='x", "\xff<", "]]<svg/onload=1>", "&#60;b>", strings.Repeat("1", 19) + "\xd0\xd0"} {
		f.Add(s, "name")
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, cell, name string) {
		if name == "other" {
			return
		}
		b := table.NewBuilder(table.Column{Name: name, Type: table.Text}, table.Column{Name: "other", Type: table.Int})
		for i := range 3 {
			if err := b.Append(table.TextValue(cell), table.IntValue(int64(i-1))); err != nil {
				return
			}
		}
		v, err := Format(b.Table(), nil, Options{Title: cell, Notes: []string{name}, MaxCell: 20, SummaryRow: true})
		if err != nil {
			t.Fatal(err)
		}
		cells := parsed(t, v.HTML())
		if want := cut(plain(cell), 20); len(cells) < 8 || cells[2] != want {
			t.Fatalf("cells %q, want %q", cells, want)
		}
		single, err := Format(b.Table(), nil, Options{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		parsed(t, single.HTML())
	})
}
