// Command turn measures what a chat turn costs beside its tools: a three-step turn over the demo CRM with a planner that
// answers at once, in process and over HTTP on the loopback interface.
//
//	go -C bench run ./turn [-n 2000] [-json]
//
// For each turn it splits the wall time: tools (the time inside their handlers), durable (waits for the store), own (the
// rest: planning, references, handles, profiling, formatting, events). Over HTTP there is also the client's side. The store is
// SQLite in a temporary folder, as in production. Ratios between rows of one run hold better than the absolute figures.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"catena/chat"
	"catena/internal/access"
)

var caller = access.Local("bench")

const message = "Show me the top 5 USA clients and analyze their revenue trends"

func main() {
	n := flag.Int("n", 2000, "turns of each kind")
	asJSON := flag.Bool("json", false, "end with one JSON object of all figures")
	flag.Parse()
	if err := run(context.Background(), *n, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "turn:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, asJSON bool) error {
	dir, err := os.MkdirTemp("", "catena-turn-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	h, err := newHouse(ctx, filepath.Join(dir, "catena.db"))
	if err != nil {
		return err
	}
	defer h.close()
	fmt.Printf("%d turns of three steps each, %s, %d CPUs\n\n", n, runtime.Version(), runtime.NumCPU())
	fmt.Printf("%-12s %9s %9s %9s %9s   %s\n", "ms", "total", "own", "tools", "durable", "")
	figures := map[string]any{"turns": n}
	for _, kind := range []struct {
		name string
		turn func(context.Context, *house) (sample, error)
	}{{"in process", inProcess}, {"run", asRun}, {"over http", overHTTP}} {
		s, err := measure(ctx, h, n, kind.turn)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		s.print(kind.name, figures)
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(figures)
	}
	return nil
}

// sample is the split of one turn's time.
type sample struct{ total, tools, durable time.Duration }

func (s sample) own() time.Duration { return max(0, s.total-s.tools-s.durable) }

type samples struct {
	all    []sample
	allocs uint64 // per turn
	bytes  uint64 // per turn
}

func measure(ctx context.Context, h *house, n int, turn func(context.Context, *house) (sample, error)) (samples, error) {
	for range min(n, 50) { // warm caches and connections
		if _, err := turn(ctx, h); err != nil {
			return samples{}, err
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := samples{all: make([]sample, 0, n)}
	for range n {
		s, err := turn(ctx, h)
		if err != nil {
			return samples{}, err
		}
		out.all = append(out.all, s)
	}
	runtime.ReadMemStats(&after)
	out.allocs = (after.Mallocs - before.Mallocs) / uint64(n)
	out.bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(n)
	return out, nil
}

// print writes the median and the 99th percentile of each part.
func (s samples) print(name string, figures map[string]any) {
	pick := func(f func(sample) time.Duration) (p50, p99 float64) {
		list := make([]time.Duration, len(s.all))
		for i, x := range s.all {
			list[i] = f(x)
		}
		slices.Sort(list)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		return ms(list[len(list)/2]), ms(list[min(len(list)-1, len(list)*99/100)])
	}
	t50, t99 := pick(func(x sample) time.Duration { return x.total })
	o50, o99 := pick(sample.own)
	k50, k99 := pick(func(x sample) time.Duration { return x.tools })
	d50, d99 := pick(func(x sample) time.Duration { return x.durable })
	fmt.Printf("%-12s %9.3f %9.3f %9.3f %9.3f   median; %d allocations, %d KiB a turn\n", name, t50, o50, k50, d50, s.allocs, s.bytes>>10)
	fmt.Printf("%-12s %9.3f %9.3f %9.3f %9.3f   p99\n", "", t99, o99, k99, d99)
	key := map[string]string{"in process": "turn", "run": "run", "over http": "http"}[name]
	figures[key+"_p50_ms"], figures[key+"_p99_ms"] = t50, t99
	figures[key+"_own_p50_ms"], figures[key+"_own_p99_ms"] = o50, o99
	figures[key+"_tools_p50_ms"], figures[key+"_durable_p50_ms"] = k50, d50
	figures[key+"_allocs"] = s.allocs
}

// inProcess is the turn alone: no run, no event log, no HTTP.
func inProcess(ctx context.Context, h *house) (sample, error) {
	h.reset()
	start := time.Now()
	resp, err := h.engine.Turn(ctx, caller, chat.Request{Message: message}, func(chat.Payload) {})
	return h.split(time.Since(start), resp, err)
}

// asRun is the turn as a run with its durable log, as every surface uses it.
func asRun(ctx context.Context, h *house) (sample, error) {
	h.reset()
	start := time.Now()
	run, err := h.runs.Start(ctx, caller, chat.Request{Message: message})
	if err != nil {
		return sample{}, err
	}
	resp, err := h.runs.Wait(ctx, caller, run)
	return h.split(time.Since(start), resp, err)
}

// overHTTP is POST /api/v1/chat on a connection that is kept.
func overHTTP(ctx context.Context, h *house) (sample, error) {
	h.reset()
	body, err := json.Marshal(chat.Request{Message: message})
	if err != nil {
		return sample{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url+"/api/v1/chat", bytes.NewReader(body))
	if err != nil {
		return sample{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	start := time.Now()
	res, err := h.client.Do(req)
	if err != nil {
		return sample{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return sample{}, err
	}
	took := time.Since(start)
	var resp chat.Response
	if err := json.Unmarshal(data, &resp); err != nil {
		return sample{}, fmt.Errorf("%s: %w", res.Status, err)
	}
	return h.split(took, resp, nil)
}

// listen opens a free port of the loopback interface.
func listen(ctx context.Context) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
}
