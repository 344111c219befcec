package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
)

func TestRefusals(t *testing.T) {
	cause := &rpcError{code: mcp.INVALID_PARAMS, text: "name: it is required.", data: map[string]any{"argument": "name"}}
	const fixed = `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"name: it is required.","data":{"argument":"name"}}}`
	const meant = `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}}`
	for _, tc := range []struct {
		id       any
		in, want string
	}{
		{float64(7), meant, fixed},
		{7, "event: message\ndata: " + meant + "\n\n", "event: message\ndata: " + fixed + "\n\n"},
		{7, meant + "\n", fixed + "\n"},
		{"7", meant, meant}, // another request
		{8, meant, meant},
		{nil, meant, meant},
		{func() {}, meant, meant},
		{7, `{"jsonrpc":"2.0","id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"method":"ping"}`}, // a request of the server's
		{7, `: comment`, `: comment`},
		{7, `}{`, `}{`},
		{7, "", ""},
	} {
		var r refusals
		if r.code() != 0 {
			t.Error("the zero value refuses")
		}
		r.refuse(tc.id, cause)
		if got := string(r.correct([]byte(tc.in))); got != tc.want {
			t.Errorf("%v, %s: %s, want %s", tc.id, tc.in, got, tc.want)
		}
		if got := string(r.correct([]byte(meant))); tc.want == fixed && got != meant {
			t.Errorf("a second time: %s", got)
		}
	}
}

// Whatever a transport writes, only the answer that was refused is changed, and into one that can be read.
func FuzzRefusals(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}}`, "event: message\ndata: {\"id\":7.0,\"result\":{}}\n\n",
		`{"id":"7"}`, `{"id":7,"method":"m"}`, `}{`, `{"id":7}{"id":7}`, ": \n\n", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var r refusals
		if got := r.correct(in); !bytes.Equal(got, in) {
			t.Fatalf("%q became %q without a refusal", in, got)
		}
		r.refuse(7, &rpcError{code: mcp.INVALID_PARAMS, text: "no"})
		got := r.correct(in)
		if bytes.Equal(got, in) {
			return
		}
		from, to := bytes.IndexByte(in, '{'), bytes.LastIndexByte(in, '}')
		message, framed := bytes.CutPrefix(got, in[:from])
		message, closed := bytes.CutSuffix(message, in[to+1:])
		if h := headOf(message); !framed || !closed || !json.Valid(message) || idKey(h.ID) != "7" || idKey(headOf(in[from:to+1]).ID) != "7" {
			t.Fatalf("%q became %q", in, got)
		}
		if r.code() != 0 {
			t.Fatal("the refusal is still to come")
		}
	})
}

// newStream makes the answer to a request with headers.
func newStream(t *testing.T, headers ...string) (*httpStream, *httptest.ResponseRecorder) {
	t.Helper()
	rec := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(rec)
	c.Request = httptest.NewRequest(http.MethodPost, "/mcp", nil)
	for i := 0; i < len(headers); i += 2 {
		c.Request.Header.Set(headers[i], headers[i+1])
	}
	c.Header("X-Request-Id", "r1")
	return newHTTPStream(c), rec
}

func TestMCPStream(t *testing.T) {
	answer := func(w *httpStream, media, body string) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte(body))
		w.Flush()
	}
	const media, result, note = "application/json", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"m"}`
	takes := []string{"Accept", "application/json, text/event-stream"}
	t.Run("JSON", func(t *testing.T) {
		w, rec := newStream(t, takes...)
		answer(w, media, result)
		if rec.Body.String() != result || rec.Header().Get("Content-Type") != media || rec.Header().Get("X-Request-Id") != "r1" {
			t.Errorf("%v %s", rec.Header(), rec.Body)
		}
		if err := w.notify([]byte(note)); !errors.Is(err, errNoStream) {
			t.Errorf("a notification after JSON: %v", err)
		}
	})
	t.Run("notified", func(t *testing.T) {
		for _, media := range []string{media, eventStream} {
			w, rec := newStream(t, takes...)
			if err := w.notify([]byte(note)); err != nil {
				t.Fatal(err)
			}
			body := result + "\n"
			if media == eventStream {
				body = "event: message\ndata: " + result + "\n\n"
			}
			answer(w, media, body)
			want := "event: message\ndata: " + note + "\n\nevent: message\ndata: " + result + "\n\n"
			if rec.Body.String() != want || rec.Header().Get("Content-Type") != eventStream {
				t.Errorf("%s: %v %q", media, rec.Header(), rec.Body)
			}
			w.end()
			if err := w.notify([]byte(note)); !errors.Is(err, errNoStream) || rec.Body.String() != want {
				t.Errorf("a notification after the end: %v", err)
			}
		}
	})
	t.Run("no stream", func(t *testing.T) {
		w, rec := newStream(t)
		if err := w.notify([]byte(note)); !errors.Is(err, errNoStream) {
			t.Error(err)
		}
		if answer(w, media, result); rec.Body.String() != result {
			t.Errorf("%s", rec.Body)
		}
	})
	t.Run("statuses", func(t *testing.T) {
		for version, want := range map[string]int{"2026-07-28": 400, "2025-06-18": 200} {
			w, rec := newStream(t, "Mcp-Protocol-Version", version)
			w.refuse(1, &rpcError{code: mcp.INVALID_PARAMS, text: "no"})
			if answer(w, media, `{"jsonrpc":"2.0","id":1,"error":{}}`); rec.Code != want || !strings.Contains(rec.Body.String(), "-32602") {
				t.Errorf("%s: %d %s", version, rec.Code, rec.Body)
			}
		}
	})
	t.Run("acknowledged", func(t *testing.T) {
		w, _ := newStream(t, takes...)
		n := 0
		w.acknowledged(1, func() { n++ })
		if answer(w, eventStream, "x"); n != 1 {
			t.Errorf("told %d times", n)
		}
		if answer(w, eventStream, "x"); n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}
