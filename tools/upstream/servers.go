package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"catena/tools"
)

// Registry is where the servers' tools go. *tools.Registry satisfies it.
type Registry interface {
	Toolsets() []string // names that no server may have
	Replace(toolset string, list ...tools.Tool) error
	SetDown(server, reason string)
}

// Servers supervises the configured servers. Make it with New, start it with Start, and Close it. It is safe for concurrent
// use.
type Servers struct {
	registry Registry
	log      *slog.Logger
	list     []*server
	stop     context.CancelFunc
	wg       sync.WaitGroup
	pause    func(attempt int) time.Duration // replaced in tests
}

// New checks the configurations, all of them: the error joins what is wrong. A server may not be named like a toolset of our
// own: its tools and ours would answer to the same names. A nil log means slog.Default().
func New(registry Registry, log *slog.Logger, configs ...Config) (*Servers, error) {
	if log == nil {
		log = slog.Default()
	}
	s := &Servers{registry: registry, log: log, stop: func() {}, pause: backoff}
	seen := map[string]bool{}
	own := slices.Concat(reserved, registry.Toolsets())
	var errs []error
	for _, c := range configs {
		err := c.check()
		switch {
		case err != nil:
		case slices.Contains(own, c.Name):
			err = fmt.Errorf("mcpServers: %q is the name of a toolset of Catena's; give the server another name, for example %q", c.Name, "my-"+c.Name)
		case seen[c.Name]:
			err = fmt.Errorf("mcpServers: %q stands twice", c.Name)
		}
		seen[c.Name] = true
		errs = append(errs, err)
		s.list = append(s.list, &server{Config: c, registry: registry, log: log.With("server", c.Name), limit: tools.NewLimit(c.Limit), tried: make(chan struct{})})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// backoff is how long to wait after a number of failures in a row: 0.5 s, doubling up to 30 s.
func backoff(attempt int) time.Duration {
	const first, longest = 500 * time.Millisecond, 30 * time.Second
	if attempt > 6 {
		return longest
	}
	return min(first<<attempt, longest)
}

// Start connects to the servers in the background and returns at once. They are noted as down until they answer. The end of
// ctx ends them like Close. Call it once.
func (s *Servers) Start(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	for _, srv := range s.list {
		s.registry.SetDown(srv.Name, "It is still starting.")
		s.wg.Go(func() { srv.supervise(ctx, s.pause) })
	}
}

// Wait returns when each server has answered or failed once, or with the context's error.
func (s *Servers) Wait(ctx context.Context) error {
	for _, srv := range s.list {
		select {
		case <-srv.tried:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Close ends all servers with the processes they started and waits until they are gone. It may be called more than once.
func (s *Servers) Close() error {
	s.stop()
	s.wg.Wait()
	return nil
}

// server is one configured server, over all its lives.
type server struct {
	Config
	registry Registry
	log      *slog.Logger
	limit    *tools.Limit
	tried    chan struct{} // closed after the first attempt
	once     sync.Once

	mu   sync.RWMutex
	conn *conn  // nil while it is down
	why  string // it is down
}

// supervise keeps the server running until ctx ends.
func (s *server) supervise(ctx context.Context, pause func(int) time.Duration) {
	defer s.once.Do(func() { close(s.tried) })
	for failures := 0; ; failures++ {
		began := time.Now()
		worked, err := s.live(ctx)
		s.setConn(nil, reason(err))
		s.once.Do(func() { close(s.tried) })
		if ctx.Err() != nil {
			return
		}
		if worked || time.Since(began) > time.Minute {
			failures = 0 // it worked: this is a new trouble
		}
		wait := pause(failures)
		if worked {
			wait = min(wait, atOnce)
		}
		s.log.WarnContext(ctx, "an upstream server is down", "error", err.Error(), "again_in", wait)
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

// atOnce is how long a server is waited for that answered calls before it went: those who call it now try again meanwhile.
const atOnce = 20 * time.Millisecond

// live starts the server, registers its tools and returns when it is gone, with the reason, and whether it answered calls.
func (s *server) live(ctx context.Context) (worked bool, err error) {
	starting, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c, err := dial(starting, s.Config, s.log, func(string) {})
	if err != nil {
		return false, err
	}
	defer c.close()
	list, err := c.listTools(starting)
	if err != nil {
		return false, err
	}
	s.export(ctx, list)
	s.setConn(c, "")
	s.once.Do(func() { close(s.tried) })
	s.log.InfoContext(ctx, "an upstream server is up", "tools", len(list), "name", c.serverName)
	for {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-c.gone:
			return c.answered.Load(), c.exitError()
		case <-c.changed:
			if !c.takeStale().tools {
				continue
			}
			asking, cancel := context.WithTimeout(ctx, startTimeout)
			list, err := c.listTools(asking)
			cancel()
			if err != nil {
				return c.answered.Load(), err
			}
			s.export(ctx, list)
		}
	}
}

// reason is what people are told: one sentence, without what the process wrote.
func reason(err error) string {
	var start *StartError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return "It was stopped."
	case errors.As(err, &start):
		return start.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("It did not answer within %s; it is tried again.", startTimeout)
	}
	return "It ended: " + err.Error() + "; it is being restarted."
}

func (s *server) setConn(c *conn, why string) {
	s.mu.Lock()
	s.conn, s.why = c, why
	s.mu.Unlock()
	s.registry.SetDown(s.Name, why)
}

func (s *server) current() (*conn, string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.conn, s.why
}

// export replaces the server's tools in the registry by those that the configuration lets through. Tools that the registry
// refuses are left out, and the log says why.
func (s *server) export(ctx context.Context, list []remoteTool) {
	var out []tools.Tool
	for _, t := range list {
		if s.exports(t) {
			out = append(out, s.tool(t))
		}
	}
	if err := s.registry.Replace(s.Name, out...); err != nil {
		s.log.WarnContext(ctx, "upstream tools were left out", "error", err.Error())
	}
}
