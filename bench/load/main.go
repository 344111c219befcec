// Command load measures Catena under load: chat turns with a planner that answers at once, beside bare gin that answers the same bytes;
// many open event streams; many chains at once.
//
//	go -C bench run ./load [-for 30s] [-clients 2] [-streams 10000 -active 2000 -length 20s] [-chains 1000] [-json]
//
// Server and clients share this process and its processors; streams that are idle are read by a process of their own, as both ends take two
// descriptors. Of a turn's time own is what is neither tools nor waits for durable writes (SQLite, synchronous); those are printed beside it.
// Ratios between rows of one run hold better than figures. A part whose number is 0 is left out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
)

// options are the flags.
type options struct {
	length  time.Duration // of the turns
	clients int
	streams int
	active  int
	ticking time.Duration
	chains  int
	follow  string
	profile string
	asJSON  bool
}

func main() {
	var o options
	flag.DurationVar(&o.length, "for", 30*time.Second, "how long turns are sent, and as long again for bare gin; 0 leaves them out")
	flag.IntVar(&o.clients, "clients", 2, "clients that send turns, one after another each")
	flag.IntVar(&o.streams, "streams", 10_000, "event streams that are open")
	flag.IntVar(&o.active, "active", 2000, "those of them that get ten events a second")
	flag.DurationVar(&o.ticking, "length", 20*time.Second, "how long streams are open")
	flag.IntVar(&o.chains, "chains", 1000, "chains of five steps at once")
	flag.StringVar(&o.follow, "follow", "", "only read so many streams of this address, for -length at most: what the program starts itself for")
	flag.StringVar(&o.profile, "profile", "", "a file for a profile of the processor time of all of it")
	flag.BoolVar(&o.asJSON, "json", false, "end with one line of JSON")
	flag.Parse()
	f, err := run(context.Background(), o)
	if err == nil && o.asJSON {
		err = json.NewEncoder(os.Stdout).Encode(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// figures are the results by name.
type figures map[string]any

func run(ctx context.Context, o options) (f figures, err error) {
	if o.follow != "" {
		return nil, follow(ctx, os.Stdout, o)
	}
	dir, err := os.MkdirTemp("", "catena-load-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	f = figures{}
	end, err := profiled(o.profile)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	fmt.Printf("%s, %d CPUs\n", runtime.Version(), runtime.NumCPU())
	for _, part := range []struct {
		name string
		n    int
		do   func(ctx context.Context, h *house, o options, f figures) error
	}{{"turns", int(o.length), turns}, {"streams", o.streams, streams}, {"chains", o.chains, chains}} {
		if part.n == 0 {
			continue
		}
		h, err := newHouse(ctx, filepath.Join(dir, part.name+".db"), o.ticking)
		if err != nil {
			return f, err
		}
		if err := errors.Join(part.do(ctx, h, o, f), h.close()); err != nil {
			return f, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return f, nil
}

// profiled has the processor time written to a file, none for "", until the function is called that it returns.
func profiled(file string) (end func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return func() error { pprof.StopCPUProfile(); return out.Close() }, nil
}

// post sends a body and gives the whole answer.
func post(ctx context.Context, client *http.Client, url, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", res.Status, data)
	}
	return data, err
}

// closed sends requests by so many clients, each after the answer to its last one, and returns how many were answered in a second.
func closed(ctx context.Context, clients int, length time.Duration, one func(ctx context.Context) error) (perSecond float64, errs int64) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var done, failed atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				switch err := one(context.WithoutCancel(ctx)); err {
				case nil:
					done.Add(1)
				default:
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), failed.Load()
}

// times are durations of one kind.
type times struct {
	mu   sync.Mutex
	list []time.Duration
}

func (t *times) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, d)
}

// ms is a quantile in milliseconds.
func (t *times) ms(q float64) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) == 0 {
		return 0
	}
	slices.Sort(t.list)
	return float64(t.list[min(len(t.list)-1, int(q*float64(len(t.list))))].Microseconds()) / 1000
}

const turnBody = `{"message":"turn"}`

