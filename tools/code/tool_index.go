package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools"
	"catena/tools/code/scan"
	"catena/tools/code/workspace"
)

func (k *Toolkit) ensureTool() tools.Tool {
	return define(spec{
		name: "ensure_repo_index", title: "Index a repository", timeout: indexTimeout, shape: indexErrors, writes: true, handler: k.ensure, reaches: k.opt.Embed != nil,
		description: "Indexes a folder or a git repository, or brings its index up to date: files, symbols, imports, dependencies, complexity. It reports progress and gives the index_id. " +
			"Use it to index this repository, a project, codebase or folder before its code is searched.",
		in: object{
			"path":       object{"type": "string", "description": `The folder, absolute or relative to the first folder that may be indexed; "." for this repository.`, "minLength": 1, "maxLength": workspace.MaxPath, "default": "."},
			"rev":        object{"type": "string", "description": "A git revision; without it the files as they are.", "maxLength": 200},
			"language":   object{"type": "string", "description": "A hint of older clients. All languages are indexed whatever it says.", "maxLength": 40, "default": "ts"},
			"index_opts": object{"type": "object", "description": "Options of older clients. They change nothing."},
		},
		required: []string{"path"},
		out: object{"index_id": aText, "status": aText, "path": aText, "rev": aText, "commit": aText, "files": aCount, "lines": aCount, "symbols": aCount, "chunks": aCount,
			"dependencies": aCount, "bytes": aCount, "languages": object{"type": "object"}, "skipped": object{"type": "object"}, "status_uri": aText, "manifest_uri": aText,
			"logs_uri": aText, "bundle_uri": aText, "indexInfo": anInfo, "notes": texts},
	})
}

// ensure is the handler of ensure_repo_index.
func (k *Toolkit) ensure(ctx context.Context, call tools.Call) (tools.Result, error) {
	req := workspace.Request{Owner: call.Caller.ID, Path: herePath(call.Text("path")), Rev: strings.TrimSpace(call.Text("rev")), Language: call.Text("language"),
		Progress: progressOf(call), Updated: call.Updated}
	if ws := k.workspaces.Instead(req); ws != nil {
		return ensured(call, ws, ws.Status(), fmt.Sprintf("%s has no file that can be indexed, so this is about %s, which was indexed last.", code(k.workspaces.FirstRoot()), code(ws.Root()))), nil
	}
	st, err := k.workspaces.Ensure(ctx, req)
	if err != nil {
		return tools.Result{}, ensureFault(ctx, req, st, err)
	}
	ws, err := k.workspaces.Find(call.Caller.ID, st.IndexID)
	if err != nil {
		return tools.Result{}, err
	}
	return ensured(call, ws, st), nil
}

// ensured is the result of ensure_repo_index.
func ensured(call tools.Call, ws *workspace.Workspace, st workspace.Status, notes ...string) tools.Result {
	v := ws.View()
	notes = append([]string{}, notes...)
	if opts, _ := call.Args["index_opts"].(map[string]any); len(opts) > 0 {
		notes = append(notes, "The index_opts changed nothing: all that the index has is always made.")
	}
	skipped := map[string]int{}
	for _, s := range v.Skipped {
		skipped[s.Reason]++
	}
	if len(skipped) > 0 {
		notes = append(notes, "Left out: "+counted(skipped)+".")
	}
	if v.State == workspace.Empty {
		notes = append(notes, "The folder has no file that can be indexed.")
	}
	f := st.Facts
	out := object{"index_id": st.IndexID, "status": st.Status, "path": st.Path, "files": f.Files, "lines": f.Lines, "symbols": f.Symbols, "chunks": f.Chunks,
		"dependencies": f.Edges, "bytes": f.Bytes, "languages": f.Languages, "skipped": skipped, "indexInfo": infoOf(v), "notes": notes}
	if f.Languages == nil {
		out["languages"] = map[string]int{}
	}
	for name, value := range map[string]string{"rev": st.Rev, "commit": st.Commit} {
		if value != "" {
			out[name] = value
		}
	}
	maps.Copy(out, uris(st.IndexID))
	text := fmt.Sprintf("Indexed %s: %s with %s (%s).", code(st.Path), text.Count(f.Files, "file"), text.Count(f.Lines, "line"), cmp.Or(counted(f.Languages), "no source code"))
	return tools.Result{Text: text, Structured: out, Notes: notes, Untrusted: true}
}

