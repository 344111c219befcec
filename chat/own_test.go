package chat

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// What our own tools say in sentences is shown as that, not as their structure; untrusted words in it are no markup.
func TestOwnTexts(t *testing.T) {
	w := newWorld(t)
	if got := w.ask(t, "keep").Response; !strings.Contains(got, "I will remember that.") || strings.Contains(got, "mem_1") {
		t.Errorf("keep: %s", got)
	}
	if got := w.ask(t, "none").Response; !strings.HasPrefix(got, "Nothing is remembered yet.") || strings.Contains(got, "No rows") {
		t.Errorf("none: %s", got)
	}
	want := "It is in **turn.go:12** here :\n\n```go\nfunc Map[K](x K) <-chan int\n```\n\nThat is all."
	if got := w.ask(t, "quoting").Response; !strings.HasPrefix(got, want) {
		t.Errorf("quoting: %s", got)
	}
	resp := w.ask(t, "recall")
	got := resp.Response
	for _, part := range []string{"One memory speaks of it.\n\n", "|Memory ID|Content|", `Globex &lt;b>likes&lt;/b> \[calls\]`, "very…"} {
		if !strings.Contains(got, part) {
			t.Errorf("recall lacks %q: %s", part, got)
		}
	}
	if strings.Contains(got, "much") || resp.Completeness.State != "truncated" {
		t.Errorf("recall: %s %+v", got, resp.Completeness)
	}
}

func TestPlainMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a [b](http://x) c":                 "a b c",
		"```\n[a](b)\n```":                  "```\n[a](b)\n```",
		"```\n<b>":                          "```\n<b>\n```",
		"``` a`b\n[x](http://evil.example)": "''' a`b\nx",
		"x\n````\n```\n[a](b)\n````\n![i](http://evil.example/)": "x\n\n````\n```\n[a](b)\n````\n\ni",
		"":                                  "",
		" ```\n[x](http://evil.example)":    "'''\nx",
		"~~~\n```\n~~~\n[a](b)\n```":        "'''\n\n```\n~~~\n[a](b)\n```",
		"```\n```\n[x](http://a.example)":   "```\n```\n\nx",
		"```go http://evil.example\na\n```": "```go\na\n```",
		"[\n[a]a](b)":                       "[\n[a]a] (b)",
	} {
		if got := PlainMarkdown(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// However fences, lists and quotes are nested, what a reader's program makes of the text holds no link, image or HTML of its writer's.
func FuzzPlainMarkdown(f *testing.F) {
	for _, s := range []string{"[a](http://x)", "```\n[a](b)\n```\n[a](b)", "- ```\n```\n[a](b)", "> ```\n[a](b)", "~~~\n```\n~~~\n[a](b)", "    ```\n[a][b]\n\n[b]: http://x", "<a href=x>", "1. ```\n   x\n```\n![i](j)", "www.x.example"} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		var b bytes.Buffer
		got := PlainMarkdown(text)
		if err := md.Convert([]byte(got), &b); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<a ", "<img", "raw HTML omitted"} {
			if strings.Contains(strings.ReplaceAll(b.String(), `<a href="mailto:`, ""), bad) { // an address of mail fetches nothing
				t.Errorf("%q gives %q, which is read as %s", text, got, b.String())
			}
		}
	})
}
