package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// resource is a protected resource's metadata (RFC 9728).
type resource struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// server is an authorization server's metadata (RFC 8414).
type server struct {
	Issuer    string   `json:"issuer"`
	Authorize string   `json:"authorization_endpoint"`
	Token     string   `json:"token_endpoint"`
	Register  string   `json:"registration_endpoint"`
	Scopes    []string `json:"scopes_supported"`
	Methods   []string `json:"token_endpoint_auth_methods_supported"`
	Algs      []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	PKCE      []string `json:"code_challenge_methods_supported"`
	Iss       bool     `json:"authorization_response_iss_parameter_supported"`
	Documents bool     `json:"client_id_metadata_document_supported"`
}

// source is who gives tokens for a server.
type source struct {
	resource resource
	server   server
	assumed  bool // no metadata: a server of the protocol of 2025-03-26
}

func (s *source) issuer() string { return s.server.Issuer }

// errNotThere says that there is no document at an address.
var errNotThere = errors.New("there is no such document")

// maxDocument bounds a metadata document or an answer of an authorization server, in bytes.
const maxDocument = 1 << 20

// find reads the metadata of the server and of the authorization server that it names.
func (c *Client) find(ctx context.Context, ch challenge) (*source, error) {
	own, err := url.Parse(c.cfg.Resource)
	if err != nil {
		return nil, err
	}
	s := &source{}
	err = c.describe(ctx, own, ch, &s.resource)
	origin := own.Scheme + "://" + own.Host
	switch {
	case errors.Is(err, errNotThere): // the protocol of 2025-03-26: the server gives tokens itself
		s.resource = resource{}
		return s, c.former(ctx, s, origin)
	case err != nil:
		return nil, err
	case !covers(s.resource.Resource, own):
		return nil, fmt.Errorf("its metadata are those of another server, %q; no token is asked for",
			s.resource.Resource)
	case len(s.resource.Servers) == 0:
		return nil, errors.New("its metadata name no authorization server")
	}
	issuer := s.resource.Servers[0]
	if slices.Contains(s.resource.Servers, c.have.Issuer) {
		issuer = c.have.Issuer
	}
	return s, c.metadata(ctx, issuer, s)
}

// describe reads the resource's metadata: where the challenge says, or at the usual places.
func (c *Client) describe(ctx context.Context, own *url.URL, ch challenge, to *resource) error {
	origin := own.Scheme + "://" + own.Host
	const known = "/.well-known/oauth-protected-resource"
	places := []string{origin + known + strings.TrimSuffix(own.Path, "/"), origin + known}
	if ch.metadata != "" {
		places = []string{ch.metadata}
	}
	for _, place := range slices.Compact(places) {
		if err := c.get(ctx, place, to); !errors.Is(err, errNotThere) {
			return err
		}
	}
	return errNotThere
}

// covers reports whether a resource's identifier is that of the server, or of a path that the server is under.
func covers(id string, own *url.URL) bool {
	u, err := url.Parse(id)
	if err != nil || !strings.EqualFold(u.Scheme, own.Scheme) || !strings.EqualFold(u.Host, own.Host) {
		return false
	}
	above := strings.TrimSuffix(u.Path, "/")
	return above == strings.TrimSuffix(own.Path, "/") || strings.HasPrefix(own.Path, above+"/")
}

// former is discovery as it was in 2025-03-26: at the server's own origin, with usual addresses where there is no
// document.
func (c *Client) former(ctx context.Context, s *source, origin string) error {
	err := c.get(ctx, origin+"/.well-known/oauth-authorization-server", &s.server)
	if err == nil { // nobody else named the issuer: it is one of this origin
		if u, perr := url.Parse(s.server.Issuer); perr != nil || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("the metadata of the authorization server %s are those of %q; no token is asked for",
				origin, s.server.Issuer)
		}
		return s.check(s.server.Issuer)
	}
	if !errors.Is(err, errNotThere) {
		return err
	}
	s.assumed = true
	s.server = server{Issuer: origin, Authorize: origin + "/authorize", Token: origin + "/token",
		Register: origin + "/register"}
	return nil
}

// metadata reads an authorization server's, at the places of RFC 8414 and of OpenID Connect.
func (c *Client) metadata(ctx context.Context, issuer string, s *source) error {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery+u.Fragment != "" {
		return fmt.Errorf("%q is no name of an authorization server", issuer)
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.Path, "/")
	places := []string{origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path}
	if path != "" {
		places = append(places, origin+path+"/.well-known/openid-configuration")
	}
	for _, place := range places {
		err := c.get(ctx, place, &s.server)
		switch {
		case errors.Is(err, errNotThere):
			continue
		case err != nil:
			return err
		}
		return s.check(issuer)
	}
	return fmt.Errorf("the authorization server %s: %w", issuer, errNotThere)
}

// check refuses metadata that must not be used.
func (s *source) check(issuer string) error {
	if s.server.Issuer != issuer { // RFC 8414, section 3.3: letter by letter
		return fmt.Errorf("the metadata of the authorization server %s are those of %q; no token is asked for", issuer,
			s.server.Issuer)
	}
	for _, address := range []string{s.server.Authorize, s.server.Token, s.server.Register} {
		if address == "" {
			continue
		}
		if err := secure(address); err != nil {
			return err
		}
	}
	if s.server.Token == "" {
		return fmt.Errorf("the authorization server %s names no token endpoint", issuer)
	}
	return nil
}

// secure refuses addresses that tokens must not be sent to: all but https, and this machine.
func secure(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is no address", address)
	}
	ip, ierr := netip.ParseAddr(u.Hostname())
	if u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ierr == nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("%s is not https: nothing secret is sent there", address)
}

// get reads a JSON document.
func (c *Client) get(ctx context.Context, address string, to any) error {
	if err := c.permit(address); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // read only
	switch {
	case resp.StatusCode >= 400 && resp.StatusCode < 500:
		return errNotThere
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: HTTP %d", address, resp.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxDocument)).Decode(to); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}

// challenge is what a refusal says (RFC 6750, RFC 9728).
type challenge struct{ metadata, scope, err string }

// challengeOf reads the parameters of the scheme Bearer in WWW-Authenticate.
func challengeOf(h http.Header) (ch challenge) {
	for _, line := range h.Values("Www-Authenticate") {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			if _, after, ok := strings.Cut(line, ", Bearer "); ok { // several schemes on one line
				rest = after
			} else {
				continue
			}
		}
		for rest != "" {
			var key, value string
			key, rest, _ = strings.Cut(rest, "=")
			value, rest = quoted(rest)
			switch strings.ToLower(strings.Trim(key, " ,\t")) {
			case "resource_metadata":
				ch.metadata = value
			case "scope":
				ch.scope = value
			case "error":
				ch.err = value
			}
		}
	}
	return ch
}

// quoted takes a token or a quoted string from the beginning of a text.
func quoted(s string) (value, rest string) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ",")
		return strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '"':
			return b.String(), s[i+1:]
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}
