package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/server/servertest"
)

// TestHostIsAnAddress: a cluster's own requests name an address; where only this machine is served, none but its own passes.
func TestHostIsAnAddress(t *testing.T) {
	for _, taken := range []bool{false, true} {
		s, _, _ := newTest(t, func(o *Options) { o.Addresses = taken })
		for host, want := range map[string]bool{"10.1.2.3:8765": taken, "[2001:db8::1]:80": taken, "127.0.0.1": true, "10.1.2.3.evil.example": false, "evil.example": false, "": false} {
			if s.knownHost(host) != want {
				t.Errorf("%q, addresses %v: %v", host, taken, !want)
			}
		}
	}
}

func TestAllowedHostAndOrigin(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) {
		o.Hosts, o.Origins = []string{"catena.example"}, []string{"https://ui.example"}
	})
	for _, host := range []string{"catena.example", "catena.example:8765", "CATENA.example", "localhost", "[::1]:80", "127.0.0.9"} {
		if status, _, body := servertest.Ask(t, "GET", h.URL+"/livez", "", "Host", host); status != 200 {
			t.Errorf("%s: %d %s", host, status, body)
		}
	}
	if status, _, _ := servertest.Ask(t, "GET", h.URL+"/livez", "", "Origin", h.URL); status != 200 {
		t.Errorf("own origin: %d", status)
	}
	status, header, _ := servertest.Ask(t, "OPTIONS", h.URL+"/api/v1/chat", "", "Origin", "https://ui.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization,content-type,x-stainless-lang")
	if status != 204 || header.Get("Access-Control-Allow-Origin") != "https://ui.example" || !strings.Contains(header.Get("Access-Control-Allow-Headers"), "x-stainless-lang") {
		t.Errorf("preflight: %d %v", status, header)
	}
}

func TestOnlyThisMachineWithoutKeys(t *testing.T) {
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.RemoteAddr = "192.0.2.7:1234"
	if _, err := localOnly(r); !errors.Is(err, errNotLocal) {
		t.Errorf("a remote caller got %v", err)
	}
	r.RemoteAddr = "[::1]:1234"
	if c, err := localOnly(r); err != nil || c.ID != "local" {
		t.Errorf("a local caller got %+v, %v", c, err)
	}
}

func TestHeartbeatAndHangUp(t *testing.T) {
	_, h, runs := newTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+"/stream", strings.NewReader(`{"message":"slow"}`))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	for beats := 0; beats < 2 && lines.Scan(); {
		if lines.Text() == ": alive" {
			beats++
		}
	}
	cancel()
	time.Sleep(50 * time.Millisecond)
	if runs.HasStopped("run_1") {
		t.Error("hanging up a stream stopped its run")
	}
	if status, _, _ := servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", ""); status != 200 || !runs.HasStopped("run_1") {
		t.Errorf("cancel: %d", status)
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", ""); status != 200 || !strings.Contains(body, `"cancelled":false`) {
		t.Errorf("cancel of a run that has ended: %d %s", status, body)
	}
}

func TestService(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) {
		o.Health = func(context.Context) []Component { return []Component{{Name: "store", Status: Down, Required: true}} }
	})
	if status, _, body := servertest.Ask(t, "GET", h.URL+"/health", ""); status != 200 || !strings.Contains(body, `"status":"degraded"`) {
		t.Errorf("health: %d %s", status, body)
	}
	if status, _, _ := servertest.Ask(t, "GET", h.URL+"/readyz", ""); status != 503 {
		t.Errorf("readyz: %d", status)
	}
	status, header, body := servertest.Ask(t, "GET", h.URL+"/", "")
	if status != 200 || !strings.Contains(header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("page: %d %v", status, header)
	}
	if strings.Contains(body, "<script>") || strings.Contains(body, " style=") || strings.Contains(body, "onclick") {
		t.Error("the page has inline code, which its policy forbids")
	}
	if _, _, body = servertest.Ask(t, "GET", h.URL+"/", "", "Accept", "application/json"); !strings.Contains(body, `"service":"catena"`) {
		t.Errorf("service information: %s", body)
	}
}

// Every route of the table is described, and nothing else is served.
func TestOpenAPI(t *testing.T) {
	s, h, _ := newTest(t)
	_, _, body := servertest.Ask(t, "GET", h.URL+"/openapi.json", "")
	var doc struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	routes := s.routes()
	want := len(routes)
	for _, r := range routes {
		if r.Method == http.MethodGet && !r.Stream {
			want++ // HEAD is GET without the body, and not described
		}
		if doc.Paths[r.Path][strings.ToLower(r.Method)] == nil {
			t.Errorf("%s %s is not described", r.Method, r.Path)
		}
	}
	if got := len(s.engine.Routes()); got != want {
		t.Errorf("%d routes are served, %d are in the table", got, want)
	}
}

func TestListenSaysWhichPort(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if _, err = Listen(t.Context(), l.Addr().String()); err == nil || !strings.Contains(err.Error(), "port "+port+" is in use") {
		t.Errorf("error %v", err)
	}
}

func TestShutdownEndsStreams(t *testing.T) {
	s, _, _ := newTest(t, func(o *Options) { o.Grace = 200 * time.Millisecond })
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	resp, err := http.Post("http://"+l.Addr().String()+"/stream", "application/json", strings.NewReader(`{"message":"slow"}`))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, _ = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestHostileRequests: what could be read in two ways is refused, or is the last of its connection.
func TestHostileRequests(t *testing.T) {
	_, h, _ := newTest(t, func(*Options) {})
	address := strings.TrimPrefix(h.URL, "http://")
	for name, tc := range map[string]struct {
		request string
		want    string // the status
		answers int
	}{
		"a length, and chunks: another proxy's next request is not answered on it": {
			"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", "400", 1},
		"a second coding":             {"POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", "415", 1},
		"an origin with a name in it": {"GET /livez HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x@localhost\r\nConnection: close\r\n\r\n", "403", 1},
		"an origin with a path":       {"GET /livez HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost/x\r\nConnection: close\r\n\r\n", "403", 1},
		"a query that loses a part":   {"GET /api/v1/tables?session_id=a;b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400", 1},
		"a key of two requests":       {"POST /execute HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: a\r\nidempotency-key: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", "400", 1},
		"a session that is two":       {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: a\r\nMcp-Session-Id: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", "400", 1},
		"two kinds of body":           {"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", "400", 1},
		"a query that is cut":         {"GET /api/v1/tables?session_id=%z HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400", 1},
	} {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.WriteString(conn, tc.request); err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // of a connection that is kept open, which is wrong
		got, err := io.ReadAll(conn)
		if err != nil {
			t.Error(name, err)
		}
		_ = conn.Close()
		if n := strings.Count(string(got), "HTTP/1.1 "); n != tc.answers || !strings.HasPrefix(string(got), "HTTP/1.1 "+tc.want) {
			t.Errorf("%s: %d answers: %s", name, n, got)
		}
	}
}
