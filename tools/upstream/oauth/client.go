package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config is how tokens for one server are got. Only Resource is needed.
type Config struct {
	Resource     string // the server's address
	ClientID     string // of a client that the authorization server knows already; "" becomes one
	ClientSecret string // its secret; "" for a public client
	// an https address of a client id metadata document, for authorization servers that take one
	ClientIDMetadata string
	PrivateKey       string   // PEM; authenticates the client by private_key_jwt (RFC 7523) in place of a secret
	Machine          bool     // client_credentials: no person is asked
	Scopes           []string // to ask for in place of those that the server names
	// origins beside Resource's own that its answers may name, for metadata and tokens: https://auth.example.com; :* is
	// any port
	Allowed  []string
	Redirect string        // where the browser brings the answer to; "" is the one that Login gives
	Timeout  time.Duration // of one request; 0 is 20 s
}

// Login shows a person the address where a right is given, and returns the query of the redirect that follows.
type Login interface {
	// Redirect is the address that the browser is sent back to.
	Redirect() string
	// Ask opens the address, or prints it, and waits for the redirect.
	Ask(ctx context.Context, address string) (url.Values, error)
}

// Store keeps what is to last, by the server that it is for. A Get of what is not there gives nil.
type Store interface {
	Get(ctx context.Context, id string) ([]byte, error)
	Put(ctx context.Context, id string, data []byte) error
}

// LoginError says that a person has to log in before the server can be used. Use errors.As.
type LoginError struct {
	Resource string
	Reason   string // why the tokens that there are do not do; "" where there are none
	More     bool   // the tokens do, but for what was asked: it wants more rights
}

// Error says what is needed.
func (e *LoginError) Error() string {
	if e.Reason != "" {
		return "it needs a login again: " + e.Reason
	}
	return "it needs a login"
}

// Client gets tokens for one server. Make it with New. It is safe for concurrent use.
type Client struct {
	cfg   Config
	http  *http.Client
	store Store
	login Login // nil: nobody can be asked

	lookup lookup

	mu     sync.Mutex // held over the whole of a login: the others wait for its token
	have   grant
	loaded time.Time // when have was read from the store; zero is never
	seen   string    // the access token that was refused last
}

// New makes a client. store may be nil: then tokens last as long as the client. login may be nil: then whatever needs a
// person gives a *LoginError.
func New(cfg Config, store Store, login Login) *Client {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 20 * time.Second
	}
	c := &Client{cfg: cfg, store: store, login: login, lookup: resolve}
	c.http = &http.Client{Timeout: cfg.Timeout, Transport: c.transport(),
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > 5 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
				return errors.New("it redirects to another place")
			}
			return nil
		}}
	return c
}

// renewBefore is how long before its end a token is renewed.
const renewBefore = 30 * time.Second

// Token is the access token to send, "" while there is none. One that has ended is renewed where that goes without a
// person.
func (c *Client) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(ctx, false); err != nil {
		return "", err
	}
	if c.have.Access == "" || c.have.Ends.IsZero() || time.Until(c.have.Ends) > renewBefore {
		return c.have.Access, nil
	}
	if c.have.Refresh == "" {
		return c.have.Access, nil // the server says what it thinks of it
	}
	if err := c.refresh(ctx); err != nil {
		if time.Until(c.have.Ends) > 0 {
			return c.have.Access, nil
		}
		return "", nil // the request goes without one: the answer to it says where to get another
	}
	return c.have.Access, nil
}

// Refused takes an answer of 401 or 403 to a request that was sent with a token. Without an error there is another
// token to send.
func (c *Client) Refused(ctx context.Context, status int, header http.Header, token string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = token
	ch := challengeOf(header)
	if status == http.StatusForbidden && ch.err != "insufficient_scope" {
		return errors.New("the server refuses it, whatever token is sent")
	}
	if err := c.load(ctx, true); err != nil {
		return err
	}
	if c.have.Access != "" && c.have.Access != token {
		return nil // somebody else got one meanwhile
	}
	from, err := c.find(ctx, ch)
	if err != nil {
		return err
	}
	if c.have.Issuer != from.issuer() {
		c.have = grant{} // what one authorization server gave is not shown to another
	}
	want := c.wanted(ch, from)
	if status == http.StatusForbidden {
		if subset(strings.Fields(ch.scope), c.have.Asked) {
			return fmt.Errorf("the server wants the scope %q, which the authorization server did not give when it "+
				"was asked", ch.scope)
		}
		if c.login == nil && !c.cfg.Machine {
			return c.wantMore(ctx, want)
		}
	} else if c.have.Refresh != "" && c.refresh(ctx) == nil {
		return nil
	}
	return c.authorize(ctx, from, want)
}

// wantMore keeps which rights the next login is to ask for.
func (c *Client) wantMore(ctx context.Context, scopes []string) error {
	c.have.Wanted = scopes
	if err := c.save(ctx); err != nil {
		return err
	}
	return &LoginError{Resource: c.cfg.Resource,
		Reason: "the server wants more rights for this, " + strings.Join(scopes, " "), More: true}
}

// Login signs in, whatever tokens there are.
func (c *Client) Login(ctx context.Context) error {
	ch, err := c.probe(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(ctx, true); err != nil {
		return err
	}
	from, err := c.find(ctx, ch)
	if err != nil {
		return err
	}
	if c.have.Issuer != from.issuer() {
		c.have = grant{}
	}
	return c.authorize(ctx, from, c.wanted(ch, from))
}

// probe asks the server without a token, to hear what it says to that.
func (c *Client) probe(ctx context.Context) (challenge, error) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.Resource, strings.NewReader(ping))
	if err != nil {
		return challenge{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := c.http.Do(req)
	if err != nil {
		return challenge{}, fmt.Errorf("the server cannot be reached: %w", err)
	}
	_ = resp.Body.Close() // read only
	return challengeOf(resp.Header), nil
}

// Renewed reports whether there is another token in the store than the one that was refused last.
func (c *Client) Renewed(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.load(ctx, true) == nil && c.have.Access != "" && c.have.Access != c.seen
}

// wanted are the scopes to ask for: those that were asked for before, too, when the server wants more.
func (c *Client) wanted(ch challenge, from *source) []string {
	want := slices.Clone(c.cfg.Scopes)
	if len(want) == 0 {
		if want = strings.Fields(ch.scope); len(want) == 0 {
			want = slices.Clone(from.resource.Scopes)
		}
	} else {
		want = append(want, strings.Fields(ch.scope)...)
	}
	want = slices.Concat(c.have.Asked, c.have.Wanted, want)
	if !c.cfg.Machine && slices.Contains(from.server.Scopes, "offline_access") && len(want) > 0 {
		want = append(want, "offline_access") // a token to renew with, so that a person is asked once
	}
	out := want[:0]
	for _, scope := range want {
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	return out
}

func subset(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(whole, s) })
}

// Forget drops the tokens and the registration.
func (c *Client) Forget(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have = grant{}
	return c.save(ctx)
}
