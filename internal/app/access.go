package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server"
)

// Refusals to serve without knowing whom.
var (
	errNoKeys = errors.New("other machines could reach this address, and there is no key to tell callers by. Make " +
		"one (catena keys create NAME), " +
		"or give one as CATENA_ACCESS_KEY. Or listen on 127.0.0.1 only. Or, where a proxy in front lets only the " +
		"right people through, set access.require to proxy")
	errKeysAlways = errors.New("access.require is always, and there is no key that could be sent; make one (catena " +
		"keys create NAME), or give one as CATENA_ACCESS_KEY")
)

// gate is who may come in, and how much.
type gate struct {
	*base
	*front
	*stores
	Keys   *access.Keys
	Roles  map[string][]string // the scopes of each role
	tokens *access.Tokens      // nil where no identity provider is set
	// of requests over HTTP; nil where none is wanted. After the start the reloader's alone
	limiter  access.Limiter
	runsEach atomic.Int64 // runs that a caller may have at once; 0 is no bound
}

// DefaultRole is what a key may do that says nothing of it: chat and all tools.
const DefaultRole = "user"

// addKeys makes the API keys: those of the store, and those that the settings give.
func (g *gate) addKeys(ctx context.Context) error {
	var err error
	if g.Roles, err = roles(g.Cfg.Access); err != nil {
		return err
	}
	g.Keys = access.NewKeys(g.Store, access.KeysOptions{Roles: g.Roles, Report: func(err error) {
		g.log.Error("keys", "error", err.Error())
	}})
	g.onClose(g.Keys.Close)
	if err := g.addTokens(); err != nil {
		return err
	}
	if err := g.fixKeys(g.Keys, g.Cfg.Access); err != nil {
		return err
	}
	return g.distinctKeys(ctx, g.Keys)
}

// distinctKeys refuses a key of the settings that is one of the store too.
func (g *gate) distinctKeys(ctx context.Context, keys *access.Keys) error {
	err := keys.Distinct(ctx)
	if errors.Is(err, access.ErrSharedSecret) {
		return UsageError(fmt.Errorf("config: access.keys: %w", err))
	}
	return err
}

func roles(c config.Access) (map[string][]string, error) {
	out, err := access.Roles(c.Roles)
	if err != nil {
		return nil, UsageError(fmt.Errorf("config: access.roles: %w", err))
	}
	return out, nil
}

// prepareAccess checks changed keys and roles; commit puts them in the place of those from before.
func (g *gate) prepareAccess(ctx context.Context, c config.Access) (commit func(), err error) {
	known, err := roles(c)
	if err != nil {
		return nil, err
	}
	if g.tokens != nil {
		if err := g.tokens.CheckRoles(known); err != nil {
			return nil, UsageError(fmt.Errorf("config: access.oidc.default_roles: %w", err))
		}
	}
	keys, err := g.Keys.Refix(ctx, known, func(next *access.Keys) error { return g.fixKeys(next, c) })
	if err != nil {
		return nil, err
	}
	return func() {
		keys()
		if g.tokens != nil {
			g.tokens.SetRoles(known)
		}
	}, nil
}

// admit brings the server to changed settings. A caller's requests are counted anew only where the limits changed.
func (g *gate) admit(c config.Config, limits bool) {
	if limits {
		g.runsEach.Store(int64(c.Access.Limits.Runs))
		g.limiter = g.newLimiter(c.Access.Limits)
	}
	if s := g.served.Load(); s != nil {
		s.Admit(server.Admission{Hosts: c.Listen.AllowedHosts, Origins: c.Listen.AllowedOrigins, Limiter: g.limiter})
	}
}

// fixKeys gives keys those of the settings.
func (g *gate) fixKeys(keys *access.Keys, c config.Access) error {
	if key := c.Key.Reveal(); key != "" {
		one := access.Key{Name: "access.key", Owner: Local.ID, Scopes: []string{access.Admin}}
		if err := keys.Fix(one, key, ""); err != nil {
			return UsageError(fmt.Errorf("config: access.key: %w", err))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		k := c.Keys[name]
		expires, err := k.Expiry()
		if len(k.Scopes)+len(k.Roles) == 0 {
			k.Roles = []string{DefaultRole}
		}
		if err == nil {
			err = keys.Fix(access.Key{Name: name, Owner: k.Owner, Tenant: k.Tenant, Scopes: k.Scopes, Roles: k.Roles,
				Expires: expires}, k.Key.Reveal(), k.Hash)
		}
		if err != nil {
			return UsageError(fmt.Errorf("config: access.keys: %w", err))
		}
	}
	return nil
}

// addTokens makes the check of an identity provider's tokens, where one is set.
func (g *gate) addTokens() (err error) {
	c := g.Cfg.Access.OIDC
	if c.Issuer == "" {
		return nil
	}
	g.tokens, err = access.NewTokens(access.TokensOptions{
		Issuer: c.Issuer, Audience: c.Audience, KeysURL: c.JWKSURL, Algorithms: c.Algorithms, Types: c.TokenTypes,
		Skew:    c.ClockSkew,
		Subject: c.CallerClaim, Tenant: c.TenantClaim, Roles: c.RolesClaim, Scopes: c.ScopeClaim,
		DefaultRoles: c.DefaultRoles, Known: g.Roles,
		Report: func(err error) { g.log.Warn("tokens", "error", err.Error()) },
	})
	if err != nil {
		return UsageError(fmt.Errorf("config: access.oidc: %w", err))
	}
	return nil
}

// callers says how requests to an address are identified. An address that other machines can reach needs a key to be
// there.
func (g *gate) callers(ctx context.Context, at net.Addr) (func(*http.Request) (access.Caller, error), error) {
	mode := g.Cfg.Access.Require
	if mode == "proxy" {
		return server.Anyone, nil
	}
	tcp, ok := at.(*net.TCPAddr)
	open := mode != "always" && ok && tcp.IP.IsLoopback()
	if g.Cfg.Access.OIDC.Issuer == "" && !open {
		any, err := g.Keys.Any(ctx)
		if err != nil {
			return nil, err
		}
		if !any && mode == "always" {
			return nil, UsageError(errKeysAlways)
		}
		if !any {
			return nil, UsageError(fmt.Errorf("%s: %w", at, errNoKeys))
		}
	}
	return server.Bearer(access.Identifier{Keys: g.Keys, Tokens: g.tokens}, open), nil
}

// unlimited reports whether a caller is this machine's user, who showed no key.
func unlimited(c access.Caller) bool { return c.ID == Local.ID && c.Key == "" }

// runsOf is how many runs a caller may have at once.
func (g *gate) runsOf(c access.Caller) int {
	if unlimited(c) {
		return 0
	}
	return int(g.runsEach.Load())
}

// newLimiter counts the requests of each caller, nil where the settings want none.
func (g *gate) newLimiter(l config.Limits) access.Limiter {
	if l.RequestsPerMinute == 0 {
		return nil
	}
	rate := access.Rate{PerMinute: l.RequestsPerMinute, Burst: l.Burst}
	if g.shared != nil {
		return access.NewShared(g.shared, rate, func(err error) {
			g.log.Warn("requests are counted in this process only", "error", err)
		})
	}
	return access.NewBuckets(rate, nil)
}

// tls is how the server speaks HTTPS, nil for plain HTTP.
func (p *App) tls() (*tls.Config, error) {
	c := p.Cfg.Listen
	if c.TLSCert == "" {
		return nil, nil
	}
	out, err := server.Certificate(c.TLSCert, c.TLSKey, p.log)
	if err != nil {
		return nil, UsageError(fmt.Errorf("listen.tls_cert: %w", err))
	}
	return out, nil
}

// stdioCaller is who speaks over stdio.
func (g *gate) stdioCaller(ctx context.Context) (access.Caller, error) {
	key := g.Cfg.Access.StdioKey.Reveal()
	if key == "" {
		return access.Local("stdio"), nil
	}
	c, err := access.Identifier{Keys: g.Keys}.Identify(ctx, key)
	if err != nil {
		return access.Caller{}, UsageError(fmt.Errorf("access.stdio_key: %w", err))
	}
	return c, nil
}

// Local is who asks on the command line.
var Local = access.Local("cli")
