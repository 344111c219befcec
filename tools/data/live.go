package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"catena/internal/access"
	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

// LiveTables gives the tables that toolkits make when they are asked for. *tools.Registry implements it.
type LiveTables interface {
	// Live returns the live tables that a caller may see.
	Live(c access.Caller) []tools.Live
	// OpenLive makes one of them.
	OpenLive(ctx context.Context, c access.Caller, name string) (tools.Result, error)
}

// sourceLive is the Source of live tables.
const sourceLive = "live"

// liveTable is a live table as a caller sees it now.
type liveTable struct {
	tools.Live
	as      string // its name among all tables
	version string // "" when there is nothing in it yet
	err     error  // why the version could not be told
}

// key names what is computed of the table's rows, for one caller. Its parts cannot hold a NUL.
func (l liveTable) key(c access.Caller) string {
	return strings.Join([]string{sourceLive, c.ID, l.Toolset, l.Name, l.version}, "\x00")
}

// live lists the live tables under names that no other table has: a source keeps its name, and the live table is then
// <toolset>_<name>. Those without a version are among them.
func (k *Toolkit) live(ctx context.Context, c access.Caller, sources []SourceTable) []liveTable {
	if k.opt.Live == nil {
		return nil
	}
	list := k.opt.Live.Live(c)
	if len(list) == 0 {
		return nil
	}
	taken := make(map[string]bool, len(sources)+len(list))
	for _, t := range sources {
		taken[strings.ToLower(t.Name)] = true
	}
	out := make([]liveTable, len(list))
	for i, l := range list {
		name := l.Name
		if taken[strings.ToLower(name)] {
			name = pipeline.FreeName(l.Toolset+"_"+l.Name, func(n string) bool { return taken[strings.ToLower(n)] })
		}
		taken[strings.ToLower(name)] = true
		out[i] = liveTable{Live: l, as: name}
		out[i].version, out[i].err = l.Version(ctx, c)
	}
	return out
}

// open makes a live table. What cannot be read is *tools.ArgumentError that says so, except for the context's error.
func (k *Toolkit) open(ctx context.Context, c access.Caller, l liveTable) (SourceTable, error) {
	if l.err == nil && l.version == "" {
		return SourceTable{}, &tools.ArgumentError{Argument: "table", Code: tools.CodeNotFound, Reason: fmt.Sprintf("there is nothing in %s yet", l.as)}
	}
	res, err := tools.Result{}, l.err
	if err == nil {
		res, err = k.opt.Live.OpenLive(ctx, c, l.Name)
	}
	switch {
	case ctx.Err() != nil:
		return SourceTable{}, ctx.Err()
	case errors.Is(err, access.ErrForbidden):
		return SourceTable{}, err
	case err != nil:
		return SourceTable{}, &tools.ArgumentError{Argument: "table", Code: tools.CodeUnavailable, Err: err,
			Reason: fmt.Sprintf("%s cannot be read at the moment: %v; ask again later", l.as, err)}
	}
	t := SourceTable{Name: l.as, Table: res.Table, Source: sourceLive, Title: cmp.Or(res.Title, l.Title), Hide: res.Hide, Signed: res.Signed,
		AsOf: res.AsOf, Notes: res.Notes, Untrusted: res.Untrusted, key: l.key(c)}
	k.facts.entry(t).counted.Store(int64(res.Table.NumRows()) + 1)
	return t, nil
}

// find returns the table of a name or handle: a source, an upload or result, else a live table. Its verbs are bounded by the work of ctx.
func (k *Toolkit) find(ctx context.Context, c access.Caller, session, name string) (SourceTable, error) {
	t, err := k.lookUp(ctx, c, session, name)
	if err == nil {
		t, err = t.here(ctx)
	}
	t.Table = t.Table.In(ctx)
	return t, err
}

func (k *Toolkit) lookUp(ctx context.Context, c access.Caller, session, name string) (SourceTable, error) {
	t, err := k.opt.Sources.Find(ctx, c, session, name)
	if err == nil || handle.Is(name) || k.opt.Live == nil {
		return t, err
	}
	sources := k.opt.Sources.List(c, session)
	live := k.live(ctx, c, sources)
	names := namesOf(sources)
	for _, l := range live {
		if strings.EqualFold(l.as, strings.TrimSpace(name)) {
			return k.open(ctx, c, l)
		}
		if l.version != "" {
			names = append(names, l.as)
		}
	}
	return SourceTable{}, noSuchTable(name, names)
}

// describeLive gives the facts about the live tables that have rows: names, types and roles as they are declared, and the
// number of rows where it is known. No table is made for it, so no range and no count of values is told.
func (k *Toolkit) describeLive(ctx context.Context, c access.Caller, sources []SourceTable) []plan.TableInfo {
	var out []plan.TableInfo
	for _, l := range k.live(ctx, c, sources) {
		if l.err == nil && l.version == "" {
			continue // there is nothing in it yet; what does not answer now is said when it is asked about
		}
		info := k.declared(l)
		info.Rows, _ = k.counted(c, l)
		out = append(out, info)
	}
	return out
}

// counted tells how many rows the present version of a live table has, where it has been made.
func (k *Toolkit) counted(c access.Caller, l liveTable) (rows int, ok bool) {
	e := k.facts.known(factKey{fingerprint: l.key(c)})
	if e == nil {
		return 0, false
	}
	n := e.counted.Load()
	return int(max(n-1, 0)), n > 0
}

// declared describes a live table by what its toolkit declares. Columns are shared: read only.
func (k *Toolkit) declared(l liveTable) plan.TableInfo {
	entry := k.facts.at(factKey{fingerprint: strings.Join([]string{sourceLive, l.Toolset, l.Name}, "\x00")})
	entry.once.Do(func() {
		entry.info = plan.TableInfo{Source: sourceLive, Live: true, Columns: make([]plan.ColumnInfo, len(l.Columns))}
		meta := profiler.Describe(context.Background(), table.NewBuilder(l.Columns...).Table())
		for i, col := range l.Columns {
			label, unit := profiler.CleanName(col.Name)
			entry.info.Columns[i] = plan.ColumnInfo{Name: col.Name, Label: label, Type: col.Type.String(), Unit: cmp.Or(col.Unit, unit),
				Role: meta[i].Role, Values: l.Values[col.Name]}
		}
	})
	info := entry.info
	info.Name = l.as
	return info
}

// listed is a table in the list of tables.
type listed struct {
	name, source, handle string
	columns              []string
	rows                 int
}

// listLive gives the live tables that have rows, and says which could not be read. Those whose rows have been counted are not
// made again.
func (k *Toolkit) listLive(ctx context.Context, call tools.Call, sources []SourceTable) (list []listed, notes []string, err error) {
	for _, l := range k.live(ctx, call.Caller, sources) {
		if l.err == nil && l.version == "" {
			continue
		}
		item := listed{name: l.as, source: sourceLive}
		for _, c := range l.Columns {
			item.columns = append(item.columns, c.Name)
		}
		rows, ok := k.counted(call.Caller, l)
		if item.rows = rows; !ok || l.err != nil {
			t, err := k.open(ctx, call.Caller, l)
			var arg *tools.ArgumentError
			if errors.As(err, &arg) {
				notes = append(notes, text.Capital(arg.Reason)+".")
				continue
			} else if err != nil {
				return nil, nil, err
			}
			item.rows = t.Table.NumRows()
		}
		list = append(list, item)
	}
	return list, notes, nil
}

func namesOf(tables []SourceTable) []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return slices.Clip(names)
}
