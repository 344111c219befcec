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
	"catena/internal/store/redis"
	"catena/internal/store/sqlite"
)

// stores are where things are kept.
type stores struct {
	*base
	Store  store.Store   // what processes may share: sessions, runs, tables, the plan cache
	folder *sqlite.Store // what is this process's own: memories, personas; the same as Store without store.url
	shared *redis.Store  // the same as Store with store.url, else nil
}

// openStore opens the file in store.dir, and what store.url names beside it.
func (s *stores) openStore(ctx context.Context) error {
	path, err := storePath(s.Cfg.Store.Dir)
	if err != nil {
		return err
	}
	if err := finishRestore(ctx, s.Cfg.Store, path); err != nil {
		return err
	}
	opts := keptOptions(s.Cfg.Store)
	opts.Report = func(err error) { s.log.Error("work in the store's background failed", "error", err) }
	opts.NearQuota = s.sayNearQuota
	if s.folder, err = sqlite.Open(ctx, path, opts); err != nil {
		return err
	}
	s.onClose(s.folder.Close)
	if path != ":memory:" {
		if err := sqlite.RemoveCompactions(path); err != nil {
			s.log.WarnContext(ctx,
				"what a compaction left that was killed could not be removed; "+
					"delete .catena-compact-* beside the store", "error", err)
		}
	}
	s.sayRetention(ctx, s.folder, s.folder.Retention())
	s.Store = store.Spaces(s.folder, chat.SessionPrefix)
	if s.Cfg.Store.URL != "" {
		return s.openShared(ctx, opts)
	}
	return nil
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
func (s *stores) sayRetention(ctx context.Context, where fmt.Stringer, r store.Retention) {
	if r.From.After(time.Now()) {
		s.log.WarnContext(ctx,
			"logs of runs that ended long ago will be deleted; the turns of their sessions stay. Set store.keep_runs "+
				"to 0s and store.runs_mb to 0 to keep them all",
			"store", where.String(), "from", r.From, "older_than", r.KeepRuns)
	}
}

// sayNearQuota logs that an owner comes near to a quota, before anything is deleted for it.
func (s *stores) sayNearQuota(owner string, use store.QuotaUse) {
	s.log.Warn("an owner comes near to a quota; beyond it the oldest of these are deleted. A larger quota, or 0 for "+
		"store.runs_mb, keeps them",
		"owner", owner, "what", use.Kind, "setting", use.Setting, "bytes", use.Bytes, "quota_bytes", use.Limit)
}

// quotaWarnings says the same to the owner, beside an answer.
func (s *stores) quotaWarnings(owner string) (out []string) {
	near := s.folder.NearQuota
	if s.shared != nil {
		near = s.shared.NearQuota
	}
	for _, use := range near(owner) {
		out = append(out,
			fmt.Sprintf("Your %s use %d %% of the %s that they may have (%s); beyond that the oldest are deleted.",
				use.Kind, min(use.Bytes*100/use.Limit, 100), Mebibytes(use.Limit), use.Setting))
	}
	return out
}

func (s *stores) openShared(ctx context.Context, opts store.Options) error {
	c := s.Cfg.Store
	if err := redis.Check(c.URL); err != nil {
		return UsageError(fmt.Errorf("config: store.url: %w", err))
	}
	shared, err := redis.Open(ctx, c.URL, c.Password.Reveal(), opts)
	if err != nil {
		return err
	}
	s.Store, s.shared = store.Spaces(shared, chat.SessionPrefix), shared
	s.onClose(shared.Close)
	s.sayRetention(ctx, shared, shared.Retention())
	advice, err := shared.Advice(ctx)
	for _, say := range advice {
		s.log.WarnContext(ctx, "the store's server breaks a promise", "server", shared.String(), "what", say)
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
				return "", UsageError(fmt.Errorf("no folder for sessions: %w; set store.dir or --store, or --store "+
					":memory: to keep nothing", err))
			}
			base = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(base, "catena")
	}
	return filepath.Join(dir, "catena.db"), nil
}

// takeOverEvery is the pause between looks for runs whose process died.
const takeOverEvery = 3 * time.Second

// takeOver has the runs go on that processes left open which are gone, until ctx ends: at once those of a former one,
// and later what other processes on the same store leave behind.
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

// StoreOnly opens the store and the keys alone: no tool and no table is loaded, and no MCP server is started. The
// caller closes it.
func StoreOnly(ctx context.Context, cfg config.Config, logs io.Writer) (*App, error) {
	p := newApp(cfg)
	p.log = slog.New(slog.NewTextHandler(logs, nil))
	err := p.openStore(ctx)
	if err == nil {
		err = p.addKeys(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}
