package openai

import (
	"fmt"
	"strings"
	"testing"

	"catena/chat"
	"catena/server"
	"catena/server/servertest"
)

// A chart stands in the texts of OpenAI's protocols, streamed or not, and not where a program reads them.
func TestChartsOverOpenAI(t *testing.T) {
	const image = `![Bars](data:image/png;base64,`
	for _, path := range []string{completionsPath, "/v1/responses"} {
		field, format := `"messages":[{"role":"user","content":"chart"}]`, `"response_format":{"type":"json_object"}`
		if path != completionsPath {
			field, format = `"input":"chart"`, `"text":{"format":{"type":"json_object"}}`
		}
		for _, stream := range []bool{false, true} {
			_, h, _ := newTest(t)
			_, _, body := servertest.Ask(t, "POST", h.URL+path, fmt.Sprintf(`{"stream":%v,%s}`, stream, field))
			if !strings.Contains(body, `You said: chart\n\n`+image) {
				t.Errorf("%s, streamed %v: no picture in %.2000s", path, stream, body)
			}
			_, _, body = servertest.Ask(t, "POST", h.URL+path, fmt.Sprintf(`{"stream":%v,%s,%s}`, stream, field, format))
			if strings.Contains(body, "base64") {
				t.Errorf("%s, streamed %v: a picture in JSON", path, stream)
			}
		}
	}
}

func TestWithPictures(t *testing.T) {
	large := make([]byte, maxPictures)
	for name, c := range map[string]struct {
		charts []chat.AnswerChart
		want   []string // how the pictures begin
	}{
		"none":           {nil, nil},
		"ours":           {[]chat.AnswerChart{{Title: "Bars", SVG: servertest.BarsSVG()}, {SVG: servertest.BarsSVG()}}, []string{"![Bars](data:image/png;base64,", "![Chart](data:image/png;base64,"}},
		"a hostile name": {[]chat.AnswerChart{{Title: "](http://x.test)![a\n`<b>", SVG: servertest.BarsSVG()}}, []string{"![http://x.test   a   b](data:image/png;base64,"}},
		"too large":      {[]chat.AnswerChart{{PNG: large, MediaType: "image/png"}, {PNG: []byte("g"), MediaType: "image/gif"}}, []string{"![Chart](data:image/gif;base64,"}},
		"SVG":            {[]chat.AnswerChart{{PNG: []byte("<svg/>"), MediaType: "image/svg+xml"}, {SVG: "<svg/>"}}, nil},
	} {
		text := withPictures(chat.Response{Response: "Hi.", Charts: c.charts})
		parts := strings.Split(text, "\n\n")
		if parts[0] != "Hi." || len(parts) != len(c.want)+1 {
			t.Errorf("%s: %.300q", name, text)
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(parts[i+1], want) {
				t.Errorf("%s: %.100q, want %q", name, parts[i+1], want)
			}
		}
		if got := server.WithoutPictures(text); strings.TrimSpace(got) != "Hi." {
			t.Errorf("%s: left is %.100q", name, got)
		}
	}
}
