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
	"strconv"
	"strings"
)

// client is one who uses the program. It is for one goroutine.
type client struct {
	url  string
	n    int
	http *http.Client
	at   string // its chat session; "" before the first message
	sent bool   // a table to it
	did  int
}

// messages are what it asks in turn.
var messages = []string{"top 5 clients in USA and their revenue trend", "revenue by region", "how many clients are there in Germany?", "top 3 clients", "average revenue by industry"}

// send sends a request and gives the whole answer, which must have one of the statuses 200 to 299.
func (c *client) send(ctx context.Context, method, path, body string, header ...string) (http.Header, []byte, error) {
	res, err := c.open(ctx, method, path, body, header...)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res.Header, data, err
}

func (c *client) open(ctx context.Context, method, path, body string, header ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		data, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // for the message only
		_ = res.Body.Close()
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, res.Status, data)
	}
	return res, nil
}

// question is the body of its next message.
func (c *client) question() string {
	c.did++
	return c.saying(messages[c.did%len(messages)])
}

func (c *client) saying(message string) string {
	body, err := json.Marshal(map[string]string{"message": message, "session_id": c.at})
	if err != nil {
		panic(err) // texts always marshal
	}
	return string(body)
}

func (c *client) ask(ctx context.Context) error { return c.answered(ctx, c.question()) }

// askOfUpload asks about the table that it sent last.
func (c *client) askOfUpload(ctx context.Context) error {
	if !c.sent {
		if err := c.upload(ctx); err != nil {
			return err
		}
	}
	return c.answered(ctx, c.saying("total amount by area in soak"))
}

func (c *client) answered(ctx context.Context, body string) error {
	_, data, err := c.send(ctx, http.MethodPost, "/api/v1/chat", body)
	if err != nil {
		return err
	}
	var answer struct {
		Outcome string `json:"outcome"`
		Session string `json:"session_id"`
		Text    string `json:"response"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	if answer.Outcome != "answer" {
		return fmt.Errorf("%s was answered with %s: %s", body, answer.Outcome, answer.Text)
	}
	c.at = answer.Session
	return nil
}

func (c *client) follow(ctx context.Context) error {
	res, err := c.open(ctx, http.MethodPost, "/api/v1/chat", c.question(), "Accept", "text/event-stream")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = c.events(res.Body, 0, 0)
	return err
}

// cut hangs up after two events and reads the rest by another request.
func (c *client) cut(ctx context.Context) error {
	within, hangUp := context.WithCancel(ctx)
	defer hangUp()
	res, err := c.open(within, http.MethodPost, "/api/v1/chat", c.question(), "Accept", "text/event-stream")
	if err != nil {
		return err
	}
	last, err := c.events(res.Body, 0, 2)
	hangUp()
	_ = res.Body.Close()
	if err != nil {
		return err
	}
	rest, err := c.open(ctx, http.MethodGet, "/api/v1/runs/"+res.Header.Get("X-Run-Id")+"/events", "", "Last-Event-ID", strconv.FormatUint(last, 10))
	if err != nil {
		return err
	}
	defer rest.Body.Close()
	_, err = c.events(rest.Body, last, 0)
	return err
}

// events reads events that follow a number, most of them or all, and gives the number of the last.
func (c *client) events(in io.Reader, last uint64, most int) (uint64, error) {
	lines := bufio.NewReader(in)
	for n := 0; most == 0 || n < most; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return last, fmt.Errorf("a stream ended after event %d: %w", last, err)
		}
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			seq, _ := strconv.ParseUint(strings.TrimSpace(id), 10, 64) // 0 is a gap
			if n++; seq != last+1 {
				return last, fmt.Errorf("event %d came after %d", seq, last)
			}
			last = seq
		}
		if strings.Contains(line, `"type":"RUN_ERROR"`) {
			return last, errors.New("a run failed: " + line)
		}
		if most == 0 && strings.Contains(line, `"type":"RUN_FINISHED"`) {
			return last, nil
		}
	}
	return last, nil
}

func (c *client) upload(ctx context.Context) error {
	var csv bytes.Buffer
	csv.WriteString("area,day,amount\n")
	for i := range 200 {
		fmt.Fprintf(&csv, "area %d,2026-01-%02d,%d.%02d\n", i%7, i%28+1, c.did*31+i, i%100)
	}
	_, data, err := c.send(ctx, http.MethodPost, "/api/v1/tables?name=soak.csv&session_id="+c.at, csv.String(), "Content-Type", "text/csv")
	if err != nil {
		return err
	}
	var got struct {
		Session string `json:"session_id"`
	}
	err = json.Unmarshal(data, &got)
	c.at, c.sent = got.Session, true
	return err
}

func (c *client) complete(ctx context.Context) error {
	header := []string{}
	if c.at != "" {
		header = []string{"X-Session-Id", c.at}
	}
	_, data, err := c.send(ctx, http.MethodPost, "/v1/chat/completions", `{"model":"catena","messages":[{"role":"user","content":"top 3 clients"}]}`, header...)
	if err == nil && !bytes.Contains(data, []byte(`"finish_reason":"stop"`)) {
		err = fmt.Errorf("a completion without an end: %.200s", data)
	}
	return err
}

// renew lists the sessions and deletes its own.
func (c *client) renew(ctx context.Context) error {
	if _, _, err := c.send(ctx, http.MethodGet, "/api/v1/sessions?limit=20", ""); err != nil {
		return err
	}
	if c.at == "" {
		return nil
	}
	at := c.at
	c.at, c.sent = "", false
	_, _, err := c.send(ctx, http.MethodDelete, "/api/v1/sessions/"+at, "")
	return err
}
