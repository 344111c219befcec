package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/tools"
)

// server is one configured server, over all its lives.
type server struct {
	Config
	host    *Servers
	log     *slog.Logger
	limit   *tools.Limit
	auth    Authorizer    // nil sends no tokens
	tried   chan struct{} // closed after the first attempt
	once    sync.Once
	stop    context.CancelFunc
	over    chan struct{} // closed when supervise has ended
	wake    chan struct{} // takes one token: somebody calls a server that is idle
	suspect chan struct{} // takes one token: a call had no answer in time
	subs    chan struct{} // takes one token: wanted has changed
	era     chan struct{} // takes one token: olderEra is set

	// What follows is of supervise alone.
	offer offered
	pings bool // it has answered a ping in this life

	mu       sync.Mutex
	conn     *conn // nil while it is down
	status   tools.ServerStatus
	turned   chan struct{} // closed when the phase changes, and replaced
	calls    int           // under way
	used     time.Time     // when the last call began
	silent   int           // calls in a row that had no answer in time
	lives    int
	wanted   map[string]bool // URIs of its own that somebody has subscribed to
	olderEra bool            // the older era is spoken, because its tools ask what the newer lacks
	noOlder  bool            // it does not know the older era
	left     bool            // it is no longer configured and did not end: the registry hears no more of it
}

func (s *Servers) server(c Config) *server {
	return &server{Config: c, host: s, log: s.log.With("server", c.Name), limit: tools.NewLimit(c.Limit),
		auth: s.authorizer(c), tried: make(chan struct{}),
		over: make(chan struct{}), wake: make(chan struct{}, 1), suspect: make(chan struct{}, 1),
		subs: make(chan struct{}, 1), era: make(chan struct{}, 1),
		turned: make(chan struct{}), wanted: map[string]bool{},
		status: tools.ServerStatus{Name: c.Name, Transport: string(c.transport())}}
}

// Times of a server's life.
const (
	tick        = 5 * time.Second  // between looks at its health, and at the approvals that it waits for
	pingEvery   = 30 * time.Second // while nobody calls it
	pingTimeout = 5 * time.Second
	idleAfter   = 5 * time.Minute // without a call a lazy server is ended
	settle      = 100 * time.Millisecond
	listEvery   = time.Second // lists are asked for no more often, however often they change
	// Asking for lists that change all the time takes one part in so many of it, and they are asked for after so long
	// whatever they take.
	listShare, listAtLast = 10, 30 * time.Second
)

// Why a life ended that the process did not end itself.
var (
	errIdle = errors.New("nobody called it")
	errMute = fmt.Errorf("it did not answer a ping within %s", pingTimeout)
)

