package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// row is one line of the table of results: a tool in an era, by so many clients.
type row struct {
	tool    tool
	era     string
	clients int
	size    map[string]int             // bytes of an answer, by server
	per     map[string][]time.Duration // processor time of a call, by server and round
}

// measurement is all that a run found.
type measurement struct {
	rows    []row
	sent    map[string]int   // calls, by server
	largest map[string]int64 // resident memory
	peak    map[string]int64
}

// measure takes all slices.
func measure(ctx context.Context, o options, peers []*peer) (*measurement, error) {
	m := &measurement{sent: map[string]int{}, largest: map[string]int64{}, peak: map[string]int64{}}
	for _, name := range o.tools {
		t, calls := echoTool, o.calls
		if name == "table" {
			t, calls = tableTool, tableCalls(o.calls)
		} else if name != "echo" {
			return nil, fmt.Errorf("-only: there is no %q", name)
		}
		for _, era := range []string{withSession, stateless} {
			for _, n := range o.clients {
				r := row{tool: t, era: era, clients: n, size: map[string]int{}, per: map[string][]time.Duration{}}
				for round := range o.rounds + 1 { // the first warms up
					for i := range peers {
						p := peers[(i+round)%len(peers)]
						if err := m.slice(ctx, &r, p, calls, round > 0); err != nil {
							return nil, err
						}
					}
				}
				m.rows = append(m.rows, r)
			}
		}
	}
	for _, p := range peers {
		var err error
		if m.peak[p.name], err = memory(p.cmd.Process.Pid, "VmHWM"); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// slice has one server answer so many calls.
func (m *measurement) slice(ctx context.Context, r *row, p *peer, calls int, counts bool) error {
	clients := make([]*client, r.clients)
	defer func() {
		for _, c := range clients {
			if c != nil {
				_ = c.conn.Close()
			}
		}
	}()
	for i := range clients {
		c, err := dial(p, r.era)
		if err != nil {
			return err
		}
		clients[i] = c
	}
	if !counts {
		first := clients[0].prepare(r.tool)
		if err := clients[0].do(first, 0); err != nil {
			return err
		}
		m.sent[p.name]++
		if err := r.tool.whole(clients[0].body); err != nil {
			return fmt.Errorf("%s, %s: %w", p.name, r.tool.name, err)
		}
		r.size[p.name] = len(clients[0].body)
	}
	pid := p.cmd.Process.Pid
	before, err := rest(ctx, pid)
	if err != nil {
		return err
	}
	if err := volley(ctx, clients, r.tool, calls); err != nil {
		return err
	}
	m.sent[p.name] += calls
	now, err := memory(pid, "VmRSS")
	if err != nil {
		return err
	}
	m.largest[p.name] = max(m.largest[p.name], now)
	after, err := rest(ctx, pid)
	if err == nil && counts {
		r.per[p.name] = append(r.per[p.name], (after-before)/time.Duration(calls))
	}
	return err
}

// volley sends calls from all clients at once, until all have been answered.
func volley(ctx context.Context, clients []*client, t tool, calls int) error {
	var next atomic.Int64
	errs := make([]error, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			k := c.prepare(t)
			for n := next.Add(1); n <= int64(calls) && errs[i] == nil; n = next.Add(1) {
				if errs[i] = c.do(k, int(n)); errs[i] == nil {
					errs[i] = ctx.Err()
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// rest waits until a server does nothing any more, and returns the processor time that it has used.
func rest(ctx context.Context, pid int) (time.Duration, error) {
	const pause, idle, longest = 25 * time.Millisecond, 400 * time.Microsecond, 10 * time.Second
	last, err := cpu(pid)
	for until := time.Now().Add(longest); err == nil; {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(pause):
		}
		var now time.Duration
		if now, err = cpu(pid); err == nil && (now-last < idle || time.Now().After(until)) {
			return now, nil
		}
		last = now
	}
	return 0, err
}

// recorded checks that the log has one entry of the audit for each call.
func recorded(dir string, calls int) error {
	log, err := os.ReadFile(filepath.Join(dir, logFile))
	if err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(log) {
		if strings.Contains(string(line), "msg=call ") && strings.Contains(string(line), "allowed=true") {
			n++
		}
	}
	if n != calls {
		return fmt.Errorf("the audit has %d calls of %d", n, calls)
	}
	fmt.Printf("\nThe audit has each of Catena's %d calls.\n", n)
	return nil
}

// median of a list that is not empty.
func median[T int64 | float64 | time.Duration](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
