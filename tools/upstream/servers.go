package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"time"

	"catena/tools"
	"catena/tools/upstream/oauth"
)

// Registry is where what the servers offer goes. *tools.Registry satisfies it.
type Registry interface {
	Toolsets() []string // names that no server may have
	Lookup(name string) (tools.Tool, bool)
	Replace(toolset string, list ...tools.Tool) error
	ReplacePrompts(toolset string, list ...tools.Prompt) error
	ReplaceResources(toolset string, list ...tools.Resource) error
	SetServer(tools.ServerStatus)
	DropServer(name string)
	Updated(owner, uri string)
}

// Options are the parts beside the registry. The zero value logs to slog.Default() and keeps approvals until the end of
// the process.
type Options struct {
	Log     *slog.Logger
	Records Records      // where approvals of tools are kept
	Approve Approval     // which tools are approved by themselves
	Tokens  oauth.Store  // where tokens for protected servers are kept; nil keeps them until the end of the process
	Login   oauth.Login  // asks a person to sign in; nil: a server that wants it is told as one that needs a login
	Model   func() Model // gives what servers with Config.Sampling may ask now, nil where there is none; nil: none ever

	// Requesting is told of each call of a server's tool. The call goes on with the context that it gives, what it sets
	// goes into the request's _meta, and the other is told a code of what failed, "" for nothing. Nil tells nobody. It
	// must not block.
	Requesting func(ctx context.Context, server, method, tool string, set func(key, value string)) (context.Context,
		func(failed string))
}

// Servers supervises the configured servers. Make it with New, start it with Start, and Close it. It is safe for
// concurrent use.
type Servers struct {
	registry Registry
	opt      Options
	log      *slog.Logger
	pins     *pins
	own      []string // names of our toolsets
	taken    taken
	stop     context.CancelFunc
	wg       sync.WaitGroup
	pause    func(attempt int) time.Duration // replaced in tests, as is tick
	tick     time.Duration
	patience time.Duration // how long Apply waits for servers to end; replaced in tests too

	applying sync.Mutex // held by Apply, so that there is one at a time

	mu   sync.Mutex // guards what follows
	ctx  context.Context
	list []*server
}

// New checks the configurations, all of them: the error joins what is wrong. A server may not be named like a toolset
// of our own: its tools and ours would answer to the same names.
func New(registry Registry, opt Options, configs ...Config) (*Servers, error) {
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Records == nil {
		opt.Records = &memory{}
	}
	s := &Servers{registry: registry, opt: opt, log: opt.Log, pins: &pins{records: opt.Records, approve: opt.Approve},
		stop: func() {}, pause: backoff, tick: tick, patience: endTime,
		own: slices.Concat(reserved, registry.Toolsets())}
	if err := s.check(configs); err != nil {
		return nil, err
	}
	for _, c := range configs {
		s.list = append(s.list, s.server(c))
	}
	return s, nil
}

