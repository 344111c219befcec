package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/workspace"
)

// reading is a workspace at the moment of a call: all of a call's answers are from one snapshot.
type reading struct {
	ws    *workspace.Workspace
	view  workspace.View
	snap  *index.Snapshot
	info  object   // indexInfo
	notes []string // what a reader must know of the state
}

// byID gets the workspace of an index id.
func (k *Toolkit) byID(call tools.Call, arg string) (*reading, error) {
	id := strings.TrimSpace(call.Text(arg))
	ws, err := k.workspaces.Find(call.Caller.ID, id)
	if err != nil {
		return nil, k.unknownIndex(call.Caller, id, err)
	}
	return k.open(ws)
}

// unknownIndex says which indexes the caller has.
func (k *Toolkit) unknownIndex(c access.Caller, id string, err error) error {
	if !errors.Is(err, workspace.ErrNotFound) {
		return err
	}
	f := &fault{code: CodeIndexNotFound, text: fmt.Sprintf("there is no index %q", brief(id)), hint: indexHint}
	for _, s := range k.workspaces.List(c.ID) {
		f.nearest = append(f.nearest, s.IndexID)
	}
	if len(f.nearest) > 0 {
		f.hint = "These are yours: " + enumerate(f.nearest, 5) + ". Or call ensure_repo_index with the folder's path"
	}
	return f
}

// current gets the workspace that a call is about: the one its workspace argument names, else the caller's last.
func (k *Toolkit) current(ctx context.Context, call tools.Call) (*reading, error) {
	name := strings.TrimSpace(call.Text("workspace"))
	if id := strings.ToUpper(name); workspace.IsID(id) {
		if ws, err := k.workspaces.Find(call.Caller.ID, id); err == nil {
			return k.open(ws)
		}
	}
	ws, err := k.workspaces.Current(ctx, call.Caller.ID, herePath(name))
	if err != nil {
		return nil, err
	}
	r, err := k.open(ws)
	if err == nil || name != "" {
		return r, err
	}
	// What failed or was stopped last hides no index that is there.
	st := ws.View().Status
	other := k.workspaces.Newest(call.Caller.ID)
	if st.Status != workspace.Failed && st.Status != workspace.Cancelled || other == nil {
		return nil, err
	}
	if r, err = k.open(other); err == nil {
		r.notes = append(r.notes, fmt.Sprintf("Indexing %s came to nothing (it %s), so this is from the index of %s.", st.Path, map[string]string{workspace.Failed: "failed", workspace.Cancelled: "was cancelled"}[st.Status], r.root()))
	}
	return r, err
}

// here are words for the folder that one is in.
var here = regexp.MustCompile(`(?i)^(?:(?:the|this|my|our|current) )*(?:repo|repository|project|codebase|code base|code|folder|directory|workspace|source|source code|here)$`)

// herePath turns "this repository" into the first root.
func herePath(p string) string {
	if here.MatchString(strings.TrimSpace(p)) {
		return "."
	}
	return p
}

// open takes the workspace's present view. Without anything to search it is a *fault that says why and what to do.
func (k *Toolkit) open(ws *workspace.Workspace) (*reading, error) {
	r := &reading{ws: ws, view: ws.View()}
	r.snap, r.info = r.view.Snapshot, infoOf(r.view)
	if root := k.workspaces.FirstRoot(); r.root() != root {
		r.notes = append(r.notes, fmt.Sprintf("This is about %s.", code(r.root())))
	}
	if ws.Renewed() && r.snap != nil {
		r.notes = append(r.notes, "The former index was damaged, so it was made anew.")
	}
	switch r.view.State {
	case workspace.Stale:
		r.notes = append(r.notes, fmt.Sprintf("The index is stale: files have changed since %s; it is of %s.", when(r.view.StaleSince), when(r.view.IndexedAt)))
	case workspace.Gone:
		r.notes = append(r.notes, fmt.Sprintf("The folder is not there any more; this is the index of %s.", when(r.view.IndexedAt)))
	case workspace.Empty:
		r.notes = append(r.notes, "The index is empty: the folder had no file that can be indexed.")
	}
	if r.snap == nil && r.view.State != workspace.Empty {
		return nil, r.notReady()
	}
	if st := r.view.Status; st.Status == workspace.Running && r.snap != nil {
		r.notes = append(r.notes, fmt.Sprintf("It is being indexed anew (%d %%); this is from the index before.", st.Progress))
	}
	return r, nil
}

