package langchain

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"catena/planner"
)

func TestStream(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, streamReply(w.deltas...))
		var parts []string
		p := ask
		p.OnText = func(s string) { parts = append(parts, s) }
		got, err := connect(t, w, e.URL, nil).Complete(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != `{"steps":[]}` || strings.Join(parts, "|") != `{"steps"|:[]}` {
			t.Errorf("text %q in parts %q", got.Text, parts)
		}
		if got.Model != "m-1" || got.Usage.PromptTokens != 7 || got.Usage.CompletionTokens != 5 || e.bodies[0]["stream"] != true {
			t.Errorf("got %+v, asked %v", got, e.bodies[0]["stream"])
		}
	})
}

// An answer that goes on and on is given up, long before all of it is read.
func TestStreamWithoutEnd(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		last := strings.Replace(w.cut[len(w.cut)-1], `"{`, `"`+strings.Repeat("a", 64<<10)+"{", 1)
		e := serve(t, streamReply(append(slices.Clone(w.cut), slices.Repeat([]string{last}, 40)...)...))
		read := 0
		p := ask
		p.OnText = func(s string) { read += len(s) }
		_, err := connect(t, w, e.URL, nil).Complete(t.Context(), p)
		var ce *planner.CompletionError
		if !errors.As(err, &ce) || !errors.Is(err, errTooLong) || read > maxText {
			t.Errorf("%d bytes were read: %v", read, err)
		}
	})
}

func TestStreamFaults(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		tests := []struct {
			name   string
			reply  reply
			reason string
		}{
			{"cut", streamReply(w.cut...), "cut off"},
			{"nothing", streamReply(), "cut off"},
			{"an error inside", streamReply(w.broken...), "overloaded"},
			{"no JSON", streamReply(`data: {"cho`), "no JSON"},
			{"HTML", status(200, "Content-Type: text/html", "<html>"), "HTML"},
			{"connection lost", func(rw http.ResponseWriter, r *http.Request) {
				streamReply(w.cut...)(rw, r)
				panic(http.ErrAbortHandler)
			}, "cut off"},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				e := serve(t, tt.reply)
				p := ask
				p.OnText = func(string) {}
				got, err := connect(t, w, e.URL, nil).Complete(t.Context(), p)
				var ce *planner.CompletionError
				if !errors.As(err, &ce) || !strings.Contains(ce.Reason+ce.Words, tt.reason) {
					t.Errorf("got %q, error %v; want %q", got.Text, err, tt.reason)
				}
			})
		}
	})
}

// TestStreamLongLine: langchaingo alone fails at lines over 64 KiB.
func TestStreamLongLine(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		long := strings.Repeat("größer als man denkt ", 10000)
		text, _ := json.Marshal(long)
		lines := make([]string, len(w.deltas))
		for i, l := range w.deltas {
			lines[i] = strings.ReplaceAll(l, `"{\"steps\""`, string(text))
		}
		e := serve(t, streamReply(lines...))
		p := ask
		p.OnText = func(string) {}
		got, err := connect(t, w, e.URL, nil).Complete(t.Context(), p)
		if err != nil || got.Text != long+":[]}" {
			t.Errorf("%d bytes, error %v", len(got.Text), err)
		}
	})
}

func TestStreamThatIsNone(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, jsonReply(w.answer))
		var b strings.Builder
		p := ask
		p.OnText = func(s string) { b.WriteString(s) }
		got, err := connect(t, w, e.URL, nil).Complete(t.Context(), p)
		if err != nil || got.Text != `{"steps":[]}` || b.String() != got.Text {
			t.Errorf("got %q, streamed %q, error %v", got.Text, b.String(), err)
		}
	})
}
