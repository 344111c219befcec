package langchain

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// stream is a body of server-sent events as langchaingo can read it: short lines, only events that it knows, and an error
// where the endpoint's stream was cut off or holds one.
type stream struct {
	client *client
	call   *call
	body   io.ReadCloser
	lines  *lines
	out    bytes.Buffer
	begun  bool
	text   int  // bytes of the answer so far
	ended  bool // the model said that it is ready
	done   bool
	err    error
}

// maxPart is how much text one line carries on: langchaingo reads lines of 64 KiB at most, and JSON may write a byte as six.
const maxPart = 8 << 10

// maxText is how much text an answer has at most: a plan has less, and whoever reads parts copies all that came before.
const maxText = 1 << 20

// Read gives the rewritten events.
func (s *stream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if s.done {
			return 0, io.EOF
		}
		s.next()
	}
	return s.out.Read(p)
}

// Close closes the endpoint's body.
func (s *stream) Close() error { return s.body.Close() }

// next reads one event and writes it on.
func (s *stream) next() {
	data, err := s.lines.event()
	switch {
	case errors.Is(err, io.EOF) && s.ended:
		s.finish()
		return
	case errors.Is(err, io.EOF):
		s.fail("the endpoint's answer was cut off", io.ErrUnexpectedEOF)
		return
	case err != nil:
		s.fail("the endpoint's answer was cut off", err)
		return
	}
	e, err := s.client.wire.event(data)
	if err != nil {
		s.fail("the endpoint's stream holds an event that is no JSON", nil)
		return
	}
	if e.failed != "" {
		s.err = s.call.fail(s.client.said("the endpoint broke its answer off with an error", e.failed))
		return
	}
	s.keep(e)
	for _, c := range e.calls {
		s.text += len(c.args)
	}
	if s.text += len(e.text); s.text > maxText {
		s.fail("the endpoint's answer was cut off", errTooLong)
		return
	}
	s.write(e.text)
	if e.done {
		s.finish()
	}
}

// write passes text on, in lines that langchaingo can read.
func (s *stream) write(text string) {
	for text != "" {
		n := cutAt(text, maxPart)
		s.out.Write(s.client.wire.part(event{answer: answer{text: text[:n]}}, !s.begun))
		s.begun, text = true, text[n:]
	}
}

// keep notes what langchaingo loses: why the model stopped, its name, the use.
func (s *stream) keep(e event) {
	s.call.note(func(a *answer) {
		if e.finish != "" {
			a.finish, s.ended = e.finish, true
		}
		a.truncated = a.truncated || e.truncated
		if e.model != "" {
			a.model = e.model
		}
		a.calls = joinCalls(a.calls, e.calls)
		a.prompt, a.completion = max(a.prompt, e.prompt), max(a.completion, e.completion)
	})
}

func (s *stream) finish() {
	s.done = true
	s.write(callsText(s.call.result().calls)) // what was said beside calls is no plan
	s.out.Write(s.client.wire.part(event{answer: s.call.result(), done: true}, !s.begun))
}

func (s *stream) fail(reason string, err error) {
	s.err = s.call.fail(s.client.error(0, reason, err))
}

// cutAt returns how much of a text makes a part without splitting a character.
func cutAt(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return n
}

// lines reads server-sent events (the WHATWG's format): the data lines of an event, joined.
type lines struct {
	r     *bufio.Reader
	total int
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 32<<10)} }

var errTooLong = errors.New("the stream is too long")

// event returns the data of the next event that has some. [DONE] counts as an event.
func (l *lines) event() ([]byte, error) {
	var data []string
	for {
		line, err := l.line()
		if err != nil {
			if len(data) > 0 && errors.Is(err, io.EOF) {
				return []byte(strings.Join(data, "\n")), nil
			}
			return nil, err
		}
		if line == "" {
			if len(data) > 0 {
				return []byte(strings.Join(data, "\n")), nil
			}
			continue
		}
		if text, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(text, " "))
		}
	}
}

func (l *lines) line() (string, error) {
	var b []byte
	for {
		part, more, err := l.r.ReadLine()
		if err != nil {
			return "", err
		}
		l.total += len(part)
		if len(b)+len(part) > maxLine || l.total > maxAnswer {
			return "", errTooLong
		}
		b = append(b, part...)
		if !more {
			return string(b), nil
		}
	}
}
