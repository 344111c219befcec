package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"time"
)

// target is the program under attack.
type target struct {
	host   string   // with its port
	routes []string // "POST /path" of those that take a body
	json   []string // those of them that take JSON and nothing else
	table  string   // the handle of a table of some megabytes
}

// readRoutes reads the routes that take a body off the program's description of itself.
func (t *target) readRoutes(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/openapi.json", http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody *json.RawMessage `json:"requestBody"`
		} `json:"paths"`
	}
	if err := json.NewDecoder(res.Body).Decode(&doc); err != nil {
		return fmt.Errorf("/openapi.json: %w", err)
	}
	for _, pattern := range slices.Sorted(maps.Keys(doc.Paths)) {
		path := strings.NewReplacer("{name}", "get_top_clients", "{id}", "none").Replace(pattern)
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[pattern])) {
			if doc.Paths[pattern][method].RequestBody == nil {
				continue
			}
			t.routes = append(t.routes, strings.ToUpper(method)+" "+path)
			if path != "/api/v1/tables" {
				t.json = append(t.json, strings.ToUpper(method)+" "+path)
			}
		}
	}
	return nil
}

// newTarget reads the routes of the program, and uploads a table.
func newTarget(ctx context.Context, url string) (*target, error) {
	t := &target{host: strings.TrimPrefix(url, "http://")}
	if err := t.readRoutes(ctx, url); err != nil {
		return nil, err
	}
	var csv strings.Builder
	csv.WriteString("id,text\n")
	for i := range 150_000 { // more than the buffers on the way take
		fmt.Fprintf(&csv, "%d,%s %d\n", i, strings.Repeat("words ", 15), i)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/tables?name=large.csv", strings.NewReader(csv.String()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "text/csv")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var got struct {
		Tables []struct {
			Handle string `json:"handle"`
		} `json:"tables"`
	}
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || len(got.Tables) == 0 {
		return nil, errors.Join(errors.New("the table could not be uploaded: "+res.Status), err)
	}
	t.table = got.Tables[0].Handle
	return t, nil
}

// dial opens a connection, which ends with ctx.
func (t *target) dial(ctx context.Context) (net.Conn, func(), error) {
	conn, err := (&net.Dialer{Timeout: 20 * time.Second}).DialContext(ctx, "tcp", t.host)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err // without the ports, which are others each time
		}
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return conn, func() { stop(); _ = conn.Close() }, nil
}

// message is a request that http.Client would not send.
type message struct {
	route  string   // method and path
	header []string // lines
	body   io.Reader
	length int64 // what Content-Length says; below 0 the body goes in chunks
	valid  bool  // the body is JSON
}

// send sends a message, reads the answer, also one that comes before the body is whole, and names it: "413 body_too_large".
func (t *target) send(ctx context.Context, m message) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	conn, end, err := t.dial(ctx)
	if err != nil {
		return "", err
	}
	defer end()
	go func() { // it ends with the connection; what it could not write shows in the answer
		out := bufio.NewWriterSize(conn, 64<<10)
		fmt.Fprintf(out, "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", m.route)
		for _, line := range m.header {
			fmt.Fprintf(out, "%s\r\n", line)
		}
		var body io.Writer = out
		var chunks io.WriteCloser
		if m.length < 0 {
			chunks = httputil.NewChunkedWriter(out)
			body = chunks
			fmt.Fprint(out, "Transfer-Encoding: chunked\r\n\r\n")
		} else {
			fmt.Fprintf(out, "Content-Length: %d\r\n\r\n", m.length)
		}
		_, err := io.Copy(body, m.body)
		if err == nil && chunks != nil {
			_ = chunks.Close()
			fmt.Fprint(out, "\r\n")
		}
		_ = out.Flush()
	}()
	return answer(conn)
}

// answer names the answer on a connection.
func answer(conn io.Reader) (string, error) {
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(fmt.Sprint(res.StatusCode, " ", codeOf(data))), nil
}

// codeOf is the code of an error in one of the shapes that they have: RFC 9457's, OpenAI's, JSON-RPC's.
func codeOf(body []byte) string {
	var e struct {
		Code  any `json:"code"`
		Error struct {
			Code any `json:"code"`
			Data struct {
				Code string `json:"code"`
			} `json:"data"`
			Message string `json:"message"`
		} `json:"error"`
		Findings []struct {
			Code string `json:"code"`
		} `json:"findings"`
	}
	_ = json.Unmarshal(body, &e) // what is no JSON has no code
	switch {
	case e.Error.Data.Code != "":
		return e.Error.Data.Code
	case e.Error.Code != nil:
		return fmt.Sprint(e.Error.Code)
	case e.Code != nil:
		return fmt.Sprint(e.Code)
	case len(e.Findings) > 0:
		return e.Findings[0].Code
	}
	return ""
}
