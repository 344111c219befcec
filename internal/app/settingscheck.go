package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/sqlite"
	"catena/internal/telemetry"
	"catena/tools"
	"catena/tools/code/workspace"
	"catena/tools/memory"
	"catena/tools/upstream"
)

// CheckSettings returns why serve would refuse settings, nil where it would not. It makes with them what the start
// makes, by the same functions, and keeps nothing: no server is started, nothing is sent, and no store is made.
func CheckSettings(ctx context.Context, cfg config.Config) error {
	p := newApp(cfg)
	p.Registry = tools.NewRegistry(tools.Options{})
	var err error
	if p.log, err = telemetry.Logger(io.Discard, cfg.Log.Level, cfg.Log.Format, nil); err != nil {
		return UsageError(err)
	}
	if p.Roles, err = roles(cfg.Access); err != nil {
		return err
	}
	p.Keys = access.NewKeys(nil, access.KeysOptions{Roles: p.Roles})
	_, tlsErr := p.tls()
	_, serversErr := upstream.New(announcer{p.Registry, p.front}, upstream.Options{}, upstreamServers(cfg)...)
	errs := []error{p.addTokens(), p.fixKeys(p.Keys, cfg.Access), tlsErr, serversErr, checkDeclared(cfg)}
	if cfg.Code.Enabled && len(cfg.Code.Roots) > 0 {
		errs = append(errs, workspace.CheckRoots(cfg.Code.Roots))
	}
	if cfg.Memory.Enabled {
		errs = append(errs, memory.CheckPersonality(cfg.Memory.Personality, cfg.Memory.Variant))
	}
	if cfg.Store.URL != "" {
		errs = append(errs, redis.Check(cfg.Store.URL))
	}
	if err := errors.Join(errs...); err != nil {
		return UsageError(err)
	}
	return p.checkCallers(ctx)
}

// checkCallers holds that who could reach the address can be told, as the start does once it listens. Keys of a store
// on another server are not asked for: the start says what is wrong there.
func (p *App) checkCallers(ctx context.Context) error {
	if p.Cfg.Store.URL != "" {
		return nil
	}
	path, err := storePath(p.Cfg.Store.Dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err == nil {
		kept, err := sqlite.Open(ctx, path, store.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = kept.Close() }() // only read
		p.Keys = access.NewKeys(kept, access.KeysOptions{Roles: p.Roles})
		if err := p.fixKeys(p.Keys, p.Cfg.Access); err != nil {
			return err
		}
		if err := p.distinctKeys(ctx, p.Keys); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) && path != ":memory:" {
		return fmt.Errorf("the store cannot be looked at: %w", err)
	}
	at, err := new(net.Resolver).LookupHost(ctx, hostOf(p.Cfg.Listen.Addr))
	if err != nil || len(at) == 0 {
		at = []string{"0.0.0.0"}
	}
	_, err = p.callers(ctx, &net.TCPAddr{IP: net.ParseIP(at[0])})
	return err
}

// hostOf is the host of an address to listen on; all of the machine's where it names none.
func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" {
		return "0.0.0.0"
	}
	return host
}
