package upstream

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/tools"
)

// silent is a server that takes connections and says nothing.
func silent(t *testing.T) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var kept []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			kept = append(kept, c)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		for _, c := range kept {
			_ = c.Close()
		}
	})
	return "http://" + l.Addr().String() + "/sse"
}

// A stream of events that never begins, or never names the address, is waited for no longer than the start may take.
func TestEventsThatNeverBegin(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /nothing", func(rw http.ResponseWriter, r *http.Request) {
		stream(rw)(": nothing")
		<-r.Context().Done()
	})
	mux.HandleFunc("POST /", func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.WriteHeader(http.StatusMethodNotAllowed)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, cfg := range []Config{{URL: silent(t), Type: SSE}, {URL: s.URL + "/never", Type: SSE}, {URL: s.URL + "/nothing", Type: SSE}, {URL: s.URL + "/never"}, {URL: s.URL + "/nothing"}} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if _, err := dial(ctx, cfg, slog.New(slog.DiscardHandler), party{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v: %v", cfg, err)
		}
		cancel()
	}
}

// The address that an older server names for messages is one of its own, and of bounded length.
func TestEndpoints(t *testing.T) {
	const from = "http://127.0.0.1:9/a/sse"
	whole := "http://127.0.0.1:9/" + strings.Repeat("x", maxAddress-len("http://127.0.0.1:9/"))
	for to, want := range map[string]string{
		"/m?s=1": "http://127.0.0.1:9/m?s=1", "m": "http://127.0.0.1:9/a/m", whole: whole,
		whole + "x": "", "/" + strings.Repeat("x", 1<<20): "", "//127.0.0.1:8/m": "", "https://127.0.0.1:9/m": "", "http://127.0.0.1:9@127.0.0.2/m": "",
		"http://127.0.0.1:9\\@127.0.0.2/m": "", "/m\nHost: x": "", "file:///etc/hosts": "", "http:/m:9": "",
	} {
		if got, err := endpoint(from, to); got != want || (err == nil) != (want != "") {
			t.Errorf("%.60q: %.60q, %v", to, got, err)
		}
	}
	long := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		stream(rw)("event: endpoint", "data: "+whole+"x")
		<-r.Context().Done()
	}))
	defer long.Close()
	_, err := dial(t.Context(), Config{URL: long.URL, Type: SSE}, slog.New(slog.DiscardHandler), party{})
	if err == nil || !strings.Contains(err.Error(), "4097 bytes, at most 4096 are taken") {
		t.Error(err)
	}
}

// A server that never answers holds up neither a change of the configuration nor the end, and takes no other server down.
func TestApplyBesideSilentServer(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	good := tiny("plain")
	good.Allow = []string{"pid"}
	s, err := New(reg, quiet, good, Config{Name: "oldie", URL: silent(t), Type: SSE}, Config{Name: "older", URL: silent(t), Type: SSE})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(t.Context())
	defer func() { _ = s.Close() }()
	eventually(t, "the other is there", func() bool { return names(reg) == "tiny__pid" })
	good.Name = "again"
	changed, err := s.Apply(good, Config{Name: "older", URL: silent(t), Type: SSE})
	if err != nil || !slices.Equal(changed, []string{"again", "older", "oldie", "tiny"}) {
		t.Errorf("%v, %v", changed, err)
	}
	eventually(t, "the other is there under its new name", func() bool { return names(reg) == "again__pid" })
}

// One that does not end at all is left behind, and what it still says of itself is nobody's.
func TestApplyBesideServerThatStays(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	s := run(t, reg, Options{})
	s.patience = time.Millisecond
	stuck := s.server(Config{Name: "stuck", Command: "x"})
	stuck.stop = func() {}
	stuck.set(nil, tools.PhaseStarting, "")
	s.list = append(s.list, stuck)
	good := tiny("plain")
	good.Allow = []string{"pid"}
	if changed, err := s.Apply(good); err != nil || !slices.Equal(changed, []string{"stuck", "tiny"}) {
		t.Errorf("%v, %v", changed, err)
	}
	stuck.set(nil, tools.PhaseRestarting, "It was stopped.")
	eventually(t, "the other is there", func() bool { return names(reg) == "tiny__pid" })
	if all := reg.Servers(); len(all) != 1 || all[0].Name != "tiny" {
		t.Errorf("%+v", all)
	}
}
