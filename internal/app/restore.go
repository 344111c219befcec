package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/sqlite"
)

// A restore changes nothing until all of the copy was read, checked and put beside the store. Then it writes down what
// it is about to do (an exchange), does it, and removes the note. Whoever finds such a note does the rest: so there is
// the former store or the new one, wherever it was interrupted.

// exchange is what is left to do of a restore once its new store is complete.
type exchange struct {
	PID        int    `json:"pid"`                  // of the process that does it
	Folder     string `json:"folder"`               // beside the store: what holds the new file
	File       bool   `json:"file"`                 // there is a new file
	Former     string `json:"former"`               // what the former file is called then, beside the store
	Generation string `json:"generation,omitempty"` // of the keys in the shared store; see redis.Store.Stage
}

// exchangeNote is the name of the note, beside the store.
const exchangeNote = "restore.json"

// restorePrefix begins the names of the folders in which restores work, beside the store.
const restorePrefix = ".catena-restore-"

// exchangeLimit is how long whoever wrote a note is left alone with it.
const exchangeLimit = time.Minute

// Restore puts a copy in the place of the store. former is where the former file is now, "" where there was none.
// A model that was chosen for the folder stays chosen.
func Restore(ctx context.Context, cfg config.Config, file string, force bool) (m Manifest, former string, err error) {
	path, err := storePath(cfg.Store.Dir)
	if err != nil {
		return m, "", err
	}
	if path == ":memory:" {
		return m, "", UsageError(errors.New("store.dir is :memory:, which keeps nothing; set store.dir or --store"))
	}
	dir := filepath.Dir(path)
	const elsewhere = "choose another store.dir (--store), or give the right to write there; nothing was changed"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, "", UsageError(noFolder(dir, elsewhere, err))
	}
	if err := finishRestore(ctx, cfg.Store, path); err != nil {
		return m, "", err
	}
	work, err := os.MkdirTemp(dir, restorePrefix)
	if err != nil {
		return m, "", UsageError(noFolder(dir, elsewhere, err))
	}
	ours := true // work is; once an exchange is noted it goes with that
	defer func() {
		if ours {
			err = errors.Join(err, os.RemoveAll(work))
		}
	}()
	if m, err = soundCopy(ctx, cfg, file, work); err != nil {
		return m, "", err
	}
	m.ModelLeft = m.ModelLeft && !hasChosen(path)
	if err := free(ctx, path, force); err != nil {
		return m, "", err
	}
	if err := m.opens(ctx, work); err != nil {
		return m, "", err
	}
	x := exchange{PID: os.Getpid(), Folder: filepath.Base(work), File: m.has(copyFile)}
	if x.File {
		x.Former = filepath.Base(path) + ".before-" + time.Now().UTC().Format("20060102T150405.000000")
	}
	if m.has(copyShared) {
		if x.Generation, err = stageShared(ctx, cfg.Store, filepath.Join(work, copyShared), m.Shared, force); err != nil {
			return m, "", err
		}
	}
	if err := x.note(dir); err != nil {
		return m, "", err
	}
	if err := unused(ctx, path); err != nil { // one that began while the copy was checked; from the note on none does
		return m, "", errors.Join(err, os.Remove(filepath.Join(dir, exchangeNote)))
	}
	ours = false
	if err := x.do(ctx, cfg.Store, path); err != nil {
		return m, "", fmt.Errorf("the restore stands half-way: %w; the next start of Catena goes on with it", err)
	}
	if _, err := os.Stat(filepath.Join(dir, x.Former)); x.File && err == nil {
		former = filepath.Join(dir, x.Former)
	}
	return m, former, nil
}

// soundCopy unpacks a copy into a folder, durably, and checks that it is whole and fits the settings.
func soundCopy(ctx context.Context, cfg config.Config, file, work string) (Manifest, error) {
	m, err := unpack(ctx, file, work)
	if err != nil {
		return m, err
	}
	if err := m.fits(cfg); err != nil {
		return m, UsageError(err)
	}
	if err := m.sync(work); err != nil {
		return m, err
	}
	return m, nil
}

// opens reports why the file of a copy that was unpacked into a folder is no store; nil where the copy has no file.
func (m Manifest) opens(ctx context.Context, work string) error {
	if !m.has(copyFile) {
		return nil
	}
	return sqlite.CheckFile(ctx, filepath.Join(work, copyFile))
}

// free says why a store cannot be replaced, nil when it can.
func free(ctx context.Context, path string, force bool) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !force {
		return UsageError(fmt.Errorf("there is a store at %s already; --force replaces it, and keeps its file", path))
	}
	return unused(ctx, path)
}

// unused is an error while a program has the store open.
func unused(ctx context.Context, path string) error {
	used, err := sqlite.InUse(ctx, path)
	if err == nil && used {
		err = fmt.Errorf("a program has the store at %s open; stop Catena first", path)
	}
	return err
}

