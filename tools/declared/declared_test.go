package declared_test

import (
	databasesql "database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/declared"
	"catena/tools/source"
)

func databases(name string, db *source.Database) declared.Databases {
	return func(asked string) (*source.Database, error) {
		if asked != name {
			return nil, fmt.Errorf("no %s", asked)
		}
		return db, nil
	}
}

func shop(t *testing.T) *source.Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := databasesql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"CREATE TABLE orders (id INTEGER PRIMARY KEY, who TEXT, paid DECIMAL(10,2), day DATE)",
		"INSERT INTO orders VALUES (1, 'Ann', 1.5, '2025-01-02'), (2, 'Bob', 2.25, '2025-02-03'), (3, 'Ann', 10, '2025-03-04')"} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := source.Open(t.Context(), source.Options{Name: "shop", Kind: "sqlite", URL: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// What is wrong with a declaration is said with its key and what to write.
func TestCheck(t *testing.T) {
	param := func(names ...string) (out []declared.Parameter) {
		for _, n := range names {
			out = append(out, declared.Parameter{Name: n})
		}
		return out
	}
	get := func(address string) *declared.Request { return &declared.Request{URL: address} }
	one := 1.0
	for _, test := range []struct {
		def  declared.Definition
		want string // "" is right
	}{
		{declared.Definition{SQL: "SELECT * FROM orders WHERE who = :who", Parameters: param("who")}, ""},
		{declared.Definition{SQL: "SELECT :who", Parameters: param("whom")}, ".sql has :who, which is not among the parameters; did you mean whom?"},
		{declared.Definition{SQL: "SELECT 1", Parameters: param("who")}, "has who, which stands nowhere; write :who"},
		{declared.Definition{SQL: "DELETE FROM orders"}, ".sql cannot be used: it begins with DELETE"},
		{declared.Definition{SQL: "SELECT 1", Source: "shops"}, `.source is "shops", which is no database of data.sources; there are: shop`},
		{declared.Definition{}, "has neither sql nor http"},
		{declared.Definition{SQL: "SELECT 1", HTTP: get("http://h/")}, "has both sql and http"},
		{declared.Definition{Name: "a__b", SQL: "SELECT 1"}, "is no name for a tool"},
		{declared.Definition{Description: "-", SQL: "SELECT 1", Result: declared.Mapping{Rows: "/a"}}, ".result.rows"},
		{declared.Definition{SQL: "SELECT :a", Parameters: []declared.Parameter{{Name: "a", Type: "int"}}}, `.parameters[0].type is "int"; it is one of array, boolean`},
		{declared.Definition{SQL: "SELECT :a", Parameters: param("a", "a")}, "as another one is"},
		{declared.Definition{SQL: "SELECT :a", Parameters: []declared.Parameter{{Name: "a", Type: "integer", Default: "x"}}}, "in enum or default"},
		{declared.Definition{SQL: "SELECT :a", Parameters: []declared.Parameter{{Name: "a", Type: "date", Default: "2025-02-30"}}}, "is no date"},
		{declared.Definition{SQL: "SELECT :a", Parameters: []declared.Parameter{{Name: "a", Minimum: &one}}}, "which only numbers have"},
		{declared.Definition{SQL: "SELECT :a", Parameters: []declared.Parameter{{Name: "a", Pattern: "("}}}, ".pattern"},
		{declared.Definition{SQL: "SELECT 1", Hints: declared.Hints{ReadOnly: new(bool)}}, ".annotations are of requests"},
		{declared.Definition{HTTP: get("http://h/{a}?x=1"), Parameters: param("a")}, ""},
		{declared.Definition{HTTP: get("http://h/{a}"), Parameters: []declared.Parameter{{Name: "a", Optional: true}}}, "which may be left out"},
		{declared.Definition{HTTP: get("http://{a}/"), Parameters: param("a")}, "the host is fixed"},
		{declared.Definition{HTTP: get("http://h/?q={a}"), Parameters: param("a")}, "write it under query"},
		{declared.Definition{HTTP: get("http://h/{a}")}, ".http.url has {a}, which is not among the parameters"},
		{declared.Definition{HTTP: get("http://u:p@h/")}, "holds a password"},
		{declared.Definition{HTTP: get("ftp://h/")}, "no http or https address"},
		{declared.Definition{HTTP: &declared.Request{URL: "http://h/", Body: map[string]any{"a": 1}}}, "stands beside GET"},
		{declared.Definition{HTTP: &declared.Request{URL: "http://h/", Method: "TRACE"}}, `.http.method is "TRACE"`},
		{declared.Definition{HTTP: &declared.Request{URL: "http://h/", Headers: map[string]string{"Host": "x"}}}, "is no header that can be set"},
		{declared.Definition{HTTP: &declared.Request{URL: "http://h/", Headers: map[string]string{"X": "a\nb"}}}, "has a character"},
		{declared.Definition{HTTP: &declared.Request{URL: "http://h/", Allow: []string{"localhost"}}}, "write 127.0.0.1 or 10.1.0.0/16"},
		{declared.Definition{HTTP: get("http://h/"), Result: declared.Mapping{Rows: "data"}}, "write a JSON pointer"},
	} {
		d := test.def
		if d.Name == "" {
			d.Name = "t"
		}
		if d.Description == "" {
			d.Description = "a test"
		}
		if d.SQL != "" && d.Source == "" {
			d.Source = "shop"
		}
		err := d.Check(map[string]string{"shop": "sqlite"})
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%+v: %s", test.def, got)
		}
	}
}

// registered offers one tool and gives a way to call it, with the arguments as JSON.
func registered(t *testing.T, d declared.Definition, find declared.Databases) func(args string) tools.Result {
	t.Helper()
	if d.Description == "" {
		d.Description = "a test"
	}
	if err := d.Check(map[string]string{"shop": "sqlite"}); err != nil {
		t.Fatal(err)
	}
	tool, err := d.Make(t.Context(), find)
	if err != nil {
		t.Fatal(err)
	}
	r := tools.NewRegistry(tools.Options{})
	if err := r.Register(tool); err != nil {
		t.Fatal(err)
	}
	return func(args string) tools.Result {
		t.Helper()
		var values map[string]any
		dec := json.NewDecoder(strings.NewReader(args))
		dec.UseNumber()
		if err := dec.Decode(&values); err != nil {
			t.Fatal(err)
		}
		res, err := r.Call(t.Context(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: d.Name, Args: values, Approve: true})
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		return res
	}
}

// rows is a table in one line: names, then cells.
func rows(res tools.Result) string {
	if res.Table == nil {
		return strings.TrimSpace(res.Code + " " + res.Text)
	}
	var out []string
	for _, c := range res.Table.Columns() {
		out = append(out, strings.TrimSuffix(c.Name+":"+c.Unit, ":"))
	}
	for i := range res.Table.NumRows() {
		for _, v := range res.Table.Row(i) {
			out = append(out, v.Text())
		}
	}
	return strings.Join(out, " ")
}

func TestStatement(t *testing.T) {
	call := registered(t, declared.Definition{
		Name: "orders_of", Source: "shop", SQL: "SELECT id, paid, day FROM orders WHERE who = :who AND day >= :since ORDER BY id LIMIT :most",
		Parameters: []declared.Parameter{{Name: "who"}, {Name: "since", Type: "date", Default: "2025-01-01"}, {Name: "most", Type: "integer", Default: 5}},
		Result:     declared.Mapping{Title: "Orders of {who}", Columns: []declared.Column{{Name: "day"}, {Name: "amount", From: "paid", Unit: "USD"}}},
	}, databases("shop", shop(t)))
	for args, want := range map[string]string{
		`{"who": "Ann"}`:                        "day amount:USD 2025-01-02 1.50 2025-03-04 10.00",
		`{"who": "Ann", "since": "2025-02-01"}`: "day amount:USD 2025-03-04 10",
		`{"who": "Ann", "most": 1}`:             "day amount:USD 2025-01-02 1.50",
		`{"who": "x' OR 'a' = 'a"}`:             "day amount:USD",
	} {
		res := call(args)
		if rows(res) != want || res.Handle == "" || !strings.HasPrefix(res.Title, "Orders of ") {
			t.Errorf("%s: %s (%s, %s)", args, rows(res), res.Title, res.Handle)
		}
	}
	for _, args := range []string{`{}`, `{"who": 7, "most": "many"}`, `{"who": "Ann", "since": "2025-02-30"}`, `{"who": "Ann", "other": 1}`} {
		if res := call(args); !res.IsError {
			t.Errorf("%s: %s", args, rows(res))
		}
	}
}

func TestStatementAtStart(t *testing.T) {
	find := databases("shop", shop(t))
	for text, want := range map[string]string{
		"SELECT id FROM shelf": "no such table: shelf", "SELECT FROM": "syntax error", "SELECT id AS day, day FROM orders": "two columns are called",
		"SELECT load_extension('x')": "not authorized", "SELECT id FROM orders": "result.columns[0] is of \"nothing\"",
	} {
		d := declared.Definition{Name: "t", Description: "a test", Source: "shop", SQL: text, Result: declared.Mapping{Columns: []declared.Column{{Name: "nothing"}}}}
		if _, err := d.Make(t.Context(), find); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// serve is a server on 127.0.0.1, and what it was asked last.
func serve(t *testing.T, handle func(w http.ResponseWriter, r *http.Request)) (address string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(handle))
	t.Cleanup(s.Close)
	return s.URL
}

func TestRequest(t *testing.T) {
	var asked string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body any
		_ = json.NewDecoder(r.Body).Decode(&body) // of some requests there is none
		asked = fmt.Sprint(r.Method, " ", r.URL.RequestURI(), " ", r.Header.Get("X-Key"), " ", body)
		fmt.Fprint(w, `{"data": {"items": [{"title": "A", "cost": 12.50, "tags": ["x"]}, {"title": "B", "cost": 3}]}, "next": null}`)
	})
	d := declared.Definition{
		Name: "books", HTTP: &declared.Request{
			Method: "POST", URL: base + "/authors/{author}/books", Query: map[string]string{"limit": "{limit}", "tag": "{tags}", "v": "2"},
			Headers: map[string]string{"X-Key": "canary-key"}, Allow: []string{"127.0.0.1"},
			Body: map[string]any{"lang": "{lang}", "text": "by {author}", "n": "{limit}"},
		},
		Parameters: []declared.Parameter{{Name: "author"}, {Name: "limit", Type: "integer", Default: 10}, {Name: "lang", Optional: true},
			{Name: "tags", Type: "array", Optional: true}},
		Result: declared.Mapping{Rows: "/data/items", Columns: []declared.Column{{Name: "title"}, {Name: "price", From: "cost", Unit: "EUR"}}},
	}
	call := registered(t, d, nil)
	for args, want := range map[string]string{
		`{"author": "Ann"}`: "POST /authors/Ann/books?limit=10&v=2 canary-key map[n:10 text:by Ann]",
		`{"author": "a/../b?c#d", "lang": "de", "tags": ["x", "y&z"]}`: "POST /authors/a%2F..%2Fb%3Fc%23d/books?limit=10&tag=x&tag=y%26z&v=2 canary-key map[lang:de n:10 text:by a/../b?c#d]",
	} {
		res := call(args)
		if asked != want {
			t.Errorf("%s: asked %s", args, asked)
		}
		if got := rows(res); got != "title price:EUR A 12.5 B 3" && got != "title price:EUR A 12.50 B 3.00" || !res.Untrusted || res.Handle == "" {
			t.Errorf("%s: %s", args, got)
		}
	}
	for _, args := range []string{`{"author": ".."}`, `{"author": ""}`, `{}`} {
		asked = ""
		if res := call(args); !res.IsError || asked != "" {
			t.Errorf("%s: %s, asked %s", args, rows(res), asked)
		}
	}
}

