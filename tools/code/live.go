package code

import (
	"context"
	"fmt"
	"strings"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/workspace"
)

var fileColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "folder", Type: table.Text}, {Name: "language", Type: table.Text}, {Name: "package", Type: table.Text},
	{Name: "lines", Type: table.Int}, {Name: "functions", Type: table.Int}, {Name: "cyclomatic", Type: table.Int}, {Name: "rank", Type: table.Float},
	{Name: "dependents", Type: table.Int}, {Name: "imports", Type: table.Int}, {Name: "test", Type: table.Bool}}

var dependencyColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "depends_on", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "inside", Type: table.Bool}}

// Live returns the tables over the caller's current workspace, ready to be registered. They are listed only while it has an index;
// asking for them never makes one.
func (k *Toolkit) Live() []tools.Live {
	live := func(name, title string, cols []table.Column, make func(context.Context, *reading) (*table.Table, error)) tools.Live {
		return tools.Live{Toolset: Toolset, Name: name, Title: title, Columns: cols, Version: k.liveVersion, Values: map[string][]string{"language": parse.Languages()},
			Open: func(ctx context.Context, c access.Caller) (tools.Result, error) {
				r, err := k.indexed(ctx, c)
				if err != nil {
					return tools.Result{}, fmt.Errorf("%s: %w", name, err)
				}
				t, err := make(ctx, r)
				if err != nil {
					return tools.Result{}, fmt.Errorf("%s: %w", name, err)
				}
				return tools.Result{Table: t, Name: name, Title: title, Notes: r.notes, AsOf: r.asOf(), Untrusted: true}, nil
			}}
	}
	return []tools.Live{
		live("code_files", "Files of the indexed repository", fileColumns, fileTable),
		live("functions", "Functions of the indexed repository", functionColumns, func(ctx context.Context, r *reading) (*table.Table, error) {
			list, err := r.measuredFunctions(ctx, index.Filter{}, nil)
			if err != nil {
				return nil, err
			}
			return functionTable(list)
		}),
		live("dependencies", "Imports of the indexed repository", dependencyColumns, dependencyTable),
	}
}

// indexed is a reading of the caller's last index; the error wraps ErrNoIndex when there is none.
func (k *Toolkit) indexed(_ context.Context, c access.Caller) (*reading, error) {
	ws := k.live(c)
	if ws == nil {
		return nil, workspace.ErrNoIndex
	}
	return k.open(ws)
}

// live is the workspace of a question that names none, when it is, or is being, indexed. What failed hides no index that is there.
func (k *Toolkit) live(c access.Caller) *workspace.Workspace {
	ws, err := k.workspaces.Known(c.ID, "")
	if err != nil || !ws.Asked() {
		return nil
	}
	if st := ws.Status().Status; (st == workspace.Failed || st == workspace.Cancelled) && ws.Generation() == "" {
		return k.workspaces.Newest(c.ID)
	}
	return ws
}

// liveVersion changes with the snapshot; "" while there is nothing to list.
func (k *Toolkit) liveVersion(_ context.Context, c access.Caller) (string, error) {
	ws := k.live(c)
	if ws == nil {
		return "", nil
	}
	return ws.Generation(), nil
}

// fileTable is one row for each file.
func fileTable(ctx context.Context, r *reading) (*table.Table, error) {
	list, err := r.measuredFunctions(ctx, index.Filter{}, nil)
	if err != nil {
		return nil, err
	}
	count, worst := map[string]int{}, map[string]int{}
	for _, d := range list {
		count[d.path]++
		worst[d.path] = max(worst[d.path], d.symbol.Metrics.Cyclomatic)
	}
	imports, dependents := map[string]int{}, map[string]int{}
	for _, e := range r.edges(ctx) {
		imports[e.path]++
		if e.inside {
			dependents[e.on]++
		}
	}
	b := table.NewBuilder(fileColumns...)
	for _, f := range r.snap.Files() {
		if err := b.Append(table.TextValue(f.Path), table.TextValue(folderOf(f.Path)), table.TextValue(f.Language), orNull(f.Package), whole64(f.Lines), whole64(count[f.Path]),
			whole64(worst[f.Path]), table.FloatValue(round(f.Rank)), whole64(dependents[f.Path]+dependents[packageOf(f.Path)]), whole64(imports[f.Path]), table.BoolValue(f.Test)); err != nil {
			return nil, err
		}
	}
	return b.Table(), ctx.Err()
}

func folderOf(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return "."
}

// packageOf is the folder of a file of Go: there packages are imported, not files. It is "" for other files.
func packageOf(path string) string {
	if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
		return folderOf(path)
	}
	return ""
}

// importEdge is one import of a file: a file of the index, the folder of a package of Go, else what the import names.
type importEdge struct {
	path, on string
	line     int
	inside   bool
}

// edges lists the imports of all files.
func (r *reading) edges(ctx context.Context) []importEdge {
	var out []importEdge
	for _, f := range r.snap.Files() {
		if ctx.Err() != nil {
			return nil
		}
		deps, err := r.snap.Dependencies(f.Path)
		if err != nil {
			continue // a path of the same snapshot is always there
		}
		for _, d := range deps {
			if len(d.Paths) == 0 {
				out = append(out, importEdge{f.Path, d.Import, d.Line, false})
			}
			if len(d.Paths) > 0 && packageOf(d.Paths[0]) != "" {
				out = append(out, importEdge{f.Path, packageOf(d.Paths[0]), d.Line, true})
				continue
			}
			for _, p := range d.Paths {
				out = append(out, importEdge{f.Path, p, d.Line, true})
			}
		}
	}
	return out
}

// dependencyTable is one row for each import.
func dependencyTable(ctx context.Context, r *reading) (*table.Table, error) {
	b := table.NewBuilder(dependencyColumns...)
	for _, e := range r.edges(ctx) {
		if err := b.Append(table.TextValue(e.path), table.TextValue(e.on), whole64(e.line), table.BoolValue(e.inside)); err != nil {
			return nil, err
		}
	}
	return b.Table(), ctx.Err()
}
