package code

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
	"catena/tools/code/workspace"
)

// Resources returns the resources, ready to be registered: status, manifest, logs and bundle of each index. An id that is unknown,
// or another owner's, gives an error that wraps fs.ErrNotExist.
func (k *Toolkit) Resources() []tools.Resource {
	return []tools.Resource{
		k.resource("mimir://status/{index_id}", "index_status", "application/json", "How far an index is: its status, stage and progress in percent.",
			func(_ context.Context, x *workspace.Workspace) ([]byte, error) { return indented(x.Status()) }),
		k.resource("mimir://manifest/{index_id}", "index_manifest", "application/json",
			"What an index was made of: files, languages, counts, what was left out and why, and how long each stage took.",
			func(_ context.Context, x *workspace.Workspace) ([]byte, error) {
				m, err := x.Manifest()
				if err != nil {
					return nil, err
				}
				return indented(m)
			}),
		k.resource("mimir://logs/{index_id}", "index_logs", "text/markdown", "What happened while an index was made. Secrets are replaced by ***.",
			func(_ context.Context, x *workspace.Workspace) ([]byte, error) { return []byte(x.Log()), nil }),
		k.resource("mimir://indexes/{index_id}/"+workspace.BundleFile, "index_bundle", bundleType, "The whole index as a tar archive compressed with zstd.",
			func(ctx context.Context, x *workspace.Workspace) ([]byte, error) { return x.Bundle(ctx) }),
	}
}

// bundleType is the MIME type of zstd (RFC 8878).
const bundleType = "application/zstd"

// resource makes a resource of one template. What is no text is given as a blob.
func (k *Toolkit) resource(uri, name, mime, about string, read func(context.Context, *workspace.Workspace) ([]byte, error)) tools.Resource {
	t := mcp.NewResourceTemplate(uri, name, mcp.WithTemplateDescription(about), mcp.WithTemplateMIMEType(mime))
	return tools.Resource{Toolset: Toolset, Template: &t, Timeout: time.Minute, Complete: k.complete,
		Listed: func(owner string) []mcp.Resource { return k.listed(owner, uri, name, mime, about) },
		Known: func(_ context.Context, call tools.ResourceCall) error {
			_, err := k.workspaces.Find(call.Caller.ID, call.Vars["index_id"])
			if errors.Is(err, workspace.ErrNotFound) {
				return fmt.Errorf("%w: %w", err, fs.ErrNotExist)
			}
			return err
		},
		Read: func(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
			x, err := k.workspaces.Find(call.Caller.ID, call.Vars["index_id"])
			var src []byte
			if err == nil {
				src, err = read(ctx, x)
			}
			switch {
			case errors.Is(err, workspace.ErrNotFound):
				return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
			case err != nil:
				return nil, err
			case mime == bundleType:
				return []mcp.ResourceContents{mcp.BlobResourceContents{URI: call.URI, MIMEType: mime, Blob: base64.StdEncoding.EncodeToString(src)}}, nil
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: call.URI, MIMEType: mime, Text: string(src)}}, nil
		}}
}

// listed is one resource for each index of an owner, the newest first.
func (k *Toolkit) listed(owner, uri, name, mime, about string) []mcp.Resource {
	var out []mcp.Resource
	for _, s := range k.workspaces.List(owner) {
		at := filepath.Base(s.Path)
		if s.Rev != "" {
			at += " at " + s.Rev
		}
		r := mcp.NewResource(strings.ReplaceAll(uri, "{index_id}", s.IndexID), name, mcp.WithResourceDescription(about), mcp.WithMIMEType(mime))
		r.Title = strings.ReplaceAll(name, "_", " ") + ": " + at
		out = append(out, r)
	}
	return out
}

// complete suggests the caller's own indexes, the newest first.
func (k *Toolkit) complete(_ context.Context, call tools.CompleteCall) ([]string, error) {
	if call.Argument != "index_id" {
		return nil, nil
	}
	var ids []string
	for _, s := range k.workspaces.List(call.Caller.ID) {
		ids = append(ids, s.IndexID)
	}
	return ids, nil
}

func indented(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }
