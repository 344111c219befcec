package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server"
)

// Refusals to serve without knowing whom.
var (
	errNoKeys = errors.New("other machines could reach this address, and there is no key to tell callers by. Make one (catena keys create NAME), " +
		"or give one as CATENA_ACCESS_KEY. Or listen on 127.0.0.1 only. Or, where a proxy in front lets only the right people through, set access.require to proxy")
	errKeysAlways = errors.New("access.require is always, and there is no key that could be sent; make one (catena keys create NAME), or give one as CATENA_ACCESS_KEY")
)

// defaultRole is what a key may do that says nothing of it: chat and all tools.
const defaultRole = "user"

// addKeys makes the API keys: those of the store, and those that the settings give.
func (p *parts) addKeys(ctx context.Context) error {
	var err error
	if p.roles, err = roles(p.cfg.Access); err != nil {
		return err
	}
	p.keys = access.NewKeys(p.store, access.KeysOptions{Roles: p.roles, Report: func(err error) { p.log.Error("keys", "error", err.Error()) }})
	p.onClose(p.keys.Close)
	if err := p.addTokens(); err != nil {
		return err
	}
	if err := p.fixKeys(p.keys, p.cfg.Access); err != nil {
		return err
	}
	return p.distinctKeys(ctx, p.keys)
}

// distinctKeys refuses a key of the settings that is one of the store too.
func (p *parts) distinctKeys(ctx context.Context, keys *access.Keys) error {
	err := keys.Distinct(ctx)
	if errors.Is(err, access.ErrSharedSecret) {
		return usageError(fmt.Errorf("config: access.keys: %w", err))
	}
	return err
}

func roles(c config.Access) (map[string][]string, error) {
	out, err := access.Roles(c.Roles)
	if err != nil {
		return nil, usageError(fmt.Errorf("config: access.roles: %w", err))
	}
	return out, nil
}

// prepareAccess checks changed keys and roles; commit puts them in the place of those from before.
func (p *parts) prepareAccess(ctx context.Context, c config.Access) (commit func(), err error) {
	known, err := roles(c)
	if err != nil {
		return nil, err
	}
	if p.tokens != nil {
		if err := p.tokens.CheckRoles(known); err != nil {
			return nil, usageError(fmt.Errorf("config: access.oidc.default_roles: %w", err))
		}
	}
	keys, err := p.keys.Refix(ctx, known, func(next *access.Keys) error { return p.fixKeys(next, c) })
	if err != nil {
		return nil, err
	}
	return func() {
		keys()
		if p.tokens != nil {
			p.tokens.SetRoles(known)
		}
	}, nil
}

// admit brings the server to changed settings. A caller's requests are counted anew only where the limits changed.
func (p *parts) admit(c config.Config, limits bool) {
	if limits {
		p.runsEach.Store(int64(c.Access.Limits.Runs))
		p.limiter = p.newLimiter(c.Access.Limits)
	}
	if s := p.served.Load(); s != nil {
		s.Admit(server.Admission{Hosts: c.Listen.AllowedHosts, Origins: c.Listen.AllowedOrigins, Limiter: p.limiter})
	}
}

// fixKeys gives keys those of the settings.
func (p *parts) fixKeys(keys *access.Keys, c config.Access) error {
	if key := c.Key.Reveal(); key != "" {
		one := access.Key{Name: "access.key", Owner: local.ID, Scopes: []string{access.Admin}}
		if err := keys.Fix(one, key, ""); err != nil {
			return usageError(fmt.Errorf("config: access.key: %w", err))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		k := c.Keys[name]
		expires, err := k.Expiry()
		if len(k.Scopes)+len(k.Roles) == 0 {
			k.Roles = []string{defaultRole}
		}
		if err == nil {
			err = keys.Fix(access.Key{Name: name, Owner: k.Owner, Tenant: k.Tenant, Scopes: k.Scopes, Roles: k.Roles, Expires: expires}, k.Key.Reveal(), k.Hash)
		}
		if err != nil {
			return usageError(fmt.Errorf("config: access.keys: %w", err))
		}
	}
	return nil
}

// addTokens makes the check of an identity provider's tokens, where one is set.
func (p *parts) addTokens() (err error) {
	c := p.cfg.Access.OIDC
	if c.Issuer == "" {
		return nil
	}
	p.tokens, err = access.NewTokens(access.TokensOptions{
		Issuer: c.Issuer, Audience: c.Audience, KeysURL: c.JWKSURL, Algorithms: c.Algorithms, Types: c.TokenTypes, Skew: c.ClockSkew,
		Subject: c.CallerClaim, Tenant: c.TenantClaim, Roles: c.RolesClaim, Scopes: c.ScopeClaim, DefaultRoles: c.DefaultRoles, Known: p.roles,
		Report: func(err error) { p.log.Warn("tokens", "error", err.Error()) },
	})
	if err != nil {
		return usageError(fmt.Errorf("config: access.oidc: %w", err))
	}
	return nil
}

// callers says how requests to an address are identified. An address that other machines can reach needs a key to be there.
func (p *parts) callers(ctx context.Context, at net.Addr) (func(*http.Request) (access.Caller, error), error) {
	mode := p.cfg.Access.Require
	if mode == "proxy" {
		return server.Anyone, nil
	}
	tcp, ok := at.(*net.TCPAddr)
	open := mode != "always" && ok && tcp.IP.IsLoopback()
	if p.cfg.Access.OIDC.Issuer == "" && !open {
		any, err := p.keys.Any(ctx)
		if err != nil {
			return nil, err
		}
		if !any && mode == "always" {
			return nil, usageError(errKeysAlways)
		}
		if !any {
			return nil, usageError(fmt.Errorf("%s: %w", at, errNoKeys))
		}
	}
	return server.Bearer(access.Identifier{Keys: p.keys, Tokens: p.tokens}, open), nil
}

// unlimited reports whether a caller is this machine's user, who showed no key.
func unlimited(c access.Caller) bool { return c.ID == local.ID && c.Key == "" }

// runsOf is how many runs a caller may have at once.
func (p *parts) runsOf(c access.Caller) int {
	if unlimited(c) {
		return 0
	}
	return int(p.runsEach.Load())
}

// newLimiter counts the requests of each caller, nil where the settings want none.
func (p *parts) newLimiter(l config.Limits) access.Limiter {
	if l.RequestsPerMinute == 0 {
		return nil
	}
	rate := access.Rate{PerMinute: l.RequestsPerMinute, Burst: l.Burst}
	if p.shared != nil {
		return access.NewShared(p.shared, rate, func(err error) { p.log.Warn("requests are counted in this process only", "error", err) })
	}
	return access.NewBuckets(rate, nil)
}

// tls is how the server speaks HTTPS, nil for plain HTTP.
func (p *parts) tls() (*tls.Config, error) {
	c := p.cfg.Listen
	if c.TLSCert == "" {
		return nil, nil
	}
	out, err := server.Certificate(c.TLSCert, c.TLSKey, p.log)
	if err != nil {
		return nil, usageError(fmt.Errorf("listen.tls_cert: %w", err))
	}
	return out, nil
}

// stdioCaller is who speaks over stdio.
func (p *parts) stdioCaller(ctx context.Context) (access.Caller, error) {
	key := p.cfg.Access.StdioKey.Reveal()
	if key == "" {
		return access.Local("stdio"), nil
	}
	c, err := access.Identifier{Keys: p.keys}.Identify(ctx, key)
	if err != nil {
		return access.Caller{}, usageError(fmt.Errorf("access.stdio_key: %w", err))
	}
	return c, nil
}

// local is who asks on the command line.
var local = access.Local("cli")
