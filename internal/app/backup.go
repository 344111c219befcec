package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/sqlite"
)

// Backup writes the copy to file, which must be new.
func Backup(ctx context.Context, cfg config.Config, file string) (m Manifest, err error) {
	path, err := storePath(cfg.Store.Dir)
	if err != nil {
		return m, err
	}
	if path == ":memory:" {
		return m, UsageError(errors.New("store.dir is :memory:, which keeps nothing; there is nothing to copy"))
	}
	if err := finishRestore(ctx, cfg.Store, path); err != nil {
		return m, err
	}
	if _, err := os.Lstat(file); err == nil {
		return m, UsageError(fmt.Errorf("%s is there already; choose another name", file))
	}
	work, err := os.MkdirTemp(filepath.Dir(file), ".catena-backup-")
	if err != nil {
		return m, UsageError(noFolder(filepath.Dir(file), "name a file in a folder that can be written", err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	m = Manifest{Format: copyFormat, Catena: BuildVersion(), Made: time.Now()}
	switch m.Lying, err = sqlite.Snapshot(ctx, path, filepath.Join(work, copyFile)); {
	case errors.Is(err, fs.ErrNotExist) && cfg.Store.URL == "":
		return m, UsageError(fmt.Errorf("there is no store at %s; set store.dir or --store", path))
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return m, err
	default:
		m.Entries = append(m.Entries, copyFile)
	}
	if cfg.Store.URL != "" {
		if m.Shared, err = exportShared(ctx, cfg, filepath.Join(work, copyShared)); err != nil {
			return m, err
		}
		m.Entries = append(m.Entries, copyShared)
	}
	m.ModelLeft = hasChosen(path)
	packed := filepath.Join(work, "packed")
	if err := m.pack(ctx, packed, work); err != nil {
		return m, err
	}
	if _, err := unpack(ctx, packed, ""); err != nil { // what a disk gives back is not always what it was given
		return m, err
	}
	if err := os.Rename(packed, file); err != nil {
		return m, err
	}
	return m, sqlite.SyncFolder(filepath.Dir(file))
}

// noFolder says that nothing can be made in a folder, and what to do, by what the system said of a file in it.
func noFolder(dir, hint string, err error) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		err = about.Err // the path is of a file that was never there
	}
	return fmt.Errorf("the folder %s cannot be written (%w); %s", dir, err, hint)
}

func exportShared(ctx context.Context, cfg config.Config, to string) (n int, err error) {
	shared, err := redis.Open(ctx, cfg.Store.URL, cfg.Store.Password.Reveal(), store.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, shared.Close()) }()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return shared.Export(ctx, f)
}
