package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
)

// probes are routes that programs ask for every few seconds: the log tells them only when it tells everything.
var probes = []string{"/livez", "/readyz", "/health", "/metrics"}

// newEngine builds the router over the table.
func (s *Core) newEngine(routes []Route) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	_ = e.SetTrustedProxies(nil) // never an error for nil
	e.HandleMethodNotAllowed = true
	e.UseRawPath = true
	e.RemoveExtraSlash = false
	e.RedirectTrailingSlash = false
	e.Use(s.observe, s.guard)
	for _, r := range routes {
		limit := r.Limit
		if limit == 0 {
			limit = s.opt.BodyLimit
		}
		s.patterns[ginPath(r.Path)] = r.Path
		s.needs[r.Method+" "+ginPath(r.Path)] = r.Needs
		handle := r.Handle
		if r.Once {
			handle = s.once(handle)
		}
		e.Handle(r.Method, ginPath(r.Path), s.limitBody(limit), s.identify(r.Needs), s.checkParams(r), handle)
		if r.Method == http.MethodGet && !r.Stream { // net/http leaves the body out
			e.Handle(http.MethodHead, ginPath(r.Path), s.limitBody(limit), s.identify(r.Needs),
				s.checkParams(r), r.Handle)
		}
	}
	e.NoRoute(func(c *gin.Context) {
		s.Fail(c, NewProblem(http.StatusNotFound, "no_route",
			fmt.Sprintf("There is nothing at %s.", c.Request.URL.Path), "GET /openapi.json lists what there is."))
	})
	e.NoMethod(func(c *gin.Context) {
		s.allowFile(c, routes)
		s.Fail(c, NewProblem(http.StatusMethodNotAllowed, "method_not_allowed",
			fmt.Sprintf("%s does not take %s.", c.Request.URL.Path, c.Request.Method),
			"The Allow header names the methods it takes."))
	})
	return e
}

// ginPath writes {name} the router's way.
func ginPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

type contextKey int

const (
	callerKey contextKey = iota
	requestKey
)

// CallerOf returns who sent the request that ctx belongs to; the zero Caller when nobody was identified.
func CallerOf(ctx context.Context) access.Caller {
	c, _ := ctx.Value(callerKey).(access.Caller)
	return c
}

// WithCaller says who sent the request that ctx belongs to.
func WithCaller(ctx context.Context, c access.Caller) context.Context {
	return context.WithValue(ctx, callerKey, c)
}

// WithRequestID gives what ctx belongs to an id as requests have them.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey, id)
}

// RequestID returns the id of the HTTP request that ctx belongs to, "" outside of one. It is what the client sent as
// X-Request-Id when that is 1 to 128 characters of printable ASCII without blanks, else 16 random ones; answers and
// problems carry it, and log entries by Options.Logger.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey).(string)
	return id
}

// plainID keeps line breaks and the like out of logs and headers.
func plainID(id string) bool {
	const most = 128
	return id != "" && len(id) <= most && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
}

// observe gives each request an id, logs it, and turns a panic into a plain answer; the stack goes to the log only.
func (s *Core) observe(c *gin.Context) {
	start, id := time.Now(), c.GetHeader("X-Request-Id")
	if !plainID(id) {
		id = rand.Text()[:16]
	}
	hurry(c, s.opt.BodyTimeout) // also for what no route reads
	if len(c.Request.TransferEncoding) > 0 && c.Request.ProtoMajor == 1 {
		// It may have had a Content-Length too, which net/http drops: a proxy that goes by that one takes the end of
		// the body for the next request, somebody else's. The connection must not go on (RFC 9112, 6.1).
		c.Header("Connection", "close")
	}
	w := &patientWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer),
		stall: s.opt.StallTimeout}
	c.Writer = w
	told, ctx := func(string, string, int) {}, c.Request.Context()
	if s.opt.Request != nil {
		ctx, told = s.opt.Request(c.Request)
	}
	c.Request = c.Request.WithContext(context.WithValue(ctx, requestKey, id))
	c.Header("X-Request-Id", id)
	c.Header("X-Content-Type-Options", "nosniff")
	defer func() {
		w.wait() // also for what is sent once the handler has returned
		cut := false
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				s.log.ErrorContext(c.Request.Context(), "a handler broke", "panic", fmt.Sprint(p), "stack",
					string(debug.Stack()))
			}
			c.Abort()
			if cut = c.Writer.Written(); !cut {
				s.Fail(c, internalProblem())
			}
		}
		level := slog.LevelInfo
		switch route := c.FullPath(); {
		case c.Writer.Status() >= 500:
			level = slog.LevelWarn
		case slices.Contains(probes, route):
			level = slog.LevelDebug
		}
		took := time.Since(start)
		s.log.LogAttrs(c.Request.Context(), level, "request", slog.String("method", c.Request.Method),
			slog.String("route", c.FullPath()), slog.Int("status", c.Writer.Status()),
			slog.Int("bytes", c.Writer.Size()),
			slog.Float64("took_ms", float64(took.Microseconds())/1000))
		method, route := s.routeOf(c)
		told(method, route, c.Writer.Status())
		if cut {
			panic(http.ErrAbortHandler) // net/http cuts the connection: what came must not be taken for all there is
		}
	}()
	c.Next()
}

