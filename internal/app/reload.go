package app

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

	"catena/internal/config"
	"catena/server"
)

// reloadDelay gathers changes of the settings' files: editors write one in several steps.
const reloadDelay = 200 * time.Millisecond

// SettingsSource is where settings came from.
type SettingsSource struct {
	Load func(context.Context) (config.Config, error) // reads them again
	File string                                       // "" for none
	Held [sha256.Size]byte                            // the sum of what the file held when it was read
}

// reloader applies changes of the settings' files to what can be changed while the program runs: liveSettings. Settings
// that cannot be read, or are wrong, change nothing.
type reloader struct {
	p    *App
	load func(context.Context) (config.Config, error)
	file string // of the settings, "" for none

	cfg  config.Config                // in force; written with mu held, by the goroutine that reads the files
	seen map[string][sha256.Size]byte // what the files held

	mu      sync.Mutex
	wrong   string   // why the settings as they are now are not in force
	waiting []string // settings that changed and wait for the next start
}

// watchSettings starts watching the files that the settings came from, until ctx ends. hangup has SIGHUP read them too.
func (p *App) watchSettings(ctx context.Context, from SettingsSource, hangup bool) {
	r := &reloader{p: p, load: from.Load, file: from.File, cfg: p.Cfg}
	p.reloads = r
	signals := make(chan os.Signal, 1)
	if hangup {
		signal.Notify(signals, syscall.SIGHUP)
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		p.log.WarnContext(ctx, "the settings' files cannot be watched", "error", err)
		watcher = &fsnotify.Watcher{}
	}
	r.watch(watcher)
	r.changed()
	missed := r.file != "" && r.seen[r.file] != from.Held // it changed while the program started
	go func() {
		defer signal.Stop(signals)
		if err == nil {
			defer func() { _ = watcher.Close() }() // it only read
		}
		if missed {
			r.apply(ctx)
		}
		r.run(ctx, watcher, signals)
	}()
}

func (r *reloader) run(ctx context.Context, watcher *fsnotify.Watcher, signals <-chan os.Signal) {
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
	for _, f := range r.cfg.ToolFiles {
		list = append(list, f.File)
	}
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
		now[file] = FileSum(file)
	}
	same := reflect.DeepEqual(now, r.seen)
	r.seen = now
	return !same
}

// FileSum is a hash of what a file holds, or of why it cannot be read.
func FileSum(file string) [sha256.Size]byte {
	data, err := config.ReadRegular(file, 16<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		data = []byte(err.Error())
	}
	return sha256.Sum256(data)
}

// liveSettings are those whose changes are in force at once. All others wait for the next start.
var liveSettings = []string{
	"listen.allowed_hosts", "listen.allowed_origins", "access.key", "access.keys", "access.roles",
	"access.limits.requests_per_minute", "access.limits.burst", "access.limits.runs", "mcp.files", "mcpServers",
	"data.sources", "data.demo", "semantic", "tools", "tool_files",
}

// apply reads the settings and brings what can be changed to them: all of it, or nothing where something is wrong.
func (r *reloader) apply(ctx context.Context) {
	cfg, err := r.load(ctx)
	var servers []string
	if err == nil {
		servers, err = r.bring(ctx, cfg)
	}
	if err != nil {
		r.tell("the settings as they are now are not used: "+strings.ReplaceAll(err.Error(), "\n", "; "), nil)
		r.p.log.ErrorContext(ctx, "changed settings are not used; those from before go on", "error", err.Error())
		return
	}
	for _, warning := range cfg.Warnings {
		r.p.log.WarnContext(ctx, "settings", "note", warning)
	}
	var live, waiting []string
	for _, name := range config.Changed(r.cfg, cfg) {
		if slices.Contains(liveSettings, name) {
			live = append(live, name)
		} else {
			waiting = append(waiting, name)
		}
	}
	r.tell("", waiting)
	r.p.log.InfoContext(ctx, "the settings were read again", "in_force", live, "servers_changed", servers)
	if len(waiting) > 0 {
		r.p.log.WarnContext(ctx, "changed settings wait for the next start; restart to use them", "settings", waiting)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cfg.Listen.AllowedHosts, r.cfg.Listen.AllowedOrigins = cfg.Listen.AllowedHosts, cfg.Listen.AllowedOrigins
	r.cfg.Access.Key, r.cfg.Access.Keys, r.cfg.Access.Roles, r.cfg.Access.Limits = cfg.Access.Key, cfg.Access.Keys,
		cfg.Access.Roles, cfg.Access.Limits
	r.cfg.MCPServers, r.cfg.MCP.Files = cfg.MCPServers, cfg.MCP.Files
	r.cfg.Data, r.cfg.Semantic, r.cfg.Tools, r.cfg.ToolFiles = cfg.Data, cfg.Semantic, cfg.Tools, cfg.ToolFiles
}

// bring brings the parts to settings. What can be wrong is looked at before anything is changed.
func (r *reloader) bring(ctx context.Context, cfg config.Config) (servers []string, err error) {
	rights, err := r.p.prepareAccess(ctx, cfg.Access)
	if err != nil {
		return nil, err
	}
	sources, err := r.p.prepareSources(ctx, r.cfg, cfg)
	if err != nil {
		return nil, err
	}
	if servers, err = r.p.Upstream.Apply(upstreamServers(cfg)...); err != nil {
		return nil, errors.Join(err, sources.drop())
	}
	r.p.Secrets.Set(cfg)
	if err := sources.apply(ctx); err != nil {
		return nil, err
	}
	rights()
	r.p.admit(cfg, r.cfg.Access.Limits != cfg.Access.Limits)
	return servers, nil
}

// tell notes what is to be known of the settings: why they are not used, or which wait for the next start.
func (r *reloader) tell(wrong string, waiting []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong, r.waiting = wrong, waiting
}

// inForce are the settings as they are used now.
func (r *reloader) inForce() config.Config {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cfg
}

// component is what /readyz tells of the settings, when there is something to tell.
func (r *reloader) component() []server.Component {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := server.Component{Name: settingsComponent, Status: server.Healthy}
	switch {
	case r.wrong != "":
		c.Status, c.Detail = server.Degraded, r.wrong
	case len(r.waiting) > 0:
		c.Detail = "changed, and in force from the next start on: " + strings.Join(r.waiting, ", ")
	default:
		return nil
	}
	return []server.Component{c}
}

// settingsComponent is the name by which /readyz tells of the settings.
const settingsComponent = "settings"
