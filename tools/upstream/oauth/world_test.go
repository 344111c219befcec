package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// world is a protected server and its authorization server, on one address.
type world struct {
	*httptest.Server
	mu       sync.Mutex
	as       map[string]any // changes of the authorization server's metadata; a nil takes a field away
	prm      map[string]any // of the resource's
	noPRM    bool
	answer   url.Values // changes of the redirect's query
	seconds  int        // that a token lasts
	scopes   string     // that the server challenges with
	asked    []url.Values
	grants   []url.Values
	auth     []string // Authorization of the token requests
	register []map[string]any
	valid    string // the access token that is good
	refresh  string // the refresh token that is good
	n        int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{as: map[string]any{}, prm: map[string]any{}, answer: url.Values{}, seconds: 3600}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", func(rw http.ResponseWriter, _ *http.Request) {
		if w.noPRM {
			http.NotFound(rw, nil)
			return
		}
		document(rw, map[string]any{"resource": w.URL + "/mcp", "authorization_servers": []string{w.URL}}, w.prm)
	})
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(rw http.ResponseWriter, _ *http.Request) {
		document(rw, map[string]any{
			"issuer": w.URL, "authorization_endpoint": w.URL + "/authorize", "token_endpoint": w.URL + "/token", "registration_endpoint": w.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
		}, w.as)
	})
	mux.HandleFunc("POST /register", w.registration)
	mux.HandleFunc("POST /token", w.token)
	mux.HandleFunc("POST /mcp", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Www-Authenticate", w.challenge())
		rw.WriteHeader(http.StatusUnauthorized)
	})
	w.Server = httptest.NewServer(mux)
	t.Cleanup(w.Close)
	return w
}

func document(rw http.ResponseWriter, doc, changes map[string]any) {
	maps.Copy(doc, changes)
	maps.DeleteFunc(doc, func(_ string, v any) bool { return v == nil })
	_ = json.NewEncoder(rw).Encode(doc)
}

func (w *world) challenge() string {
	return fmt.Sprintf(`Bearer realm="a, b", resource_metadata="%s/.well-known/oauth-protected-resource/mcp", scope="%s"`, w.URL, w.scopes)
}

func (w *world) registration(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var about map[string]any
	_ = json.NewDecoder(r.Body).Decode(&about)
	w.register = append(w.register, about)
	rw.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(rw).Encode(map[string]any{"client_id": fmt.Sprintf("client-%d", len(w.register)), "token_endpoint_auth_method": about["token_endpoint_auth_method"]})
}

func (w *world) token(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = r.ParseForm()
	w.grants, w.auth = append(w.grants, r.PostForm), append(w.auth, r.Header.Get("Authorization"))
	refuse := func(code string) {
		rw.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(rw).Encode(map[string]any{"error": code})
	}
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if w.asked[len(w.asked)-1].Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || r.PostForm.Get("code") != "the-code" {
			refuse("invalid_grant")
			return
		}
	case "refresh_token":
		if r.PostForm.Get("refresh_token") != w.refresh {
			refuse("invalid_grant")
			return
		}
	}
	w.n++
	w.valid, w.refresh = fmt.Sprintf("access-%d", w.n), fmt.Sprintf("refresh-%d", w.n)
	_ = json.NewEncoder(rw).Encode(map[string]any{"access_token": w.valid, "token_type": "bearer", "expires_in": w.seconds, "refresh_token": w.refresh})
}

// Redirect and Ask make a world a person who agrees at once.
func (*world) Redirect() string { return "http://127.0.0.1:7/callback" }

func (w *world) Ask(_ context.Context, address string) (url.Values, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, u.Query())
	q := url.Values{"code": {"the-code"}, "state": {u.Query().Get("state")}, "iss": {w.URL}}
	for key, v := range w.answer {
		if q[key] = v; v == nil {
			delete(q, key)
		}
	}
	return q, nil
}

// refused tells a client of a 401, with a token.
func (w *world) refused(t *testing.T, c *Client, token string) error {
	t.Helper()
	return c.Refused(t.Context(), http.StatusUnauthorized, http.Header{"Www-Authenticate": {w.challenge()}}, token)
}

// memory is a Records in memory.
type memory struct {
	mu   sync.Mutex
	have map[string][]byte
}

func (m *memory) PutRecord(_ context.Context, kind, id string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.have == nil {
		m.have = map[string][]byte{}
	}
	m.have[kind+" "+id] = slices.Clone(data)
	return nil
}

func (m *memory) Records(_ context.Context, kind string, each func(string, []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, data := range m.have {
		if id, ok := strings.CutPrefix(key, kind+" "); ok {
			if err := each(id, slices.Clone(data)); err != nil {
				return err
			}
		}
	}
	return nil
}

func sealedStore(t *testing.T, m *memory, secret string) Store {
	t.Helper()
	s, err := Sealed(m, []byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const secret = "a secret of the test's"
