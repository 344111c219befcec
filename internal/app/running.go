package app

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

// checkListen loads the certificate and tries the address that serve would take. Where a Catena has it already, it is
// asked how it is.
func (p *App) checkListen(ctx context.Context) []Check {
	out := p.checkTLS(time.Now())
	broken := len(out) > 0 && out[0].Bad
	l, err := server.Listen(ctx, p.Cfg.Listen.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		if r, asked := p.askRunning(ctx); asked == nil && r.Service == "catena" {
			return append(out, r.checks(p.Cfg.Listen.Addr)...)
		}
		if broken {
			return append(out, Check{Name: "listen", Bad: true,
				Say: p.Cfg.Listen.Addr + " is in use; whether by Catena can be asked when the certificate is mended"})
		}
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		return append(out, Check{Name: "listen", Bad: true, Say: err.Error()})
	}
	return append(out, Check{Name: "listen", Say: p.Cfg.Listen.Addr + " is free"})
}

// askRunning asks the server at the settings' address for /health. Details are for callers only: access.key is shown
// where there is one.
func (p *App) askRunning(ctx context.Context) (r running, err error) {
	address, err := OwnAddress(p.Cfg)
	if err != nil {
		return r, err
	}
	transport, err := OwnTransport(p.Cfg)
	if err != nil {
		return r, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/health", nil)
	if err != nil {
		return r, err
	}
	if key := p.Cfg.Access.Key.Reveal(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := (&http.Client{Timeout: HealthTime, Transport: transport}).Do(req)
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

// Checks are what a running server says that is not well, and which changed settings it does not use yet.
func (r running) checks(at string) []Check {
	say := fmt.Sprintf("Catena %s serves at %s", r.Version, at)
	if own := BuildVersion(); r.Version != own {
		say += ", and this is " + own + "; restart it to use this one"
	}
	out := []Check{{Name: "listen", Say: say}}
	for _, c := range r.Components {
		if c.Status == server.Healthy && c.Name != settingsComponent {
			continue
		}
		say := c.Name + ": " + c.Detail
		if c.Detail == "" {
			say = c.Name + " is " + c.Status + "; its log says more"
		}
		out = append(out, Check{Name: "running", Bad: c.Status != server.Healthy, Say: say})
	}
	return out
}
