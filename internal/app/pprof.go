package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"time"

	"catena/server"
)

// serveProfiles serves Go's profiles at their own loopback address, where one is set, until ctx ends.
func (p *App) serveProfiles(ctx context.Context) error {
	addr := p.Cfg.Telemetry.Pprof
	if addr == "" {
		return nil
	}
	l, err := server.Listen(ctx, addr)
	if err != nil {
		return UsageError(fmt.Errorf("telemetry.pprof: %w", err))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A page of another site can send a browser here; it comes with its own name as Host, or with an Origin.
		if !server.Loopback(r.Host) || r.Header.Get("Origin") != "" {
			http.Error(w, "profiles are read at a loopback address only", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	}), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	p.onClose(func() error {
		err := s.Close()
		if cause := <-ended; !errors.Is(cause, http.ErrServerClosed) {
			err = errors.Join(err, cause)
		}
		return err
	})
	p.log.InfoContext(ctx, "profiles are served", "address", "http://"+l.Addr().String()+"/debug/pprof/")
	return nil
}
