package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
)

// newEngine builds the router over the table.
func (s *Server) newEngine(routes []Route) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	_ = e.SetTrustedProxies(nil) // never an error for nil
	e.HandleMethodNotAllowed = true
	e.UseRawPath = true
	e.RemoveExtraSlash = false
	e.RedirectTrailingSlash = false
	e.Use(s.observe, s.guard)
	for _, r := range routes {
		limit := r.limit
		if limit == 0 {
			limit = s.opt.BodyLimit
		}
		s.patterns[ginPath(r.Path)] = r.Path
		e.Handle(r.Method, ginPath(r.Path), s.limitBody(limit), s.identify(r.Needs), r.handle)
	}
	e.NoRoute(func(c *gin.Context) {
		s.fail(c, newProblem(http.StatusNotFound, "no_route", fmt.Sprintf("There is nothing at %s.", c.Request.URL.Path), "GET /openapi.json lists what there is."))
	})
	e.NoMethod(func(c *gin.Context) {
		s.fail(c, newProblem(http.StatusMethodNotAllowed, "method_not_allowed", fmt.Sprintf("%s does not take %s.", c.Request.URL.Path, c.Request.Method), "The Allow header names the methods it takes."))
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
	lineKey
)

// callerOf returns who sent the request that ctx belongs to; the zero Caller when nobody was identified.
func callerOf(ctx context.Context) access.Caller {
	c, _ := ctx.Value(callerKey).(access.Caller)
	return c
}

// RequestID returns the id of the HTTP request that ctx belongs to, "" outside of one. It is what the client sent as X-Request-Id
// when that is 1 to 128 characters of printable ASCII without blanks, else 16 random ones; answers and problems carry it, and log
// entries by Options.Logger.
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
func (s *Server) observe(c *gin.Context) {
	start, id := time.Now(), c.GetHeader("X-Request-Id")
	if !plainID(id) {
		id = rand.Text()[:16]
	}
	hurry(c, s.opt.BodyTimeout) // also for what no route reads
	told := func(string, string, int) {}
	if s.opt.Request != nil {
		var ctx context.Context
		ctx, told = s.opt.Request(c.Request)
		c.Request = c.Request.WithContext(ctx)
	}
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), requestKey, id))
	c.Header("X-Request-Id", id)
	c.Header("X-Content-Type-Options", "nosniff")
	defer func() {
		if p := recover(); p != nil {
			s.log.ErrorContext(c.Request.Context(), "a handler broke", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			c.Abort()
			if !c.Writer.Written() {
				s.fail(c, internalProblem())
			}
		}
		level := slog.LevelInfo
		switch route := c.FullPath(); {
		case c.Writer.Status() >= 500:
			level = slog.LevelWarn
		case route == "/livez" || route == "/readyz" || route == "/health" || route == "/metrics":
			level = slog.LevelDebug
		}
		took := time.Since(start)
		s.log.LogAttrs(c.Request.Context(), level, "request", slog.String("method", c.Request.Method),
			slog.String("route", c.FullPath()), slog.Int("status", c.Writer.Status()), slog.Int("bytes", c.Writer.Size()),
			slog.Duration("took", took))
		method, route := s.routeOf(c)
		told(method, route, c.Writer.Status())
	}()
	c.Next()
}

// routeOf names the route of a request as the table of routes does. What a client may make up is not in it.
func (s *Server) routeOf(c *gin.Context) (method, route string) {
	if route = s.patterns[c.FullPath()]; route != "" {
		return c.Request.Method, route
	}
	return "OTHER", "none"
}

// guard checks Host and Origin. A page of another site can make a browser send requests here, and by rebinding its own name
// to 127.0.0.1 even read the answers; the two headers give it away.
func (s *Server) guard(c *gin.Context) {
	r := c.Request
	if !s.knownHost(r.Host) {
		s.fail(c, newProblem(http.StatusForbidden, "host_not_allowed", "This server is not addressed by that Host name.",
			"Use 127.0.0.1 or localhost, or add the name to the configuration's allowed hosts."))
		return
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		c.Next()
		return
	}
	if !s.knownOrigin(origin, r.Host) {
		s.fail(c, newProblem(http.StatusForbidden, "origin_not_allowed", "Pages of that origin may not send requests here.",
			"Add the origin to the configuration's allowed origins."))
		return
	}
	c.Header("Vary", "Origin")
	if s.origins[origin] {
		c.Header("Access-Control-Allow-Origin", origin)
		c.Header("Access-Control-Expose-Headers", "X-Request-Id, X-Run-Id, X-Run-After, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate")
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		c.Header("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE")
		c.Header("Access-Control-Allow-Headers", "Content-Type, Accept, Authorization, Last-Event-ID, Idempotency-Key, X-Session-Id, X-Conversation-Id, X-Thread-Id, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name")
		c.AbortWithStatus(http.StatusNoContent)
		return
	}
	c.Next()
}

func (s *Server) knownHost(host string) bool { return Loopback(host) || s.hosts[hostName(host)] }

// Loopback reports whether a Host header, with or without a port, names the loopback interface.
func Loopback(host string) bool {
	name := hostName(host)
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// knownOrigin reports whether the origin is the server's own, as the client addressed it, or is allowed by name.
func (s *Server) knownOrigin(origin, host string) bool {
	if s.origins[origin] {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host)
}

// hostName takes the port and the brackets off a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// limitBody makes reads of a longer body fail with *http.MaxBytesError, and reads of a slow one with os.ErrDeadlineExceeded: a
// client has Options.BodyTimeout, and the time that slowest takes for the route's limit where that is longer than usual.
func (s *Server) limitBody(limit int64) gin.HandlerFunc {
	const slowest = 128 << 10 // bytes a second
	timeout := s.opt.BodyTimeout
	if limit > s.opt.BodyLimit {
		timeout += time.Duration(limit/slowest) * time.Second
	}
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
		hurry(c, timeout)
		c.Next()
	}
}

// hurry gives the client of a request with a body so much time to send all of it. The deadline goes with the end of the body: after
// that a read waits for the client to hang up, which must not end by time. What is not read here, net/http reads after the answer,
// and before the next request, under the same deadline.
func hurry(c *gin.Context, timeout time.Duration) {
	if c.Request.Body == nil || c.Request.Body == http.NoBody || c.Request.ContentLength == 0 {
		return
	}
	control := http.NewResponseController(c.Writer)
	if control.SetReadDeadline(time.Now().Add(timeout)) != nil {
		return // no connection, as in a handler's test: nothing that could be slow
	}
	c.Request.Body = &timedBody{ReadCloser: c.Request.Body, done: func() { _ = control.SetReadDeadline(time.Time{}) }}
}

// timedBody tells when a body has been read to its end.
type timedBody struct {
	io.ReadCloser
	done func()
}

// Read tells at the end.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) && b.done != nil {
		b.done()
		b.done = nil
	}
	return n, err
}
