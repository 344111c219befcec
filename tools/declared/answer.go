package declared

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"catena/table"
	tablejson "catena/table/json"
	"catena/table/load"
	"catena/tools"
)

// requester makes the requests of one tool.
type requester struct {
	def    *Definition
	client *http.Client
	most   int64 // bytes of an answer
}

// maxRedirects bounds how often an answer may point elsewhere on its host.
const maxRedirects = 5

// newRequester makes one for a declaration that Check has passed. Proxies of the environment are not used: behind one
// nobody could tell where a request goes.
func newRequester(d *Definition) *requester {
	allowed, _ := readNetworks(d.HTTP.Allow) // checked
	most := int64(d.HTTP.MaxMB)
	if most == 0 {
		most = DefaultAnswerMB
	}
	const idle = 90 * time.Second
	transport := &http.Transport{
		DialContext: dialer(allowed).DialContext, ForceAttemptHTTP2: true, MaxIdleConns: 4, IdleConnTimeout: idle,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 256 << 10,
	}
	return &requester{def: d, most: most << 20, client: &http.Client{Transport: transport, CheckRedirect: sameHost}}
}

// redirectError says that an answer points to another place, where nothing was sent.
type redirectError struct{ to string }

func (e *redirectError) Error() string {
	return "its answer points to " + e.to +
		", which is another host and is not followed; if that is right, write that address in http.url"
}

// sameHost follows what stays at the place that was asked.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	if req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return &redirectError{req.URL.Scheme + "://" + req.URL.Host}
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("its answers point on and on; %d are followed", maxRedirects)
	}
	if req.Method != first.Method {
		return http.ErrUseLastResponse // what was sent would become another request
	}
	return nil
}

// call is a call of the tool.
func (q *requester) call(ctx context.Context, call tools.Call) (tools.Result, error) {
	d := q.def
	values, err := d.values(call.Args)
	if err != nil {
		return tools.FailedBy(err)
	}
	req, err := d.HTTP.request(ctx, values)
	if err != nil {
		return tools.Failed(tools.CodeBadValue, err.Error()+"."), nil
	}
	res, err := q.client.Do(req)
	if err != nil {
		return q.unanswered(ctx, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, q.most+1))
	if err != nil {
		return q.unanswered(ctx, err)
	}
	if int64(len(body)) > q.most {
		text := fmt.Sprintf("%s answered with more than %d MB; ask for less, or raise http.max_mb.", req.URL.Host,
			q.most>>20)
		return tools.Failed(tools.CodeTooLarge, text), nil
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return refused(req.URL.Host, res, body), nil
	}
	out, err := q.read(ctx, body, values)
	out.Untrusted = !d.Trusted
	return out, err
}

// unanswered says why there is no answer. Nothing of the address but its host is shown: its query may hold a key.
func (q *requester) unanswered(ctx context.Context, err error) (tools.Result, error) {
	if ctx.Err() != nil {
		return tools.Result{}, ctx.Err()
	}
	host := ""
	if u, perr := url.Parse(place.ReplaceAllString(q.def.HTTP.URL, "x")); perr == nil {
		host = u.Host
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	var forbidden *forbiddenError
	var redirect *redirectError
	var lookup *net.DNSError
	switch {
	case errors.As(err, &forbidden):
		return tools.Failed("forbidden_address", host+" is not asked: "+forbidden.Error()+"."), nil
	case errors.As(err, &redirect):
		return tools.Failed("redirected", host+" is not asked further: "+redirect.Error()+"."), nil
	case errors.As(err, &lookup):
		return tools.Failed(tools.CodeUnavailable, host+" is not known: check http.url and the network's names."), nil
	}
	if methods[q.def.HTTP.method()].safe {
		return tools.Result{}, fmt.Errorf("%s does not answer: %w: %w", host, err, tools.ErrTransient)
	}
	return tools.Result{}, fmt.Errorf("%s does not answer: %w", host, err)
}

// codesOfStatus are what some answers mean; others have the code http_ and their status.
var codesOfStatus = map[int]string{
	http.StatusUnauthorized: "denied", http.StatusForbidden: "denied", http.StatusNotFound: tools.CodeNotFound,
	http.StatusTooManyRequests: tools.CodeUnavailable, http.StatusBadGateway: tools.CodeUnavailable,
	http.StatusServiceUnavailable: tools.CodeUnavailable, http.StatusGatewayTimeout: tools.CodeUnavailable,
}

// refused is an answer that says no.
func refused(host string, res *http.Response, body []byte) tools.Result {
	code := codesOfStatus[res.StatusCode]
	if code == "" {
		code = "http_" + strconv.Itoa(res.StatusCode)
	}
	const long = 500
	text := fmt.Sprintf("%s answered %d %s.", host, res.StatusCode, http.StatusText(res.StatusCode))
	said := strings.Join(strings.Fields(string(body[:min(len(body), 4*long)])), " ")
	if said != "" && utf8.ValidString(said) {
		text += " It says: " + said[:min(len(said), long)]
	}
	out := tools.Failed(code, strings.ToValidUTF8(text, ""))
	out.Untrusted = true
	return out
}

// read makes a result of an answer: a table where it has rows, else its value or text.
func (q *requester) read(ctx context.Context, body []byte, values map[string]any) (tools.Result, error) {
	d := q.def
	lim := table.Limits{}.WithContext(ctx)
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return tools.Result{Text: "Done: the answer is empty."}, nil
	}
	if d.Result.Rows != "" {
		return d.pointed(body, values, lim)
	}
	if string(body) == "[]" {
		return d.noRows(values)
	}
	if list, ok := load.ReadListing(body, d.Name, lim); ok && list.Certain() {
		out, err := d.result(list.Table, beside(list), values)
		out.Total = list.Count()
		return out, err
	}
	if !json.Valid(body) {
		if !utf8.Valid(body) {
			return tools.Failed(tools.CodeBadTable, "The answer is neither a text nor JSON."), nil
		}
		return tools.Result{Text: string(body)}, nil
	}
	return structured(ctx, body)
}