// supervise keeps the server running until ctx ends.
func (s *server) supervise(ctx context.Context) {
	defer s.attempted()
	if s.Problem != "" {
		return
	}
	var p pace
	for {
		if s.Lazy && s.offerKnown(ctx) && !s.sleep(ctx) {
			return
		}
		began := time.Now()
		worked, err := s.live(ctx)
		if ctx.Err() != nil {
			s.set(nil, tools.PhaseRestarting, reason(ctx.Err()))
			return
		}
		if errors.Is(err, errIdle) || errors.Is(err, errOlderEra) {
			p = pace{}
			continue
		}
		if why := needsLogin(s.Name, err); why != "" {
			p = pace{}
			s.set(nil, tools.PhaseNeedsLogin, why)
			s.attempted()
			s.log.WarnContext(ctx, "an upstream server wants a login", "error", err.Error())
			if !s.awaitLogin(ctx) {
				return
			}
			continue
		}
		failures := p.ended(worked, began, time.Now())
		wait, phase := s.host.pause(failures), tools.PhaseRestarting
		if failures >= restAfter {
			phase = tools.PhaseResting
		} else if failures == 0 && worked {
			wait = min(wait, atOnce)
		}
		s.set(nil, phase, again(err, phase, time.Now().Add(wait)))
		s.attempted()
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

// atOnce is how long a server is waited for that answered calls before it went: those who call it now try again
// meanwhile.
const atOnce = 20 * time.Millisecond

// attempted lets those go on who wait for the first attempt.
func (s *server) attempted() { s.once.Do(func() { close(s.tried) }) }

// sleep leaves a lazy server alone until somebody calls it. It reports false when ctx ended.
func (s *server) sleep(ctx context.Context) bool {
	select {
	case <-s.wake: // of a call that is over; one that waits asks again
	default:
	}
	s.set(nil, tools.PhaseIdle, "")
	s.attempted()
	if s.anyWanted() {
		return ctx.Err() == nil
	}
	select {
	case <-s.wake:
		return true
	case <-s.subs:
		return true
	case <-ctx.Done():
		return false
	}
}

// pace counts failures.
type pace struct {
	failures int
	ends     []time.Time // of the last minute
}

// ended notes the end of a life and returns how many failures there were in a row. One that worked was none, unless it
// is one of many in a minute: a server that dies of every call is not to be started without a pause either.
func (p *pace) ended(worked bool, began, now time.Time) int {
	const often = 10
	p.ends = slices.DeleteFunc(append(p.ends, now), func(at time.Time) bool { return now.Sub(at) > time.Minute })
	if (worked || now.Sub(began) > time.Minute) && len(p.ends) <= often {
		p.failures = 0 // this is a new trouble
		return 0
	}
	p.failures++
	return p.failures
}

// live starts the server, offers what it has and returns when it is gone, with the reason, and whether it answered
// calls.
func (s *server) live(ctx context.Context) (worked bool, err error) {
	starting, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c, err := dial(starting, s.spoken(), s.log, party{s.auth, s.mind(), func(uri string) {
		s.host.registry.Updated("", s.ourURI(uri))
	}})
	s.knowsOlder(err)
	if err != nil {
		return false, err
	}
	defer func() {
		if ctx.Err() != nil || errors.Is(err, errIdle) || errors.Is(err, errOlderEra) {
			c.close(errStopped)
		} else {
			c.close(err)
		}
	}()
	if err := s.refresh(starting, c, lists{tools: true, prompts: true, resources: true}); err != nil {
		return false, err
	}
	s.lives++
	s.pings = false
	s.set(c, tools.PhaseReady, "")
	s.attempted()
	s.log.InfoContext(ctx, "an upstream server is up", "tools", len(s.offer.tools), "name", c.serverName)
	err = s.watch(ctx, c)
	return c.answered.Load(), err
}

// watch does what has to be done while the server runs, and returns why it no longer does.
func (s *server) watch(ctx context.Context, c *conn) error {
	look := time.NewTicker(s.host.tick)
	defer look.Stop()
	subscribed := map[string]bool{}
	s.subscribe(ctx, c, subscribed)
	var relist <-chan time.Time
	var listed, pinged time.Time
	var took time.Duration // by the last asking for lists
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.gone:
			return c.exitError()
		case <-c.changed:
			if relist == nil {
				relist = time.After(max(settle, untilListed(took)-time.Since(listed)))
			}
		case <-relist:
			relist, listed = nil, time.Now()
			err = s.relist(ctx, c, c.takeStale())
			took = time.Since(listed)
		case <-s.subs:
			s.subscribe(ctx, c, subscribed)
		case <-s.suspect:
			err = s.check(ctx, c)
		case <-s.era:
			err = s.drained(ctx, c)
		case now := <-look.C:
			if s.offer.waiting {
				err = s.relist(ctx, c, lists{tools: true})
			}
			if s.retire(now) {
				return errIdle
			}
			if err == nil && now.Sub(pinged) >= pingEvery && s.unused(now) {
				pinged, err = now, s.check(ctx, c)
			}
		}
		if err != nil {
			return err
		}
	}
}

// untilListed is how long after lists were asked for, which took so long, they are asked for again.
func untilListed(took time.Duration) time.Duration {
	return max(listEvery, min(listShare*took, listAtLast))
}

// relist asks for lists of a server that runs.
func (s *server) relist(ctx context.Context, c *conn, which lists) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return s.refresh(ctx, c, which)
}

// check pings the server. One that does not answer is given up, unless it is at work: some do one thing at a time.
func (s *server) check(ctx context.Context, c *conn) error {
	asking, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	var refused *protocolError
	_, err := c.request(asking, "ping", nil)
	switch {
	case err == nil, errors.As(err, &refused): // it does not know the method, and says so
		s.pings = true
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) && !s.hopeless(s.pings):
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errMute
	}
	return err
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
		return fmt.Sprintf("It did not answer within %s.", startTimeout)
	}
	return "It ended: " + err.Error() + "."
}

// again is the reason, and when the server is tried again.
func again(err error, phase tools.Phase, at time.Time) string {
	why := reason(err)
	if phase == tools.PhaseResting {
		return why + " It is tried again at " + at.UTC().Format("15:04:05") + " UTC."
	}
	if errors.As(err, new(*StartError)) { // it never ran
		return why + " It is tried again."
	}
	return strings.TrimSuffix(why, ".") + "; it is being restarted."
}

// set notes where the server stands and tells the registry.
func (s *server) set(c *conn, phase tools.Phase, detail string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn = c; c != nil {
		s.silent = 0
	}
	if s.status.Phase != phase {
		s.status.Since = time.Now().UTC()
	}
	s.status.Phase, s.status.Detail, s.status.Restarts = phase, detail, max(0, s.lives-1)
	close(s.turned)
	s.turned = make(chan struct{})
	s.tell()
}

// amend changes what is told beside the phase.
func (s *server) amend(change func(*tools.ServerStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
	s.tell()
}

// tell tells the registry where the server stands. The lock must be held, so that leave is the end of it.
func (s *server) tell() {
	if !s.left {
		s.host.registry.SetServer(s.status)
	}
}

// leave keeps the server from the registry from now on.
func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = true
}
