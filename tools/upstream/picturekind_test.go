package upstream

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// A picture is of the kind that its bytes are, and what is none is no picture, whatever a server says.
func TestPicturesAreWhatTheyHold(t *testing.T) {
	for name, tc := range map[string]struct{ data, said, want string }{
		"PNG":              {"\x89PNG\r\n\x1a\nx", "image/png", "image/png"},
		"GIF as PNG":       {"GIF89ax", "image/png", "image/gif"},
		"GIF as a page":    {"GIF89ax", "text/html", "image/gif"},
		"a page as PNG":    {"<html><script>alert(1)</script>", "image/png", ""},
		"a page as SVG":    {"<!DOCTYPE html><script>alert(1)</script>", "image/svg+xml", ""},
		"SVG":              {"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "image/svg+xml"},
		"SVG as PNG":       {"<svg/>", "image/png", ""},
		"a kind with more": {"\x89PNG\r\n\x1a\nx", "image/png;base64,AA) [x](http://evil.example", "image/png"},
		"nothing":          {"", "image/png", ""},
	} {
		res, err := ReadResult(t.Context(), "draw", fmt.Appendf(nil, `{"content":[{"type":"text","text":"x"},{"type":"image","mimeType":%q,"data":%q}]}`,
			tc.said, base64.StdEncoding.EncodeToString([]byte(tc.data))))
		if err != nil {
			t.Fatal(name, err)
		}
		got := ""
		if len(res.Charts) > 0 {
			got = res.Charts[0].Media
		}
		if got != tc.want || (got == "") != strings.Contains(strings.Join(res.Notes, " "), "picture") {
			t.Errorf("%s: %q %v", name, got, res.Notes)
		}
	}
}
