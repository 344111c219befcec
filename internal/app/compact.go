package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/config"
	"catena/internal/store/sqlite"
)

// Compact compacts the file in store.dir. stage is told how it comes on, as store.Compact has it.
func Compact(
	ctx context.Context, cfg config.Store, stage func(sqlite.Stage, string, int64),
) (before, after sqlite.Room, err error) {
	path, err := storePath(cfg.Dir)
	if err != nil {
		return before, after, err
	}
	if path == ":memory:" {
		return before, after,
			UsageError(errors.New("store.dir is :memory:, which keeps nothing; set store.dir or --store"))
	}
	if err := finishRestore(ctx, cfg, path); err != nil {
		return before, after, err
	}
	before, after, err = sqlite.Compact(ctx, path, stage)
	switch {
	case errors.Is(err, fs.ErrNotExist) && cfg.URL != "":
		err = UsageError(fmt.Errorf("there is no store at %s; what is in store.url needs no compacting", path))
	case errors.Is(err, fs.ErrNotExist):
		err = UsageError(fmt.Errorf("there is no store at %s; set store.dir or --store", path))
	case errors.Is(err, sqlite.ErrInUse):
		err = fmt.Errorf("a program has the store at %s open; stop Catena first, and start it again when this is done",
			path)
	case err != nil && ctx.Err() != nil:
		err = &Exit{Code: ExitInterrupted, Err: errors.New("interrupted; the store is as it was")}
	}
	return before, after, err
}
