package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
)

// What a route asks of its caller, in Route.Needs. A route without one lets nobody in.
const (
	NeedsNothing = "nothing" // not even being known: probes, the page's files, descriptions
	NeedsChat    = access.Chat
	NeedsEdit    = access.Edit
	NeedsTables  = access.Tables
	NeedsUpload  = access.Upload
	NeedsTarget  = access.ByTarget
	NeedsMetrics = access.Metrics
	NeedsAdmin   = access.Admin  // to see how the server is set up
	NeedsManage  = access.Manage // to change it
)

// Identifier says whose a key or token is. An *access.CredentialError says that it is no good.
type Identifier interface {
	Identify(ctx context.Context, credential string) (access.Caller, error)
}

// Errors of requests that do not say who sends them.
var (
	errNotLocal = errors.New("the connection does not come from this machine and no keys are configured")
	errNoKey    = errors.New("the request has no key")
)

// maxCredential bounds a key or token, in bytes. Tokens of large directories have a few KB.
const maxCredential = 16 << 10

// Bearer makes an Options.Caller that asks for a key or token as Authorization: Bearer (RFC 6750). With local, requests
// of this machine that carry none, or one that is nothing of ours, and came through no proxy are those of access.Local.
func Bearer(who Identifier, local bool) func(*http.Request) (access.Caller, error) {
	return func(r *http.Request) (access.Caller, error) {
		given := r.Header["Authorization"]
		if len(given) == 0 {
			if local {
				return localOnly(r)
			}
			return access.Caller{}, errNoKey
		}
		scheme, credential, _ := strings.Cut(given[0], " ")
		credential = strings.TrimSpace(credential)
		sound := credential != "" && len(credential) <= maxCredential
		if len(given) > 1 || !strings.EqualFold(scheme, "Bearer") || !sound {
			return access.Caller{},
				&access.CredentialError{Reason: "The Authorization header is not one Bearer and a key."}
		}
		c, err := who.Identify(r.Context(), credential)
		var bad *access.CredentialError
		foreign := errors.As(err, &bad) && bad.Foreign
		if local && foreign && !forwarded(r) {
			return localOnly(r) // clients of OpenAI's API cannot send none
		}
		c.Via = "http"
		return c, err
	}
}

// Anyone is an Options.Caller for a server behind a proxy that lets only the right people through: all of them are
// access.Local.
func Anyone(*http.Request) (access.Caller, error) { return access.Local("http"), nil }

// localOnly takes whoever is on this machine for its one user, unless the request came through a proxy.
func localOnly(r *http.Request) (access.Caller, error) {
	if forwarded(r) {
		return access.Caller{}, errNoKey
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return access.Caller{}, fmt.Errorf("remote address %q: %w", r.RemoteAddr, err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return access.Caller{}, errNotLocal
	}
	return access.Local("http"), nil
}

// Private reports whether nobody can read a request on its way: it came over TLS, or from this machine and through no
// proxy.
func Private(r *http.Request) bool {
	_, err := localOnly(r)
	return r.TLS != nil || err == nil
}

// identify asks who the caller is, and whether the route is for them.
func (s *Core) identify(needs string) gin.HandlerFunc {
	return func(c *gin.Context) {
		caller, err := s.opt.Caller(c.Request)
		switch {
		case err != nil && needs == NeedsNothing:
			caller = access.Caller{} // a probe with an old key is a probe
		case err != nil:
			s.unidentified(c, err)
			return
		}
		c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), callerKey, caller))
		if needs != NeedsNothing && !s.allowed(c, caller) || !s.permitted(c, needs) {
			return
		}
		c.Next()
	}
}

