package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"catena/tools"
	"catena/tools/upstream"
)

// callTime is what the calls of a server that breaks may take.
const callTime = 1500 * time.Millisecond

// recovery is how long a server may take to be back.
const recovery = 30 * time.Second

// fault is one way to break a server.
type fault struct {
	name string
	mode string        // of the server
	last time.Duration // how long it is left as it is, at least
	// make breaks the server and returns how long the call that was under way took to fail. Nil leaves it as it is: its mode breaks it.
	make func(w *world, ctx context.Context) (time.Duration, error)
	dead bool // it never answers
}

var faults = []fault{
	{name: "kill", mode: "plain", last: time.Second, make: (*world).kill},
	{name: "loop", mode: "loop", last: 3 * time.Second, dead: true},
	{name: "mute", mode: "mute", last: 2 * time.Second, dead: true},
	{name: "hang", mode: "plain", last: time.Second, make: timesOut("hang")},
	{name: "half", mode: "plain", last: time.Second, make: timesOut("half")},
	{name: "spew", mode: "plain", last: 2 * time.Second, make: (*world).spew},
	{name: "lines", mode: "plain", last: 2 * time.Second, make: timesOut("lines")},
	{name: "notify", mode: "plain", last: 2 * time.Second, make: timesOut("notify")},
	{name: "restart", mode: "http", last: time.Second, make: (*world).restart},
}

// config is the server that breaks.
func (w *world) config(mode string) upstream.Config {
	c := upstream.Config{Name: "bad", Timeout: callTime}
	if mode == "http" {
		c.URL, c.Type = "http://"+w.address+"/mcp", upstream.HTTP
		return c
	}
	c.Command = w.self
	c.Env = map[string]string{modeVariable: mode, gigabytesVariable: fmt.Sprint(w.gigabytes), notificationsVariable: fmt.Sprint(w.notifications)}
	return c
}

// unexpected says that a call ended otherwise than the fault should end it.
func unexpected(what string, res tools.Result, err error) error {
	return fmt.Errorf("%s gave %q (%s), %w", what, res.Text, res.Code, errors.Join(err, errors.New("which is not what it should")))
}

// pid asks the server that breaks for its process.
func (w *world) pid(ctx context.Context) (int, error) {
	res, err := w.call(ctx, "bad__pid")
	if !succeeded(res, err) {
		return 0, unexpected("pid", res, err)
	}
	return strconv.Atoi(res.Text)
}

// inCall does something while a call is under way, and returns how long the call took to fail from then on.
func (w *world) inCall(ctx context.Context, tool string, do func() error) (time.Duration, error) {
	type end struct {
		res tools.Result
		err error
		at  time.Time
	}
	ended := make(chan end, 1)
	go func() {
		res, err := w.call(ctx, tool)
		ended <- end{res, err, time.Now()}
	}()
	time.Sleep(100 * time.Millisecond) // so that it is under way
	began := time.Now()
	if err := do(); err != nil {
		return 0, err
	}
	e := <-ended
	if e.err != nil || e.res.Code != tools.CodeUnavailable {
		return 0, unexpected("the call under way", e.res, e.err)
	}
	return e.at.Sub(began), nil
}

// kill ends the server's process in a call.
func (w *world) kill(ctx context.Context) (time.Duration, error) {
	pid, err := w.pid(ctx)
	if err != nil {
		return 0, err
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return 0, err
	}
	return w.inCall(ctx, "bad__hang", p.Kill)
}

// restart ends a server over HTTP in a call and starts it anew: it knows no session of before.
func (w *world) restart(ctx context.Context) (time.Duration, error) {
	took, err := w.inCall(ctx, "bad__hang", w.stopHTTP)
	if err != nil {
		return 0, err
	}
	return took, w.startHTTP()
}

// spew has the server write without a line break; the call fails when that is too much, or when its time is over before.
func (w *world) spew(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	res, err := w.call(ctx, "bad__spew")
	if err != nil || res.Code != tools.CodeUnavailable && res.Code != tools.CodeTimeout {
		return 0, unexpected("the call", res, err)
	}
	return max(0, time.Since(began)-callTime), nil
}

// timesOut has the server do something else than to answer; the call fails when its time is over.
func timesOut(tool string) func(*world, context.Context) (time.Duration, error) {
	return func(w *world, ctx context.Context) (time.Duration, error) {
		began := time.Now()
		res, err := w.call(ctx, "bad__"+tool)
		if err != nil || res.Code != tools.CodeTimeout {
			if tool == "notify" && succeeded(res, err) {
				return 0, nil // it was done in time
			}
			return 0, unexpected("the call", res, err)
		}
		return max(0, time.Since(began)-callTime), nil
	}
}

// back waits until the server answers again.
func (w *world) back(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	for time.Since(began) < recovery {
		if res, err := w.call(ctx, "bad__echo"); succeeded(res, err) {
			return time.Since(began), nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return 0, fmt.Errorf("it was not back after %s: %s", recovery, w.registry.Down()["bad"])
}

// zombies counts children of this process that have ended and that nobody waited for.
func zombies() int {
	n := 0
	entries, _ := os.ReadDir("/proc") // elsewhere there are none to be seen
	for _, e := range entries {
		var pid, parent int
		var name string
		var state rune
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if _, err := fmt.Sscanf(string(stat), "%d %s %c %d", &pid, &name, &state, &parent); err == nil && parent == os.Getpid() && state == 'Z' {
			n++
		}
	}
	return n
}
