package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// The pipe gives each line that is fit to be read as it came, and answers each other one with one error; empty lines are nothing.
func FuzzPipe(f *testing.F) {
	for _, s := range []string{"{}\n{\"id\":1}", "", "{\"jsonrpc\":\"2.0\",\"id\":1}\n{\"jsonrpc\":\"2.0\",\"id\":null}", "A\n\n[1]", "{\"id\":1,\"id\":2}\n7\n", "\xff\r\n \t\n[["} {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var want strings.Builder
		refused := 0
		for line := range strings.SplitSeq(text, "\n") {
			switch line += "\n"; {
			case headOf([]byte(line)).Method != "":
				return // would wait for answers
			case strings.TrimSpace(line) == "":
			case checkLine([]byte(line)) != nil:
				refused++
			default:
				want.WriteString(line)
			}
		}
		var got, answers bytes.Buffer
		// A reader of few bytes at a time: hiding WriteTo and ReadFrom makes the buffer of this size be used.
		from := struct{ io.Reader }{newPipe(t.Context(), strings.NewReader(text), &answers)}
		if _, err := io.CopyBuffer(struct{ io.Writer }{&got}, from, make([]byte, int(size)+1)); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%q became %q", text, got.String())
		}
		for answer := range strings.Lines(answers.String()) {
			refused--
			if !json.Valid([]byte(answer)) || !strings.Contains(answer, `"error"`) {
				t.Errorf("%q was answered by %q", text, answer)
			}
		}
		if refused != 0 {
			t.Errorf("%q had %d answers too few", text, refused)
		}
	})
}
