package app

import (
	"context"
	"path/filepath"
	"slices"

	"catena/internal/config"
	"catena/tools/code/scan"
)

// codeRoots are the folders below which repositories may be indexed: those of the settings, and without any the working
// directory where only this machine's user can ask. Where others have keys the program's own folder is not theirs to
// read.
func (ts *toolkits) codeRoots(ctx context.Context) ([]string, error) {
	c := ts.Cfg.Code
	if len(c.Roots) > 0 || !c.Enabled {
		return c.Roots, nil
	}
	others := ts.Cfg.TakesKeys()
	if !others {
		var err error
		if others, err = ts.Keys.Any(ctx); err != nil {
			return nil, err
		}
	}
	if others && !ts.Cfg.Personal {
		ts.log.InfoContext(ctx,
			"repositories are not served: others than this machine's user may ask, and code.roots names no folder")
		return nil, nil
	}
	return []string{"."}, nil
}

// privateFiles are files that hold the program's secrets or its users' data: they are never indexed, and never loaded
// as tables.
func privateFiles(c config.Config) ([]string, error) {
	out := slices.Concat(c.MCP.Files, c.SecretFiles())
	for _, f := range c.ToolFiles { // those of Toolbox have passwords
		out = append(out, f.File)
	}
	for _, name := range []string{c.File, c.Listen.TLSKey} {
		if name != "" {
			out = append(out, name)
		}
	}
	if c.Audit.To != "" && c.Audit.To != "log" && c.Audit.To != "off" {
		out = append(out, c.Audit.To)
	}
	path, err := storePath(c.Store.Dir)
	if err != nil || path == ":memory:" {
		return out, err
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		out = append(out, path+suffix)
	}
	dir := filepath.Dir(path)
	return append(out, filepath.Join(dir, "mcp.key"), filepath.Join(dir, chosenFile),
		filepath.Join(dir, "code")), nil
}

// privateFolders are the private files, and the store's folder where it does not hold a root itself.
func (ts *toolkits) privateFolders(store string, roots []string) []string {
	out, err := privateFiles(ts.Cfg)
	if err != nil || store == ":memory:" {
		return out
	}
	dir, err := filepath.Abs(filepath.Dir(store))
	if err != nil {
		return out
	}
	holds := func(root string) bool {
		root, err := filepath.Abs(root)
		if err != nil {
			return true
		}
		rel, err := filepath.Rel(dir, root)
		return err != nil || filepath.IsLocal(rel)
	}
	if !slices.ContainsFunc(roots, holds) {
		out = append(out, dir)
	}
	return out
}

// mostSettings is how large a file may be that is looked into for settings.
const mostSettings = 1 << 20

// withheld makes what says which files are not loaded as tables: the private ones, under whatever name, and other
// settings with secrets.
func withheld(cfg config.Config) (func(path string) bool, error) {
	files, err := privateFiles(cfg)
	if err != nil {
		return nil, err
	}
	private := scan.Find(files)
	return func(path string) bool {
		return private.Holds(path) || filepath.Ext(scan.Original(filepath.Base(path))) == ".json" && holdsSettings(path)
	}, nil
}

// holdsSettings reports whether a file holds settings with secrets.
func holdsSettings(path string) bool {
	text, err := config.ReadRegular(path, mostSettings)
	return err == nil && config.Holds(text)
}
