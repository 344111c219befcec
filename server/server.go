package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
	"catena/internal/lane"
	"catena/tools/handle"
	"catena/web"
)

// Limits and times of a Server whose Options leave them zero.
const (
	DefaultBodyLimit   = 1 << 20          // bytes of a request body
	DefaultUploadLimit = 25 << 20         // bytes of an uploaded file
	DefaultHeartbeat   = 10 * time.Second // between comments on a quiet event stream
	// for a client to send a request body, beside a second for each 32 KiB that came
	DefaultBodyTimeout  = 30 * time.Second
	DefaultGrace        = 5 * time.Second  // for requests to end at a shutdown
	DefaultStallTimeout = 30 * time.Second // for a reader to take what is sent
	// bytes of bodies that requests hold at once, four of the largest uploads if that is more; and of files that are
	// sent
	leastRoom = 128 << 20
)

// Options are the parts and limits of a Server. Runs, Planner, Tools, Sessions, Data and Tables are required; the
// zero value of every other field means what is said beside it.
type Options struct {
	Version  string
	Runs     allRuns
	Planner  Planner
	Tools    Tools
	Sessions Sessions
	Data     Data
	Tables   *handle.Tables

	// Health reports the parts of the service. Nil means that there is nothing to report but the tools that are down.
	Health func(context.Context) []Component
	// Metrics serves /metrics. Nil leaves the route out.
	Metrics http.Handler
	// Request is told of each request when it begins. The request goes on with the context that it gives; the other is
	// told the end: the request's method (OTHER for one that no route has), the pattern of its route ("none" where none
	// fits), its status. Nil tells nobody. It must not block.
	Request func(*http.Request) (context.Context, func(method, route string, status int))
	// Replies keep what was answered to calls of tools and uploads with an Idempotency-Key; nil ignores the header
	// there.
	Replies Replies
	// Info is shown as service information beside name and version: which planner is active, for example. May be nil.
	Info func() map[string]any
	// Page are the files of the page. Nil means web.Files.
	Page fs.FS

	// Hosts, Origins and Limiter may be changed later: see Server.Admit. Hosts are names, besides those of the loopback
	// interface, by which clients may address the server: the Host header must be one of them, with or without a port.
	// This stops DNS rebinding.
	Hosts []string
	// Addresses takes requests that name any IP address as their Host, too: monitoring and health checks of a cluster
	// do. A page's name cannot be one, so none is led here by it. It is for servers that other machines reach.
	Addresses bool
	// Origins are the web origins ("https://chat.example.com"), besides the server's own, whose pages may send
	// requests.
	Origins []string
	// Caller says who sends a request; Bearer and Anyone make one. Nil means access.Local("http") for connections from
	// this machine and a refusal for all others. An *access.CredentialError refuses the request with 401, one that
	// wraps access.ErrForbidden with 403, and any other with 503.
	Caller func(*http.Request) (access.Caller, error)
	// Refused is told of the requests whose key was no good, with the address they came from and how many they are:
	// one, or, of those that came too fast, all of a minute together. Nil tells nobody. It must not block.
	Refused func(ctx context.Context, remote, reason string, times int)
	// Hide replaces secrets of the program in problems and in what /health tells; nil replaces nothing.
	Hide func(string) string
	// TLS makes the server speak HTTPS, HTTP/2 too; Certificate makes one. Nil is plain HTTP.
	TLS *tls.Config
	// Issuer is the identity provider whose tokens Caller takes, for MCP clients to find (RFC 9728); "" is none.
	Issuer string
	// Resource is the server's address as clients see it, scheme and host; "" is what they send as Host.
	Resource string
	// Limiter counts the requests of each caller; nil counts none.
	Limiter access.Limiter

	// Heavy is where large bodies wait for their turn to be checked, and tables to be made JSON, with the other heavy
	// work of the process; nil is a lane of the server's own.
	Heavy *lane.Lane

	BodyLimit   int64
	UploadLimit int64
	BodyTimeout time.Duration // of a body that brings nothing; one has a second more for each 32 KiB that came
	// StallTimeout is how long a reader may take nothing of what is sent to it; who takes longer is let go. A run's
	// events can be had again from where they ended.
	StallTimeout time.Duration
	Heartbeat    time.Duration
	Grace        time.Duration
	// nil means slog.Default(); a handler that adds RequestID tells entries of one request from others
	Logger *slog.Logger
}