// check says all that is wrong with configurations.
func (s *Servers) check(configs []Config) error {
	seen := map[string]bool{}
	var errs []error
	for _, c := range configs {
		err := c.check()
		switch {
		case err != nil:
		case slices.Contains(s.own, c.Name):
			err = fmt.Errorf("mcpServers: %q is the name of a toolset of Catena's; give the server another name, for "+
				"example %q", c.Name, "my-"+c.Name)
		case seen[c.Name]:
			err = fmt.Errorf("mcpServers: %q stands twice", c.Name)
		}
		seen[c.Name] = true
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// backoff is how long to wait after a number of failures in a row: 0.5 s, doubling up to 16 s, and from restAfter on
// two minutes. A random half of it keeps many replicas, or many servers, from starting at once.
func backoff(attempt int) time.Duration {
	const first, rest = 500 * time.Millisecond, 2 * time.Minute
	wait := rest
	if attempt < restAfter {
		wait = first << attempt
	}
	return wait/2 + rand.N(wait/2) //nolint:gosec // no secret
}

// restAfter is after how many failures in a row a server is left alone for longer.
const restAfter = 6

// Start connects to the servers in the background and returns at once. They are noted as starting until they answer.
// The end of ctx ends them like Close. Call it once.
func (s *Servers) Start(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.stop = context.WithCancel(ctx)
	for _, srv := range s.list {
		s.launch(srv)
	}
}

// launch starts the supervision of a server.
func (s *Servers) launch(srv *server) {
	ctx, stop := context.WithCancel(s.ctx)
	srv.stop = stop
	if srv.Problem != "" {
		srv.set(nil, tools.PhaseMisconfigured, srv.Problem)
	} else {
		srv.set(nil, tools.PhaseStarting, "It is still starting.")
	}
	s.wg.Go(func() {
		defer close(srv.over)
		defer stop()
		srv.supervise(ctx)
	})
}

// endTime is how long a change of the configuration waits for servers to end: what takes longer ends by itself.
const endTime = 10 * time.Second

// Apply puts configurations in the place of those that there are: servers that did not change stay as they are, those
// that did are started anew, and those that are gone are ended with all that they offered. When something is wrong
// nothing is changed, and the error joins what. It returns when what had to end has ended, or after ten seconds.
// changed names the servers that were started, ended or started anew.
func (s *Servers) Apply(configs ...Config) (changed []string, err error) {
	if err := s.check(configs); err != nil {
		return nil, err
	}
	s.applying.Lock()
	defer s.applying.Unlock()
	s.mu.Lock()
	list, running := slices.Clone(s.list), s.ctx != nil && s.ctx.Err() == nil
	s.mu.Unlock()
	if !running {
		return nil, errNotRunning
	}
	var stay, end []*server
	for _, srv := range list {
		if slices.ContainsFunc(configs, func(c Config) bool { return reflect.DeepEqual(c, srv.Config) }) {
			stay = append(stay, srv)
		} else {
			end = append(end, srv)
		}
	}
	ended := s.endAll(end) // without the lock: nobody else waits for it
	for _, srv := range end {
		changed = append(changed, srv.Name)
		if !ended[srv.Name] || !slices.ContainsFunc(configs, func(c Config) bool { return c.Name == srv.Name }) {
			s.registry.DropServer(srv.Name)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return nil, errNotRunning
	}
	for _, c := range configs {
		if slices.ContainsFunc(stay, func(srv *server) bool { return srv.Name == c.Name }) {
			continue
		}
		fresh := s.server(c)
		i := slices.IndexFunc(end, func(srv *server) bool { return srv.Name == c.Name })
		if i < 0 {
			changed = append(changed, c.Name)
		} else if ended[c.Name] {
			fresh.inherit(end[i])
		}
		stay = append(stay, fresh)
		s.launch(fresh)
	}
	s.list = stay
	slices.Sort(changed)
	return changed, nil
}

var errNotRunning = errors.New("upstream: the servers are not running")

// endAll ends servers and gives the names of those that ended in time. The others are heard of no more.
func (s *Servers) endAll(list []*server) map[string]bool {
	for _, srv := range list {
		srv.stop()
	}
	enough, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	ended := map[string]bool{}
	for _, srv := range list {
		select {
		case <-srv.over:
		case <-enough.Done():
		}
		select {
		case <-srv.over:
			ended[srv.Name] = true
		default:
			srv.leave()
			srv.log.Warn("an upstream server does not end; it is left to itself", "waited", s.patience)
		}
	}
	return ended
}

// Wait returns when each server has answered or failed once, or with the context's error.
func (s *Servers) Wait(ctx context.Context) error {
	s.mu.Lock()
	list := slices.Clone(s.list)
	s.mu.Unlock()
	for _, srv := range list {
		select {
		case <-srv.tried:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Close ends all servers with the processes they started and waits until they are gone. It may be called more than
// once.
func (s *Servers) Close() error {
	s.mu.Lock()
	stop := s.stop
	s.mu.Unlock()
	stop()
	s.wg.Wait()
	return nil
}
