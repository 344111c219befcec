package server

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/internal/lane"
	"catena/server/servertest"
)

// What many send at once has a bound; short messages are taken beside it, and what was taken is given back.
func TestRoomForBodies(t *testing.T) {
	s, h, _ := newTest(t)
	s.room = newRoom(256 << 10)
	address := strings.TrimPrefix(h.URL, "http://")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	const sent = 150 << 10
	fmt.Fprintf(conn, "POST /api/v1/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n%s", strings.Repeat("x", sent))
	taken := func() int64 { s.room.mu.Lock(); defer s.room.mu.Unlock(); return s.room.taken }
	for until := time.Now().Add(20 * time.Second); taken() < sent-bodyFree && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	long := `{"message":"` + strings.Repeat("x", 100<<10) + `"}`
	if status, header, text := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", long); status != 503 || !strings.Contains(text, `"busy"`) || header.Get("Retry-After") == "" {
		t.Errorf("beside another: %d %s", status, text)
	}
	if status, _, text := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hi"}`); status != 200 {
		t.Errorf("a short message: %d %s", status, text)
	}
	_ = conn.Close()
	for until := time.Now().Add(20 * time.Second); taken() > 0 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	if status, _, text := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", long); status != 413 || !strings.Contains(text, "message_too_large") {
		t.Errorf("once the other is gone: %d %s", status, text)
	}
	if n := taken(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}

// Large bodies are checked one after another; small ones do not wait for them.
func TestLargeBodiesAreCheckedInTurn(t *testing.T) {
	chat := strings.Repeat("x", largeJSON)
	steps := strings.TrimSuffix(strings.Repeat(`{"tool":"none"},`, largeJSON/planWork/16+1), ",")
	for path, c := range map[string]struct{ body, more string }{
		"/api/v1/chat":       {`{"message":"hi%s"}`, chat},
		"/api/v1/plan/check": {`{"plan":{"steps":[%s]}}`, steps},
	} {
		t.Run(path, func(t *testing.T) {
			s, h, _ := newTest(t)
			s.opt.Heavy = lane.New(1)
			leave, _ := s.opt.Heavy.Enter(t.Context(), "other") // one is being checked
			if status, _, text := servertest.Ask(t, "POST", h.URL+path, strings.Replace(c.body, "%s", "", 1)); status != 200 {
				t.Errorf("a short one: %d %s", status, text)
			}
			large := strings.Replace(c.body, "%s", c.more, 1)
			s.turnWait = 10 * time.Millisecond
			if status, _, text := servertest.Ask(t, "POST", h.URL+path, large); status != 503 || !strings.Contains(text, `"busy"`) {
				t.Errorf("a large one beside another: %d %.300s", status, text)
			}
			s.turnWait = time.Minute
			go leave()
			for range 2 { // the second shows that the first gave its turn back
				if status, _, text := servertest.Ask(t, "POST", h.URL+path, large); status == 503 {
					t.Errorf("%d %.300s", status, text)
				}
			}
		})
	}
}

func TestRoom(t *testing.T) {
	r := newRoom(100)
	if !r.take("a", 70) || r.take("a", 10) {
		t.Error("a caller has three quarters")
	}
	if !r.take("b", 30) || r.take("c", 1) {
		t.Error("all callers have the whole")
	}
	r.give("a", 70)
	r.give("b", 30)
	if !r.take("c", 1000) || r.take("a", 1) {
		t.Error("who is alone may have as much as is needed")
	}
	r.give("c", 1000)
	if r.taken != 0 || len(r.by) != 0 {
		t.Errorf("%d taken, %v", r.taken, r.by)
	}
}

// deadlines is a connection that tells the deadlines of its reads.
type deadlines struct {
	http.ResponseWriter
	reads []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error { d.reads = append(d.reads, at); return nil }

// Each 32 KiB of a body give its client a second more, and its end takes the deadline away.
func TestBodyTimeFollowsWhatCame(t *testing.T) {
	d := &deadlines{}
	until := time.Now()
	b := &timedBody{ReadCloser: http.NoBody, control: http.NewResponseController(d), until: until}
	b.ReadCloser = readCloser{strings.NewReader(strings.Repeat("x", 3*slowestBody))}
	p := make([]byte, slowestBody/2)
	for n := 1; n > 0; {
		n, _ = b.Read(p)
	}
	want := []time.Time{until.Add(time.Second), until.Add(2 * time.Second), until.Add(3 * time.Second), {}}
	if len(d.reads) != len(want) {
		t.Fatalf("%d deadlines: %v", len(d.reads), d.reads)
	}
	for i := range want {
		if !d.reads[i].Equal(want[i]) {
			t.Errorf("deadline %d is %v after the first", i, d.reads[i].Sub(until))
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
