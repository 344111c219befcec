package upstream

import (
	"bufio"
	"bytes"
	"strconv"
	"time"
)

// event is one of a stream of server-sent events (HTML Living Standard, section 9.2).
type event struct {
	name  string // "" is message
	data  []byte
	id    string
	hasID bool
	retry time.Duration // 0 where it says nothing
}

// events reads a stream of server-sent events.
type events struct {
	lines *bufio.Reader
	limit *lineLimiter
	drawn int             // of the data of an event with several lines of it
	idle  func(bytes int) // counts lines that say nothing, and waits when there are too many
}

func newEvents(limit *lineLimiter, idle func(bytes int)) *events {
	return &events{lines: bufio.NewReaderSize(limit, 16<<10), limit: limit, idle: idle}
}

// What an event may have for nothing: fields beside data, and lines of data. Further ones are counted as messages.
const (
	freeFields = 3
	freeLines  = 100_000
)

// next gives the next event that holds anything. At the end of the stream the error is io.EOF; what is left over
// without an empty line behind it is no event. What an event of an open stream took is given back at the next.
func (s *events) next() (event, error) {
	if s.limit.free(); s.limit.intake != nil {
		s.drawn = 0
	}
	e, err := s.read()
	if s.limit.whole(); err != nil {
		s.limit.free()
	}
	return e, err
}

func (s *events) read() (event, error) {
	var e event
	some := false
	fields, lines := 0, 0
	for {
		line, err := s.lines.ReadBytes('\n') // limit bounds it
		if limit := s.limit.failure(); limit != nil {
			return event{}, limit
		}
		if err != nil {
			return event{}, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if some {
				return e, nil
			}
			s.idle(0)
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		if s.surplus(string(field), &fields, &lines) {
			s.idle(len(line))
		}
		switch string(field) {
		case "data":
			if e.data, err = s.joined(e.data, value); err != nil {
				return event{}, err
			}
			some = true
		case "event":
			e.name = string(value)
		case "id":
			if !bytes.ContainsRune(value, 0) && len(value) <= maxAskedID { // it is sent back in a header
				e.id, e.hasID, some = string(value), true, true
			}
		case "retry":
			if ms, err := strconv.Atoi(string(value)); err == nil && ms >= 0 {
				e.retry, some = min(time.Duration(ms)*time.Millisecond, maxRetry), true
			}
		}
	}
}

// joined adds a line to the data of an event. The first is taken as it is.
func (s *events) joined(data, line []byte) ([]byte, error) {
	if data == nil {
		return line, nil
	}
	size := len(data) + 1 + len(line)
	if size > maxMessage {
		return nil, errMessageTooLong
	}
	var err error
	if s.drawn, err = s.limit.grew(s.drawn, size); err != nil {
		return nil, err
	}
	return append(append(data, '\n'), line...), nil
}

// surplus counts a line of an event and reports whether it is more than an event needs. A comment always is.
func (s *events) surplus(field string, fields, lines *int) bool {
	switch field {
	case "":
		return true
	case "data":
		*lines++
		return *lines > freeLines
	}
	*fields++
	return *fields > freeFields
}

// Of streams that break off: how long until they are asked for again, unless the server says so, and the longest that
// it may say.
const (
	retryAfter = time.Second
	maxRetry   = 30 * time.Second
)
