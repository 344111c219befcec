package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"catena/table"
	"catena/tools/upstream/oauth"
)

// httpError is an answer over HTTP that is no message of the protocol.
type httpError struct {
	Status int
	Text   string // the beginning of what came with it
}

// Error gives the status, and what the server says.
func (e *httpError) Error() string {
	text := fmt.Sprintf("HTTP %d %s", e.Status, http.StatusText(e.Status))
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

var (
	errNoAnswer    = errors.New("it closed the stream without an answer")
	errSessionGone = errors.New("it does not know the session any more")
)

// httpWire is Streamable HTTP, of both eras: each message is a POST, whose answer is one message or a stream of them.
// In the older era there may be a session, and a GET that listens to what belongs to no request.
type httpWire struct {
	c       *conn
	url     string
	headers map[string]string
	auth    Authorizer
	client  *http.Client
	life    context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup
	session atomic.Pointer[string] // its id, nil without one
}

func newHTTPWire(c *conn, cfg Config, auth Authorizer) *httpWire {
	w := &httpWire{c: c, url: cfg.URL, headers: cfg.Headers, auth: auth, client: newClient()}
	w.life, w.stop = context.WithCancel(context.Background())
	return w
}

// newClient is an HTTP client for one server: redirects to other places are not followed, because the request carries
// what is meant for this server only. What a call may take is its context's affair.
func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConnsPerHost, t.MaxResponseHeaderBytes = 16, 256<<10
	return &http.Client{Transport: t, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if first := via[0].URL; req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
			return fmt.Errorf("it redirects to another place, %s; configure that one, if it is right", req.URL.Host)
		}
		if len(via) > 5 {
			return errors.New("it redirects without an end")
		}
		return nil
	}}
}

func (w *httpWire) start(context.Context) error { return nil }

// shaken begins to listen, in the older era. It waits a moment until the server has heard of it: what it has to say
// while nobody listens is lost.
func (w *httpWire) shaken() {
	if w.c.proto.modern {
		return
	}
	heard := make(chan struct{})
	w.work.Go(func() { w.listen(sync.OnceFunc(func() { close(heard) })) })
	t := time.NewTimer(listenTime)
	defer t.Stop()
	select {
	case <-heard:
	case <-t.C:
	}
}

// listenTime is how long a server may take to begin a stream. Some begin it with the first event.
const listenTime = time.Second

// send posts a message and hands on all that its answer holds.
func (w *httpWire) send(ctx context.Context, m outgoing) error {
	session := w.session.Load()
	resp, err := w.do(ctx, http.MethodPost, m.body, func(h http.Header) {
		h.Set("Content-Type", "application/json")
		h.Set("Accept", "application/json, text/event-stream")
		if w.c.proto.modern {
			h.Set("Mcp-Method", m.method)
			if m.name != "" {
				h.Set("Mcp-Name", headerText(m.name))
			}
			w.c.mirrors(m, h)
		}
	})
	if err != nil {
		return w.broken(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // read only
	if m.method == "initialize" {
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			w.session.Store(&id)
		}
	}
	switch {
	case resp.StatusCode == http.StatusNotFound && session != nil:
		w.c.end(errSessionGone) // the supervisor begins anew
		return errSessionGone
	case resp.StatusCode >= 300:
		return w.c.refusal(resp, m.id)
	case m.id == 0:
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection may be used again
		return nil
	}
	return w.broken(ctx, w.take(ctx, m.id, resp))
}

// take reads the answer of a request.
func (w *httpWire) take(ctx context.Context, id int64, resp *http.Response) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		return w.follow(ctx, id, resp.Body)
	}
	body, err := w.c.readMessage(ctx, resp.Body)
	switch {
	case err != nil:
		return err
	case kind != "application/json" && !json.Valid(body):
		return &httpError{resp.StatusCode, "it answered with " + cut(kind, 60)}
	case w.c.receive(body, id) != id:
		return errNoAnswer
	}
	return nil
}

// readMessage reads one message, within the limits, and draws what that takes as it comes: from the work of ctx, or
// from the process while it is read.
func (c *conn) readMessage(ctx context.Context, r io.Reader) ([]byte, error) {
	work := table.WorkOf(ctx)
	if work == nil {
		_, work = table.WithWork(ctx, c.memory)
		defer work.End()
	}
	limit := &oneMessage{r: r, draw: work.Draw}
	return io.ReadAll(limit)
}

// oneMessage passes a message on and breaks it at the first limit.
type oneMessage struct {
	r     io.Reader
	draw  func(bytes int64) error
	drawn int
	bounds
}

// Read passes on.
func (m *oneMessage) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	for _, c := range p[:n] {
		if limit := m.next(c); limit != nil {
			return 0, limit
		}
	}
	if more := m.n - m.drawn; more > drawStep {
		m.drawn = m.n
		if short := m.draw(readFactor * int64(more)); short != nil {
			return 0, short
		}
	}
	return n, err
}

