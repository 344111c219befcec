package upstream

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"catena/internal/access"
	"catena/tools"
)

// Whatever settles no request is counted: answers to nobody, batches of them, lines that are no message.
func TestWhatIsUnasked(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.wire = deaf{}
	counted := func(text string) (int64, bool) {
		c.flow.left, c.flow.at = 0, time.Time{} // as before the first message, so that no time that passes counts
		id := c.receive([]byte(text), 0)
		return id, !c.flow.at.IsZero() && c.flow.left < flowBurst
	}
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":999,"result":{}}`, `{"jsonrpc":"2.0","id":"x","result":{}}`,
		`{"method":"notifications/x"}`, `[]`, `[1]`, `nonsense`, ``, `{"id":7}`,
	} {
		if id, ok := counted(text); id != 0 || !ok {
			t.Errorf("%s: id %d, counted %t", text, id, ok)
		}
	}
	c.pending[7] = make(chan outcome, 1)
	if id, ok := counted(`{"jsonrpc":"2.0","id":7,"result":{}}`); id != 7 || ok {
		t.Errorf("an answer: id %d, counted %t", id, ok)
	}
}

// Of a stream of events the lines are counted that an event does not need.
func TestIdleLines(t *testing.T) {
	for text, want := range map[string]int{
		"data: 1\n\ndata: 2\n\n":                            0,
		"event: message\nid: 1\nretry: 5\ndata: 1\n\n":      0,
		strings.Repeat(": nothing\n", 50):                   50,
		strings.Repeat("\n", 50):                            50,
		strings.Repeat("id: 1\n", 50) + "data: 1\n\n":       50 - freeFields,
		strings.Repeat("what\n", 50) + "data: 1\n\n":        50 - freeFields,
		strings.Repeat("data:\n", freeLines+9) + "\n":       9,
		strings.Repeat("data: 1\nevent: message\n\n", 1000): 0,
	} {
		n := 0
		s := newEvents(&lineLimiter{r: strings.NewReader(text), ended: make(chan struct{})}, func(int) { n++ })
		var err error
		for err == nil {
			_, err = s.next()
		}
		if !errors.Is(err, io.EOF) || n != want {
			t.Errorf("%.40q: %d, want %d; %v", text, n, want, err)
		}
	}
}

// What a process writes to its stderr is logged within measure, and without the secrets that it was given, wherever they stand.
func TestStderr(t *testing.T) {
	const secret = "swordfish-swordfish"
	var log bytes.Buffer
	c := newConn(slog.New(slog.NewTextHandler(&log, nil)), nil, func(string) {})
	c.secrets = Config{Env: map[string]string{"TOKEN": secret}}.hiding()
	c.end(nil) // nobody waits
	p := &process{c: c}
	var text strings.Builder
	for _, at := range []int{480, 495, 4090, longestLine - 5} {
		text.WriteString(strings.Repeat("x", at) + secret + "\n")
	}
	text.WriteString(strings.Repeat(secret, longestLine) + "\n")
	text.WriteString(strings.Repeat("line\n", 50_000))
	p.drain(strings.NewReader(text.String()))
	if s := log.String(); strings.Contains(s, "swor") || strings.Count(s, "stderr=") > 2*lineBurst || !strings.Contains(s, "lines_left_out=") || !p.wrote.Load() {
		t.Errorf("%d lines: %.3000s", strings.Count(s, "stderr="), s)
	}
}

// A process that closes its output and lives on is of no use: its calls end, and it is started anew. One that ends with an error has
// said why in the log.
func TestOutputThatEnds(t *testing.T) {
	reg, _ := start(t, "plain", time.Millisecond)
	if res := do(t, reg, "tiny__hush", nil); res.Code != tools.CodeUnavailable || !strings.Contains(res.Text, "closed its output") {
		t.Errorf("%+v", res)
	}
	eventually(t, "the server is back", func() bool {
		res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__rows"})
		return err == nil && res.Table != nil
	})
	reg = tools.NewRegistry(tools.Options{})
	s, err := New(reg, quiet, Config{Name: "tiny", Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": "dies"}})
	if err != nil {
		t.Fatal(err)
	}
	s.pause = func(int) time.Duration { return time.Hour }
	s.Start(t.Context())
	defer s.Close()
	if err := s.Wait(t.Context()); err != nil || !strings.Contains(reg.Down()["tiny"], "exit status 3; what it wrote before is in Catena's log") {
		t.Errorf("%v, %v", reg.Down(), err)
	}
}
