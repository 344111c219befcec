package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/server/servertest"
)

// The time for the body is not the time for the answer.
func TestBodyTimeEndsWithTheBody(t *testing.T) {
	const timeout = 30 * time.Millisecond
	_, h, runs := newTest(t, func(o *Options) { o.BodyTimeout = timeout })
	ended := make(chan struct{})
	defer func() { <-ended }()
	go func() {
		defer close(ended)
		time.Sleep(5 * timeout)
		if runs.HasStopped("run_1") {
			t.Error("the turn was cancelled")
		}
		servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", "")
	}()
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"slow"}`); status != 200 {
		t.Errorf("%d %s", status, body)
	}
}

// longRun has a run whose events are more than any connection holds, and gives them as they are sent.
func longRun(t *testing.T, runs *servertest.Runs) (id, sent string) {
	t.Helper()
	id, err := runs.Start(t.Context(), access.Local("http"), chat.Request{Message: "long"})
	if err != nil {
		t.Fatal(err)
	}
	var events []chat.Event
	var text strings.Builder
	for i := range 64 {
		data := []byte(fmt.Sprintf(`{"type":"TEXT_MESSAGE_CONTENT","delta":"%d%s"}`, i, strings.Repeat("x", 512<<10)))
		events = append(events, chat.Event{Seq: uint64(i + 1), Data: data})
		fmt.Fprintf(&text, "id: %d\ndata: %s\n\n", i+1, data)
	}
	runs.ByID[id].Events = events
	return id, text.String()
}

// A reader who takes nothing is let go, and has all the events, byte for byte, when it goes on from the last one that it had.
func TestSlowReader(t *testing.T) {
	_, h, runs := newTest(t, func(o *Options) { o.StallTimeout, o.Heartbeat = 2*time.Second, time.Hour }) // long enough to read the rest on a busy machine
	id, want := longRun(t, runs)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(h.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	path := "/api/v1/runs/" + id + "/events"
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	for deadline := time.Now().Add(20 * time.Second); runs.Followed.Load() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("who reads nothing is still waited for")
		}
	}
	got, err := io.ReadAll(resp.Body) // what was under way; then the connection is gone
	if err == nil {
		t.Error("the stream has an end, as if it were whole")
	}
	got = bytes.TrimPrefix(got, []byte(": open\n\n"))
	whole := bytes.LastIndex(got, []byte("\n\n"))
	if whole < 0 {
		t.Fatalf("no event came: %d bytes", len(got))
	}
	had := string(got[:whole+2])
	last := strings.Count(had, "\n\n")
	status, _, rest := servertest.Ask(t, "GET", h.URL+path, "", "Last-Event-ID", fmt.Sprint(last))
	if rest = strings.ReplaceAll(rest, ": open\n\n", ""); status != 200 || last == 64 || had+rest != want {
		t.Errorf("%d: %d events came, then %d bytes, of %d in all", status, last, len(rest), len(want))
	}
}
