package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"catena/internal/config"
	"catena/server/mcp"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/declared"
	"catena/tools/source"
)

// loaded are the sources of settings, before they are in force.
type loaded struct {
	sources *data.Sources
	open    map[string]opened
	fresh   []*source.Database // those that were opened for it
	errs    []error            // what could not be loaded; the rest was
	failed  []error            // databases of new settings that could not be opened
}

// loadSources loads files and opens databases. One that is open by the same settings stays so.
func (ts *toolkits) loadSources(ctx context.Context, cfg config.Config) (*loaded, error) {
	l := &loaded{sources: data.NewSources(ts.tables, table.Limits{}), open: map[string]opened{}}
	var err error
	if l.sources.Withhold, err = withheld(cfg); err != nil {
		return nil, err
	}
	for _, s := range cfg.Data.Sources {
		if s.Kind != "" {
			l.addDatabase(ctx, s, ts.databases.by(s))
			continue
		}
		load := l.sources.Load
		if s.Trusted() {
			load = l.sources.LoadTrusted
		}
		l.errs = append(l.errs, load(ctx, s.Path)...)
	}
	l.errs = append(l.errs, l.sources.LoadModels(cfg.Semantic...)...)
	if cfg.Data.DemoOn() {
		return l, addDemo(ctx, l.sources)
	}
	return l, nil
}

// addDatabase adds a database, which is db where it is open already.
func (l *loaded) addDatabase(ctx context.Context, s config.Source, db *source.Database) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if db == nil {
		var err error
		if db, err = openDatabase(ctx, s); err != nil {
			l.errs, l.failed = append(l.errs, err), append(l.failed, err)
			return
		}
		l.fresh = append(l.fresh, db)
	}
	l.open[strings.ToLower(db.Name())] = opened{db, s}
	l.errs = append(l.errs, addDatabase(ctx, l.sources, db, s.Trusted())...)
}

// find is the database of a name.
func (l *loaded) find(name string) (*source.Database, error) {
	return (&databases{open: l.open}).find(name)
}

// drop closes what was opened for sources that do not come in force.
func (l *loaded) drop() error {
	var errs []error
	for _, db := range l.fresh {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// renewal is what changed settings bring of sources and declared tools, made and not yet in force.
type renewal struct {
	ts     *toolkits
	loaded *loaded // nil where the sources stay
	custom []tools.Tool
	demo   []tools.Tool
	notes  []error // what is left out, and why
}

// sourceSettings are those whose changes load the sources anew, and toolSettings those of declared tools.
var (
	sourceSettings = []string{"data.sources", "data.demo", "semantic"}
	toolSettings   = []string{"tools", "tool_files"}
)

// prepareSources makes what changed settings bring; nil is nothing. Databases that did not change stay open, and one
// that is new and cannot be opened is an error: what is there goes on.
func (ts *toolkits) prepareSources(ctx context.Context, was, cfg config.Config) (*renewal, error) {
	changed := config.Changed(was, cfg)
	among := func(list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool { return slices.Contains(changed, name) })
	}
	anew := among(sourceSettings) || len(ts.unopened) > 0
	if !anew && !among(toolSettings) && len(cfg.ToolFiles) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to do
	}
	r := &renewal{ts: ts}
	find := ts.databases.find
	if anew {
		var err error
		if r.loaded, err = ts.loadSources(ctx, cfg); err != nil {
			return nil, err
		}
		if len(r.loaded.failed) > 0 && among(sourceSettings) {
			return nil, errors.Join(append(r.loaded.failed, r.loaded.drop())...)
		}
		r.notes, find = r.loaded.errs, r.loaded.find
	}
	var err error
	var left []error
	if r.custom, left, err = ts.makeDeclared(ctx, cfg, find); err != nil {
		return nil, errors.Join(err, r.drop())
	}
	r.notes = append(r.notes, left...)
	if cfg.Data.DemoOn() {
		r.demo = crm.Tools()
	}
	return r, nil
}

// drop lets go of what does not come in force. A nil renewal has nothing.
func (r *renewal) drop() error {
	if r == nil || r.loaded == nil {
		return nil
	}
	return r.loaded.drop()
}

// apply brings it in force.
func (r *renewal) apply(ctx context.Context) error {
	if r == nil {
		return nil
	}
	if err := r.ts.Registry.Exchange(declared.Toolset, r.custom...); err != nil {
		return errors.Join(err, r.drop())
	}
	if l := r.loaded; l != nil {
		if err := r.ts.Registry.Exchange(crm.Toolset, r.demo...); err != nil {
			return errors.Join(err, r.drop())
		}
		r.ts.Sources.Take(l.sources)
		if err := r.ts.Registry.Exchange(data.Toolset, r.ts.data.Tools()...); err != nil { // metrics of model files
			return err
		}
		r.ts.databases.take(l.open)
		r.ts.unopened = l.failed
		r.ts.log.InfoContext(ctx, "the sources were loaded anew", "databases", slices.Sorted(maps.Keys(l.open)),
			"tables", len(l.sources.List(Local, "")))
	}
	for _, err := range r.notes {
		r.ts.log.WarnContext(ctx, "left out", "error", err.Error())
	}
	r.ts.listsChanged((*mcp.Server).ToolsChanged)
	return nil
}
