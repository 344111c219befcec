package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// thing is one that a client does.
type thing struct {
	name string
	do   func(c *client, ctx context.Context) error
}

// things are what each client does in turn. The last one deletes its session, and with it all that came before.
var things = []thing{
	{"messages answered at once", (*client).ask},
	{"streams read to their end", (*client).follow},
	{"uploads", (*client).upload},
	{"messages about an upload", (*client).askOfUpload},
	{"streams cut and resumed", (*client).cut},
	{"MCP sessions: a list, a call, the end", (*client).session},
	{"messages by OpenAI's protocol", (*client).complete},
	{"MCP calls without a session", (*client).call},
	{"streams read to their end", (*client).follow},
	{"sessions listed and deleted", (*client).renew},
}

// counts are how often each thing was done.
type counts struct {
	mu    sync.Mutex
	ok    map[string]int
	fails map[string]int
	first map[string]error // why it failed first
}

func newCounts() *counts {
	return &counts{ok: map[string]int{}, fails: map[string]int{}, first: map[string]error{}}
}

func (n *counts) add(name string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err == nil {
		n.ok[name]++
		return
	}
	if n.fails[name]++; n.first[name] == nil {
		n.first[name] = err
	}
}

func (n *counts) total() int  { return n.sum(n.ok) }
func (n *counts) failed() int { return n.sum(n.fails) }

func (n *counts) sum(m map[string]int) (sum int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, v := range m {
		sum += v
	}
	return sum
}

// String is a line for each thing.
func (n *counts) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var b strings.Builder
	var told []string
	for _, t := range things {
		if slices.Contains(told, t.name) {
			continue
		}
		told = append(told, t.name)
		fmt.Fprintf(&b, "%-40s %6d, failed %d", t.name, n.ok[t.name], n.fails[t.name])
		if err := n.first[t.name]; err != nil {
			fmt.Fprintf(&b, ": %v", err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// use has clients do things at a rate, until ctx ends and what they had begun is over.
func use(ctx context.Context, url string, clients int, rate float64, done *counts) {
	turns := make(chan struct{})
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			c := newClient(url, n)
			defer c.http.CloseIdleConnections()
			for i := n; ; i++ { // they are not all at the same thing
				if _, open := <-turns; !open {
					return
				}
				t := things[i%len(things)]
				within, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
				done.add(t.name, t.do(c, within))
				cancel()
			}
		})
	}
	tick := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			select {
			case turns <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}
	close(turns)
	all.Wait()
}

// capacity is how many things two clients do in a second without a pause.
func capacity(ctx context.Context, url string) (float64, error) {
	const length = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	done := newCounts()
	use(ctx, url, 2, 1e6, done)
	if done.failed() > 0 {
		return 0, fmt.Errorf("things failed before the soak:\n%s", done)
	}
	return float64(done.total()) / length.Seconds(), nil
}

// newClient is a client with connections of its own.
func newClient(url string, n int) *client {
	return &client{url: url, n: n, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second}}}
}
