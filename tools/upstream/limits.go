package upstream

import (
	"fmt"
	"io"
	"sync"
)

var (
	errMessageTooLong = fmt.Errorf("it sent a message longer than %d MiB", maxMessage>>20)
	errMessageTooDeep = fmt.Errorf("it sent a message nested deeper than %d levels", maxDepth)
)

// bounds counts along a message, byte by byte.
type bounds struct {
	n      int // bytes
	depth  int // of brackets
	quoted bool
	escape bool
}

// next takes in one byte and says which limit it breaks.
func (b *bounds) next(c byte) error {
	if b.n++; b.n > maxMessage {
		return errMessageTooLong
	}
	switch {
	case b.escape:
		b.escape = false
	case b.quoted:
		b.escape, b.quoted = c == '\\', c != '"'
	case c == '"':
		b.quoted = true
	case c == '[' || c == '{':
		if b.depth++; b.depth > maxDepth {
			return errMessageTooDeep
		}
	case c == ']' || c == '}':
		b.depth--
	}
	return nil
}

// lineLimiter passes a stream on and breaks it when a line gets too long, which would be read into memory whatever its length, or is
// JSON nested too deep, which no decoder takes: the call would wait for its time to be over.
type lineLimiter struct {
	r     io.Reader
	broke func()        // called once, at the first limit that is broken; nil is nothing
	ended chan struct{} // closed at the first error

	line bounds
	mu   sync.Mutex
	err  error
	once sync.Once
}

// Read passes on.
func (l *lineLimiter) Read(p []byte) (int, error) {
	if l.failure() != nil {
		return 0, io.EOF
	}
	n, err := l.r.Read(p)
	for i := range n {
		if p[i] == '\n' {
			l.line = bounds{}
			continue
		}
		if limit := l.line.next(p[i]); limit != nil {
			l.mu.Lock()
			l.err = limit
			l.mu.Unlock()
			if l.broke != nil {
				l.broke()
			}
			l.end()
			return 0, io.EOF // what happened is told by failure
		}
	}
	if err != nil {
		l.end()
	}
	return n, err
}

func (l *lineLimiter) end() { l.once.Do(func() { close(l.ended) }) }

func (l *lineLimiter) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
