package access

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// TokensOptions say whose tokens are taken, and what their claims mean. Issuer and Audience are required.
type TokensOptions struct {
	Issuer     string        // must be the token's iss, to the letter
	Audience   []string      // one of them must be in the token's aud
	KeysURL    string        // of the issuer's keys (JWKS); "" asks the issuer's /.well-known/openid-configuration
	Algorithms []string      // of signatures; nil means RS256, PS256, ES256, EdDSA. Never none, never one with a shared secret
	Types      []string      // values of the header typ that are taken, TypeNone for none; nil means DefaultTypes. "application/" and case do not count
	Skew       time.Duration // by which clocks may differ
	// Claims, by name or by path with dots ("realm_access.roles"). "" takes none, but Subject: "" means sub.
	Subject, Tenant, Roles, Scopes string
	DefaultRoles                   []string            // that every token's caller has too
	Known                          map[string][]string // what roles stand for; nil means DefaultRoles()
	Client                         *http.Client        // for the keys; nil means one that takes 10 s at most and follows no redirect
	Now                            func() time.Time    // nil means time.Now
	Report                         func(error)         // is told when keys cannot be read again; nil drops it
}

// Bounds of tokens.
const (
	maxToken   = 16 << 10
	maxSubject = 255 // characters of sub, by OpenID Connect
)

// algorithms are the signatures with a public key that go-jose checks.
var algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// Tokens checks JSON Web Tokens (RFC 7519, with RFC 8725's advice) of one issuer. It is safe for concurrent use.
type Tokens struct {
	opt   TokensOptions
	algs  []jose.SignatureAlgorithm
	types map[string]bool // as plainType writes them
	keys  *keySet
	roles atomic.Pointer[map[string][]string] // what roles stand for
}

