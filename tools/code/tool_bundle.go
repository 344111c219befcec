package code

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"catena/internal/text"
	"catena/tools"
)

// bundle is the handler of get_repo_bundle.
func (k *Toolkit) bundle(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.byID(call, "index_id")
	if err != nil {
		return tools.Result{}, err
	}
	id := r.view.Status.IndexID
	data, err := r.ws.Bundle(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	sum := sha256.Sum256(data)
	out := object{"index_id": id, "uri": bundleURI(id), "bytes": len(data), "sha256": hex.EncodeToString(sum[:]), "media_type": "application/zstd", "indexInfo": r.info}
	for name, uri := range uris(id) {
		out[name] = uri
	}
	return tools.Result{Text: fmt.Sprintf("The bundle is at %s: %s bytes.", bundleURI(id), text.Thousands(len(data))), Structured: out, Notes: r.notes}, nil
}