// notReady says why there is nothing to search yet.
func (r *reading) notReady() error {
	st := r.view.Status
	f := &fault{code: CodeIndexNotReady, info: r.info}
	switch {
	case st.Status == workspace.Pending || st.Status == workspace.Running || r.view.State == workspace.Indexing:
		f.text = fmt.Sprintf("the first index is being made; it is at %d %%", st.Progress)
		f.hint = fmt.Sprintf("Ask again when it is done; mimir://status/%s says how far it is", st.IndexID)
	case r.view.State == workspace.Damaged:
		f.code, f.text, f.hint = CodeIndexFailed, fmt.Sprintf("the index of %s is damaged and cannot be read", st.Path), r.again()
	case st.Status == workspace.Failed:
		f.code, f.text, f.hint = CodeIndexFailed, "indexing failed: "+cmp.Or(st.Error, "the program ended before it was done"), r.again()
	case st.Status == workspace.Cancelled:
		f.text, f.hint = "indexing was cancelled before there was an index", r.again()
	default:
		f.code, f.text, f.hint = CodeIndexNotFound, fmt.Sprintf("%s has never been indexed", st.Path), r.again()
	}
	return f
}

// again says how to index this folder.
func (r *reading) again() string {
	return fmt.Sprintf("Call ensure_repo_index with {\"path\": %q}", r.view.Status.Path)
}

// searchable reports whether there is anything to search.
func (r *reading) searchable() bool { return r.snap != nil && r.view.State != workspace.Empty }

// asOf is the date that answers are of, zero while the index is fresh.
func (r *reading) asOf() time.Time {
	if r.view.State == workspace.Stale || r.view.State == workspace.Gone {
		return r.view.IndexedAt
	}
	return time.Time{}
}

// root is the workspace's folder.
func (r *reading) root() string { return r.ws.Root() }

// infoOf tells programs the state of a workspace. indexVersion, indexDate and reindexInProgress are names that clients of the
// former code tools read.
func infoOf(v workspace.View) object {
	st := v.Status
	facts := st.Facts
	if v.Snapshot != nil {
		facts = v.Snapshot.Facts()
	}
	info := object{"state": v.State, "index_id": st.IndexID, "status": st.Status, "progress": st.Progress, "path": st.Path,
		"files": facts.Files, "lines": facts.Lines, "chunks": facts.Chunks, "symbols": facts.Symbols, "dependencies": facts.Edges,
		"skipped": len(v.Skipped), "reindexInProgress": st.Status == workspace.Running || st.Status == workspace.Pending}
	if len(facts.Languages) > 0 {
		info["languages"] = facts.Languages
	}
	if !v.IndexedAt.IsZero() {
		info["indexed_at"] = v.IndexedAt.UTC().Format(time.RFC3339)
		info["indexDate"] = info["indexed_at"]
		info["indexVersion"] = v.IndexedAt.UnixMilli()
		info["snapshot"] = version(v)
	}
	if !v.StaleSince.IsZero() && v.State == workspace.Stale {
		info["stale_since"] = v.StaleSince.UTC().Format(time.RFC3339)
	}
	for name, value := range map[string]string{"rev": st.Rev, "commit": st.Commit, "error": st.Error} {
		if value != "" {
			info[name] = value
		}
	}
	return info
}

// version changes whenever the snapshot of a workspace does.
func version(v workspace.View) string {
	return fmt.Sprintf("%s-%x", v.Status.IndexID, v.IndexedAt.UnixMicro())
}

// when is a time as people read it.
func when(t time.Time) string { return t.UTC().Format("2 January 2006 15:04:05 UTC") }
