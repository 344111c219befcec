package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"catena/tools/upstream/oauth"
)

// authorizer gives tokens for the server's address. It is nil for a program, and where a header says already who asks.
func (s *Servers) authorizer(c Config) Authorizer {
	if c.transport() == Stdio {
		return nil
	}
	for name := range c.Headers {
		if strings.EqualFold(name, "Authorization") {
			return nil
		}
	}
	return s.client(c)
}

// client is the OAuth client for a server's address.
func (s *Servers) client(c Config) *oauth.Client {
	cfg := c.OAuth
	cfg.Resource = c.URL
	return oauth.New(cfg, s.opt.Tokens, s.opt.Login)
}

// Login signs in to a configured server with Options.Login, whatever tokens there are, and keeps what it gets in
// Options.Tokens. A running server of the same name, in this process or another, uses it soon.
func (s *Servers) Login(ctx context.Context, name string) error {
	c, err := s.protected(name)
	if err != nil {
		return err
	}
	return s.client(c).Login(ctx)
}

// Logout forgets the tokens for a configured server, and the client that we were to its authorization server.
func (s *Servers) Logout(ctx context.Context, name string) error {
	c, err := s.protected(name)
	if err != nil {
		return err
	}
	return s.client(c).Forget(ctx)
}

// ErrNoLogin says that a server is none that one signs in to. Use errors.Is.
var ErrNoLogin = errors.New("there is nothing to sign in to")

// protected is the configuration of a server that one may sign in to.
func (s *Servers) protected(name string) (Config, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var known []string
	for _, srv := range s.list {
		switch {
		case srv.Name != name:
			known = append(known, srv.Name)
		case s.authorizer(srv.Config) == nil:
			return Config{}, fmt.Errorf("mcpServers: %q is a program, or has an Authorization header of its own: %w",
				name, ErrNoLogin)
		case srv.OAuth.Machine:
			return Config{}, fmt.Errorf("mcpServers: %q signs in by itself (client_credentials): %w", name, ErrNoLogin)
		default:
			return srv.Config, nil
		}
	}
	return Config{}, fmt.Errorf("mcpServers: there is no %q; there are: %s: %w", name,
		strings.Join(known, ", "), ErrNoLogin)
}

// needsLogin is what people are told about a server that wants a login, "" for any other error.
func needsLogin(server string, err error) string {
	var login *oauth.LoginError
	if !errors.As(err, &login) {
		return ""
	}
	return fmt.Sprintf("%s; run: catena tools login %s", sentenceCase(login.Error()), server)
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// loginPoll is how often it is looked for a login that somebody made.
const loginPoll = 3 * time.Second

// awaitLogin waits until there are tokens for the server that were not there before. It reports false when ctx ended.
func (s *server) awaitLogin(ctx context.Context) bool {
	client, ok := s.auth.(*oauth.Client)
	t := time.NewTicker(loginPoll)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-t.C:
			if !ok || client.Renewed(ctx) {
				return true
			}
		}
	}
}

// Authorizer gives requests to a protected server what it wants to see. *oauth.Client is one.
type Authorizer interface {
	// Token is the access token to send, "" while there is none.
	Token(ctx context.Context) (string, error)
	// Refused takes an answer of 401 or 403 to a request that was sent with a token. Without an error the request may
	// be sent again, with another token.
	Refused(ctx context.Context, status int, header http.Header, token string) error
}

// maxAuthorizations is how often one request may be refused: once to hear who gives tokens, once for more rights.
const maxAuthorizations = 3

// do is doAt for the address of the server.
func (w *httpWire) do(ctx context.Context, method string, body []byte, more func(http.Header)) (*http.Response, error) {
	return w.doAt(ctx, w.url, method, body, more)
}

// doAt sends a request, with a token where one is needed.
func (w *httpWire) doAt(
	ctx context.Context, url, method string, body []byte, more func(http.Header),
) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name, value := range w.headers {
			req.Header.Set(name, value)
		}
		more(req.Header)
		if v := w.c.proto.version; v != "" {
			req.Header.Set("Mcp-Protocol-Version", v)
		}
		if id := w.session.Load(); id != nil {
			req.Header.Set("Mcp-Session-Id", *id)
		}
		token := ""
		if w.auth != nil {
			if token, err = w.auth.Token(ctx); err != nil {
				return nil, err
			}
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
		}
		resp, err := w.client.Do(req)
		if err != nil || w.auth == nil || attempt == maxAuthorizations {
			return resp, err
		}
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection may be used again
		_ = resp.Body.Close()                         // read only
		if err := w.auth.Refused(ctx, resp.StatusCode, resp.Header, token); err != nil {
			return nil, fmt.Errorf("HTTP %d: %w", resp.StatusCode, err)
		}
	}
}