// NewTokens makes Tokens. No key is fetched before the first token comes.
func NewTokens(opt TokensOptions) (*Tokens, error) {
	if opt.Algorithms == nil {
		opt.Algorithms = []string{"RS256", "PS256", "ES256", "EdDSA"}
	}
	if opt.Subject == "" {
		opt.Subject = "sub"
	}
	if opt.Known == nil {
		opt.Known = DefaultRoles()
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Client == nil {
		opt.Client = &http.Client{Timeout: fetchTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if opt.Types == nil {
		opt.Types = DefaultTypes()
	}
	t := &Tokens{opt: opt, types: map[string]bool{}}
	var errs []error
	for _, typ := range opt.Types {
		errs = append(errs, CheckType(typ))
		t.types[plainType(typ)] = true
	}
	for _, a := range opt.Algorithms {
		if !slices.Contains(algorithms, a) {
			errs = append(errs, fmt.Errorf("the algorithm %q is none that a public key can check: there are %s", a, strings.Join(algorithms, ", ")))
		}
		t.algs = append(t.algs, jose.SignatureAlgorithm(a))
	}
	if len(opt.Audience) == 0 || slices.Contains(opt.Audience, "") {
		errs = append(errs, errors.New("an audience is needed: without one, tokens that were made for other programs would be taken"))
	}
	if opt.Skew < 0 || opt.Skew > 10*time.Minute {
		errs = append(errs, fmt.Errorf("the clocks' difference is %v; it goes from 0 to 10m", opt.Skew))
	}
	errs = append(errs, t.CheckRoles(opt.Known), checkURL("issuer", opt.Issuer))
	t.SetRoles(opt.Known)
	if opt.KeysURL != "" {
		errs = append(errs, checkURL("address of keys", opt.KeysURL))
	}
	t.keys = &keySet{reading: newTurn(), issuer: opt.Issuer, url: opt.KeysURL, client: opt.Client, now: opt.Now, report: opt.Report}
	return t, errors.Join(errs...)
}

// CheckRoles returns an error that names what lacks among roles, nil where tokens can do with them.
func (t *Tokens) CheckRoles(roles map[string][]string) error {
	var errs []error
	for _, role := range t.opt.DefaultRoles {
		if roles[role] == nil {
			errs = append(errs, fmt.Errorf("there is no role %s", role))
		}
	}
	return errors.Join(errs...)
}

// SetRoles says what roles stand for from the next Find on. They must not be changed in place.
func (t *Tokens) SetRoles(roles map[string][]string) { t.roles.Store(&roles) }

// checkURL takes https, and http on this machine.
func checkURL(what, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopbackName(u.Hostname())) {
		return fmt.Errorf("the %s %q is no https address", what, address)
	}
	return nil
}

func loopbackName(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// Issuer names who makes the tokens.
func (t *Tokens) Issuer() string { return t.opt.Issuer }

// Find returns whose a token is. What is no good is a *CredentialError; any other error says that the issuer's keys cannot be read.
func (t *Tokens) Find(ctx context.Context, token string) (Caller, error) {
	if len(token) > maxToken {
		return Caller{}, &CredentialError{Reason: "The token is too long."}
	}
	if err := t.checkHeader(token); err != nil {
		return Caller{}, err
	}
	parsed, err := jwt.ParseSigned(token, t.algs)
	if err != nil || len(parsed.Headers) != 1 {
		return Caller{}, &CredentialError{Reason: "The token is none, or is signed in a way that is not accepted.", Err: plainly(err)}
	}
	head := parsed.Headers[0]
	keys, err := t.keys.find(ctx, head.KeyID, head.Algorithm)
	if err != nil {
		return Caller{}, err
	}
	var std jwt.Claims
	all := map[string]any{}
	err = errors.New("no key of the issuer fits")
	for _, key := range keys {
		if err = parsed.Claims(key, &std, &all); err == nil {
			break
		}
	}
	if err != nil {
		return Caller{}, &CredentialError{Reason: "The token's signature is not the issuer's.", Err: plainly(err)}
	}
	if err := t.validate(std); err != nil {
		return Caller{}, err
	}
	c, err := t.caller(all)
	if err != nil {
		return Caller{}, err
	}
	c.Until = std.Expiry.Time().Add(t.opt.Skew)
	return c, nil
}

// plainly keeps an error's text, which never holds the token, without its chain.
func plainly(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(err.Error())
}

// validate checks who made the token, for whom, and when.
func (t *Tokens) validate(c jwt.Claims) error {
	if c.Expiry == nil {
		return &CredentialError{Reason: "The token does not say when it ends."}
	}
	err := c.ValidateWithLeeway(jwt.Expected{Issuer: t.opt.Issuer, AnyAudience: t.opt.Audience, Time: t.opt.Now()}, t.opt.Skew)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jwt.ErrExpired):
		return &CredentialError{Reason: "The token has expired."}
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return &CredentialError{Reason: "The token is not valid yet."}
	case errors.Is(err, jwt.ErrInvalidAudience):
		return &CredentialError{Reason: "The token was made for another program."}
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return &CredentialError{Reason: "The token was made by another issuer."}
	}
	return &CredentialError{Reason: "The token is not valid.", Err: plainly(err)}
}

// caller makes a Caller of claims. Its ID begins with user:, so that no token can name an owner that keys have, and what is in it is
// escaped, so that no subject can look like another tenant's.
func (t *Tokens) caller(claims map[string]any) (Caller, error) {
	subject, _ := claim(claims, t.opt.Subject).(string)
	if subject == "" || len(subject) > maxSubject || ambiguous(subject) {
		return Caller{}, &CredentialError{Reason: fmt.Sprintf("The token's claim %s does not say whose it is.", t.opt.Subject)}
	}
	tenant := ""
	if t.opt.Tenant != "" {
		tenant, _ = claim(claims, t.opt.Tenant).(string)
		if tenant == "" || len(tenant) > maxSubject || ambiguous(tenant) {
			return Caller{}, &CredentialError{Reason: fmt.Sprintf("The token's claim %s names no tenant.", t.opt.Tenant)}
		}
	}
	roles := slices.Concat(t.opt.DefaultRoles, words(claim(claims, t.opt.Roles)))
	var scopes []string
	for _, s := range words(claim(claims, t.opt.Scopes)) {
		if CheckScope(s) == nil { // tokens carry scopes of other programs, as openid and profile
			scopes = append(scopes, s)
		}
	}
	rights, err := ParseRights(scopes, roles, *t.roles.Load())
	if err != nil {
		return Caller{}, fmt.Errorf("access: %w", err)
	}
	return Caller{ID: ownerID(url.PathEscape(tenant), "user:"+url.PathEscape(subject)), Tenant: tenant, Roles: roles, Rights: rights}, nil
}

// ambiguous reports whether a name holds what stands for something that is no character: half a surrogate pair, bytes
// that are no UTF-8. Other names would read the same, and be the same caller.
func ambiguous(name string) bool { return strings.ContainsRune(name, utf8.RuneError) }

// claim finds a claim by its name, or by the path of one inside another.
func claim(claims map[string]any, path string) any {
	if v, ok := claims[path]; ok || path == "" {
		return v // some issuers have dots in their names: https://example.com/roles
	}
	var v any = claims
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// words reads a claim of several: a list of texts, or one text with blanks between.
func words(v any) []string {
	switch v := v.(type) {
	case string:
		return strings.Fields(v)
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}