// What comes back is a table where it has rows, else its value or text; what is too much, elsewhere or forbidden is refused.
func TestAnswers(t *testing.T) {
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("another host was asked") })
	ended := make(chan struct{})
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/list":
			fmt.Fprint(w, `[{"a": 1}, {"a": 2}]`)
		case "/object":
			fmt.Fprint(w, `{"temperature": 21.50}`)
		case "/csv":
			fmt.Fprint(w, "a,b\n1,2\n3,4\n")
		case "/text":
			fmt.Fprint(w, "all is well")
		case "/none":
			fmt.Fprint(w, "[]")
		case "/large":
			fmt.Fprint(w, strings.Repeat("x", 2<<20))
		case "/missing":
			http.Error(w, "no such order", http.StatusNotFound)
		case "/here":
			http.Redirect(w, r, "/list", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/there":
			http.Redirect(w, r, other+"/list", http.StatusFound)
		case "/slow":
			<-ended
		}
	})
	defer close(ended)
	for path, want := range map[string]string{
		"/list": "a 1 2", "/object": "", "/csv": "a b 1 2 3 4", "/text": "all is well", "/none": "There are no rows.",
		"/large": "too_large", "/missing": "not_found", "/here": "a 1 2", "/there": "redirected", "/slow": "timeout",
	} {
		d := declared.Definition{Name: "t", HTTP: &declared.Request{URL: base + path, Allow: []string{"127.0.0.0/8"}, MaxMB: 1}}
		if path == "/slow" {
			d.Timeout = 50 * time.Millisecond
		}
		res := registered(t, d, nil)(`{}`)
		if got := rows(res); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", path, got)
		}
		if path == "/object" && !strings.Contains(fmt.Sprint(res.Structured), "21.50") {
			t.Errorf("%s: %v", path, res.Structured)
		}
	}
	port := base[strings.LastIndexByte(base, ':'):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "10.0.0.1", "[fe80::1]", "[64:ff9b::7f00:1]"} {
		d := declared.Definition{Name: "t", HTTP: &declared.Request{URL: "http://" + host + port + "/list", Query: map[string]string{"key": "canary"}}}
		res := registered(t, d, nil)(`{}`)
		if res.Code != "forbidden_address" || strings.Contains(res.Text, "canary") || !strings.Contains(res.Text, "http.allow_addresses") {
			t.Errorf("%s: %s %s", host, res.Code, res.Text)
		}
	}
}

// A key in the address is in no error.
func TestErrorsShowNoKey(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = c.Close()
		}
	})
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	d := declared.Definition{Name: "t", Description: "a test", HTTP: &declared.Request{Method: "POST", URL: base, Allow: []string{"127.0.0.1"}, Query: map[string]string{"key": "canary"}}}
	tool, err := d.Make(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Handler(t.Context(), tools.Call{})
	if err == nil || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), u.Host) {
		t.Error(err)
	}
}