// routeOf names the route of a request as the table of routes does. What a client may make up is not in it.
func (s *Core) routeOf(c *gin.Context) (method, route string) {
	if route = s.patterns[c.FullPath()]; route != "" {
		return c.Request.Method, route
	}
	return "OTHER", "none"
}

// onlyOnce are headers that decide what a request is, by the names that net/http gives them. Of two, a proxy or a log
// may go by the other one. Authorization and Origin are looked at where they are read.
var onlyOnce = []string{"Content-Type", "Idempotency-Key", "Last-Event-Id", "Mcp-Method", "Mcp-Name",
	"Mcp-Protocol-Version", "Mcp-Session-Id", "X-Conversation-Id", "X-Openwebui-Chat-Id", "X-Session-Id", "X-Thread-Id"}

// guard checks Host and Origin, and that nothing that decides is said twice. A page of another site can make a browser
// send requests here, and by rebinding its own name to 127.0.0.1 even read the answers; the two headers give it away.
func (s *Core) guard(c *gin.Context) {
	r := c.Request
	if !s.knownHost(r.Host) {
		s.Fail(c, NewProblem(http.StatusForbidden, "host_not_allowed",
			"This server is not addressed by that Host name.",
			"Use 127.0.0.1 or localhost, or add the name to listen.allowed_hosts in the configuration."))
		return
	}
	for _, name := range onlyOnce {
		if n := len(r.Header[name]); n > 1 {
			s.Fail(c, NewProblem(http.StatusBadRequest, "repeated_header", fmt.Sprintf("%s stands %d times.", name, n),
				"Send it once: which one was meant cannot be told."))
			return
		}
	}
	origins, has := r.Header["Origin"]
	if !has {
		c.Next()
		return
	}
	origin := strings.Join(origins, ", ") // several are none that is known, and so is an empty one
	if !s.knownOrigin(origin, r.Host) {
		s.Fail(c, NewProblem(http.StatusForbidden, "origin_not_allowed",
			"Pages of that origin may not send requests here.",
			"Add the origin to listen.allowed_origins in the configuration."))
		return
	}
	c.Header("Vary", "Origin")
	if s.allowedOrigin(origin) {
		c.Header("Access-Control-Allow-Origin", origin)
		c.Header("Access-Control-Expose-Headers",
			"X-Request-Id, X-Run-Id, X-Run-After, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, "+
				"WWW-Authenticate")
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		c.Header("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE")
		// What the page asks for: clients send headers of their own (X-Stainless-..., X-OpenWebUI-...), and those that
		// are not known do nothing.
		c.Header("Access-Control-Allow-Headers", askedHeaders(r))
		c.AbortWithStatus(http.StatusNoContent)
		return
	}
	c.Next()
}

// askedHeaders are the headers that a page asks for; of a list that nobody needs, those that are known.
func askedHeaders(r *http.Request) string {
	const most = 2000
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" && len(asked) <= most {
		return asked
	}
	return "Content-Type, Authorization"
}

// Loopback reports whether a Host header, with or without a port, names the loopback interface.
func Loopback(host string) bool {
	name := hostName(host)
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// knownOrigin reports whether the origin is the server's own, as the client addressed it, or is allowed by name.
func (s *Core) knownOrigin(origin, host string) bool {
	if s.allowedOrigin(origin) {
		return true
	}
	return strings.EqualFold(origin, "http://"+host) || strings.EqualFold(origin, "https://"+host)
}

// hostName takes the port and the brackets off a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
