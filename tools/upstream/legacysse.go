package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// sseWire is the transport of before Streamable HTTP: a GET that stays open carries all that the server says, and its
// first event names the address that takes messages.
type sseWire struct {
	*httpWire
	ready chan struct{} // closed when post is there
	post  string
}

func newSSEWire(c *conn, cfg Config, auth Authorizer) *sseWire {
	return &sseWire{httpWire: newHTTPWire(c, cfg, auth), ready: make(chan struct{})}
}

// start opens the stream and waits for the address.
func (w *sseWire) start(ctx context.Context) error {
	// The stream ends with the wire, but until the address is there with ctx too: there are servers that take the
	// connection and say nothing.
	life, stop := context.WithCancel(w.life)
	starting := context.AfterFunc(ctx, stop)
	defer starting()
	resp, err := w.get(life, "")
	if err == nil && resp.StatusCode != http.StatusOK {
		err = w.c.refusal(resp, 0)
		_ = resp.Body.Close() // read only
	}
	if err != nil {
		stop()
		return cmp.Or(ctx.Err(), err) // where ctx ended, the request says only that it was cancelled
	}
	w.work.Go(func() {
		defer stop()
		w.read(resp, stop)
	})
	select {
	case <-w.ready:
		return nil
	case <-w.c.gone:
		return cmp.Or(ctx.Err(), w.c.exitError())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read hands on what the server says, to the end of the stream, which is the end of the connection. stop ends it.
func (w *sseWire) read(resp *http.Response, stop func()) {
	defer func() { _ = resp.Body.Close() }() // read only
	stream := newEvents(w.c.unowned(resp.Body, stop), w.c.unasked)
	for {
		e, err := stream.next()
		switch {
		case err != nil:
			w.c.end(fmt.Errorf("its stream of events ended: %w", err))
			return
		case e.name == "endpoint" && w.post == "":
			if w.post, err = endpoint(w.url, string(e.data)); err != nil {
				w.c.end(err)
				return
			}
			close(w.ready)
		case e.name == "" || e.name == "message":
			w.c.receive(e.data, 0)
		default:
			w.c.unasked(len(e.data))
		}
	}
}

// endpoint is the address that takes messages: one of the same server.
func endpoint(from, to string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", err
	}
	if len(to) > maxAddress {
		return "", fmt.Errorf("the address for messages has %d bytes, at most %d are taken", len(to), maxAddress)
	}
	u, err := base.Parse(to)
	if err != nil || u.Scheme != base.Scheme || u.Host != base.Host {
		return "", errors.New("it wants messages to be sent to another place")
	}
	return u.String(), nil
}

// send posts a message; its answer comes on the stream.
func (w *sseWire) send(ctx context.Context, m outgoing) error {
	resp, err := w.doAt(ctx, w.post, http.MethodPost, m.body, func(h http.Header) {
		h.Set("Content-Type", "application/json")
	})
	if err != nil {
		return w.broken(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // read only
	if resp.StatusCode >= 300 {
		return w.c.refusal(resp, m.id)
	}
	return nil
}

func (w *sseWire) shaken() {}
