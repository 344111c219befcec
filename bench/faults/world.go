package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"catena/bench/program"

	_ "modernc.org/sqlite" // to check the file that was killed
)

// world is the processes of one part, and what they work on.
type world struct {
	fleet  *fleet
	ledger *ledger
	client *http.Client
	ends   []func()
	// forgets says that the store may lose what it had promised: a run that is not there any more is counted and not asked for again.
	forgets bool
	// forgot is when it did, in nanoseconds since 1970; 0 before.
	forgot atomic.Int64
}

// mayForget reports whether the store may have lost a part of a run that was asked for at a time: what came after it forgot is all there.
func (w *world) mayForget(asked time.Time) bool {
	at := w.forgot.Load()
	return w.forgets && at != 0 && asked.UnixNano() < at
}

// figures are the results by name.
type figures map[string]any

// build makes the program.
func build(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "catena")
	return path, program.Build(ctx, path)
}

// newWorld starts a ledger and a model, and writes the settings of replicas, which it does not start.
func newWorld(o options, dir string, env ...string) (*world, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	w := &world{ledger: &ledger{pause: o.pause, entries: map[entry]int{}}}
	book, mind := w.ledger.listen(), model()
	for _, s := range []*httptest.Server{book, mind} {
		w.ends = append(w.ends, func() { s.CloseClientConnections(); s.Close() })
	}
	w.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.atOnce, ResponseHeaderTimeout: 20 * time.Second}}
	w.ends = append(w.ends, w.client.CloseIdleConnections)
	settings := filepath.Join(dir, "catena.yaml")
	text := fmt.Sprintf("mcpServers:\n  ledger: {url: %q, trust: trusted}\n", book.URL+"/mcp")
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		return nil, err
	}
	w.fleet = &fleet{binary: o.binary, dir: dir, args: []string{"--config", settings}, env: append([]string{
		"PATH=" + os.Getenv("PATH"), "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=instant", "CATENA_LLM_API_KEY=none",
		"CATENA_LLM_BASE_URL=" + mind.URL + "/v1", "CATENA_PLANNER_CACHE_TTL=0s", "CATENA_LISTEN_MAX_RUNS=500",
		"CATENA_MEMORY_ENABLED=false", "CATENA_PERSONA_ENABLED=false", "CATENA_CODE_ENABLED=false", "CATENA_LOG_LEVEL=error",
	}, env...)}
	return w, nil
}

func (w *world) close() error {
	err := w.fleet.stop()
	for _, end := range slices.Backward(w.ends) {
		end()
	}
	return err
}

// result is what all chains together came to.
type result struct {
	mu                                              sync.Mutex
	accepted, answered, lost, asked, resumed        int
	released                                        int // times that a chain was set aside, and released
	refused, gone                                   int // of the lost: ended otherwise than with an answer, and not there any more
	forgotten                                       int // of the answered: not there any more
	doubled, missing, gaps, differing, cut, cutFine int
	taken                                           []time.Duration
	why                                             []string
}

// chains sends chains, so many at a time, until there were enough and the kills are over.
func (w *world) chains(ctx context.Context, name string, o options, least int, over <-chan struct{}) *result {
	out := &result{}
	next := make(chan string)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-over:
		case <-ctx.Done():
		}
		wait(ctx, o.patience)
		cancel()
	}()
	go func() {
		defer close(next)
		for n := 0; ctx.Err() == nil; n++ {
			select {
			case <-over:
				if n >= least {
					return
				}
			default:
			}
			select {
			case next <- fmt.Sprintf("chain-%s%d", name, n):
			case <-ctx.Done():
			}
		}
	}()
	var all sync.WaitGroup
	for range o.atOnce {
		all.Go(func() {
			for key := range next {
				w.chain(ctx, key, out)
			}
		})
	}
	all.Wait()
	return out
}

