package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLoginAndRenewal(t *testing.T) {
	w := newWorld(t)
	w.scopes = "read"
	records := &memory{}
	c := New(Config{Resource: w.URL + "/mcp"}, sealedStore(t, records, secret), w)
	if token, err := c.Token(t.Context()); token != "" || err != nil {
		t.Fatalf("%q, %v", token, err)
	}
	if err := w.refused(t, c, ""); err != nil {
		t.Fatal(err)
	}
	q := w.asked[0]
	if q.Get("resource") != w.URL+"/mcp" || q.Get("scope") != "read" || q.Get("code_challenge_method") != "S256" || q.Get("client_id") != "client-1" || len(q.Get("state")) < 20 {
		t.Errorf("asked %v", q)
	}
	if w.grants[0].Get("resource") != w.URL+"/mcp" || w.register[0]["application_type"] != "native" {
		t.Errorf("grant %v, registration %v", w.grants[0], w.register[0])
	}
	// Another process, later: the token has ended, and is renewed; the refresh token is another one from then on.
	w.seconds = 1
	later := New(Config{Resource: w.URL + "/mcp"}, sealedStore(t, records, secret), nil)
	if token, err := later.Token(t.Context()); token != "access-1" || err != nil {
		t.Fatalf("%q, %v", token, err)
	}
	later.have.Ends = time.Now().Add(-time.Second)
	for _, want := range []string{"access-2", "access-3"} { // each lasts a second, so each is renewed
		if token, err := later.Token(t.Context()); token != want || err != nil {
			t.Fatalf("%q, %v; want %s", token, err, want)
		}
	}
	if g := w.grants[2]; g.Get("refresh_token") != "refresh-2" || g.Get("resource") != w.URL+"/mcp" {
		t.Errorf("the second renewal was %v", g)
	}
	// The first process still has the refresh token of before: it takes what the other has kept.
	if err := w.refused(t, c, "access-1"); err != nil {
		t.Fatal(err)
	}
	if token, _ := c.Token(t.Context()); token == "access-1" || token == "" || len(w.asked) != 1 {
		t.Errorf("%q after %d logins", token, len(w.asked))
	}
	for _, data := range records.have {
		if strings.Contains(string(data), "access-") || strings.Contains(string(data), "refresh-") {
			t.Error("a token stands in the store as it is")
		}
	}
}

// Whatever does not fit ends a login before its code is used.
func TestAnswersThatAreNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		want   string
		grants int
	}{
		"state":                {func(w *world) { w.answer.Set("state", "x") }, "state", 0},
		"issuer":               {func(w *world) { w.answer.Set("iss", "https://evil.example.com") }, "another authorization server", 0},
		"issuer, nearly":       {func(w *world) { w.answer.Set("iss", w.URL+"/") }, "another authorization server", 0},
		"no issuer":            {func(w *world) { w.answer["iss"] = nil }, "does not say which", 0},
		"an error":             {func(w *world) { w.answer.Set("error", "access_denied") }, "access_denied", 0},
		"an error of another":  {func(w *world) { w.answer.Set("error", "x"); w.answer.Set("iss", "https://evil.example.com") }, "another authorization server", 0},
		"no PKCE":              {func(w *world) { w.as["code_challenge_methods_supported"] = nil }, "PKCE", 0},
		"metadata of another":  {func(w *world) { w.as["issuer"] = "https://evil.example.com" }, "are those of", 0},
		"another resource":     {func(w *world) { w.prm["resource"] = "https://evil.example.com/mcp" }, "another server", 0},
		"a sibling's resource": {func(w *world) { w.prm["resource"] = w.URL + "/mc" }, "another server", 0},
		"plain http":           {func(w *world) { w.as["token_endpoint"] = "http://example.com/token" }, "not https", 0},
		"no registration":      {func(w *world) { w.as["registration_endpoint"] = nil }, "client_id", 0},
		"a wrong code":         {func(w *world) { w.answer.Set("code", "y") }, "invalid_grant", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.change(w)
			client := New(Config{Resource: w.URL + "/mcp"}, nil, w)
			err := w.refused(t, client, "")
			if err == nil || !strings.Contains(err.Error(), c.want) || len(w.grants) != c.grants {
				t.Errorf("%v after %d grants", err, len(w.grants))
			}
			if token, _ := client.Token(t.Context()); token != "" {
				t.Error("there is a token")
			}
		})
	}
}

