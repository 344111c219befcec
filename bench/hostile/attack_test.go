package main

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A kind that nobody has is an error that says which there are.
func TestChosen(t *testing.T) {
	if _, err := chosen(options{only: "zzz", slow: 10, workers: 1}); err == nil || !strings.Contains(err.Error(), "bodies that are packed") {
		t.Error(err)
	}
	all, err := chosen(options{slow: 1, workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, a := range all {
		if names[a.Name] || a.at < 1 || (a.send == nil) == (a.hold == nil) {
			t.Errorf("%s: at %d", a.Name, a.at)
		}
		names[a.Name] = true
	}
	if one, err := chosen(options{only: "bomb.csv.gz", slow: 1, workers: 1}); err != nil || len(one) != 1 {
		t.Error(len(one), err)
	}
}

// A server that lets nobody go is found out at the end of a turn.
func TestHeldForTooLong(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // what it has not accepted stays open
	a := &attack{tally: tally{Name: "held", Most: 50 * time.Millisecond}, at: 2, hold: slowHeaders}
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	a.keep(ctx, &target{host: listener.Addr().String()}, &lateness{})
	if a.Came[stillOpen] != 2 || a.Held != 2 || a.Longest < 400*time.Millisecond {
		t.Errorf("%v, %d held, longest %v", a.Came, a.Held, a.Longest)
	}
	if f := a.faults(); len(f) != 1 || !strings.Contains(f[0], "held for") {
		t.Errorf("%q", f)
	}
}

// A reader who takes nothing sees when the server lets it go, though there is more to come to it.
func TestDeafFileSeesTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
		_ = conn.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
		for err == nil {
			_, err = conn.Write(make([]byte, 64<<10))
		}
		_ = conn.Close()
	}()
	a := slowly(1)[3]
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	a.holdOnce(ctx, &target{host: listener.Addr().String(), table: "t"}, &lateness{})
	if a.Came["closed"] != 1 || a.Longest > 6*time.Second {
		t.Errorf("%v after %v", a.Came, a.Longest)
	}
}

// What the end of a turn closes is no connection that the server let go.
func TestDeafFileAtTheEnd(t *testing.T) {
	server, client := net.Pipe()
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = server.Read(make([]byte, 1<<10))
		_, _ = server.Write([]byte("HTTP/1.1 200"))
		time.Sleep(1500 * time.Millisecond) // the first blank line waits in its write
		cancel()
		_ = client.Close()
	}()
	if outcome, _ := deafFile(ctx, client, &target{table: "t"}, 0); outcome != "" {
		t.Errorf("%q", outcome)
	}
}

// What was due is counted also where it was not sent, and no kind has more under way than it may.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := func(after time.Duration) *attack {
			return &attack{at: 1, send: func(ctx context.Context, _ *target, _ int) (string, bool) {
				select {
				case <-ctx.Done():
					return "broken off", false
				case <-time.After(after):
					return "413", true
				}
			}}
		}
		quick, slow, never := answers(time.Millisecond), answers(12*time.Second), answers(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		pace(ctx, nil, []*attack{quick, slow, never}, 30, 8*time.Second)
		for _, c := range []struct {
			a          *attack
			sent, came int
		}{{quick, 80, 80}, {slow, 1, 1}, {never, 1, 0}} {
			if c.a.Wanted != 80 || c.a.Sent != c.sent || c.a.Came["413"] != c.came || len(c.a.Wrong) != 0 {
				t.Errorf("%d of %d sent, %v, %v", c.a.Sent, c.a.Wanted, c.a.Came, c.a.Wrong)
			}
		}
		if f := never.faults(); len(f) != 1 || !strings.Contains(f[0], "nothing came") {
			t.Errorf("%q", f)
		}
	})
}

func TestLateness(t *testing.T) {
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	l := &lateness{}
	l.expect(at(100))
	if got := l.before(at(150)); got != 0 {
		t.Errorf("a beat that is due by less than a beat: %v", got)
	}
	if got := l.before(at(5100)); got != 5*time.Second {
		t.Errorf("before a late beat came: %v", got)
	}
	l.came(at(100), at(5100))
	l.expect(at(5200))
	if got := l.before(at(5150)); got != 5050*time.Millisecond {
		t.Errorf("after it came: %v", got)
	}
	l.came(at(5200), at(5210))
	l.expect(at(6400))
	if got := l.before(at(6200)); got != 0 || l.longest() != 5*time.Second {
		t.Errorf("a second later: %v, longest %v", got, l.longest())
	}
}

func TestLatenessWatches(t *testing.T) {
	l := &lateness{}
	ctx, cancel := context.WithTimeout(t.Context(), 3*beat)
	defer cancel()
	if err := l.watch(ctx); err != nil || l.before(time.Now().Add(time.Hour)) != 0 {
		t.Error(err, "or a beat is due for ever")
	}
}

// A process that says what is not understood, and waits for its next line, or to be read, is ended.
func TestBrokenAttackers(t *testing.T) {
	for _, script := range []string{"echo nonsense; cat >/dev/null", "echo nonsense; yes nonsense", "exit 3"} {
		ended := make(chan error, 1)
		go func() {
			_, err := startAttackers(exec.Command("sh", "-c", script))
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: no error", script)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it hangs", script)
		}
	}
}
