package mcp

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxSubscriptions is how many URIs one session, or one subscriptions/listen stream, may be subscribed to;
// allSubscriptions is how many all of them may.
const (
	maxSubscriptions = 1000
	allSubscriptions = 100_000
)

// subscriptions knows who wants to be told of which resources. Updates of a URI that has not been told of yet are one.
// A session of Streamable HTTP that has no listening stream open hears what has changed when it opens one.
type subscriptions struct {
	mu       sync.Mutex
	sessions map[string]*subscriber          // by mcp-go's id
	byURI    map[string]map[*subscriber]bool // who is subscribed
	streams  map[string]line                 // the listening streams of Streamable HTTP, by session
	count    int                             // of all URIs of all subscribers
	ended    bool
	task     func(owner, id string, tag any) []byte // what is told of a task, nil for nothing
	// is told of the first subscriber of a URI and when there is none any more; it must not block
	watch func(uri string, on bool)
}

// subscriber is a session, or a subscriptions/listen request.
type subscriber struct {
	owner string
	to    line            // nil while there is no stream
	tag   any             // the id of the subscriptions/listen request, nil for a session
	uris  map[string]bool // true when an update is due
	due   []string
	busy  bool // a goroutine sends what is due
}

func newSubscriptions(watch func(uri string, on bool), task func(owner, id string, tag any) []byte) *subscriptions {
	return &subscriptions{watch: watch, task: task, sessions: map[string]*subscriber{},
		byURI: map[string]map[*subscriber]bool{}, streams: map[string]line{}}
}

// changed takes an update of a URI, for one owner or, with "", for everybody. It does not block.
func (l *subscriptions) changed(owner, uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.byURI[uri] {
		if (owner == "" || s.owner == owner) && !s.uris[uri] {
			s.uris[uri] = true
			s.due = append(s.due, uri)
			l.start(s)
		}
	}
}

// start sees to it that what is due is sent. The goroutine ends when nothing is.
func (l *subscriptions) start(s *subscriber) {
	if idle := s.to == nil || len(s.due) == 0; s.busy || idle || l.ended {
		return
	}
	s.busy = true
	go func() {
		for {
			uri, to := l.next(s)
			if to == nil {
				return
			}
			message := l.message(s, uri)
			if message != nil && to.notify(message) != nil {
				l.missed(s, to, uri)
			}
		}
	}()
}

// next takes what is due first. No line means that there is nothing to do.
func (l *subscriptions) next(s *subscriber) (string, line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(s.due) == 0 || s.to == nil || l.ended {
		s.busy = false
		return "", nil
	}
	uri := s.due[0]
	s.due = s.due[1:]
	s.uris[uri] = false
	return uri, s.to
}

// missed puts back what could not be sent: the stream has ended, and another may come.
func (l *subscriptions) missed(s *subscriber, to line, uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if due, wanted := s.uris[uri]; wanted && !due {
		s.uris[uri] = true
		s.due = slices.Insert(s.due, 0, uri)
	}
	if s.to == to {
		s.to = nil
	}
}

// message is what a subscriber is told, nil for nothing.
func (l *subscriptions) message(s *subscriber, uri string) []byte {
	if id, ok := strings.CutPrefix(uri, taskURIPrefix); ok {
		return l.task(s.owner, id, s.tag)
	}
	params := map[string]any{"uri": uri}
	if s.tag != nil {
		params["_meta"] = map[string]any{mcp.MetaKeySubscriptionID: s.tag}
	}
	message, err := notification(methodUpdated, params)
	if err != nil {
		return nil // not for text and an id that came as JSON
	}
	return message
}

// add subscribes a subscriber to a URI. It reports false when it has as many as may be.
func (l *subscriptions) add(s *subscriber, uri string) bool {
	if _, there := s.uris[uri]; there {
		return true
	}
	if l.full(s) || l.ended {
		return false
	}
	s.uris[uri] = false
	l.count++
	if l.byURI[uri] == nil {
		l.byURI[uri] = map[*subscriber]bool{}
		l.watch(uri, true)
	}
	l.byURI[uri][s] = true
	return true
}

// full reports whether a subscriber may have no URI more.
func (l *subscriptions) full(s *subscriber) bool {
	return len(s.uris) >= maxSubscriptions || l.count >= allSubscriptions
}

// remove ends the subscription of a URI.
func (l *subscriptions) remove(s *subscriber, uri string) {
	if _, there := s.uris[uri]; !there {
		return
	}
	delete(s.uris, uri)
	l.count--
	s.due = slices.DeleteFunc(s.due, func(u string) bool { return u == uri })
	if delete(l.byURI[uri], s); len(l.byURI[uri]) == 0 {
		delete(l.byURI, uri)
		l.watch(uri, false)
	}
}

// removeAll ends a subscriber.
func (l *subscriptions) removeAll(s *subscriber) {
	for uri := range s.uris {
		l.remove(s, uri)
	}
	s.to = nil
}

// subscribe subscribes a session to a URI. to is its line when that outlives the request.
func (l *subscriptions) subscribe(session, owner, uri string, to line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sessions[session]
	if s == nil || s.owner != owner {
		if s != nil {
			l.removeAll(s)
		}
		if to == nil {
			to = l.streams[session]
		}
		s = &subscriber{owner: owner, to: to, uris: map[string]bool{}}
		l.sessions[session] = s
	}
	l.add(s, uri)
}

func (l *subscriptions) unsubscribe(session, uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sessions[session]; s != nil {
		l.remove(s, uri)
	}
}

// room reports whether a session may subscribe to a URI.
func (l *subscriptions) room(session, uri string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sessions[session]
	if s == nil {
		s = &subscriber{}
	}
	_, there := s.uris[uri]
	return there || !l.full(s)
}

// attach makes a listening stream the way to a session.
func (l *subscriptions) attach(session string, to line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams[session] = to
	if s := l.sessions[session]; s != nil {
		s.to = to
		l.start(s)
	}
}

// detach takes a listening stream back.
func (l *subscriptions) detach(session string, from line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[session] == from {
		delete(l.streams, session)
	}
	if s := l.sessions[session]; s != nil && s.to == from {
		s.to = nil
	}
}

// drop forgets a session.
func (l *subscriptions) drop(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sessions[session]; s != nil {
		l.removeAll(s)
		delete(l.sessions, session)
	}
}

// listen subscribes a subscriptions/listen request until its context ends. Updates go out once it has been
// acknowledged.
func (l *subscriptions) listen(ctx context.Context, s *subscriber, uris []string, to line) []string {
	taken := l.addAll(s, uris)
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.removeAll(s)
	})
	to.acknowledged(s.tag, func() { // not under the lock: the line has one of its own
		l.mu.Lock()
		defer l.mu.Unlock()
		s.to = to
		l.start(s)
	})
	return taken
}

// addAll subscribes a subscriber to those URIs that it may have, and returns them.
func (l *subscriptions) addAll(s *subscriber, uris []string) (taken []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, uri := range uris {
		if !slices.Contains(taken, uri) && l.add(s, uri) {
			taken = append(taken, uri)
		}
	}
	return taken
}

// end forgets everybody.
func (l *subscriptions) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	clear(l.sessions)
	clear(l.byURI)
	clear(l.streams)
}