// Server serves a table of routes. Make one with New. It is safe for concurrent use.
type Server struct {
	*Core
	engine *gin.Engine
	rooms  []func() // end what the rooms hold
}

// Core is what the routes of all rooms share: who calls, the limits of what is sent, problems, event streams. Make one
// with NewCore, and a server over it with New. It is safe for concurrent use once the server is made.
type Core struct {
	opt    Options
	log    *slog.Logger
	turns  *Turns
	errors []ErrorShape // of the table that is served
	api    []byte       // the OpenAPI document
	room   *room        // for what requests send
	// for files that are made of tables as a whole and sent; a room of their own, as whoever reads slowly holds it for
	// long
	files    *room
	turnWait time.Duration   // see turnWait
	sending  *room           // for tables that are looked for, and CSV files: see fileTable
	fileWait time.Duration   // see fileWait
	failures *access.Buckets // requests that were not identified, by address
	refusals refusalCount    // those that came faster than failures allows
	// admission says whose requests are taken now.
	admission atomic.Pointer[admission]
	// patterns are the routes' paths as Route writes them, by the router's way of writing.
	patterns map[string]string
	// needs are the rights that routes ask for, by method and path by the router's way of writing.
	needs    map[string]string
	watched  watched
	profiles profiles
	page     func() (*pageFiles, error) // reads the page's files once
	started  time.Time
	// stop ends open streams at a shutdown; base is the context of every request.
	base context.Context
	stop func()
}

// NewCore makes the core of a server; an error names the parts that are missing.
func NewCore(opt Options) (*Core, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	opt.fill()
	s := &Core{opt: opt, log: opt.Logger, started: time.Now(), room: newRoom(max(leastRoom, 4*opt.UploadLimit)),
		files: newRoom(leastRoom), sending: newRoom(leastRoom), turnWait: turnWait, fileWait: fileWait,
		patterns: map[string]string{}, needs: map[string]string{}, failures: access.NewBuckets(failures, nil)}
	s.watched = watched{identify: opt.Caller, now: time.Now, every: callersEvery, log: opt.Logger,
		open: map[*watchedStream]struct{}{}}
	s.page = sync.OnceValues(func() (*pageFiles, error) { return loadPage(opt.Page) })
	s.refusals.tell = opt.Refused
	s.Admit(Admission{Hosts: opt.Hosts, Origins: opt.Origins, Limiter: opt.Limiter})
	base, stop := context.WithCancelCause(context.Background())
	s.base, s.stop = base, func() { stop(errStopping) }
	s.turns = newTurns(s, opt.Runs)
	return s, nil
}

// Table is what a server serves.
type Table struct {
	Routes []Route
	Errors []ErrorShape // of protocols that do not write errors as problems
	Close  []func()     // called at the end of Serve
}

// New makes a server of a table over its core, once. The end of Serve releases what both hold.
func New(core *Core, table Table) (*Server, error) {
	routes := append(core.routes(), table.Routes...)
	err := checkNeeds(routes)
	if err != nil {
		return nil, err
	}
	core.errors = table.Errors
	if core.api, err = core.openAPI(routes, core.conditions()); err != nil {
		return nil, fmt.Errorf("server: openapi: %w", err)
	}
	return &Server{Core: core, engine: core.newEngine(routes), rooms: table.Close}, nil
}

// rights are what a route can ask of its caller.
var rights = []string{NeedsNothing, NeedsChat, NeedsEdit, NeedsTables, NeedsUpload, NeedsTarget, NeedsMetrics,
	NeedsAdmin, NeedsManage}