// follow reads a stream until the answer of a request is there. A stream of the older era that breaks off before is
// asked for again, from where it stood, when the server gave its events ids.
func (w *httpWire) follow(ctx context.Context, id int64, body io.ReadCloser) error {
	place, answered, err := w.drink(ctx, body, id, position{})
	for range maxResumes {
		if answered || place.id == "" || w.c.proto.modern {
			break
		}
		if werr := pauseFor(ctx, w.life, place.wait()); werr != nil {
			return werr
		}
		var resp *http.Response
		if resp, err = w.get(ctx, place.id); err != nil {
			continue
		}
		if resp.StatusCode != http.StatusOK {
			err = w.c.refusal(resp, id)
			_ = resp.Body.Close() // read only
			return err
		}
		place, answered, err = w.drink(ctx, resp.Body, id, place)
		_ = resp.Body.Close() // read only
	}
	switch {
	case answered:
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return err
	}
	return errNoAnswer
}

// maxResumes is how often a stream that breaks off is asked for again.
const maxResumes = 20

// position is where a stream stands.
type position struct {
	id    string // of the last event
	retry time.Duration
}

func (p position) wait() time.Duration {
	if p.retry > 0 {
		return p.retry
	}
	return retryAfter
}

// drink reads a stream to its end, or until it holds the answer of a request.
func (w *httpWire) drink(
	ctx context.Context, body io.ReadCloser, id int64, place position,
) (position, bool, error) {
	stream := newEvents(w.c.owned(ctx, body), w.c.unasked)
	for {
		e, err := stream.next()
		if err != nil {
			return place, false, err
		}
		if e.hasID {
			place.id = e.id
		}
		if e.retry > 0 {
			place.retry = e.retry
		}
		if e.name != "" && e.name != "message" {
			w.c.unasked(len(e.data))
			continue
		}
		if w.c.receive(e.data, id) == id && id != 0 {
			return place, true, nil
		}
	}
}

// get asks for a stream, from behind an event on unless last is "".
func (w *httpWire) get(ctx context.Context, last string) (*http.Response, error) {
	return w.do(ctx, http.MethodGet, nil, func(h http.Header) {
		h.Set("Accept", "text/event-stream")
		if last != "" {
			h.Set("Last-Event-Id", last)
		}
	})
}

// listen hears what belongs to no request, until the end. Servers that have no such stream say so. begun is called when
// the server has answered.
func (w *httpWire) listen(begun func()) {
	var place position
	heard := false
	for wait := retryAfter; ; {
		resp, err := w.get(w.life, place.id)
		begun()
		switch {
		case err != nil:
		case resp.StatusCode == http.StatusOK:
			heard, wait = true, retryAfter
			place, _, _ = w.drink(w.life, resp.Body, 0, place) // however it ended, it is asked for again
			wait = max(wait, place.retry)
			_ = resp.Body.Close() // read only
		default:
			_ = resp.Body.Close() // read only
			if heard && resp.StatusCode == http.StatusNotFound && w.session.Load() != nil {
				w.c.end(errSessionGone)
				return
			}
			if resp.StatusCode < 500 {
				return // it has none
			}
		}
		if pauseFor(w.life, w.life, wait) != nil {
			return
		}
		wait = min(2*wait, maxRetry)
	}
}

// pauseFor waits, until one of two contexts ends.
func pauseFor(a, b context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-a.Done():
		return a.Err()
	case <-b.Done():
		return b.Err()
	}
}

// broken is what becomes of an error of sending: a server that nobody listens for any more is gone, for all.
func (w *httpWire) broken(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	var login *oauth.LoginError
	if errors.As(err, &login) && !login.More {
		w.c.end(err) // nothing works without one
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || errors.Is(err, syscall.ECONNREFUSED) {
		w.c.end(err)
	}
	return err
}

// refusal is the error of an answer whose status says that something is wrong. Many have the protocol's own error with
// them.
func (c *conn) refusal(resp *http.Response, id int64) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // as far as it goes
	var m incoming
	read := json.Unmarshal(body, &m) == nil
	if failed := m.Error != nil && m.Error.Code != 0; read && failed && id != 0 {
		return c.fault(m)
	}
	text := strings.Join(strings.Fields(string(bytes.ToValidUTF8(body, nil))), " ")
	if strings.HasPrefix(text, "<") {
		text = "" // a page for a browser
	}
	return &httpError{resp.StatusCode, cut(c.hush(text), 200)}
}

// close ends the session, where there is one, and all that listens.
func (w *httpWire) close() {
	if w.session.Load() != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		select {
		case <-w.c.gone: // it does not know it, or is not there
		default:
			if resp, err := w.do(ctx, http.MethodDelete, nil, func(http.Header) {}); err == nil {
				_ = resp.Body.Close() // a server may refuse it: its sessions end by themselves
			}
		}
	}
	w.stop()
	w.work.Wait()
	w.client.CloseIdleConnections()
}
