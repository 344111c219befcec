package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"time"

	"catena/server"
)

// running is what a server that runs with these settings says of itself.
type running struct {
	Service    string             `json:"service"`
	Version    string             `json:"version"`
	Components []server.Component `json:"components"`
}

// checkListen loads the certificate and tries the address that serve would take. Where a Catena has it already, it is asked how it is.
func (p *parts) checkListen(ctx context.Context) []check {
	out := p.checkTLS(time.Now())
	broken := len(out) > 0 && out[0].bad
	l, err := server.Listen(ctx, p.cfg.Listen.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		if r, asked := p.askRunning(ctx); asked == nil && r.Service == "catena" {
			return append(out, r.checks(p.cfg.Listen.Addr)...)
		}
		if broken {
			return append(out, check{name: "listen", bad: true, say: p.cfg.Listen.Addr + " is in use; whether by Catena can be asked when the certificate is mended"})
		}
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		return append(out, check{name: "listen", bad: true, say: err.Error()})
	}
	return append(out, check{name: "listen", say: p.cfg.Listen.Addr + " is free"})
}

// askRunning asks the server at the settings' address for /health. Details are for callers only: access.key is shown where there is one.
func (p *parts) askRunning(ctx context.Context) (r running, err error) {
	address, err := ownAddress(p.cfg)
	if err != nil {
		return r, err
	}
	transport, err := ownTransport(p.cfg)
	if err != nil {
		return r, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/health", nil)
	if err != nil {
		return r, err
	}
	if key := p.cfg.Access.Key.Reveal(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := (&http.Client{Timeout: healthTime, Transport: transport}).Do(req)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(body, &r)
}

// checks are what a running server says that is not well, and which changed settings it does not use yet.
func (r running) checks(at string) []check {
	say := fmt.Sprintf("Catena %s serves at %s", r.Version, at)
	if own := buildVersion(); r.Version != own {
		say += ", and this is " + own + "; restart it to use this one"
	}
	out := []check{{name: "listen", say: say}}
	for _, c := range r.Components {
		if c.Status == server.Healthy && c.Name != settingsComponent {
			continue
		}
		say := c.Name + ": " + c.Detail
		if c.Detail == "" {
			say = c.Name + " is " + c.Status + "; its log says more"
		}
		out = append(out, check{name: "running", bad: c.Status != server.Healthy, say: say})
	}
	return out
}