// checkNeeds names the routes that do not say who may use them.
func checkNeeds(routes []Route) error {
	var errs []error
	for _, r := range routes {
		if !slices.Contains(rights, r.Needs) {
			errs = append(errs, fmt.Errorf("server: %s %s does not say which right it needs", r.Method, r.Path))
		}
	}
	return errors.Join(errs...)
}

// check names the required parts that are missing.
func (o *Options) check() error {
	var errs []error
	for _, p := range []struct {
		name    string
		missing bool
	}{
		{"Runs", o.Runs == nil}, {"Planner", o.Planner == nil}, {"Tools", o.Tools == nil},
		{"Sessions", o.Sessions == nil}, {"Data", o.Data == nil}, {"Tables", o.Tables == nil},
	} {
		if p.missing {
			errs = append(errs, fmt.Errorf("server: Options.%s is missing", p.name))
		}
	}
	return errors.Join(errs...)
}

func (o *Options) fill() {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Page == nil {
		o.Page = web.Files()
	}
	if o.Caller == nil {
		o.Caller = localOnly
	}
	if o.Hide == nil {
		o.Hide = func(text string) string { return text }
	}
	if o.BodyLimit <= 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.UploadLimit <= 0 {
		o.UploadLimit = DefaultUploadLimit
	}
	if o.BodyTimeout <= 0 {
		o.BodyTimeout = DefaultBodyTimeout
	}
	if o.StallTimeout <= 0 {
		o.StallTimeout = DefaultStallTimeout
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	if o.Heavy == nil {
		o.Heavy = lane.New(lane.Processors() - 1)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
}

// Options are those that the core was made with, with what they leave out filled in.
func (s *Core) Options() Options { return s.opt }

// Ending reports whether open streams are told to end.
func (s *Core) Ending() bool { return s.base.Err() != nil }

// Logger is where what happens is told: Options.Logger.
func (s *Core) Logger() *slog.Logger { return s.log }

// Handler returns the whole of the server as a handler, for tests and for embedding. Close ends what it began.
func (s *Server) Handler() http.Handler { return s.engine }

// Close ends open streams and sessions. The end of Serve does it, too.
func (s *Server) Close() {
	s.stop()
	for _, end := range s.rooms {
		end()
	}
}

// Serve accepts connections on l until ctx ends, then lets requests finish for the grace period, ends open streams and
// returns nil. It closes l. Any other end is an error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.refusals.flush()
	h := &http.Server{
		Handler:           s.engine,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		TLSConfig:         s.opt.TLS,
		BaseContext:       func(net.Listener) context.Context { return s.base },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		// No WriteTimeout: event streams live for long. Each write to a stream has a deadline of its own instead.
	}
	failed := make(chan error, 1)
	go func() {
		if h.TLSConfig != nil {
			failed <- h.ServeTLS(l, "", "")
			return
		}
		failed <- h.Serve(l)
	}()
	select {
	case err := <-failed:
		s.stop()
		return fmt.Errorf("server: %w", err)
	case <-ctx.Done():
	}
	// Shutdown waits for open streams for ever, so they are told to end once the ordinary requests had their time.
	late := time.AfterFunc(s.opt.Grace/2, s.stop)
	defer late.Stop()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opt.Grace)
	defer cancel()
	err := h.Shutdown(end)
	s.Close()
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("connections were cut at the end of the grace period", "grace", s.opt.Grace)
		err = h.Close()
	}
	if err != nil {
		return fmt.Errorf("server: shutdown: %w", err)
	}
	return nil
}

// Listen opens a TCP listener and words the common failures for who started the program.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		_, port, _ := net.SplitHostPort(address)
		return nil, fmt.Errorf("port %s is in use: another Catena may be running; stop it, or choose another port "+
			"with --listen 127.0.0.1:0 (any free port): %w", port, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be opened: ports below 1024 need privileges; choose a higher one with "+
			"--listen: %w", address, err)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %q: %w", address, err)
	}
	return l, nil
}
