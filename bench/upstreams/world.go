package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/upstream"
)

// world is a registry with a server that is well, and one that breaks.
type world struct {
	settings
	self     string
	registry *tools.Registry
	good     *upstream.Servers
	address  string // of the server over HTTP
	web      *exec.Cmd
}

func newWorld(ctx context.Context, s settings) (*world, error) {
	w := &world{settings: s, registry: tools.NewRegistry(tools.Options{Log: quiet.Log})}
	var err error
	if w.self, err = os.Executable(); err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w.address = free.Addr().String()
	if err = free.Close(); err != nil {
		return nil, err
	}
	good := upstream.Config{Name: "good", Command: w.self, Env: map[string]string{modeVariable: "plain"}}
	if w.good, err = upstream.New(w.registry, quiet, good); err != nil {
		return nil, err
	}
	w.good.Start(ctx)
	if err = w.good.Wait(ctx); err == nil {
		_, err = w.calls(ctx, 200*time.Millisecond, nil) // so that all is warm
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) close() {
	_ = w.good.Close()
	if w.web != nil {
		_ = w.stopHTTP()
	}
}

func (w *world) call(ctx context.Context, tool string) (tools.Result, error) {
	return w.registry.Call(ctx, tools.Call{Caller: access.Local("bench"), Tool: tool, Args: map[string]any{}})
}

// outcome is what one fault did.
type outcome struct {
	fail, back          time.Duration
	calm, then          float64 // 99th percentiles, ms
	zombies, goroutines int
}

// make makes one fault, while the other server is called.
func (w *world) make(ctx context.Context, f fault) (o outcome, err error) {
	if o.calm, err = w.calls(ctx, w.calm, nil); err != nil {
		return o, err
	}
	before := runtime.NumGoroutine()
	if f.mode == "http" {
		if err := w.startHTTP(); err != nil {
			return o, err
		}
		defer func() { _ = w.stopHTTP() }()
	}
	bad, err := upstream.New(w.registry, quiet, w.config(f.mode))
	if err != nil {
		return o, err
	}
	bad.Start(ctx)
	if !f.dead {
		if err = bad.Wait(ctx); err != nil {
			return o, err
		}
	}
	over := make(chan struct{})
	last := f.last
	if w.short {
		last /= 10
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		var broken error
		if o.then, broken = w.calls(ctx, last, over); broken != nil {
			err = fmt.Errorf("the other server: %w", broken)
		}
	})
	var broken error
	if f.make != nil {
		if o.fail, broken = f.make(w, ctx); broken == nil {
			o.back, broken = w.back(ctx)
		}
	}
	close(over)
	wg.Wait()
	if err == nil {
		err = broken
	}
	_ = bad.Close()
	w.registry.DropServer("bad")
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if o.zombies, o.goroutines = zombies(), runtime.NumGoroutine()-before; o.zombies == 0 && o.goroutines <= 0 {
			break
		}
	}
	return o, err
}

// calls calls the server that is well, 200 times a second for so long and until over is closed, and returns the 99th percentile of what
// that took, in ms. A call that fails is an error.
func (w *world) calls(ctx context.Context, least time.Duration, over <-chan struct{}) (float64, error) {
	const pause = 5 * time.Millisecond
	var took []float64
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for began := time.Now(); time.Since(began) < least || over != nil && !closed(over); {
		start := time.Now()
		if res, err := w.call(ctx, "good__echo"); !succeeded(res, err) {
			return 0, unexpected("a call", res, err)
		}
		took = append(took, ms(time.Since(start)))
		<-tick.C
	}
	slices.Sort(took)
	return took[len(took)*99/100], nil
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// startHTTP starts the server over HTTP and waits until it listens.
func (w *world) startHTTP() error {
	w.web = exec.Command(w.self)
	w.web.Env = append(os.Environ(), modeVariable+"=http", addressVariable+"="+w.address)
	w.web.Stderr = os.Stderr
	if err := w.web.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if c, err := net.DialTimeout("tcp", w.address, time.Second); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("nothing listens at %s", w.address)
}

// stopHTTP kills it.
func (w *world) stopHTTP() error {
	if err := w.web.Process.Kill(); err != nil {
		return err
	}
	_ = w.web.Wait() // it was killed, which is an error
	return nil
}