// ensureFault says what of a failure the asker can mend.
func ensureFault(ctx context.Context, req workspace.Request, st workspace.Status, err error) error {
	var path *workspace.PathError
	stopped := ctx.Err() != nil || errors.Is(err, workspace.ErrCancelled) || errors.Is(err, workspace.ErrClosed)
	switch {
	case stopped || errors.As(err, &path):
		return err
	case errors.Is(err, scan.ErrNoRevision):
		return &fault{code: CodeRevisionUnknown, text: fmt.Sprintf("the repository has no revision %q", brief(req.Rev)), hint: "Give a branch, a tag or a commit that is there, or leave rev out"}
	case errors.Is(err, scan.ErrNoRepository):
		return &fault{code: CodeRevisionUnknown, text: "the folder is no git repository, so it has no revisions", hint: "Leave rev out to index the files as they are"}
	case errors.Is(err, fs.ErrNotExist):
		return &fault{code: workspace.CodePathNotFound, text: "the folder went away while it was indexed, and nothing was kept of it", hint: "Call ensure_repo_index again when it is back"}
	case st.Status == workspace.Failed:
		return &fault{code: CodeIndexFailed, text: "indexing failed: " + st.Error, hint: fmt.Sprintf("mimir://logs/%s says more; call ensure_repo_index to try again", st.IndexID)}
	}
	return err
}

// progressOf passes on how far indexing is. The first message holds the index id, so that a client can read the status at once.
func progressOf(call tools.Call) func(id, stage string, percent int, message string) {
	if call.Progress == nil {
		return nil
	}
	told := false // reports come from one goroutine at a time
	return func(id, stage string, percent int, message string) {
		if !told {
			told = true
			message = strings.TrimSuffix("index_id "+id+": "+message, ": ")
		}
		call.Progress(tools.Progress{Done: float64(percent), Total: 100, Message: cmp.Or(message, stage)})
	}
}

// uris are the resources of an index.
func uris(id string) object {
	return object{"status_uri": "mimir://status/" + id, "manifest_uri": "mimir://manifest/" + id, "logs_uri": "mimir://logs/" + id, "bundle_uri": bundleURI(id)}
}

func bundleURI(id string) string { return "mimir://indexes/" + id + "/bundle.tar.zst" }

func (k *Toolkit) bundleTool() tools.Tool {
	return define(spec{
		name: "get_repo_bundle", title: "Bundle of a repository's index", shape: indexErrors, handler: k.bundle,
		description: "Gives the URI, size and SHA-256 of an index's bundle: a zstd archive with its manifest, symbols, dependencies, complexity and snippets. " +
			"Use it to download or export the index of a repository.",
		in: object{"index_id": indexArg()}, required: []string{"index_id"},
		out: object{"index_id": aText, "uri": aText, "bundle_uri": aText, "manifest_uri": aText, "bytes": aCount, "sha256": aText, "media_type": aText, "indexInfo": anInfo},
	})
}

func (k *Toolkit) cancelTool() tools.Tool {
	return define(spec{
		name: "cancel", title: "Stop indexing", shape: indexErrors, writes: true, handler: k.cancel,
		description: "Stops the indexing of a repository that is under way; an index that was there before stays. Use it to cancel or abort indexing, with the index_id as operation_id.",
		in:          object{"operation_id": textSchema("The index_id of the work to stop.", workspace.MaxPath)}, required: []string{"operation_id"},
		out: object{"operation_id": aText, "index_id": aText, "ok": aFlag, "status": aText, "message": aText},
	})
}

// cancel is the handler of cancel.
func (k *Toolkit) cancel(_ context.Context, call tools.Call) (tools.Result, error) {
	id := strings.TrimSpace(call.Text("operation_id"))
	ws, err := k.workspaces.Find(call.Caller.ID, id)
	if err != nil {
		return tools.Result{}, k.unknownIndex(call.Caller, id, err)
	}
	before := ws.View().Status.Status
	if err := k.workspaces.Cancel(call.Caller.ID, id); err != nil {
		return tools.Result{}, k.unknownIndex(call.Caller, id, err)
	}
	status, message := ws.View().Status.Status, "Indexing was stopped; nothing half made was kept."
	if before != "running" && before != "pending" {
		message = fmt.Sprintf("Nothing was running: the index is %s.", before)
	}
	return tools.Result{Text: message, Structured: object{"operation_id": id, "index_id": id, "ok": true, "status": status, "message": message}}, nil
}

// counted writes counts by name, the largest first: "go 512, markdown 14".
func counted(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = fmt.Sprintf("%s %s", n, text.Thousands(counts[n]))
	}
	return enumerate(parts, 5)
}