// pointed is the table at the place in an answer that the declaration names.
func (d *Definition) pointed(body []byte, values map[string]any, lim table.Limits) (tools.Result, error) {
	rows, err := pointer(body, d.Result.Rows)
	if err != nil {
		reason := "the answer has no rows there: " + err.Error()
		return tools.FailedBy(&tools.ArgumentError{Argument: "result.rows", Code: tools.CodeBadTable, Reason: reason,
			Err: err})
	}
	if empty(rows) {
		return d.noRows(values)
	}
	if rows[0] == '{' { // one row
		rows = append(append(json.RawMessage{'['}, rows...), ']')
	}
	t, err := load.Any(rows, lim)
	if err != nil {
		return tools.FailedBy(err)
	}
	return d.result(t, nil, values)
}

// beside notes the fields that an answer has beside its rows.
func beside(list load.Listing) []string {
	const most, long = 10, 100
	var told []string
	for _, f := range list.Beside {
		value := strings.Trim(string(f.Value), `"`)
		if value != "" && value != "null" && len(value) <= long && len(told) < most {
			told = append(told, f.Name+" "+value)
		}
	}
	if len(told) == 0 {
		return nil
	}
	return []string{"Beside the rows: " + strings.Join(told, "; ") + "."}
}

// structured is an answer in JSON that is no list of rows.
func structured(ctx context.Context, body []byte) (tools.Result, error) {
	if err := table.WorkOf(ctx).Draw(tablejson.Memory(body)); err != nil {
		return tools.FailedBy(err)
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return tools.Result{}, err
	}
	if _, ok := v.(map[string]any); !ok {
		v = map[string]any{"value": v}
	}
	return tools.Result{Structured: v}, nil
}

func empty(rows json.RawMessage) bool {
	text := strings.Join(strings.Fields(string(rows[:min(len(rows), 16)])), "")
	return text == "[]" || text == "null"
}

// noRows is a table without rows; without columns, too, where the declaration names none.
func (d *Definition) noRows(values map[string]any) (tools.Result, error) {
	cols := make([]table.Column, 0, len(d.Result.Columns))
	for _, c := range d.Result.Columns {
		cols = append(cols, c.over(table.Column{Name: c.Name, Type: table.Text}))
	}
	if len(cols) == 0 {
		return tools.Result{Text: "There are no rows."}, nil
	}
	return tools.Result{Table: table.NewBuilder(cols...).Table(), Name: d.Name,
		Title: fill(d.Result.Title, values, plainText)}, nil
}

// pointer is the value at a JSON pointer (RFC 6901).
func pointer(raw json.RawMessage, path string) (json.RawMessage, error) {
	for _, part := range strings.Split(path, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(raw, &object) == nil && object != nil:
			if raw = object[part]; raw == nil {
				return nil, fmt.Errorf("there is no %q", part)
			}
		case json.Unmarshal(raw, &list) == nil:
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(list) {
				return nil, fmt.Errorf("the list has no %q", part)
			}
			raw = list[n]
		default:
			return nil, fmt.Errorf("%q is in no object", part)
		}
	}
	return bytes.TrimSpace(raw), nil
}
