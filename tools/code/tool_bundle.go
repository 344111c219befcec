package code

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// bundle is the handler of get_repo_bundle.
func (k *Toolkit) bundle(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.byID(call, "index_id")
	if err != nil {
		return tools.Result{}, err
	}
	id := r.view.Status.IndexID
	data, err := k.bundleBytes(ctx, call, id)
	if err != nil {
		return tools.Result{}, err
	}
	sum := sha256.Sum256(data)
	out := object{"index_id": id, "uri": bundleURI(id), "bytes": len(data), "sha256": hex.EncodeToString(sum[:]), "media_type": "application/zstd", "indexInfo": r.info}
	for name, uri := range uris(id) {
		out[name] = uri
	}
	return tools.Result{Text: fmt.Sprintf("The bundle is at %s: %s bytes.", bundleURI(id), thousands(len(data))), Structured: out, Notes: r.notes}, nil
}

// bundleBytes reads the bundle as a client does.
func (k *Toolkit) bundleBytes(ctx context.Context, call tools.Call, id string) ([]byte, error) {
	uri := bundleURI(id)
	for _, x := range k.Resources() {
		if x.Template == nil || x.Template.URITemplate == nil || x.Template.URITemplate.Match(uri) == nil {
			continue
		}
		contents, err := x.Read(ctx, tools.ResourceCall{Caller: call.Caller, URI: uri, Vars: map[string]string{"index_id": id}})
		if err != nil {
			return nil, err
		}
		for _, c := range contents {
			if blob, ok := c.(mcp.BlobResourceContents); ok {
				return base64.StdEncoding.DecodeString(blob.Blob)
			}
		}
	}
	return nil, &fault{code: CodeIndexNotReady, text: "this index has no bundle", hint: "Call ensure_repo_index again to make one"}
}