// chain does one chain and counts how it went.
func (w *world) chain(ctx context.Context, key string, out *result) {
	c, asked := &chain{w: w, key: key}, time.Now()
	err := c.follow(ctx)
	same := err == nil && c.toldAlike(ctx)
	out.mu.Lock()
	defer out.mu.Unlock()
	if c.run != "" {
		out.accepted++
	}
	out.asked, out.resumed, out.gaps, out.taken = out.asked+c.asked, out.resumed+c.resumed, out.gaps+c.gaps, append(out.taken, c.taken...)
	out.released += c.released
	for _, part := range parts {
		switch n := w.ledger.count(entry{key, part}); {
		case n > 1:
			out.doubled++
			out.why = append(out.why, fmt.Sprintf("%s: part %s was noted %d times (%s)", key, part, n, c.run))
		case n == 0 && err == nil:
			out.missing++
			out.why = append(out.why, fmt.Sprintf("%s: part %s was never noted (%s)", key, part, c.run))
		}
	}
	switch {
	case err != nil && c.run != "":
		out.lost++
		if errors.Is(err, errGone) {
			out.gone++
			break
		}
		if errors.Is(err, errRefused) {
			out.refused++
		}
		out.why = append(out.why, fmt.Sprintf("%s: %v (%s: %s)", key, err, c.run, c.stands()))
	case err == nil && !same && (c.gone && w.forgets || w.mayForget(asked)): // after it was answered, or the end of it
		out.forgotten++
		out.answered++
	case err == nil && !same:
		out.differing++
		out.why = append(out.why, fmt.Sprintf("%s: another replica tells another log (%s)", key, c.run))
		fallthrough
	case err == nil:
		out.answered++
	}
}

// strikes kills replicas, and returns a channel that is closed when it is done.
func (w *world) strikes(ctx context.Context, kills int, every func() time.Duration, pause time.Duration) (over chan struct{}, failed *error) {
	over, failed = make(chan struct{}), new(error)
	go func() {
		defer close(over)
		for range kills {
			if !wait(ctx, every()) {
				return
			}
			if *failed = w.fleet.strike(ctx, pause); *failed != nil {
				return
			}
		}
	}()
	return over, failed
}

// replicated are the settings of several replicas on one Redis.
func replicated(o options, store string) []string {
	return []string{"CATENA_STORE_URL=" + store, fmt.Sprint("CATENA_STORE_REPLICAS=", o.replicas), "CATENA_ACCESS_SIGNING_KEY=" + strings.Repeat("k", 32)}
}

// onRedis kills one of several replicas again and again, and then cuts streams.
func onRedis(ctx context.Context, o options, dir string, f figures) (err error) {
	redis, err := startRedis(ctx, filepath.Join(dir, "redis-server"))
	if err != nil {
		return err
	}
	defer redis.kill()
	w, err := newWorld(o, filepath.Join(dir, "redis"), replicated(o, "redis://"+redis.address)...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.fleet.allUp(o.replicas); err != nil {
		return err
	}
	over, failed := w.strikes(ctx, o.kills, func() time.Duration { return o.every }, time.Second)
	out := w.chains(ctx, "r", o, o.chains, over)
	<-over
	if *failed != nil {
		return *failed
	}
	out.tell("redis", o.kills, f)
	if o.streams > 0 {
		w.cutStreams(ctx, o, out)
		fmt.Printf("streams: %d cut at random and taken up at another replica, %d byte-equal\n", out.cut, out.cutFine)
		f["streams_cut"], f["streams_equal"] = out.cut, out.cutFine
	}
	return nil
}

// cutStreams follows chains whose streams break once, at a random place.
func (w *world) cutStreams(ctx context.Context, o options, out *result) {
	next := make(chan int)
	go func() {
		defer close(next)
		for n := range o.streams {
			next <- n
		}
	}()
	var all sync.WaitGroup
	for range o.atOnce {
		all.Go(func() {
			for n := range next {
				within, cancel := context.WithTimeout(ctx, o.patience)
				c := &chain{w: w, key: fmt.Sprint("chain-s", n), cutAt: 1 + rand.N(6000)}
				fine := c.follow(within) == nil && c.gaps == 0
				if url, err := w.fleet.pick(within, ""); err == nil && fine {
					fine = c.same(within, url)
				}
				cancel()
				out.mu.Lock()
				out.cut++
				if fine {
					out.cutFine++
				}
				out.mu.Unlock()
			}
		})
	}
	all.Wait()
}

// onSQLite kills one process at random points, and starts it again at once.
func onSQLite(ctx context.Context, o options, dir string, f figures) error {
	w, err := newWorld(o, filepath.Join(dir, "sqlite"))
	if err != nil {
		return err
	}
	if err := w.fleet.up(0); err != nil {
		return errors.Join(err, w.close())
	}
	over, failed := w.strikes(ctx, o.sqlite, func() time.Duration { return 200*time.Millisecond + rand.N(1500*time.Millisecond) }, 0)
	out := w.chains(ctx, "q", o, 1, over)
	<-over
	if err := errors.Join(*failed, w.close()); err != nil {
		return err
	}
	out.tell("sqlite", o.sqlite, f)
	whole, err := integrity(ctx, filepath.Join(dir, "sqlite", "replica0", "catena.db"))
	fmt.Println("sqlite: PRAGMA integrity_check:", whole)
	f["sqlite_integrity"] = whole
	return err
}

// integrity is what SQLite says of a file: ok, or what is broken.
func integrity(ctx context.Context, path string) (said string, err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return "", err
	}
	err = db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&said)
	return said, errors.Join(err, db.Close())
}