// Without a person a login is needed, and which rights the next one is to ask for is kept.
func TestNobodyToAsk(t *testing.T) {
	w := newWorld(t)
	w.scopes = "read"
	records := &memory{}
	store := sealedStore(t, records, secret)
	running := New(Config{Resource: w.URL + "/mcp"}, store, nil)
	var login *LoginError
	if err := w.refused(t, running, ""); !errors.As(err, &login) || login.More {
		t.Fatal(err)
	}
	if running.Renewed(t.Context()) {
		t.Error("there is a token")
	}
	if err := New(Config{Resource: w.URL + "/mcp"}, store, w).Login(t.Context()); err != nil {
		t.Fatal(err)
	}
	if token, err := running.Token(t.Context()); !running.Renewed(t.Context()) || token != "" && token != "access-1" || err != nil {
		t.Errorf("%q, %v", token, err)
	}
	more := http.Header{"Www-Authenticate": {w.challenge(), `Bearer error="insufficient_scope", scope="write"`}}
	if err := running.Refused(t.Context(), http.StatusForbidden, more, "access-1"); !errors.As(err, &login) || !login.More {
		t.Fatal(err)
	}
	if err := New(Config{Resource: w.URL + "/mcp"}, store, w).Login(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.asked[1].Get("scope"); got != "read write" {
		t.Errorf("scope %q", got)
	}
	if len(w.register) != 1 {
		t.Errorf("%d registrations", len(w.register))
	}
}

// More rights are asked for once; a server that wants them again is not obeyed without an end.
func TestStepUp(t *testing.T) {
	w := newWorld(t)
	w.scopes = "read"
	c := New(Config{Resource: w.URL + "/mcp"}, nil, w)
	if err := w.refused(t, c, ""); err != nil {
		t.Fatal(err)
	}
	more := http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope", scope="write"`}}
	if err := c.Refused(t.Context(), http.StatusForbidden, more, "access-1"); err != nil {
		t.Fatal(err)
	}
	if got := w.asked[1].Get("scope"); got != "read write" {
		t.Errorf("scope %q", got)
	}
	if err := c.Refused(t.Context(), http.StatusForbidden, more, "access-2"); err == nil || len(w.asked) != 2 {
		t.Errorf("%v after %d logins", err, len(w.asked))
	}
	if err := c.Refused(t.Context(), http.StatusForbidden, http.Header{}, "access-2"); err == nil {
		t.Error("a plain 403 was taken for a step")
	}
}

// A client shows who it is in the way that the authorization server takes.
func TestMachines(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pemKey := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	for name, c := range map[string]struct {
		cfg     Config
		methods []string
		check   func(form url.Values, auth string) bool
	}{
		"basic": {Config{ClientID: "a b", ClientSecret: "s:%"}, nil, func(_ url.Values, auth string) bool {
			return auth == "Basic "+base64.StdEncoding.EncodeToString([]byte("a+b:s%3A%25"))
		}},
		"post": {Config{ClientID: "id", ClientSecret: "s"}, []string{"client_secret_post"}, func(f url.Values, auth string) bool {
			return auth == "" && f.Get("client_secret") == "s" && f.Get("client_id") == "id"
		}},
		"key": {Config{ClientID: "id", PrivateKey: pemKey}, nil, func(f url.Values, auth string) bool {
			return auth == "" && strings.Count(f.Get("client_assertion"), ".") == 2 && f.Get("client_secret") == ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.as["token_endpoint_auth_methods_supported"] = c.methods
			c.cfg.Resource, c.cfg.Machine, c.cfg.Scopes = w.URL+"/mcp", true, []string{"all"}
			client := New(c.cfg, nil, nil)
			if err := w.refused(t, client, ""); err != nil {
				t.Fatal(err)
			}
			f := w.grants[0]
			if f.Get("grant_type") != "client_credentials" || f.Get("scope") != "all" || f.Get("resource") != w.URL+"/mcp" || !c.check(f, w.auth[0]) {
				t.Errorf("%v, %q", f, w.auth[0])
			}
		})
	}
}

// What one authorization server gave is not shown to another, and a server of 2025-03-26 gives tokens itself.
func TestWhoGivesTokens(t *testing.T) {
	first, second := newWorld(t), newWorld(t)
	c := New(Config{Resource: first.URL + "/mcp", Allowed: []string{second.URL}}, nil, first)
	if err := first.refused(t, c, ""); err != nil {
		t.Fatal(err)
	}
	first.prm["authorization_servers"] = []string{second.URL}
	second.asked = []url.Values{{}}
	first.answer.Set("iss", second.URL)
	_ = first.refused(t, c, "access-1") // the second world does not know the challenge; what it was told counts
	if len(second.register) != 1 || len(second.grants) != 1 || second.grants[0].Get("client_id") != "client-1" || second.grants[0].Get("refresh_token") != "" {
		t.Errorf("registrations %v, grants %v", second.register, second.grants)
	}
	old := newWorld(t)
	old.noPRM = true
	c = New(Config{Resource: old.URL + "/mcp"}, nil, old)
	if err := c.Refused(t.Context(), http.StatusUnauthorized, http.Header{}, ""); err != nil {
		t.Error(err)
	}
}

// A record that is moved to another server, or read with another key, is none.
func TestSealed(t *testing.T) {
	m := &memory{}
	s := sealedStore(t, m, secret)
	if err := s.Put(t.Context(), "https://a.example.com", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), "https://a.example.com"); string(got) != "x" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := s.Get(t.Context(), "https://b.example.com"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	m.have[recordKind+" https://b.example.com"] = m.have[recordKind+" https://a.example.com"]
	if _, err := s.Get(t.Context(), "https://b.example.com"); !errors.Is(err, ErrSealed) {
		t.Error(err)
	}
	if _, err := sealedStore(t, m, "another secret of the test's").Get(t.Context(), "https://a.example.com"); !errors.Is(err, ErrSealed) {
		t.Error(err)
	}
	if _, err := Sealed(m, []byte("short")); err == nil {
		t.Error("a short secret was taken")
	}
}

func TestChallenges(t *testing.T) {
	for line, want := range map[string]challenge{
		`Bearer resource_metadata="https://a/b", scope="x y", error="invalid_token"`: {"https://a/b", "x y", "invalid_token"},
		`bearer error=insufficient_scope,scope=x`:                                    {"", "x", "insufficient_scope"},
		`Basic realm="x", Bearer scope="y"`:                                          {"", "y", ""},
		`Basic realm="x"`:                                                            {},
		`Bearer`:                                                                     {},
		`Bearer scope="a\"b`:                                                         {"", `a"b`, ""},
	} {
		if diff := cmp.Diff(want, challengeOf(http.Header{"Www-Authenticate": {line}}), cmp.AllowUnexported(challenge{})); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add(`Bearer scope="a", error=b`)
	f.Add(`Bearer ,=,=",`)
	f.Fuzz(func(_ *testing.T, line string) { challengeOf(http.Header{"Www-Authenticate": {line}}) })
}
