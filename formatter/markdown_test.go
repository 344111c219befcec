package formatter

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"catena/table"
)

// shape parses Markdown and counts the rows and cells of its tables, and everything that a cell must not bring about.
func shape(t testing.TB, source string) (rows, cells, live int) {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	doc := md.Parser().Parse(text.NewReader([]byte(source)))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *east.TableRow, *east.TableHeader:
			rows++
		case *east.TableCell:
			cells++
		case *ast.Link, *ast.Image, *ast.RawHTML, *ast.HTMLBlock, *ast.CodeSpan, *ast.AutoLink, *ast.Emphasis, *east.Strikethrough:
			live++
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, cells, live
}

// Whatever the cells hold, the Markdown has as many rows and cells as the table, and no markup of theirs.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"a|b", "a\nb", `\|`, `\`, "**x**", "![i](http://x)", "<script>", "`|`", "~~x~~", "_x_", "&lt;|", "\u202ex", "a\\", "<http://x>", "[a]: http://x", "|", "---", "\x00", "&copy;", "\xff_0_\xff"} {
		f.Add(s, "name")
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, cell, name string) {
		if name == "other" {
			return
		}
		b := table.NewBuilder(table.Column{Name: name, Type: table.Text}, table.Column{Name: "other", Type: table.Int})
		for i := range 3 {
			if err := b.Append(table.TextValue(cell), table.IntValue(int64(i))); err != nil {
				return
			}
		}
		v, err := Format(b.Table(), nil, Options{MaxCell: -1})
		if err != nil {
			t.Fatal(err)
		}
		md := v.Markdown()
		rows, cells, live := shape(t, md)
		if rows != 4 || cells != 8 || live != 0 {
			t.Fatalf("%d rows, %d cells, %d live nodes in\n%s", rows, cells, live, md)
		}
	})
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{{"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"ab cdef", 4, "ab…"}, {"äöüß", 3, "äö…"}, {"abc", -1, "abc"}} {
		if got := cut(tt.text, tt.limit); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

// Lists of single values are written as people write them, other JSON as code: nothing of it is escaped, and nothing is
// markup.
func TestMarkdownLists(t *testing.T) {
	for cell, want := range map[string]string{
		`["red","old"]`: "red, old", `[1,2.50,true]`: "1, 2.50, true", `[]`: "`[]`", `["a, b","c"]`: "`" + `["a, b","c"]` + "`", `["**x**"]`: `\*\*x\*\*`,
		`[{"k":1}]`: "`" + `[{"k":1}]` + "`", `{"a_b":[1]}`: "`" + `{"a_b":[1]}` + "`", `["a|b",[1]]`: "`" + `["a\|b",[1]]` + "`", `["",1]`: "`" + `["",1]` + "`",
	} {
		b := table.NewBuilder(table.Column{Name: "n", Type: table.Int}, table.Column{Name: "tags", Type: table.JSON})
		var err error
		for range 2 {
			if err == nil {
				err = b.Append(table.IntValue(1), table.JsonValue(cell))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := Format(b.Table(), nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		md := v.Markdown()
		if !strings.Contains(md, "|1|"+want+"|\n") {
			t.Errorf("%s: want %s in\n%s", cell, want, md)
		}
		if rows, cells, _ := shape(t, md); rows != 3 || cells != 6 {
			t.Errorf("%s: %d rows, %d cells in\n%s", cell, rows, cells, md)
		}
	}
}
