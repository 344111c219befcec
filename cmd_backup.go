package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/config"
	"catena/internal/store"
)

// manifest is the first entry of a copy: what it is, and of when.
type manifest struct {
	Format  int       `json:"format"` // 1
	Catena  string    `json:"catena"`
	Made    time.Time `json:"made"`
	Entries []string  `json:"entries"`
	Shared  int       `json:"shared_keys,omitempty"` // of store.url
}

// Entries of a copy, and the one format that there is.
const (
	copyFormat   = 1
	copyManifest = "manifest.json"
	copyFile     = "catena.db"
	copyShared   = "shared.keys"
)

func backupCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Copy sessions, runs, tables, memories and keys to one file, while Catena runs or not", Args: cobra.ExactArgs(1),
		Long: "Copy what Catena keeps to one file: sessions, runs, tables, memories, personas and API keys, of store.dir as of one moment, and of\n" +
			"store.url where one is set. Catena may run meanwhile. Settings, your own data files and code indexes (which are made anew) are not in it.\n" +
			"The file is as secret as the store. catena restore puts it back.",
		Example: "  catena backup catena-2026-11-22.tar.zst\n  catena backup --config my.yaml /mnt/copies/catena.tar.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := opts.load(true)
			if err != nil {
				return err
			}
			m, err := backup(cmd.Context(), cfg, args[0])
			if err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes, checked", args[0], info.Size())
			if m.Shared > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), ", with %d keys of the shared store", m.Shared)
			}
			fmt.Fprintln(cmd.OutOrStdout())
			return nil
		},
	}
}

func restoreCommand(opts *options) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put back what catena backup copied", Args: cobra.ExactArgs(1),
		Long: "Put back what catena backup copied, into store.dir and store.url as the settings name them now. The copy is read and checked as a whole\n" +
			"before anything is changed. A store that holds something is only replaced with --force; its file is kept beside the new one.\n" +
			"Stop Catena first.",
		Example: "  catena restore catena-2026-11-22.tar.zst\n  catena restore --store /var/lib/catena --force catena.tar.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := opts.load(true)
			if err != nil {
				return err
			}
			m, kept, err := restore(cmd.Context(), cfg, args[0], force)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The store is as it was on %s (Catena %s).\n", m.Made.UTC().Format("2006-01-02 15:04:05 UTC"), m.Catena)
			if kept != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "The former one is kept in %s; delete it when you need it no more.\n", kept)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a store that holds something")
	return cmd
}

