package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// chain is one message and all that its reader saw of it.
type chain struct {
	w   *world
	key string
	run string // once it was accepted

	last     uint64       // the number of the last event that came
	times    []time.Time  // of the events, by their replicas' clocks
	log      bytes.Buffer // the events as they came
	end      terminal     // the last terminal event
	ended    bool         // it is the last event, and what it asks for can be sent
	over     uint64       // its number
	gaps     int          // events that did not go on from the one before
	asked    int          // decisions that were asked for
	resumed  int          // times that it was told to go on
	released int          // times that it was set aside, and released
	taken    []time.Duration
	gone     bool   // a replica said that there is no such run
	refused  string // what a replica said last in place of events
	cutAt    int    // bytes after which the reader hangs up once; 0 is never
}

// terminal is what matters of an event.
type terminal struct {
	Type      string `json:"type"`
	Name      string `json:"name"`
	Timestamp int64  `json:"timestamp"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	Outcome   struct {
		Type string `json:"type"`
	} `json:"outcome"`
	Result struct {
		Outcome  string    `json:"outcome"`
		Response string    `json:"response"`
		Pending  []pending `json:"pending"`
	} `json:"result"`
}

type pending struct {
	Step   string `json:"step"`
	Hash   string `json:"args_hash"`
	Reason string `json:"reason"`
}

// atOnce is within what time of each other events are written by the same process.
const atOnce = 100 * time.Millisecond

// errRefused is a chain that ended otherwise than with its answer, errGone one that its store has lost.
var (
	errRefused = errors.New("the chain was not answered")
	errGone    = errors.New("the chain is not there any more")
)

// follow sends the message, reads its events to the end, from another replica wherever a stream breaks, and decides as a person who
// has looked into the ledger would.
func (c *chain) follow(ctx context.Context) error {
	at := ""
	for ctx.Err() == nil {
		url, err := c.w.fleet.pick(ctx, at)
		if err != nil {
			return err
		}
		at = url
		switch {
		case c.gone && c.w.forgets:
			return errGone
		case c.run == "":
			c.send(ctx, url)
		case !c.ended:
			c.read(ctx, url, http.MethodGet, "/events", nil)
		case c.end.Type == "RUN_FINISHED" && c.end.Result.Outcome == "answer":
			return nil
		case c.end.Type == "RUN_FINISHED" && len(c.end.Result.Pending) > 0:
			c.decide(ctx, url, c.end.Result.Pending[0])
		case c.end.Type == "RUN_ERROR" && c.end.Code == "interrupted":
			c.resumed++
			c.read(ctx, url, http.MethodPost, "/resume", nil)
		case c.end.Type == "RUN_ERROR" && c.end.Code == "poisoned":
			if err := c.release(ctx); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%w: %s %s %s", errRefused, c.end.Type, c.end.Code, c.end.Message+c.end.Result.Response)
		}
		if c.run == "" || c.ended {
			wait(ctx, 20*time.Millisecond)
		}
	}
	return ctx.Err()
}

var eventsPath = regexp.MustCompile(`/api/v1/runs/(run_[a-z0-9]+)/events`)

// send sends the message, under the same key each time.
func (c *chain) send(ctx context.Context, url string) {
	body := fmt.Sprintf(`{"message":"run the %s","summarize":"off"}`, c.key)
	res, err := c.w.do(ctx, http.MethodPost, url+"/api/v1/chat", body, "Idempotency-Key", c.key)
	if err != nil {
		return // again, at another replica
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		c.run = res.Header.Get("X-Run-Id")
		c.events(res.Body)
	case http.StatusConflict: // a former try was accepted
		data, _ := io.ReadAll(res.Body) // what is cut off has no path
		if m := eventsPath.FindSubmatch(data); m != nil {
			c.run = string(m[1])
		}
	default:
		wait(ctx, 100*time.Millisecond)
	}
}

// decide answers what a chain asks about: was it done or not.
func (c *chain) decide(ctx context.Context, url string, p pending) {
	decision := map[string]any{"step": p.Step, "args_hash": p.Hash, "decision": "run"}
	if n := c.w.ledger.count(entry{c.key, parts[p.Step]}); n > 0 {
		decision["decision"], decision["result"] = "done", map[string]any{"n": n}
	}
	body, err := json.Marshal(decision)
	if err != nil {
		return // texts and numbers
	}
	c.asked++
	c.read(ctx, url, http.MethodPost, "/approve", body)
}

// release has a chain tried again that was set aside, as an operator would who knows that its step did not end the processes: they were
// killed from outside, twice in the same step by chance.
func (c *chain) release(ctx context.Context) error {
	said, err := c.w.fleet.command(ctx, "runs", "release", c.run)
	if err != nil {
		return fmt.Errorf("%w: it was set aside, and could not be released: %w: %s", errRefused, err, said)
	}
	c.released++
	c.ended = false
	return nil
}

// read reads what comes after the last event.
func (c *chain) read(ctx context.Context, url, method, what string, body []byte) {
	res, err := c.w.do(ctx, method, url+"/api/v1/runs/"+c.run+what, string(body), "Last-Event-ID", strconv.FormatUint(c.last, 10))
	if err != nil {
		return
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusConflict { // another try has got there before, or the record of the end comes after a takeover
		c.ended = false
	}
	if res.StatusCode == http.StatusOK {
		c.events(res.Body)
		c.ended = c.last > 0 && c.last == c.over // where nothing more came the end that was told stands
	} else {
		c.gone = res.StatusCode == http.StatusNotFound
		c.refuse(method+" "+what, res)
		wait(ctx, 50*time.Millisecond)
	}
}

// refuse keeps what a replica said in place of events, for whoever asks why a chain has no answer.
func (c *chain) refuse(what string, res *http.Response) {
	said, _ := io.ReadAll(io.LimitReader(res.Body, 500)) // what came of it
	c.refused = fmt.Sprintf("%s: %s %s", what, res.Status, said)
}

// stands tells how far a chain got.
func (c *chain) stands() string {
	return fmt.Sprintf("%d events, over: %v, the last end %s %s %s %s; last refused: %s", c.last, c.ended, c.end.Type, c.end.Code, c.end.Result.Outcome, c.end.Message, c.refused)
}

// events takes events until the stream ends, or breaks.
func (c *chain) events(body io.Reader) {
	in := bufio.NewReader(body)
	var id uint64
	numbered := false
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			id, _ = strconv.ParseUint(strings.TrimSpace(text), 10, 64) // 0 counts as a gap
			numbered = true
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			// What has no number is of the stream, not of the log: why it ends before the run does.
			if !numbered && strings.Contains(text, `"catena.closed"`) {
				continue
			}
			c.event(id, strings.TrimSuffix(text, "\n"))
			numbered = false
		}
		if c.cutAt > 0 && c.log.Len() > c.cutAt {
			c.cutAt = 0
			return
		}
	}
}

func (c *chain) event(id uint64, data string) {
	if id != c.last+1 {
		c.gaps++
	}
	fmt.Fprintf(&c.log, "id: %d\ndata: %s\n\n", id, data)
	var e terminal
	if json.Unmarshal([]byte(data), &e) != nil {
		c.gaps++
	}
	at := time.UnixMilli(e.Timestamp)
	if e.Name == "catena.takeover" {
		// What was under way is ended in the log before a takeover is told.
		before := slices.IndexFunc(c.times, func(t time.Time) bool { return at.Sub(t) < atOnce })
		if before < 0 {
			before = len(c.times)
		}
		if took, ok := c.w.fleet.took(c.times[max(0, before-1)], at); ok {
			c.taken = append(c.taken, took)
		}
	}
	c.last, c.times = id, append(c.times, at)
	if c.ended = e.Type == "RUN_FINISHED" || e.Type == "RUN_ERROR"; c.ended {
		c.end, c.over = e, id
	}
}

// toldAlike reports whether another replica tells the log as the reader has seen it. One that was asked may have been killed just now.
func (c *chain) toldAlike(ctx context.Context) bool {
	for range 20 {
		url, err := c.w.fleet.pick(ctx, "")
		if err != nil {
			return false
		}
		if c.same(ctx, url) {
			return true
		}
		wait(ctx, 100*time.Millisecond)
	}
	return false
}

// same reports whether a replica tells the log as the reader has seen it.
func (c *chain) same(ctx context.Context, url string) bool {
	res, err := c.w.do(ctx, http.MethodGet, url+"/api/v1/runs/"+c.run+"/events", "", "Last-Event-ID", "0")
	if err != nil {
		return false
	}
	defer res.Body.Close()
	c.gone = res.StatusCode == http.StatusNotFound
	all, err := io.ReadAll(res.Body)
	return err == nil && bytes.Equal(bytes.ReplaceAll(all, []byte(": open\n\n"), nil), c.log.Bytes())
}

// do sends a request that is answered by events.
func (w *world) do(ctx context.Context, method, url, body, header, value string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set(header, value)
	return w.client.Do(req)
}
