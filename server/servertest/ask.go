package servertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/formatter/picture"
)

// Ask sends a request and returns status, headers and body.
func Ask(t *testing.T, method, url, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

func Eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not come", what)
		}
	}
}

func Within(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute): // far more than it takes: how fast it is, a loaded machine cannot tell
		t.Fatal("it did not end")
	}
}

func BarsSVG() string {
	return picture.Drawing{Width: 30, Height: 20, Title: "Bars",
		Shapes: []picture.Shape{picture.Rect{X: 5, Y: 5, Width: 9, Height: 9, Fill: "#123"}}}.SVG()
}

// Half sends a request whose body does not come to its end, and gives the answer once the server has hung up.
func Half(t *testing.T, address, method, path, header, body string) (status int, text string) {
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
	if _, err := io.Copy(io.Discard, in); err != nil {
		// ends when the server lets the connection go, else the test does not
		t.Logf("%s: the connection ended with %v", path, err)
	}
	return resp.StatusCode, string(b)
}
