package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// grant is what is kept of one server: the client that we are to its authorization server, and the tokens.
type grant struct {
	Resource string    `json:"resource"` // whom the tokens are for
	Issuer   string    `json:"issuer"`   // who gave them, and knows the client
	Token    string    `json:"token_endpoint,omitempty"`
	ClientID string    `json:"client_id,omitempty"`
	Secret   string    `json:"client_secret,omitempty"`
	Method   string    `json:"auth_method,omitempty"` // how the client shows who it is
	Redirect string    `json:"redirect,omitempty"`    // that the client was registered with
	Access   string    `json:"access_token,omitempty"`
	Refresh  string    `json:"refresh_token,omitempty"`
	Audience string    `json:"audience,omitempty"` // whom the tokens name
	Ends     time.Time `json:"ends,omitzero"`
	Asked    []string  `json:"asked,omitempty"`  // scopes
	Wanted   []string  `json:"wanted,omitempty"` // scopes that the next login is to ask for
}

// rereadAfter is how old what was read from the store may be: another process may have logged in.
const rereadAfter = 5 * time.Second

// load reads what is kept. What was kept for another resource is not used. A grant that is held is read again only when
// fresh asks for it: another process may have renewed it.
func (c *Client) load(ctx context.Context, fresh bool) error {
	if c.store == nil || !fresh && !c.loaded.IsZero() && (c.have.Access != "" || time.Since(c.loaded) < rereadAfter) {
		return nil
	}
	data, err := c.store.Get(ctx, c.cfg.Resource)
	if errors.Is(err, ErrSealed) { // as if there were none: a login writes over it
		c.have, c.loaded = grant{}, time.Now()
		return nil
	}
	if err != nil {
		return fmt.Errorf("the tokens that are kept cannot be read: %w", err)
	}
	c.loaded = time.Now()
	if data == nil {
		c.have = grant{}
		return nil
	}
	var g grant
	if err := json.Unmarshal(data, &g); err != nil {
		return fmt.Errorf("the tokens that are kept cannot be read: %w", err)
	}
	if g.Resource != c.cfg.Resource {
		g = grant{}
	}
	c.have = g
	return nil
}

func (c *Client) save(ctx context.Context) error {
	c.have.Resource = c.cfg.Resource
	if c.store == nil {
		return nil
	}
	data, err := json.Marshal(c.have)
	if err != nil {
		return err
	}
	if err := c.store.Put(ctx, c.cfg.Resource, data); err != nil {
		return fmt.Errorf("the tokens cannot be kept: %w", err)
	}
	c.loaded = time.Now()
	return nil
}