// turns sends chat turns, and then the same requests to bare gin.
func turns(ctx context.Context, h *house, o options, f figures) error {
	client := &http.Client{}
	defer client.CloseIdleConnections()
	var own, durable, whole times
	var last atomic.Pointer[[]byte]
	one := func(ctx context.Context) error {
		start := time.Now()
		data, err := post(ctx, client, h.url+"/api/v1/chat", turnBody)
		took := time.Since(start)
		if err != nil {
			return err
		}
		var resp struct {
			Outcome string `json:"outcome"`
			Run     string `json:"run_id"`
			Session string `json:"session_id"`
		}
		if err := json.Unmarshal(data, &resp); err != nil || resp.Outcome != "answer" {
			return fmt.Errorf("no answer: %s, %w", resp.Outcome, err)
		}
		waited := takeFrom(&h.clock.waits, resp.Run) + takeFrom(&h.clock.waits, resp.Session)
		whole.add(took)
		durable.add(waited)
		own.add(max(0, took-waited-takeFrom(&h.clock.tools, resp.Run)))
		last.Store(&data)
		return nil
	}
	perSecond, failed := closed(ctx, o.clients, o.length, one)
	if last.Load() == nil {
		return errors.New("no turn was answered")
	}
	bare, err := bareGin(ctx, o, *last.Load())
	if err != nil {
		return err
	}
	fmt.Printf("turns: %d clients, %.0f turns/s, %d errors; own p50 %.2f ms, p99 %.2f ms; durable writes p50 %.2f, p99 %.2f; whole p50 %.2f, p99 %.2f; bare gin %.0f/s, %.0f times as many\n",
		o.clients, perSecond, failed, own.ms(.5), own.ms(.99), durable.ms(.5), durable.ms(.99), whole.ms(.5), whole.ms(.99), bare, bare/perSecond)
	for name, v := range map[string]any{"turns_per_s": perSecond, "errors": failed, "own_p50_ms": own.ms(.5), "own_p99_ms": own.ms(.99), "durable_p50_ms": durable.ms(.5),
		"durable_p99_ms": durable.ms(.99), "whole_p50_ms": whole.ms(.5), "whole_p99_ms": whole.ms(.99), "gin_per_s": bare, "gin_ratio": bare / perSecond} {
		f[name] = v
	}
	return nil
}

// bareGin answers the same bytes to the same requests, and does nothing else.
func bareGin(ctx context.Context, o options, answer []byte) (perSecond float64, err error) {
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.POST("/api/v1/chat", func(c *gin.Context) {
		if _, err := io.ReadAll(c.Request.Body); err == nil {
			c.Data(http.StatusOK, "application/json", answer)
		}
	})
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	s := &http.Server{Handler: g, ReadHeaderTimeout: time.Minute}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	client := &http.Client{}
	perSecond, _ = closed(ctx, o.clients, min(o.length, 10*time.Second), func(ctx context.Context) error {
		data, err := post(ctx, client, "http://"+l.Addr().String()+"/api/v1/chat", turnBody)
		if err == nil {
			var any map[string]json.RawMessage // as the turns' client does
			err = json.Unmarshal(data, &any)
		}
		return err
	})
	client.CloseIdleConnections()
	err = s.Close()
	if serr := <-done; !errors.Is(serr, http.ErrServerClosed) {
		err = errors.Join(err, serr)
	}
	return perSecond, err
}

// steps are those of a chain.
const steps = 5

// chains sends chains of five steps all at once.
func chains(ctx context.Context, h *house, o options, f figures) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.chains}}
	defer client.CloseIdleConnections()
	var whole times
	var failed atomic.Int64
	var all sync.WaitGroup
	start, used := time.Now(), cpuTime()
	for range o.chains {
		all.Go(func() {
			began := time.Now()
			data, err := post(ctx, client, h.url+"/api/v1/chat", `{"message":"chain"}`)
			if err != nil || !bytes.Contains(data, []byte(`"outcome":"answer"`)) {
				failed.Add(1)
			}
			whole.add(time.Since(began))
		})
	}
	all.Wait()
	took, busy := time.Since(start), cpuTime()-used
	perStep := float64(busy.Microseconds()) / 1000 / float64(steps*o.chains)
	wall := float64((took - steps*napTime).Microseconds()) / 1000 / float64(steps*o.chains)
	fmt.Printf("chains: %d of %d steps at once, %d failed; all after %.1f s; processor time %.2f ms a step, time over the tools' %.2f ms a step; p99 of a chain %.0f ms\n",
		o.chains, steps, failed.Load(), took.Seconds(), perStep, wall, whole.ms(.99))
	for name, v := range map[string]any{"chains": o.chains, "chains_failed": failed.Load(), "chains_s": took.Seconds(), "step_cpu_ms": perStep, "step_own_ms": wall} {
		f[name] = v
	}
	return nil
}
