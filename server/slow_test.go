package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// half sends a request whose body does not come to its end, and gives the answer once the server has hung up.
func half(t *testing.T, address, method, path, header, body string) (status int, text string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n%s", method, path, header, body); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	_ = resp.Body.Close()
	if _, err := io.Copy(io.Discard, in); err != nil { // ends when the server lets the connection go, else the test does not
		t.Logf("%s: the connection ended with %v", path, err)
	}
	return resp.StatusCode, string(b)
}

// A body that does not come holds no connection for ever, whether a route reads it or not.
func TestSlowBody(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) { o.BodyTimeout, o.UploadLimit, o.BodyLimit = 50*time.Millisecond, 1<<10, 128<<10 })
	address := strings.TrimPrefix(h.URL, "http://")
	const long, chunked = "Content-Length: 1000\r\n", "Transfer-Encoding: chunked\r\n"
	for _, c := range []struct {
		method, path, header, body string
		status                     int
		code                       string
	}{
		{"POST", "/api/v1/chat", long, `{"message":`, 408, "body_too_slow"},
		{"POST", "/api/v1/chat", chunked, "5\r\n{\"mes\r\n", 408, "body_too_slow"},
		{"POST", "/mcp", long, `{"jsonrpc":`, 408, "body_too_slow"},
		{"POST", "/api/v1/tables", long + "Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\n", 408, "body_too_slow"},
		{"POST", "/api/v1/tables", long + "Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\na,b", 408, "body_too_slow"},
		{"POST", "/nothing", long, "x", 404, "no_route"},
		{"GET", "/livez", long, "x", 200, "alive"},
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			t.Parallel()
			if status, text := half(t, address, c.method, c.path, c.header, c.body); status != c.status || !strings.Contains(text, c.code) {
				t.Errorf("%d %s", status, text)
			}
		})
	}
}

// The time for the body is not the time for the answer.
func TestBodyTimeEndsWithTheBody(t *testing.T) {
	const timeout = 30 * time.Millisecond
	_, h, runs := newTest(t, func(o *Options) { o.BodyTimeout = timeout })
	ended := make(chan struct{})
	defer func() { <-ended }()
	go func() {
		defer close(ended)
		time.Sleep(5 * timeout)
		if runs.stopped("run_1") {
			t.Error("the turn was cancelled")
		}
		ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", "")
	}()
	if status, _, body := ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"slow"}`); status != 200 {
		t.Errorf("%d %s", status, body)
	}
}
