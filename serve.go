package main

import (
	"context"
	"io"
	"net"

	"catena/profiler"
	"catena/server"
)

// serve answers over HTTP at l until ctx ends, and follows changes of the settings. ready is called once others can use it.
func (p *parts) serve(ctx context.Context, l net.Listener, from settingsSource, ready func()) error {
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
	p.limiter = p.newLimiter(p.cfg.Access.Limits)
	s, err := p.server(server.Options{
		Caller: caller, Refused: p.refused, Limiter: p.limiter, TLS: secure,
		Issuer: p.cfg.Access.OIDC.Issuer, Resource: p.cfg.Access.OIDC.Resource,
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
	told := make(chan struct{})
	go func() { defer close(told); p.beat(watch) }()
	defer func() { stop(); <-told }()
	return s.Serve(ctx, l)
}

// serveStdio serves MCP over in and out until ctx or in ends. ready is called once the client can use it.
func (p *parts) serveStdio(ctx context.Context, from settingsSource, in io.Reader, out io.Writer, ready func()) error {
	who, err := p.stdioCaller(ctx)
	if err != nil {
		return err
	}
	s, err := p.server(server.Options{Stdio: who})
	if err != nil {
		return err
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	p.watchSettings(watch, from, false)
	ready()
	return s.ServeStdio(ctx, in, out)
}
