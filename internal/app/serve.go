package app

import (
	"context"
	"io"
	"net"

	"catena/internal/garbage"
	"catena/internal/lane"
	"catena/profiler"
	"catena/server"
	"catena/table"
)

// Serve answers over HTTP at l until ctx ends, and follows changes of the settings. ready is called once others can use
// it.
func (p *App) Serve(ctx context.Context, l net.Listener, from SettingsSource, ready func()) error {
	lane.Spare(ctx)
	defer garbage.Pace(garbage.Bound(table.UsableMemory()))()
	if err := p.serveProfiles(ctx); err != nil {
		return err
	}
	caller, err := p.callers(ctx, l.Addr())
	if err != nil {
		return err
	}
	secure, err := p.tls()
	if err != nil {
		return err
	}
	p.limiter = p.newLimiter(p.Cfg.Access.Limits)
	s, err := p.Server(server.Options{
		Caller: caller, Refused: p.refused, Limiter: p.limiter, TLS: secure,
		Issuer: p.Cfg.Access.OIDC.Issuer, Resource: p.Cfg.Access.OIDC.Resource,
		Addresses: !server.Loopback(l.Addr().String()),
	})
	if err != nil {
		return err
	}
	ready()
	watch, stop := context.WithCancel(ctx)
	defer stop()
	p.watchSettings(watch, from, true)
	go func() {
		profiler.Warm() // before what the start needed is released
		p.idle.run(watch)
	}()
	go p.takeOver(watch)
	go p.watchSwitches(watch)
	told := make(chan struct{})
	go func() { defer close(told); p.beat(watch) }()
	defer func() { stop(); <-told }()
	return s.Serve(ctx, l)
}

// ServeStdio serves MCP over in and out until ctx or in ends. ready is called once the client can use it.
func (p *App) ServeStdio(ctx context.Context, from SettingsSource, in io.Reader, out io.Writer, ready func()) error {
	lane.Spare(ctx)
	who, err := p.stdioCaller(ctx)
	if err != nil {
		return err
	}
	if _, err := p.serverFor(server.Options{}, who); err != nil {
		return err
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	p.watchSettings(watch, from, false)
	go p.watchSwitches(watch)
	ready()
	return p.overMCP.Load().ServeStdio(ctx, in, out)
}
