package declared

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/net/http/httpguts"
)

// Request declares a request over HTTP. Texts may hold parameters as {name}.
type Request struct {
	Method string // GET (also ""), HEAD, POST, PUT, PATCH, DELETE
	URL    string // http or https; parameters stand in its path only
	Query  map[string]string
	// Headers are those of each request. Their values are never shown, and neither are Query's.
	Headers map[string]string
	Auth    []Credential
	Body    any // JSON; nil sends none
	// Allow are addresses and networks that are not the internet's and that the host may have, as 127.0.0.1 and
	// 10.0.0.0/8.
	Allow []string
	MaxMB int // MiB of an answer; 0 is DefaultAnswerMB
	// Joined are parameters whose lists stand in a query with commas, not repeated.
	Joined []string
}

// DefaultAnswerMB is how large an answer may be where a declaration does not say.
const DefaultAnswerMB = 8

// method is what a method does, as RFC 9110 has it.
type method struct{ safe, idempotent, body bool }

var methods = map[string]method{
	http.MethodGet: {true, true, false}, http.MethodHead: {true, true, false}, http.MethodPost: {false, false, true},
	http.MethodPut: {false, true, true}, http.MethodPatch: {false, false, true}, http.MethodDelete: {false, true, true},
}

func (r *Request) method() string {
	if r.Method == "" {
		return http.MethodGet
	}
	return strings.ToUpper(r.Method)
}

// ownHeaders are set for each request by what sends it.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding", "Upgrade",
	"Trailer", "Te"}

// check says what is wrong with a request, and notes which parameters stand in it. No value is shown: each may be a
// secret.
func (r *Request) check(v *findings, d *Definition, used map[string]bool) {
	v.that(d.Source == "", "source", "is of sql; a request has none")
	m, ok := methods[r.method()]
	v.that(ok, "http.method", "is %q; it is one of %s", r.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", "))
	r.checkURL(v)
	texts := map[string]string{"http.url": r.URL}
	for name, text := range r.Query {
		texts["http.query."+name] = text
	}
	for name, text := range r.Headers {
		texts["http.headers."+name] = text
		own := slices.Contains(ownHeaders, http.CanonicalHeaderKey(name))
		v.that(httpguts.ValidHeaderFieldName(name) && !own, "http.headers."+name,
			"is no header that can be set; leave it out")
		v.that(httpguts.ValidHeaderFieldValue(text), "http.headers."+name, "has a character that no header can have")
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		r.checkPlaces(v, d, key, texts[key], used)
	}
	v.that(r.Body == nil || m.body || !ok, "http.body", "stands beside %s, which has none", r.method())
	err := eachText(r.Body, 0, func(text string) { r.checkPlaces(v, d, "http.body", text, used) })
	v.that(err == nil, "http.body", "%v", err)
	_, err = readNetworks(r.Allow)
	v.that(err == nil, "http.allow_addresses", "%v", err)
	v.that(r.MaxMB >= 0 && r.MaxMB <= 256, "http.max_mb", "is %d; it goes from 0 to 256", r.MaxMB)
	rows := d.Result.Rows
	v.that(rows == "" || rows[0] == '/', "result.rows", "is %q; write a JSON pointer, as /data/items", rows)
}

// checkPlaces checks the parameters of one text.
func (r *Request) checkPlaces(v *findings, d *Definition, key, text string, used map[string]bool) {
	for _, name := range placed(text) {
		used[name] = true
		if p := d.parameter(name); p != nil && key == "http.url" {
			v.that(p.required() || p.Default != nil, key,
				"has {%s}, which may be left out; give it a default, or make it required", name)
		}
	}
	v.texts(key, text, d)
}

func (r *Request) checkURL(v *findings) {
	u, err := url.Parse(place.ReplaceAllString(r.URL, "x"))
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !v.that(ok, "http.url", "is no http or https address, as in https://api.example.com/orders/{id}") {
		return
	}
	v.that(u.User == nil, "http.url", "holds a password; use headers, as in {Authorization: \"Bearer ${TOKEN}\"}")
	v.that(u.Fragment == "", "http.url", "has a part behind #, which is never sent; leave it out")
	path := strings.Index(r.URL, "://") + len("://")
	host, rest, _ := strings.Cut(r.URL[path:], "/")
	_, query, _ := strings.Cut(rest, "?")
	v.that(len(placed(host)) == 0, "http.url", "has a parameter in its host; the host is fixed")
	v.that(len(placed(query)) == 0, "http.url", "has a parameter behind ?; write it under query")
}

// annotations are what the method says, and the declaration in its place.
func (d *Definition) annotations() mcp.ToolAnnotation {
	m := methods[d.HTTP.method()]
	h, open := d.Hints, true
	reads := m.safe
	if h.ReadOnly != nil {
		reads = *h.ReadOnly
	}
	destroys, again := !reads, reads || m.idempotent
	if h.Destructive != nil {
		destroys = *h.Destructive
	}
	if h.Idempotent != nil {
		again = *h.Idempotent
	}
	return mcp.ToolAnnotation{ReadOnlyHint: &reads, DestructiveHint: &destroys, IdempotentHint: &again,
		OpenWorldHint: &open}
}

// errNoSegment says that a value cannot stand in a path.
var errNoSegment = errors.New("nothing, an empty text, . and .. cannot stand in an address")

// request makes the request for values.
func (r *Request) request(ctx context.Context, values map[string]any) (*http.Request, error) {
	address, err := r.address(values)
	if err != nil {
		return nil, err
	}
	body, err := r.body(values)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, r.method(), address, body)
	if err != nil {
		return nil, errors.New("the request cannot be made of these values")
	}
	req.Header.Set("Accept", "application/json, text/csv;q=0.9, */*;q=0.5")
	req.Header.Set("User-Agent", "catena")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, text := range r.Headers {
		for _, value := range r.placeValues(text, values) {
			if !httpguts.ValidHeaderFieldValue(value) {
				return nil, fmt.Errorf("a value for the header %s has a character that none can have", name)
			}
			req.Header.Set(name, value)
		}
	}
	for _, c := range r.Auth {
		c.set(req)
	}
	return req, nil
}

// address is where the request goes.
func (r *Request) address(values map[string]any) (string, error) {
	for _, name := range placed(r.URL) {
		text := ""
		if v := values[name]; v != nil {
			text = valueText(v)
		}
		if text == "" || text == "." || text == ".." {
			return "", errNoSegment
		}
	}
	u, err := url.Parse(fill(r.URL, values, url.PathEscape))
	if err != nil {
		return "", errors.New("the address cannot be made of these values")
	}
	query := u.Query()
	for name, text := range r.Query {
		for _, value := range r.placeValues(text, values) {
			query.Add(name, value)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// body is what is sent; nil is nothing.
func (r *Request) body(values map[string]any) (io.Reader, error) {
	sent := filled(r.Body, values)
	if sent == nil || isAbsent(sent) {
		return nil, nil //nolint:nilnil // nothing is sent
	}
	raw, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(raw), nil
}

// placeValues are what a text of a query or header stands for: several for a list, none for a parameter that was left
// out.
func (r *Request) placeValues(text string, values map[string]any) []string {
	name := only(text)
	if name == "" {
		return []string{fill(text, values, plainText)}
	}
	v, ok := values[name]
	list, many := v.([]any)
	switch {
	case !ok:
		return nil
	case !many:
		return []string{valueText(v)}
	}
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = valueText(x)
	}
	if slices.Contains(r.Joined, name) {
		return []string{strings.Join(out, ",")}
	}
	return out
}
