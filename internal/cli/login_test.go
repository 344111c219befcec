package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"catena/internal/e2e/e2etest"
	"catena/tools/upstream/oauth"
)

// The browser's answer is taken from the right path with the right state, and from nowhere else.
func TestSignIn(t *testing.T) {
	out := &e2etest.LogBuffer{}
	b, err := newSignIn(t.Context(), out, false, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	done := make(chan url.Values, 1)
	go func() {
		q, err := b.Ask(t.Context(), "https://as.example.com/authorize?state=right")
		if err != nil {
			t.Error(err)
		}
		done <- q
	}()
	for path, want := range map[string]int{"?state=wrong&code=x": 400, "?code=x": 400} {
		if got := visit(t, b.Redirect()+path); got != want {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got := visit(t, strings.TrimSuffix(b.Redirect(), "/callback")+"/?state=right"); got != 400 {
		t.Errorf("another path: %d", got)
	}
	if got := visit(t, b.Redirect()+"?state=right&code=good"); got != 200 {
		t.Errorf("the answer: %d", got)
	}
	if q := <-done; q.Get("code") != "good" || !strings.Contains(out.String(), "https://as.example.com/authorize") {
		t.Errorf("%v, %s", q, out.String())
	}
}

func visit(t *testing.T, address string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}

// The command signs in from end to end: what it prints is opened, and what the authorization server gives is in the store, encrypted.
func TestLoginCommand(t *testing.T) {
	var as *httptest.Server
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who?", http.StatusUnauthorized) })
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q]}`, as.URL+"/mcp", as.URL)
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%q,"token_endpoint":%q,"code_challenge_methods_supported":["S256"]}`, as.URL, as.URL+"/authorize", as.URL+"/token")
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=c&iss="+url.QueryEscape(as.URL)+"&state="+q.Get("state"), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("code") != "c" || r.FormValue("client_id") != "known" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"the-access-token","token_type":"Bearer","refresh_token":"the-refresh-token"}`)
	})
	as = httptest.NewServer(mux)
	defer as.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	settings := fmt.Sprintf("store: {dir: %q}\nmcpServers: {wiki: {url: %q, oauth: {client_id: known}}, files: {command: x}}\n", dir, as.URL+"/mcp")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &opening{find: regexp.MustCompile(`http\S+/authorize\S+`), open: func(address string) { visit(t, address) }}
	run := func(args ...string) error {
		cmd := RootCommand(e2etest.Settings())
		cmd.SetArgs(append([]string{"--config", file}, args...))
		cmd.SetOut(io.Discard)
		cmd.SetErr(said)
		return cmd.ExecuteContext(t.Context())
	}
	if err := run("tools", "login", "wiki", "--no-browser"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, []byte("the-access-token")) || bytes.Contains(data, []byte("the-refresh-token")) {
			t.Errorf("%s holds a token as it is", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	key, err := os.Stat(filepath.Join(dir, "mcp.key"))
	if err != nil || key.Mode().Perm() != 0o600 || key.Size() < oauth.MinSecret {
		t.Errorf("%v, %v", key, err)
	}
	if err := run("tools", "logout", "wiki"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"files", "nobody"} {
		if err := run("tools", "login", name, "--no-browser"); err == nil {
			t.Errorf("%s was signed in to", name)
		}
	}
}

// opening opens the address that is printed to it, as a person would.
type opening struct {
	find *regexp.Regexp
	open func(string)
}

// Write implements io.Writer.
func (o *opening) Write(p []byte) (int, error) {
	if address := o.find.FindString(string(p)); address != "" {
		go o.open(address)
	}
	return len(p), nil
}
