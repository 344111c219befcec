package server

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever messages a client sends, what is read of them is text that was sent, and files are whole or refused.
func FuzzMessages(f *testing.F) {
	for _, s := range []string{
		`[{"role":"user","content":"hi"}]`, `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"file","file":{"filename":"t.csv","file_data":"data:text/csv;base64,YQ=="}}]}]`,
		`[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"reasoning"}]`, `[{"role":"user","content":null}]`, `[{"role":"user","content":7}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var list []Message
		if json.Unmarshal(b, &list) != nil {
			return
		}
		last := Newest(list)
		if last < 0 {
			return
		}
		text := list[last].Content.Text
		if own := ownWords(text); !strings.Contains(text, own) {
			t.Errorf("%q was made of %q", own, text)
		}
		files, err := list[last].Content.files()
		if err != nil {
			return
		}
		for _, file := range files {
			if file.Name == "" {
				t.Error("a file without a name")
			}
		}
		historyKey("ann", list)
	})
}
