package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite"

	"catena/chat"
	"catena/internal/e2e/e2etest"
)

// newRequest makes a request of METHOD PATH [FILE] [Header:value ...]. The caller calls done when it is over.
func newRequest(ts *testscript.TestScript, args []string) (req *http.Request, done func()) {
	body := ""
	if len(args) > 2 && args[2] != "-" {
		body = strings.TrimSuffix(ts.ReadFile(args[2]), "\n")
	}
	ctx, cancel := requestContext()
	req, err := http.NewRequestWithContext(ctx, args[0], ts.Getenv("URL")+args[1], strings.NewReader(body))
	if err != nil {
		cancel()
		ts.Fatalf("%v", err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range args[min(3, len(args)):] {
		name, value, _ := strings.Cut(h, ":")
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	return req, cancel
}

func cmdHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: http METHOD PATH [FILE] [Header:value ...]")
	}
	req, done := newRequest(ts, args)
	defer done()
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	ts.Check(err)
	fmt.Fprint(ts.Stdout(), string(data))
	fmt.Fprintln(ts.Stderr(), res.Status, res.Header.Get("Content-Type"))
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		fmt.Fprintln(ts.Stderr(), id)
	}
	if bad := res.StatusCode >= 400; bad != neg {
		ts.Fatalf("%s %s: %s", args[0], args[1], res.Status)
	}
}

func cmdAwait(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: await METHOD PATH TEXT")
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		req, done := newRequest(ts, args[:2])
		res, err := http.DefaultClient.Do(req)
		ts.Check(err)
		data, err := io.ReadAll(res.Body)
		res.Body.Close()
		done()
		ts.Check(err)
		if strings.Contains(string(data), args[2]) {
			fmt.Fprint(ts.Stdout(), string(data))
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%q did not come within 10 s; the last answer was: %s", args[2], data)
		}
	}
}

func cmdUntil(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: until TEXT METHOD PATH [FILE] [Header:value ...]")
	}
	text, args := args[0], args[1:]
	req, done := newRequest(ts, args)
	defer done()
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	var got bytes.Buffer
	part := make([]byte, 4096)
	for err == nil && !strings.Contains(got.String(), text) {
		var n int
		n, err = res.Body.Read(part)
		got.Write(part[:n])
	}
	fmt.Fprint(ts.Stdout(), got.String())
	if !strings.Contains(got.String(), text) {
		ts.Fatalf("%s %s ended (%s, %v) before %q came", args[0], args[1], res.Status, err, text)
	}
}

func cmdEvents(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: events FILE")
	}
	types, ended := []string{}, 0
	for block := range strings.SplitSeq(strings.TrimSpace(ts.ReadFile(args[0])), "\n\n") {
		if strings.HasPrefix(block, ":") {
			continue // a heartbeat
		}
		id, data, ok := strings.Cut(strings.TrimPrefix(block, "id: "), "\ndata: ")
		if want := strconv.Itoa(len(types) + 1); !ok || id != want {
			ts.Fatalf("event %s is not \"id: %s\" and \"data: ...\":\n%s", want, want, block)
		}
		var p chat.Payload
		if err := json.Unmarshal([]byte(data), &p); err != nil {
			ts.Fatalf("event %s is not JSON: %v\n%s", id, err, data)
		}
		if chat.Terminal(p.Type) {
			ended++
		}
		types = append(types, p.Type)
	}
	if ended != 1 || !chat.Terminal(types[len(types)-1]) {
		ts.Fatalf("there must be one terminal event, at the end: %v", types)
	}
	fmt.Fprintln(ts.Stdout(), strings.Join(types, "\n"))
}

func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	store := len(args) == 4 && args[2] == ">"
	if len(args) < 2 || len(args) > 3 && !store {
		ts.Fatalf("usage: json FILE PATH [VALUE | > NAME]")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	d.UseNumber()
	var v any
	ts.Check(d.Decode(&v))
	got := jsonText(jsonAt(v, strings.Split(args[1], ".")))
	switch {
	case store:
		ts.Setenv(args[3], got)
		return
	case len(args) == 2:
		fmt.Fprintln(ts.Stdout(), got)
		return
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %s", args[1], got)
	}
}

// jsonAt walks into a value; nil where there is nothing.
func jsonAt(v any, path []string) any {
	for _, key := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			n, err := strconv.Atoi(key)
			switch {
			case key == "len":
				v = json.Number(strconv.Itoa(len(x)))
			case err == nil && n >= 0 && n < len(x):
				v = x[n]
			default:
				v = nil
			}
		default:
			return nil
		}
	}
	return v
}

// jsonText is a string as it is, and anything else as JSON.
func jsonText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

func cmdField(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 || args[2] != ">" {
		ts.Fatalf("usage: field FILE REGEXP > NAME")
	}
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	got := re.FindString(ts.ReadFile(args[0]))
	if got == "" {
		ts.Fatalf("%s has nothing like %s", args[0], args[1])
	}
	ts.Setenv(args[3], got)
}

func cmdText(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], escaped(ts, args))
}

func cmdBytes(ts *testscript.TestScript, _ bool, args []string) {
	text := escaped(ts, args)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// escaped is the text that NAME TEXT [TIMES] stands for.
func escaped(ts *testscript.TestScript, args []string) string {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: text NAME TEXT [TIMES]; bytes FILE TEXT [TIMES]")
	}
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	if len(args) == 2 {
		return s
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	return strings.Repeat(s, n)
}

func cmdSQLite(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sqlite FILE SQLFILE")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(ts.ReadFile(args[1]))
	ts.Check(err)
}

func cmdModel(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: model FILE")
	}
	wire, err := os.Create(ts.MkAbs("wire.txt"))
	ts.Check(err)
	m, err := e2etest.NewModelScript(ts.ReadFile(args[0]), wire)
	ts.Check(err)
	srv := httptest.NewServer(m)
	ts.Defer(func() { srv.CloseClientConnections(); srv.Close(); _ = wire.Close() })
	ts.Setenv("MODEL", srv.URL)
}