// stageShared puts the keys of a copy beside those that the shared store has.
func stageShared(
	ctx context.Context, cfg config.Store, from string, want int, force bool,
) (generation string, err error) {
	shared, err := redis.Open(ctx, cfg.URL, cfg.Password.Reveal(), store.Options{})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, shared.Close()) }()
	running, err := present(ctx, shared)
	if err == nil && len(running) > 0 {
		err = fmt.Errorf("%d replicas use %s; stop them first (one that was killed counts as gone after %v)",
			len(running), shared, replicaSilent)
	}
	if err != nil {
		return "", err
	}
	f, err := config.OpenRegular(from, math.MaxInt64)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	generation, err = shared.Stage(ctx, f, want, force)
	if errors.Is(err, redis.ErrNotEmpty) {
		return "", UsageError(fmt.Errorf("%s holds keys of Catena's already; --force deletes them first", shared))
	}
	return generation, err
}

// note writes down what is about to be done. It is on disk when note returns.
func (x *exchange) note(dir string) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, x.Folder, exchangeNote)
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close(), sqlite.SyncFolder(filepath.Join(dir, x.Folder))); err != nil {
		return err
	}
	return errors.Join(os.Rename(to, filepath.Join(dir, exchangeNote)), sqlite.SyncFolder(dir))
}

// do does what is left of an exchange, and removes its note. It can be done again from wherever it broke off.
func (x *exchange) do(ctx context.Context, cfg config.Store, path string) error {
	dir := filepath.Dir(path)
	if x.Generation != "" {
		if err := adoptShared(ctx, cfg, x.Generation); err != nil {
			return err
		}
	}
	if x.File {
		if err := x.file(path); err != nil {
			return err
		}
	}
	err := errors.Join(sqlite.SyncFolder(dir), os.Remove(filepath.Join(dir, exchangeNote)))
	return errors.Join(err, sqlite.SyncFolder(dir), os.RemoveAll(filepath.Join(dir, x.Folder)))
}

// file puts the new file in the place of the former one, which is kept under its other name.
func (x *exchange) file(path string) error {
	dir := filepath.Dir(path)
	fresh := filepath.Join(dir, x.Folder, copyFile)
	if _, err := os.Stat(fresh); errors.Is(err, fs.ErrNotExist) {
		return nil // it is in its place already
	} else if err != nil {
		return err
	}
	former := filepath.Join(dir, x.Former)
	for _, end := range []string{"-wal", "-shm", ""} { // what is not yet in the file is in the log beside it
		if err := os.Rename(path+end, former+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(fresh, path)
}

func adoptShared(ctx context.Context, cfg config.Store, generation string) (err error) {
	if cfg.URL == "" {
		return UsageError(errors.New("a restore of the shared store was interrupted, and store.url is not set; set " +
			"it to the server that shall have it"))
	}
	shared, err := redis.Open(ctx, cfg.URL, cfg.Password.Reveal(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shared.Close()) }()
	return shared.Adopt(ctx, generation)
}

// finishRestore goes on with a restore that was interrupted after its new store was complete. It must be called before
// a store is opened.
func finishRestore(ctx context.Context, cfg config.Store, path string) error {
	if path == ":memory:" {
		return nil
	}
	dir := filepath.Dir(path)
	note := filepath.Join(dir, exchangeNote)
	data, err := os.ReadFile(note)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var x exchange
	err = json.Unmarshal(data, &x)
	inside := strings.HasPrefix(x.Folder, restorePrefix) && filepath.IsLocal(x.Folder)
	if former := !x.File || filepath.IsLocal(x.Former); err != nil || !inside || !former {
		return fmt.Errorf("%s is damaged; restore once more after deleting it (the new store is in "+
			".catena-restore-*, the former one beside it)", note)
	}
	info, err := os.Stat(note)
	another := x.PID != os.Getpid() && sqlite.Alive(x.PID)
	if err == nil && another && time.Since(info.ModTime()) < exchangeLimit {
		// or the number is another's by now
		return fmt.Errorf("a restore into %s is under way (process %d); wait for its end", dir, x.PID)
	}
	return x.do(ctx, cfg, path)
}

// sync takes the parts in a folder to disk.
func (m *Manifest) sync(folder string) error {
	for _, name := range m.Entries {
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return sqlite.SyncFolder(folder)
}

// has reports whether the copy has an entry.
func (m *Manifest) has(name string) bool {
	return slices.Contains(m.Entries, name)
}

// fits says why a copy cannot be put back with these settings, nil when it can.
func (m *Manifest) fits(cfg config.Config) error {
	switch {
	case m.has(copyShared) && cfg.Store.URL == "":
		return errors.New("the copy holds a shared store, and store.url is not set; set it to the server that shall " +
			"have it")
	case !m.has(copyShared) && cfg.Store.URL != "":
		return errors.New("the copy holds no shared store, and store.url is set; restore it without, or it would not " +
			"be seen")
	}
	return nil
}