// backup writes the copy to file, which must be new.
func backup(ctx context.Context, cfg config.Config, file string) (m manifest, err error) {
	path, err := storePath(cfg.Store.Dir)
	if err != nil {
		return m, err
	}
	if path == ":memory:" {
		return m, usageError(errors.New("store.dir is :memory:, which keeps nothing; there is nothing to copy"))
	}
	if _, err := os.Lstat(file); err == nil {
		return m, usageError(fmt.Errorf("%s is there already; choose another name", file))
	}
	work, err := os.MkdirTemp(filepath.Dir(file), ".catena-backup-")
	if err != nil {
		return m, usageError(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	m = manifest{Format: copyFormat, Catena: buildVersion(), Made: time.Now()}
	switch err := store.Snapshot(ctx, path, filepath.Join(work, copyFile)); {
	case errors.Is(err, fs.ErrNotExist) && cfg.Store.URL == "":
		return m, usageError(fmt.Errorf("there is no store at %s; set store.dir or --store", path))
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
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := os.WriteFile(filepath.Join(work, copyManifest), about, 0o600); err != nil {
		return m, err
	}
	packed := filepath.Join(work, "packed")
	if err := pack(ctx, packed, work, append([]string{copyManifest}, m.Entries...)); err != nil {
		return m, err
	}
	return m, os.Rename(packed, file)
}

func exportShared(ctx context.Context, cfg config.Config, to string) (n int, err error) {
	shared, err := store.OpenRedis(ctx, cfg.Store.URL, cfg.Store.Password.Reveal(), store.Options{})
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

// restore puts a copy in the place of the store. kept is where the former file is now, "" where there was none.
func restore(ctx context.Context, cfg config.Config, file string, force bool) (m manifest, kept string, err error) {
	path, err := storePath(cfg.Store.Dir)
	if err != nil {
		return m, "", err
	}
	if path == ":memory:" {
		return m, "", usageError(errors.New("store.dir is :memory:, which keeps nothing; set store.dir or --store"))
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, "", err
	}
	work, err := os.MkdirTemp(dir, ".catena-restore-")
	if err != nil {
		return m, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if m, err = unpack(ctx, file, work); err != nil {
		return m, "", err
	}
	if err := m.fits(cfg); err != nil {
		return m, "", usageError(err)
	}
	if err := free(ctx, path, force); err != nil {
		return m, "", err
	}
	if m.has(copyFile) {
		if err := store.CheckFile(ctx, filepath.Join(work, copyFile)); err != nil {
			return m, "", err
		}
	}
	if m.has(copyShared) {
		if err := importShared(ctx, cfg, filepath.Join(work, copyShared), m.Shared, force); err != nil {
			return m, "", err
		}
	}
	kept, err = exchange(path, work, m)
	return m, kept, err
}

// free says why a store cannot be replaced, nil when it can.
func free(ctx context.Context, path string, force bool) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !force {
		return usageError(fmt.Errorf("there is a store at %s already; --force replaces it, and keeps its file", path))
	}
	used, err := store.InUse(ctx, path)
	if err == nil && used {
		err = fmt.Errorf("a program has the store at %s open; stop Catena first", path)
	}
	return err
}

func importShared(ctx context.Context, cfg config.Config, from string, want int, force bool) (err error) {
	shared, err := store.OpenRedis(ctx, cfg.Store.URL, cfg.Store.Password.Reveal(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shared.Close()) }()
	running, err := present(ctx, shared)
	if err == nil && len(running) > 0 {
		err = fmt.Errorf("%d replicas use %s; stop them first (one that was killed counts as gone after %v)", len(running), shared, replicaSilent)
	}
	if err != nil {
		return err
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	n, err := shared.Import(ctx, f, want, force)
	if errors.Is(err, store.ErrNotEmpty) {
		return usageError(fmt.Errorf("%s holds keys of Catena's already; --force deletes them first", shared))
	}
	if err == nil && n != want {
		err = fmt.Errorf("%d of %d keys of the shared store were put back", n, want)
	}
	return err
}

// exchange puts the files of a copy in the place of the store's. The former store is kept under another name.
func exchange(path, work string, m manifest) (kept string, err error) {
	if !m.has(copyFile) {
		return "", nil
	}
	former := path + ".before-" + time.Now().UTC().Format("20060102T150405")
	for _, end := range []string{"", "-wal", "-shm"} { // what is not yet in the file is in the log beside it
		switch err := os.Rename(path+end, former+end); {
		case err == nil:
			kept = former
		case !errors.Is(err, fs.ErrNotExist):
			return kept, err
		}
	}
	if err := os.Rename(filepath.Join(work, copyFile), path); err != nil {
		return kept, err
	}
	return kept, syncFolder(filepath.Dir(path))
}

// syncFolder makes renames in a folder outlive a loss of power, on systems that can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return errors.Join(err, d.Close())
	}
	return d.Close()
}

// has reports whether the copy has an entry.
func (m manifest) has(name string) bool {
	return slices.Contains(m.Entries, name)
}

// fits says why a copy cannot be put back with these settings, nil when it can.
func (m manifest) fits(cfg config.Config) error {
	switch {
	case m.Format != copyFormat:
		return fmt.Errorf("the copy has the format %d and this program knows %d; use Catena %s", m.Format, copyFormat, m.Catena)
	case m.has(copyShared) && cfg.Store.URL == "":
		return errors.New("the copy holds a shared store, and store.url is not set; set it to the server that shall have it")
	case !m.has(copyShared) && cfg.Store.URL != "":
		return errors.New("the copy holds no shared store, and store.url is set; restore it without, or it would not be seen")
	}
	return nil
}
