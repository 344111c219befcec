package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// No Host but a loopback one passes, however it is written.
func FuzzKnownHost(f *testing.F) {
	for _, s := range []string{"localhost", "127.0.0.1:80", "[::1]:1", "evil.example", "127.0.0.1.evil.example", "localhost.", "[::1", "::1", "0x7f.1", "2130706433", "localhost:80:80"} {
		f.Add(s)
	}
	s := &Server{Core: &Core{}}
	s.Admit(Admission{})
	f.Fuzz(func(t *testing.T, host string) {
		if !s.knownHost(host) {
			return
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			return // no browser can be led to it
		}
		name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if addr, err := netip.ParseAddr(name); name != "localhost" && (err != nil || !addr.Unmap().IsLoopback()) {
			t.Errorf("%q passed, and is the host %q", host, name)
		}
	})
}

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

func TestProblemTitles(t *testing.T) {
	if p := NewProblem(http.StatusConflict, "x", "y", ""); p.Title != "Conflict" || p.Error() != "y" {
		t.Errorf("%+v", p)
	}
}
