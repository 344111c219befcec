package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
)

// callersEvery is the pause between looks whether the callers of open streams are still good.
const callersEvery = time.Second

// watched are the open streams: those of callers whose key was revoked, or whose key or token has ended, are ended too.
// One goroutine looks after all of them while there are any. Without streams it costs nothing.
type watched struct {
	identify func(*http.Request) (access.Caller, error)
	now      func() time.Time
	every    time.Duration
	log      *slog.Logger

	mu   sync.Mutex
	open map[*watchedStream]struct{}
	stop chan struct{} // ends the looking; nil while no stream is open
}

// watchedStream is one of them.
type watchedStream struct {
	request *http.Request
	caller  access.Caller
	needs   string         // a right, as Route.Needs
	told    func(*Problem) // before the end; may be nil
	end     context.CancelCauseFunc
}

// endedError is the cause by which the context of a stream ends whose caller is good no more.
type endedError struct{ problem *Problem }

// Error is what a client reads.
func (e *endedError) Error() string { return e.problem.Detail }

// Watch makes the context of a request one that ends, from the call of begin on, when its caller is good no more; told,
// which may be nil, hears why before. done ends the watch. Callers who showed nothing have nothing that could end.
func (s *Core) Watch(c *gin.Context, told func(*Problem)) (begin, done func()) {
	caller := CallerOf(c.Request.Context())
	if caller.Key == "" && caller.Until.IsZero() {
		return func() {}, func() {}
	}
	ctx, end := context.WithCancelCause(c.Request.Context())
	o := &watchedStream{request: c.Request, caller: caller, needs: s.needs[c.Request.Method+" "+c.FullPath()],
		told: told, end: end}
	c.Request = c.Request.WithContext(ctx)
	return func() { s.watched.add(o) }, func() { s.watched.remove(o); end(nil) }
}

// EndedBy is the problem with the caller for which a stream was ended, nil where it was not.
func EndedBy(ctx context.Context) *Problem {
	var e *endedError
	if errors.As(context.Cause(ctx), &e) {
		return e.problem
	}
	return nil
}

func (w *watched) add(o *watchedStream) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[o] = struct{}{}
	if w.stop == nil {
		w.stop = make(chan struct{})
		go w.look(w.stop)
	}
}

func (w *watched) remove(o *watchedStream) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, o)
	if len(w.open) == 0 && w.stop != nil {
		close(w.stop)
		w.stop = nil
	}
}

func (w *watched) look(stop <-chan struct{}) {
	t := time.NewTicker(w.every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			w.endBad()
		case <-stop:
			return
		}
	}
}

// endBad ends the streams whose callers are good no more. Callers with one credential are asked about once.
func (w *watched) endBad() {
	w.mu.Lock()
	list := make([]*watchedStream, 0, len(w.open))
	for o := range w.open {
		list = append(list, o)
	}
	w.mu.Unlock()
	type verdict struct {
		caller access.Caller
		err    error
	}
	asked := map[string]verdict{}
	for _, o := range list {
		v := verdict{caller: o.caller}
		switch credential := o.request.Header.Get("Authorization"); {
		case !o.caller.Until.IsZero(): // a token is good until its end, and its signature is dear to check
			if !w.now().Before(o.caller.Until) {
				v.err = &access.CredentialError{Reason: "The token has expired."}
			}
		case o.caller.Key != "":
			var known bool
			if v, known = asked[credential]; !known {
				v.caller, v.err = w.identify(o.request)
				asked[credential] = v
			}
		}
		if p := o.refused(v.caller, v.err); p != nil {
			w.log.InfoContext(o.request.Context(), "a stream is ended, as its caller is good no more", "caller",
				o.caller.ID, "key", o.caller.Key, "reason", p.Detail)
			if o.told != nil {
				o.told(p)
			}
			o.end(&endedError{p})
		}
	}
}

// refused says why a stream's caller, as identified anew, may not have it any more; nil where that is not so. A store
// that does not answer is no reason.
func (o *watchedStream) refused(now access.Caller, err error) *Problem {
	if err != nil {
		var bad *access.CredentialError
		errors.As(err, &bad)
		return revoked(bad)
	}
	switch {
	case now.ID != o.caller.ID:
		return NewProblem(http.StatusUnauthorized, "invalid_key", "The key is another caller's now.",
			"Send the request again.")
	case o.needs != NeedsNothing && !now.May(o.needs):
		return NewProblem(http.StatusForbidden, "insufficient_scope",
			fmt.Sprintf("The key does not have the scope %s any more.", access.Scope(o.needs)),
			"Ask for a key with it.")
	}
	return nil
}

// revoked words what is wrong with a credential; nil for none.
func revoked(bad *access.CredentialError) *Problem {
	if bad == nil {
		return nil
	}
	return NewProblem(http.StatusUnauthorized, "invalid_key", bad.Reason, "Come back with another key.")
}
