package upstream

import (
	"context"
	"errors"
	"fmt"
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

// Login signs in to a configured server with Options.Login, whatever tokens there are, and keeps what it gets in Options.Tokens. A
// running server of the same name, in this process or another, uses it soon.
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
			return Config{}, fmt.Errorf("mcpServers: %q is a program, or has an Authorization header of its own: %w", name, ErrNoLogin)
		case srv.OAuth.Machine:
			return Config{}, fmt.Errorf("mcpServers: %q signs in by itself (client_credentials): %w", name, ErrNoLogin)
		default:
			return srv.Config, nil
		}
	}
	return Config{}, fmt.Errorf("mcpServers: there is no %q; there are: %s: %w", name, strings.Join(known, ", "), ErrNoLogin)
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
