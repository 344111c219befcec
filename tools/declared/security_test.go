package declared_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"catena/tools/declared"
)

// What a document asks of callers is sent where its schemes say, and is no parameter.
func TestCredentials(t *testing.T) {
	var asked string
	base := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		asked = fmt.Sprint(r.URL.RequestURI(), " ", r.Header.Get("X-Key"), " ", r.Header.Get("Cookie"), " ", r.Header.Get("Authorization"))
	})
	f := declared.File{
		Name: "keys.yaml", Data: readFile(t, "keys.yaml"), BaseURL: base, Each: declared.Request{Allow: []string{"127.0.0.1"}},
		Credentials: map[string]string{
			"inHeader": "h {q}", "inQuery": "a&b=c {q}", "inCookie": "c=", "basic": "ann:p:w", "bearer": "t.1", "oauth": "t.2",
		},
	}
	list, left, err := f.Tools(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"header": "/header h {q}  ", "query": "/query?key=a%26b%3Dc+%7Bq%7D   ", "cookie": "/cookie  sid=c= ", "basic": "/basic   Basic YW5uOnA6dw==",
		"bearer": "/bearer   Bearer t.1", "oauth": "/oauth   Bearer t.2", "both": "/both?key=a%26b%3Dc+%7Bq%7D h {q}  ", "anyone": "/anyone   ",
		"maybe": "/maybe h {q}  ",
	}
	for _, d := range list {
		asked = ""
		res := registered(t, d, nil)(`{}`)
		if asked != want[d.Name] || res.IsError {
			t.Errorf("%s: asked %q, want %q", d.Name, asked, want[d.Name])
		}
		delete(want, d.Name)
	}
	if len(want) > 0 {
		t.Errorf("not taken: %v", slices.Sorted(maps.Keys(want)))
	}
	golden(t, "keys.golden", told(t, nil, left))
}

// Without credentials those that need one are left out, each reason once; headers and queries of the settings count.
func TestCredentialsThatAreMissing(t *testing.T) {
	read := func(f declared.File) string {
		f.Name, f.Data, f.Allow = "keys.yaml", readFile(t, "keys.yaml"), []string{"[hqcbao]*", "maybe"}
		list, left, err := f.Tools(nil)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, d := range list {
			out = append(out, d.Name)
		}
		for _, err := range left {
			out = append(out, err.Error())
		}
		return strings.Join(out, "\n")
	}
	golden(t, "nokeys.golden", read(declared.File{})+"\n--\n"+read(declared.File{Each: declared.Request{
		Headers: map[string]string{"x-key": "k", "authorization": "Bearer x", "Cookie": "sid=1"}, Query: map[string]string{"key": "k"}}})+"\n")
	for name, test := range map[string]struct{ value, want string }{
		"inHaeder": {"k", "credentials.inHaeder is of no security scheme of the document; did you mean inHeader?"},
		"bearer":   {"id:secret", "credentials.bearer is no token"}, "oauth": {"a b", "credentials.oauth is no token"},
		"basic": {"ann", "credentials.basic is no user and password"}, "inHeader": {"a\nb", "credentials.inHeader is empty, or has a character"},
		"inQuery": {"", "credentials.inQuery is empty"}, "inCookie": {"a;b", "credentials.inCookie is empty, or has a character"},
		"digest": {"k", "credentials.digest is of a security scheme that cannot be used: it is HTTP's \"digest\""},
		"odd":    {"k", "credentials.odd is of a security scheme that cannot be used: its key is in \"header\" as \"Host\""},
	} {
		got := read(declared.File{Credentials: map[string]string{name: test.value}})
		if !strings.Contains(got, test.want) || test.value != "" && test.value != "k" && strings.Contains(got, test.value) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
