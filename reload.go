package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server"
)

// reloadDelay gathers changes of the settings' files: editors write one in several steps.
const reloadDelay = 200 * time.Millisecond

// reloader applies changes of the settings' files to the MCP servers and the API keys. Settings that cannot be read, or are wrong, change nothing.
type reloader struct {
	p    *parts
	load func() (config.Config, error)
	file string // of the settings, "" for none

	cfg  config.Config                // in force
	seen map[string][sha256.Size]byte // what the files held

	mu    sync.Mutex
	wrong string // why the settings as they are now are not in force
}

// watchSettings starts watching the files that the settings came from, until ctx ends. hangup has SIGHUP read them too.
func (p *parts) watchSettings(ctx context.Context, opts *options, quiet, hangup bool) {
	r := &reloader{p: p, load: func() (config.Config, error) { return opts.load(quiet) }, file: opts.settingsFile(), cfg: p.cfg}
	p.reloads = r
	r.changed()
	signals := make(chan os.Signal, 1)
	if hangup {
		signal.Notify(signals, syscall.SIGHUP)
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		p.log.WarnContext(ctx, "the settings' files cannot be watched", "error", err)
		watcher = &fsnotify.Watcher{}
	}
	go func() {
		defer signal.Stop(signals)
		if err == nil {
			defer func() { _ = watcher.Close() }() // it only read
		}
		r.run(ctx, watcher, signals)
	}()
}

func (r *reloader) run(ctx context.Context, watcher *fsnotify.Watcher, signals <-chan os.Signal) {
	r.watch(watcher)
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			r.apply(ctx)
		case _, ok := <-watcher.Events:
			if ok && due == nil {
				due = time.After(reloadDelay)
			}
		case err, ok := <-watcher.Errors:
			if ok {
				r.p.log.WarnContext(ctx, "watching the settings' files failed; SIGHUP reads them again", "error", err)
			}
		case <-due:
			if due = nil; r.changed() {
				r.apply(ctx)
			}
		}
		r.watch(watcher)
	}
}

// files are those that the settings came from.
func (r *reloader) files() []string {
	list := slices.Clone(r.cfg.MCP.Files)
	if r.file != "" {
		list = append(list, r.file)
	}
	return list
}

// watch watches the folders of the files: many programs put a new file in the place of the old.
func (r *reloader) watch(watcher *fsnotify.Watcher) {
	if watcher.Events == nil {
		return
	}
	for _, file := range r.files() {
		if dir := filepath.Dir(file); !slices.Contains(watcher.WatchList(), dir) {
			_ = watcher.Add(dir) // a folder that is not there is told when its file is read
		}
	}
}

// changed reports whether the files hold something else than when it was asked last.
func (r *reloader) changed() bool {
	now := map[string][sha256.Size]byte{}
	for _, file := range r.files() {
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			data = []byte(err.Error())
		}
		now[file] = sha256.Sum256(data)
	}
	same := reflect.DeepEqual(now, r.seen)
	r.seen = now
	return !same
}

// apply reads the settings and brings the MCP servers to them.
func (r *reloader) apply(ctx context.Context) {
	cfg, err := r.load()
	var servers []string
	if err == nil {
		err = r.p.keys.Refix(func(next *access.Keys) error { return r.p.fixKeys(next, cfg.Access) })
	}
	if err == nil {
		servers, err = r.p.upstream.Apply(upstreamServers(cfg)...)
	}
	r.mu.Lock()
	if r.wrong = ""; err != nil {
		r.wrong = "the settings as they are now are not used: " + strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	r.mu.Unlock()
	if err != nil {
		r.p.log.ErrorContext(ctx, "changed settings are not used; those from before go on", "error", err.Error())
		return
	}
	for _, warning := range cfg.Warnings {
		r.p.log.WarnContext(ctx, "settings", "note", warning)
	}
	before, after := r.cfg, cfg
	before.MCPServers, after.MCPServers, before.Warnings, after.Warnings, before.MCP.Files, after.MCP.Files = nil, nil, nil, nil, nil, nil
	before.Access.Key, before.Access.Keys = after.Access.Key, after.Access.Keys
	r.p.log.InfoContext(ctx, "the settings were read again", "servers_changed", servers)
	if !reflect.DeepEqual(before, after) {
		r.p.log.WarnContext(ctx, "of changed settings only those of MCP servers and API keys are in force; the others wait for the next start")
	}
	r.cfg.Access.Key, r.cfg.Access.Keys = cfg.Access.Key, cfg.Access.Keys
	r.cfg.MCPServers, r.cfg.MCP.Files = cfg.MCPServers, cfg.MCP.Files
}

// component is what /readyz tells of the settings, when there is something to tell.
func (r *reloader) component() []server.Component {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrong == "" {
		return nil
	}
	return []server.Component{{Name: "settings", Status: server.Degraded, Detail: r.wrong}}
}