// permitted reports whether the caller has a right; where not, it answers 403.
func (s *Core) permitted(c *gin.Context, right string) bool {
	caller := CallerOf(c.Request.Context())
	if right == NeedsNothing || caller.May(right) {
		return true
	}
	scope := access.Scope(right)
	s.Insufficient(c, scope)
	if caller.May(scope) { // what is in the way is read-only
		s.Fail(c, NewProblem(http.StatusForbidden, "insufficient_scope",
			"That changes something, and your key has the scope read-only.", "Ask for a key without it."))
		return false
	}
	s.Fail(c, NewProblem(http.StatusForbidden, "insufficient_scope",
		fmt.Sprintf("That needs the scope %s, which your key does not have.", scope),
		"Ask for a key with it: catena keys create NAME --scope "+scope+"."))
	return false
}

// unidentified refuses a request whose caller is not known. The log has the reason, never the credential.
func (s *Core) unidentified(c *gin.Context, err error) {
	var bad *access.CredentialError
	if errors.As(err, &bad) || errors.Is(err, errNoKey) || errors.Is(err, errNotLocal) {
		if d, _ := s.failures.Take(c.Request.Context(), address(c.Request.RemoteAddr)); !d.Allowed { // it has no error
			s.refusals.add(address(c.Request.RemoteAddr))
			s.tooMany(c, d.Retry, "Too many requests without a good key came from this address.")
			return
		}
		s.log.InfoContext(c.Request.Context(), "a caller was refused", "error", err.Error())
		if s.opt.Refused != nil {
			s.opt.Refused(c.Request.Context(), address(c.Request.RemoteAddr), err.Error(), 1)
		}
	}
	switch {
	case errors.As(err, &bad):
		c.Header("WWW-Authenticate", challenge("invalid_token", bad.Reason, s.whereFrom(c)))
		s.Fail(c, NewProblem(http.StatusUnauthorized, "invalid_key", bad.Reason,
			"catena keys list shows the keys; catena keys create makes one."))
	case errors.Is(err, access.ErrForbidden):
		s.Fail(c, NewProblem(http.StatusForbidden, "not_permitted", "That is not permitted to you.", ""))
	case errors.Is(err, errNoKey), errors.Is(err, errNotLocal):
		c.Header("WWW-Authenticate", challenge("", "", s.whereFrom(c)))
		s.Fail(c, NewProblem(http.StatusUnauthorized, "not_identified", "The request does not say who sends it.",
			"Send a key that this server knows, as Authorization: Bearer cat_...; catena keys create makes one."))
	default: // the store, or the tokens' issuer, is away: that is not the client's fault
		s.log.ErrorContext(c.Request.Context(), "callers cannot be identified", "error", err.Error())
		s.Fail(c, NewProblem(http.StatusServiceUnavailable, "cannot_identify",
			"Who sends the request cannot be found out now.", "Try again in a moment."))
	}
}

// challenge is a WWW-Authenticate field (RFC 6750, 3).
func challenge(code, description, more string) string {
	text := `Bearer realm="catena"`
	if code != "" {
		text += fmt.Sprintf(`, error="%s", error_description="%s"`, code, description)
	}
	return text + more
}

// resourcePath is where MCP clients look for who gives tokens (RFC 9728, 3).
const resourcePath = "/.well-known/oauth-protected-resource"

// address is the server's address as the client sees it. The Host has been checked.
func (s *Core) address(c *gin.Context) string {
	if s.opt.Resource != "" {
		return strings.TrimSuffix(s.opt.Resource, "/")
	}
	if c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}

// whereFrom tells in a challenge where a client learns who gives tokens.
func (s *Core) whereFrom(c *gin.Context) string {
	if s.opt.Issuer == "" {
		return ""
	}
	return fmt.Sprintf(`, resource_metadata="%s%s/mcp"`, s.address(c), resourcePath)
}

// getResource answers the protected resource's metadata (RFC 9728, 2).
func (s *Core) getResource(c *gin.Context) {
	WriteJSON(c, http.StatusOK, map[string]any{
		"resource":                 s.address(c) + strings.TrimPrefix(c.FullPath(), resourcePath),
		"authorization_servers":    []string{s.opt.Issuer},
		"scopes_supported":         []string{access.Chat, "tools:*", "read:*", "read-only"},
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Catena",
	})
}
