package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// outage is one way in which what replicas share goes wrong while they answer chains.
type outage struct {
	name  string
	begin func(ctx context.Context, s *site) error
	end   func(ctx context.Context, s *site) error
	lasts func(o options) time.Duration // between them
	// forgets says that what was promised may be lost: docs/store.md says how much.
	forgets bool
}

// site is a world and its Redis servers.
type site struct {
	*world
	master, replica *redisServer // replica is nil but for a failover
}

// outages are all that -outages may name.
var outages = []outage{
	{name: "away", lasts: func(o options) time.Duration { return o.away },
		begin: func(_ context.Context, s *site) error { s.master.kill(); return nil },
		end:   func(ctx context.Context, s *site) error { return s.master.again(ctx) }},
	{name: "failover", lasts: func(options) time.Duration { return 0 }, forgets: true,
		begin: func(_ context.Context, s *site) error { s.master.kill(); return nil },
		end:   func(context.Context, *site) error { return nil }},
	{name: "memory", lasts: func(o options) time.Duration { return o.away / 2 },
		begin: func(ctx context.Context, s *site) error { return s.maxMemory(ctx, "1mb") },
		end:   func(ctx context.Context, s *site) error { return s.maxMemory(ctx, "0") }},
	{name: "flush", lasts: func(options) time.Duration { return 0 }, forgets: true,
		begin: func(ctx context.Context, s *site) error {
			_, err := s.master.do(ctx, "FLUSHALL")
			return err
		},
		end: func(context.Context, *site) error { return nil }},
	{name: "pause", lasts: func(o options) time.Duration { return o.paused },
		begin: func(_ context.Context, s *site) error { return s.fleet.pause() },
		end:   func(_ context.Context, s *site) error { return s.fleet.unpause() }},
	{name: "clock", lasts: func(options) time.Duration { return 0 },
		begin: func(ctx context.Context, s *site) error { return s.fleet.strike(ctx, time.Second) }, // the others take over
		end:   func(context.Context, *site) error { return nil }},
}

func (s *site) maxMemory(ctx context.Context, limit string) error {
	_, err := s.master.do(ctx, "CONFIG", "SET", "maxmemory", limit)
	return err
}

