package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"catena/chat"
	"catena/internal/config"
	"catena/internal/store"
)

// openStore opens the file in store.dir, and what store.url names beside it.
func (p *App) openStore(ctx context.Context) error {
	path, err := storePath(p.Cfg.Store.Dir)
	if err != nil {
		return err
	}
	if err := finishRestore(ctx, p.Cfg.Store, path); err != nil {
		return err
	}
	opts := keptOptions(p.Cfg.Store)
	opts.Report = func(err error) { p.log.Error("work in the store's background failed", "error", err) }
	opts.NearQuota = p.sayNearQuota
	if p.folder, err = store.Open(ctx, path, opts); err != nil {
		return err
	}
	p.onClose(p.folder.Close)
	if path != ":memory:" {
		if err := store.RemoveCompactions(path); err != nil {
			p.log.WarnContext(ctx, "what a compaction left that was killed could not be removed; delete .catena-compact-* beside the store", "error", err)
		}
	}
	p.sayRetention(ctx, p.folder, p.folder.Retention())
	p.Store = store.Spaces(p.folder, chat.SessionPrefix)
	if p.Cfg.Store.URL != "" {
		if err := p.openShared(ctx, opts); err != nil {
			return err
		}
	}
	return p.addKeys(ctx)
}

// reserveBytes is how much room on the disk serves deletions alone; see store.Options.ReserveBytes.
const reserveBytes = 8 << 20

// keptOptions are what the settings say about how long things are kept, and how many.
func keptOptions(c config.Store) store.Options {
	return store.Options{
		KeepSessions: c.KeepSessions, KeepRuns: c.KeepRuns, ReserveBytes: reserveBytes,
		OwnerRunBytes: int64(c.RunsMB) << 20, OwnerBytes: int64(c.TablesMB) << 20, CacheBytes: int64(c.CacheMB) << 20,
	}
}

// sayRetention says what will be deleted without being asked for, while that has not begun.
func (p *App) sayRetention(ctx context.Context, where fmt.Stringer, r store.Retention) {
	if r.From.After(time.Now()) {
		p.log.WarnContext(ctx, "logs of runs that ended long ago will be deleted; the turns of their sessions stay. Set store.keep_runs to 0s and store.runs_mb to 0 to keep them all",
			"store", where.String(), "from", r.From, "older_than", r.KeepRuns)
	}
}

// sayNearQuota logs that an owner comes near to a quota, before anything is deleted for it.
func (p *App) sayNearQuota(owner string, use store.QuotaUse) {
	p.log.Warn("an owner comes near to a quota; beyond it the oldest of these are deleted. A larger quota, or 0 for store.runs_mb, keeps them",
		"owner", owner, "what", use.Kind, "setting", use.Setting, "bytes", use.Bytes, "quota_bytes", use.Limit)
}

// quotaWarnings says the same to the owner, beside an answer.
func (p *App) quotaWarnings(owner string) (out []string) {
	near := p.folder.NearQuota
	if p.shared != nil {
		near = p.shared.NearQuota
	}
	for _, use := range near(owner) {
		out = append(out, fmt.Sprintf("Your %s use %d %% of the %s that they may have (%s); beyond that the oldest are deleted.",
			use.Kind, min(use.Bytes*100/use.Limit, 100), Mebibytes(use.Limit), use.Setting))
	}
	return out
}

func (p *App) openShared(ctx context.Context, opts store.Options) error {
	c := p.Cfg.Store
	if err := store.CheckRedis(c.URL); err != nil {
		return UsageError(fmt.Errorf("config: store.url: %w", err))
	}
	shared, err := store.OpenRedis(ctx, c.URL, c.Password.Reveal(), opts)
	if err != nil {
		return err
	}
	p.Store, p.shared = store.Spaces(shared, chat.SessionPrefix), shared
	p.onClose(shared.Close)
	p.sayRetention(ctx, shared, shared.Retention())
	advice, err := shared.Advice(ctx)
	for _, say := range advice {
		p.log.WarnContext(ctx, "the store's server breaks a promise", "server", shared.String(), "what", say)
	}
	return err
}

// storePath is the database's file in dir, or in the user's own folder for data.
func storePath(dir string) (string, error) {
	if dir == ":memory:" {
		return dir, nil
	}
	if dir == "" {
		base := os.Getenv("XDG_DATA_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", UsageError(fmt.Errorf("no folder for sessions: %w; set store.dir or --store, or --store :memory: to keep nothing", err))
			}
			base = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(base, "catena")
	}
	return filepath.Join(dir, "catena.db"), nil
}

// takeOverEvery is the pause between looks for runs whose process died.
const takeOverEvery = 3 * time.Second

// takeOver has the runs go on that processes left open which are gone, until ctx ends: at once those of a former one, and later what
// other processes on the same store leave behind.
func (p *App) takeOver(ctx context.Context) {
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	for {
		p.recover(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (p *App) recover(ctx context.Context) {
	goOn, ended, err := p.Runs.Recover(ctx)
	if err != nil && ctx.Err() == nil {
		p.log.WarnContext(ctx, "runs whose process is gone could not be taken over", "error", err)
	}
	if goOn+ended > 0 {
		p.log.WarnContext(ctx, "runs of a process that is gone were taken over", "go_on", goOn, "ended", ended)
	}
}

// StoreOnly opens the store and the keys alone: no tool and no table is loaded, and no MCP server is started. The caller closes it.
func StoreOnly(ctx context.Context, cfg config.Config, logs io.Writer) (*App, error) {
	p := &App{Cfg: cfg, log: slog.New(slog.NewTextHandler(logs, nil))}
	if err := p.openStore(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}
