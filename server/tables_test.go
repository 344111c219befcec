package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/lane"
	"catena/server/servertest"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

func TestTables(t *testing.T) {
	_, h, _ := newTest(t)
	_, _, body := servertest.Ask(t, "POST", h.URL+"/execute", `{"tool_name":"people","arguments":{}}`)
	var res toolResult
	if err := json.Unmarshal([]byte(body), &res); err != nil || res.Handle == "" {
		t.Fatalf("%v: %s", err, body)
	}
	url := h.URL + "/api/v1/tables/" + res.Handle
	for _, c := range []struct{ path, media, want string }{
		{url + "?offset=1&limit=1", "application/json", `"rows":[["Grace",85]],"row_count":1,"total_rows":2,"truncated":true`},
		{url + "?offset=9", "application/json", `"rows":[],"row_count":0,"total_rows":2`},
		{url + "?cells=text&offset=1", "application/json", `"text":{"columns":[{"name":"name","heading":"Name","right":false},{"name":"age","heading":"Age","right":true}],"cells":[["Grace","85"]],"places":[1]}`},
		{url + "?cells=html", "application/problem+json", `"code":"bad_cells"`},
		{url + "/profile", "application/json", `"row_count":2,"total_rows":2,"columns":[{"original_name":"name"`},
		{url + ".csv", "text/csv; charset=utf-8", "name,age\nAda,36\nGrace,85\n"},
		{url + ".json", "application/json", `"row_count":2`},
		{url + ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xl/workbook.xml"},
		{url + ".arrow", "application/vnd.apache.arrow.stream", "catena.type"},
		{url + ".parquet", "application/vnd.apache.parquet", "PAR1"},
	} {
		status, header, body := servertest.Ask(t, "GET", c.path, "")
		if (status != 200) != strings.Contains(c.media, "problem") || header.Get("Content-Type") != c.media || !strings.Contains(strings.ReplaceAll(body, "\r", ""), c.want) {
			t.Errorf("%s: %d %s %s", c.path, status, header.Get("Content-Type"), body)
		}
	}
	status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/tables?name=sales.csv", "a\n1\n", "Content-Type", "text/csv")
	if status != 201 || !strings.Contains(body, `"names":["sales"]`) || !strings.Contains(body, `"notes":["sales: line 3 was left out."]`) {
		t.Errorf("upload: %d %s", status, body)
	}
	form := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x/sales.csv\"\r\n\r\na\n1\n\r\n--b--\r\n"
	status, _, body = servertest.Ask(t, "POST", h.URL+"/api/v1/tables", form, "Content-Type", "multipart/form-data; boundary=b")
	if status != 201 || !strings.Contains(body, `"names":["sales"]`) {
		t.Errorf("form: %d %s", status, body)
	}
	_, _, body = servertest.Ask(t, "GET", h.URL+"/api/v1/tables", "")
	if !strings.Contains(body, `"rows":1,"columns":null,"notes":["sales: line 3 was left out."]`) || strings.Count(body, "notes") != 1 {
		t.Errorf("list: %s", body)
	}
	status, _, body = servertest.Ask(t, "POST", h.URL+"/api/v1/tables", `{"name":"sales","text":"a\n1"}`)
	if status != 201 || !strings.Contains(body, `"rows":1`) {
		t.Errorf("pasted: %d %s", status, body)
	}
}

// sort and filter go to query_table, and what it cannot do is the asker's to mend.
func TestTableQuery(t *testing.T) {
	s, h, _ := newTest(t)
	var got map[string]any
	page, err := load.Text("name,age\nGrace,85\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	reg, _ := s.opt.Tools.(*tools.Registry)
	if err := reg.Register(tools.Tool{Def: mcp.Tool{Name: "query_table", RawInputSchema: []byte(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{ReadOnlyHint: servertest.Ptr(true)}}, Toolset: "data",
		Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			got = call.Args
			if strings.Contains(fmt.Sprint(got["order_by"]), "aeg") {
				return tools.Failed(tools.CodeUnknownColumn, "there is no column aeg; did you mean age?"), nil
			}
			return tools.Result{Table: page, Total: 7}, nil
		}}); err != nil {
		t.Fatal(err)
	}
	const handle = "tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	address := h.URL + "/api/v1/tables/" + handle
	filter := url.QueryEscape(`[{"column":"age","op":"gt","value":40}]`)
	status, _, body := servertest.Ask(t, "GET", address+"?sort=-age&sort=name&limit=1&offset=2&filter="+filter, "")
	if status != 200 || !strings.Contains(body, `"rows":[["Grace",85]],"row_count":1,"total_rows":7,"truncated":true,"handle":"`+handle+`"`) {
		t.Errorf("%d %s", status, body)
	}
	want := map[string]any{"table": handle, "limit": 1, "offset": 2,
		"order_by": []any{map[string]any{"column": "age", "desc": true}, map[string]any{"column": "name", "desc": false}},
		"filter":   []any{map[string]any{"column": "age", "op": "gt", "value": json.Number("40")}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if status, _, body = servertest.Ask(t, "GET", address+".csv?sort=age", ""); status != 200 || strings.ReplaceAll(body, "\r", "") != "name,age\nGrace,85\n" || got["limit"] != nil {
		t.Errorf("a file: %d %s, %v", status, body, got)
	}
	for query, code := range map[string]string{
		"sort=aeg": tools.CodeUnknownColumn, "filter=age": "malformed_json", "filter={}": "wrong_type",
		"filter=" + strings.Repeat("[", 70) + strings.Repeat("]", 70): "too_deep",
	} {
		for _, ending := range []string{"", ".csv"} {
			if status, _, body = servertest.Ask(t, "GET", address+ending+"?"+query, ""); status != map[bool]int{true: 422, false: 400}[code == tools.CodeUnknownColumn] || !strings.Contains(body, `"code":"`+code+`"`) {
				t.Errorf("%s%s: %d %s", ending, query, status, body)
			}
		}
	}
}

// multipartForm is a multipart body of files.
func multipartForm(files ...string) string {
	var b strings.Builder
	for i, content := range files {
		fmt.Fprintf(&b, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f%d.csv\"\r\n\r\n%s\r\n", i, content)
	}
	return b.String() + "--b--\r\n"
}

func TestUploadOfSeveral(t *testing.T) {
	_, h, _ := newTest(t)
	const media = "multipart/form-data; boundary=b"
	for name, c := range map[string]struct {
		body   string
		status int
		want   []string
	}{
		"all load":    {multipartForm("a\n1\n", "a\n2\n"), 201, []string{`"names":["f0","f1"]`}},
		"one fails":   {multipartForm("a\n1\n", "a\n2\n", "\x00", "", "a\n3\n"), 207, []string{`"names":["f0","f1","f4"]`, `{"name":"f2.csv","tables":[],"error":{`, "f2.csv is no table.", `f3.csv\" is empty`, `{"name":"f4.csv","tables":["f4"]}`}},
		"all fail":    {multipartForm("\x00", "\x00"), 400, []string{`"code":"bad_file"`, "f0.csv is no table. f1.csv is no table."}},
		"as many":     {multipartForm(strings.Split(strings.Repeat("a\n1 ", maxFiles-1)+"a", " ")...), 201, []string{`"f19"`}},
		"one more":    {multipartForm(strings.Split(strings.Repeat("a\n1 ", maxFiles)+"a", " ")...), 413, []string{"too_many_files", "none of them"}},
		"no file":     {"--b--\r\n", 400, []string{"no_file"}},
		"breaks off":  {strings.TrimSuffix(multipartForm("a\n1\n"), "--b--\r\n"), 400, []string{"broken_body"}},
		"is too much": {multipartForm(strings.Repeat("x", DefaultUploadLimit+70<<10)), 413, []string{"body_too_large"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/tables", c.body, "Content-Type", media)
			if status != c.status {
				t.Errorf("%d %s", status, body)
			}
			for _, want := range c.want {
				if !strings.Contains(body, want) {
					t.Errorf("no %s in %s", want, body)
				}
			}
		})
	}
}

func TestPastedTextWithProse(t *testing.T) {
	for name, body := range map[string]string{"markdown": "Here is my data:\n\n|City|Pop|\n|---|---:|\n|Kiel|3|\n", "html": "Here: <table><tr><th>City</th></tr><tr><td>Kiel</td></tr></table>"} {
		got := upload{Name: "mine.txt", Text: body, data: []byte(body)}.pasted()
		if len(got) != 1 || strings.Contains(string(got[0].data), "Here") || !strings.HasPrefix(got[0].Name, "mine.") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// breaksOff is Data whose workbooks fail in the middle.
type breaksOff struct{ servertest.Parts }

func (breaksOff) WriteXLSX(_ context.Context, w io.Writer, _ tools.Result) error {
	if _, err := w.Write(make([]byte, 64<<10)); err != nil {
		return err
	}
	return errors.New("the disk is gone")
}

// TestFileBreaksOff: a client must not take a file's beginning for the file. Of one that is made as a whole nothing is sent.
func TestFileBreaksOff(t *testing.T) {
	s, h, _ := newTest(t, func(o *Options) { o.Data = breaksOff{} })
	people, err := s.opt.Tools.Call(t.Context(), tools.Call{Caller: access.Local("http"), Tool: "people", Args: map[string]any{}, Session: "ses_1"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(h.URL + "/api/v1/tables/" + people.Handle + ".xlsx")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err == nil && res.StatusCode == http.StatusOK {
		t.Errorf("%d, %d bytes and no error", res.StatusCode, len(b))
	}
}

// What is sent of tables at once has a bound, and waits for its turn. A CSV file is written row by row, counts no more than fileRoom and is not
// held up by files that are made as a whole.
func TestRoomForFiles(t *testing.T) {
	s, h, _ := newTest(t)
	long, err := load.Text("a,b\n"+strings.Repeat("some text,more of it\n", 100_000), table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	reg := s.opt.Tools.(*tools.Registry)
	for _, name := range []string{"long", "query_table"} {
		def := mcp.Tool{Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{ReadOnlyHint: servertest.Ptr(true)}}
		err = reg.Register(tools.Tool{Def: def, Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Table: long}, nil }})
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("http"), Tool: "long", Args: map[string]any{}, Session: "ses_1"})
	if err != nil || got.Handle == "" {
		t.Fatalf("%v: %+v", err, got)
	}
	url := h.URL + "/api/v1/tables/" + got.Handle
	check := func(when string, want map[string]int) {
		for ending, want := range want {
			status, header, body := servertest.Ask(t, "GET", url+ending, "")
			if status != want || status == 503 && (!strings.Contains(body, `"busy"`) || header.Get("Retry-After") == "") {
				t.Errorf("%s: %s: %d %.200s", when, ending, status, body)
			}
		}
	}
	s.files, s.sending, s.fileWait = newRoom(8<<20), newRoom(2*fileRoom), 10*time.Millisecond
	check("alone", map[string]int{".csv": 200, ".json": 200})
	s.files.take("another", 1)
	check("beside another's", map[string]int{".csv": 200, ".json": 503})
	s.sending.take("another", 1)
	check("beside another's CSV", map[string]int{".csv": 200, ".json": 503})
	s.sending.take("another", fileRoom)
	check("beside more", map[string]int{".csv": 503, ".json": 503})
	s.files.take("another", 5<<20)
	s.files.take("a third", 2<<20)
	check("pages beside what has most of the room", map[string]int{"?limit=100&cells=text": 200, "?limit=10000": 503, "?limit=10000&cells=text": 503})
	s.files.give("another", 5<<20)
	s.files.give("a third", 2<<20)
	check("a large page", map[string]int{"?limit=10000&cells=text": 200})
	s.fileWait = time.Minute
	go s.sending.give("another", fileRoom)
	go s.files.give("another", 1)
	check("once there is room again", map[string]int{".csv": 200, ".json": 200})
	s.sending.give("another", 1)
	s.sending = newRoom(leastRoom)
	check("sorted", map[string]int{".csv?sort=a": 200, ".json?sort=a": 200})
	s.files.take("another", 8<<20)
	check("sorted, beside what has all the memory", map[string]int{".csv?sort=a": 503, ".json?sort=a": 503})
	waiting := make(chan struct{})
	s.sending = newRoom(2 * fileRoom)
	s.sending.take("another", fileRoom)
	go func() {
		defer close(waiting)
		check("once there is memory again", map[string]int{".json": 200})
	}()
	check("beside one that waits for memory", map[string]int{".csv": 200})
	s.files.give("another", 8<<20)
	<-waiting
	s.sending.give("another", fileRoom)
	for name, r := range map[string]*room{"files": s.files, "sending": s.sending} {
		r.mu.Lock() // the last chunk is sent after the handler is done
		taken := r.taken
		r.mu.Unlock()
		if taken != 0 {
			t.Errorf("%d bytes of %s are not given back", taken, name)
		}
	}
}

// Who reads a large table for a report takes room and a turn as pages do, and reads nothing without them.
func TestRoomForReports(t *testing.T) {
	s, _, _ := newTest(t)
	long, err := load.Text("a,b\n"+strings.Repeat("some text,more of it\n", 100_000), table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 10_000
	times := 0
	read := func() error { return s.ReadTable(t.Context(), tools.Result{Table: long}, rows, func() { times++ }) }
	busy := func(what string, err error) {
		if p := new(Problem); !errors.As(err, &p) || p.Code != "busy" {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.files, s.fileWait, s.turnWait = newRoom(8<<20), time.Millisecond, time.Millisecond
	s.files.take("another", 8<<20)
	busy("without room", read())
	s.files.give("another", 8<<20)
	s.opt.Heavy = lane.New(1)
	done, ok := s.opt.Heavy.Enter(t.Context(), "another")
	if !ok {
		t.Fatal("the lane is full")
	}
	busy("without a turn", read())
	done()
	if times != 0 {
		t.Errorf("it was read %d times", times)
	}
	if err := read(); err != nil || times != 1 || !s.files.take("another", 8<<20) {
		t.Errorf("%v; read %d times", err, times)
	}
}