// tell prints a part's result and puts it into the figures.
func (r *result) tell(part string, kills int, f figures) {
	slices.Sort(r.taken)
	longest, median := time.Duration(0), time.Duration(0)
	if n := len(r.taken); n > 0 {
		longest, median = r.taken[n-1], r.taken[n/2]
	}
	fmt.Printf("%s: %d kills, %d messages accepted, %d answered, %d lost; %d effects doubled, %d missing; %d takeovers, median %.1f s, longest %.1f s; "+
		"asked about %d, told to go on %d, set aside and released %d; %d gaps, %d logs differing\n", part, kills, r.accepted, r.answered, r.lost, r.doubled, r.missing, len(r.taken),
		median.Seconds(), longest.Seconds(), r.asked, r.resumed, r.released, r.gaps, r.differing)
	for _, line := range r.why[:min(len(r.why), 20)] {
		fmt.Fprintln(os.Stderr, line)
	}
	for name, n := range map[string]any{
		"kills": kills, "accepted": r.accepted, "answered": r.answered, "lost": r.lost, "doubled": r.doubled, "missing": r.missing, "takeovers": len(r.taken),
		"takeover_max_s": longest.Seconds(), "takeover_p50_s": median.Seconds(), "asked": r.asked, "released": r.released, "gaps": r.gaps, "differing": r.differing,
	} {
		f[part+"_"+name] = n
	}
}

// How long a takeover may take, and how long after an outage a new message may wait for its answer, in seconds.
const (
	bar         = 20
	recoveryBar = 10
)

// check says which bars were missed.
func (f figures) check() error {
	var missed []string
	for name, v := range f {
		for _, what := range []string{"_lost", "_doubled", "_missing", "_gaps", "_differing"} {
			if strings.HasSuffix(name, what) && v != 0 {
				missed = append(missed, fmt.Sprintf("%s is %v", name, v))
			}
		}
		for what, most := range map[string]float64{"_max_s": bar, "_recovery_s": recoveryBar} {
			if s, ok := v.(float64); ok && strings.HasSuffix(name, what) && s > most {
				missed = append(missed, fmt.Sprintf("%s is %.1f", name, s))
			}
		}
	}
	if f["streams_cut"] != f["streams_equal"] {
		missed = append(missed, fmt.Sprintf("%v of %v streams are byte-equal", f["streams_equal"], f["streams_cut"]))
	}
	if said, ok := f["sqlite_integrity"]; ok && said != "ok" {
		missed = append(missed, fmt.Sprint("the file is broken: ", said))
	}
	if len(missed) == 0 {
		return nil
	}
	slices.Sort(missed)
	return errors.New(strings.Join(missed, "; "))
}