// onOutages does those that were asked for, one after the other, each with servers of its own.
func onOutages(ctx context.Context, o options, dir string, f figures) error {
	for _, name := range strings.Split(o.outages, ",") {
		i := slices.IndexFunc(outages, func(a outage) bool { return a.name == name })
		if i < 0 {
			return fmt.Errorf("there is no outage %q", name)
		}
		if err := outages[i].run(ctx, o, filepath.Join(dir, name), f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// run has chains go on before, during and after an outage, and measures when a new message is answered again at each replica.
func (a outage) run(ctx context.Context, o options, dir string, f figures) (err error) {
	s, stop, err := a.start(ctx, o, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	over := make(chan struct{})
	var out *result
	var all sync.WaitGroup
	all.Go(func() { out = s.chains(ctx, a.name[:1], o, 1, over) })
	recovery, err := a.happen(ctx, o, s)
	close(over)
	all.Wait()
	if err = errors.Join(err, s.fleet.stop()); err != nil {
		return err
	}
	refused := s.fleet.heard("was taken over by another process and is stopped here")
	fmt.Printf("%s: %d messages accepted, %d answered, %d ended otherwise, %d not there any more, %d not over; %d effects doubled, %d missing; "+
		"%d gaps, %d logs differing; %d runs whose former owner was refused; answers again after %.1f s\n", a.name, out.accepted, out.answered, out.refused, out.gone+out.forgotten,
		out.lost-out.refused-out.gone, out.doubled, out.missing, out.gaps, out.differing, refused, recovery.Seconds())
	for _, line := range out.why[:min(len(out.why), 10)] {
		fmt.Fprintln(os.Stderr, line)
	}
	for name, n := range map[string]any{
		"accepted": out.accepted, "answered": out.answered, "refused": out.refused, "gone": out.gone + out.forgotten, "doubled": out.doubled, "missing": out.missing,
		"gaps": out.gaps, "differing": out.differing, "late_runs": refused, "recovery_s": recovery.Seconds(),
	} {
		f[a.name+"_"+name] = n
	}
	if f[a.name+"_lost"] = out.lost - out.refused; a.forgets {
		f[a.name+"_lost"] = out.lost - out.refused - out.gone
	}
	return nil
}

// start starts the servers and replicas of an outage.
func (a outage) start(ctx context.Context, o options, dir string) (s *site, stop func() error, err error) {
	s = &site{}
	var ends []func() error
	all := func() error {
		var errs []error
		for _, end := range slices.Backward(ends) {
			errs = append(errs, end())
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, all())
		}
	}()
	killed := func(r *redisServer) { ends = append(ends, func() error { r.kill(); return nil }) }
	// A server that is away and comes back shall have all that it promised: by each second alone a slow disk loses up to two (docs/store.md).
	if s.master, err = startRedis(ctx, filepath.Join(dir, "master"), "--appendfsync", "always"); err != nil {
		return nil, nil, err
	}
	killed(s.master)
	store := "redis://" + s.master.address
	if a.name == "failover" {
		if s.replica, err = startRedis(ctx, filepath.Join(dir, "replica"), "--replicaof", strings.ReplaceAll(s.master.address, ":", " ")); err != nil {
			return nil, nil, err
		}
		killed(s.replica)
		sentinel, err := startSentinel(ctx, dir, s.master)
		if err != nil {
			return nil, nil, err
		}
		killed(sentinel)
		if err := sentinel.awaitReplica(ctx); err != nil {
			return nil, nil, err
		}
		store = "redis+sentinel://" + sentinel.address + "/main"
	}
	if s.world, err = newWorld(o, filepath.Join(dir, "replicas"), append(replicated(o, store), "CATENA_LOG_LEVEL=warn")...); err != nil {
		return nil, nil, err
	}
	s.forgets = a.forgets
	ends = append(ends, s.close)
	if a.name == "clock" {
		if s.fleet.binaries, err = skewed(ctx, dir); err != nil {
			return nil, nil, err
		}
	}
	if err := s.fleet.allUp(o.replicas); err != nil || a.name != "clock" {
		return s, all, err
	}
	return s, all, s.fleet.checkClocks()
}

// happen lets an outage begin and end, and returns how long after its end it took until each replica had answered a new message.
func (a outage) happen(ctx context.Context, o options, s *site) (recovery time.Duration, err error) {
	wait(ctx, o.before)
	if err := a.begin(ctx, s); err != nil {
		return 0, err
	}
	s.forgot.Store(time.Now().UnixNano())
	wait(ctx, a.lasts(o))
	if err := a.end(ctx, s); err != nil {
		return 0, err
	}
	since := time.Now()
	if err := s.answering(ctx); err != nil {
		return 0, err
	}
	recovery = time.Since(since)
	wait(ctx, o.before) // what was late comes meanwhile
	return recovery, nil
}

// answering returns when each replica has answered a message that was sent to it.
func (s *site) answering(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	urls := s.fleet.serving()
	errs := make([]error, len(urls))
	var all sync.WaitGroup
	for i, url := range urls {
		all.Go(func() {
			for n := 0; ; n++ {
				if errs[i] = s.answers(ctx, url, fmt.Sprintf("chain-p%dn%d", i, n)); errs[i] == nil || !wait(ctx, 50*time.Millisecond) {
					return
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// answers sends a message to one replica and wants its answer.
func (s *site) answers(ctx context.Context, url, key string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/chat", strings.NewReader(fmt.Sprintf(`{"message":"run the %s","summarize":"off"}`, key)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var said struct{ Outcome, Response string }
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil || said.Outcome != "answer" {
		return fmt.Errorf("%s: %s %s (%w)", res.Status, said.Outcome, said.Response, err)
	}
	return nil
}

// awaitReplica returns when a Sentinel knows a replica that follows its master.
func (r *redisServer) awaitReplica(ctx context.Context) error {
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); wait(ctx, 100*time.Millisecond) {
		said, err := r.do(ctx, "SENTINEL", "REPLICAS", "main")
		if err == nil && strings.Contains(fmt.Sprint(said), "master-link-status:ok") {
			return nil
		}
	}
	return errors.New("the Sentinel has found no replica within 30 s")
}

// pause stops the first replica in its tracks: it keeps its runs and connections, and does nothing. Nobody is sent there meanwhile.
func (f *fleet) pause() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.replicas[0]
	f.paused, r.url = r.url, ""
	return r.p.cmd.Process.Signal(syscall.SIGSTOP)
}

func (f *fleet) unpause() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.replicas[0]
	r.url = f.paused
	return r.p.cmd.Process.Signal(syscall.SIGCONT)
}

// serving are the addresses of all replicas that serve.
func (f *fleet) serving() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var urls []string
	for _, r := range f.replicas {
		if r.url != "" {
			urls = append(urls, r.url)
		}
	}
	return urls
}

// heard counts what the replicas have logged, once they have ended.
func (f *fleet) heard(text string) int {
	n := 0
	for _, r := range f.replicas {
		n += strings.Count(r.p.said.String(), text)
	}
	return n
}
