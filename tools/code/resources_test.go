package code

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/code/codetest"
	"catena/tools/code/workspace"
)

// read reads a resource as a caller of the registry does.
func read(t testing.TB, r *tools.Registry, owner, uri string) (string, error) {
	t.Helper()
	got, err := r.ReadResource(t.Context(), access.Caller{ID: owner}, uri)
	if err != nil {
		return "", err
	}
	switch c := got[0].(type) {
	case mcp.TextResourceContents:
		return c.Text, nil
	case mcp.BlobResourceContents:
		src, err := base64.StdEncoding.DecodeString(c.Blob)
		if err != nil || c.MIMEType != "application/zstd" {
			t.Fatalf("%v %v", c.MIMEType, err)
		}
		return string(src), nil
	}
	t.Fatalf("%T", got[0])
	return "", nil
}

// listedOf are the URIs that resources/list has for an owner.
func (k *Toolkit) listedOf(owner string) (uris []string) {
	for _, x := range k.Resources() {
		for _, r := range x.Listed(owner) {
			uris = append(uris, r.URI)
		}
	}
	return uris
}

func TestResources(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	codetest.Put(t, root, map[string]string{".env": "PASSWORD=x", "token=abc123def": "x = 1\n"})
	var mu sync.Mutex
	updated := map[string]bool{}
	var changes atomic.Int64
	note := func(owner, uri string) {
		mu.Lock()
		defer mu.Unlock()
		updated[owner+" "+uri] = true
	}
	k, err := New(Options{Options: workspace.Options{
		Roots: []string{root}, Log: slog.New(slog.DiscardHandler), Listed: func() { changes.Add(1) }, Updated: note,
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	r := tools.NewRegistry(tools.Options{Log: slog.New(slog.DiscardHandler)})
	if err := r.RegisterResources(k.Resources()...); err != nil {
		t.Fatal(err)
	}
	if list := k.listedOf("ann"); len(list) != 0 || changes.Load() != 0 {
		t.Errorf("before an index: %v, %d changes", list, changes.Load())
	}
	st, err := k.workspaces.Ensure(t.Context(), workspace.Request{Owner: "ann", Path: "."})
	if err != nil || st.Status != workspace.Complete {
		t.Fatalf("%+v %v", st, err)
	}
	id := st.IndexID
	if diff := cmp.Diff([]string{"mimir://status/" + id, "mimir://manifest/" + id, "mimir://logs/" + id, "mimir://indexes/" + id + "/bundle.tar.zst"}, k.listedOf("ann")); diff != "" {
		t.Error(diff)
	}
	if list := k.listedOf("bob"); len(list) != 0 || changes.Load() != 1 {
		t.Errorf("to others: %v, %d changes", list, changes.Load())
	}
	text := func(uri string) string {
		t.Helper()
		s, err := read(t, r, "ann", uri)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var status workspace.Status
	if err := json.Unmarshal([]byte(text("mimir://status/"+id)), &status); err != nil || status.IndexID != id || status.Status != workspace.Complete {
		t.Errorf("%+v %v", status, err)
	}
	for _, uri := range []string{"mimir://status/" + id, "mimir://manifest/" + id} {
		for _, want := range []string{`"files": 6`, `"lines": `, `"chunks": `, `"symbols": `, `"edges": `, `"bytes": `, `"stored_bytes": `, `"languages": {`, `"made_at": "`} {
			if got := text(uri); !strings.Contains(got, want) {
				t.Errorf("%s has no %s: %s", uri, want, got)
			}
		}
	}
	var m workspace.Manifest
	if err := json.Unmarshal([]byte(text("mimir://manifest/"+id)), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 6 || m.Languages["go"] != 3 || m.Reasons["secret"] != 1 || len(m.Stages) != 6 || m.State != workspace.Fresh || m.FileCount != 6 {
		t.Errorf("%+v", m)
	}
	if log := text("mimir://logs/" + id); !strings.HasPrefix(log, "# Index "+id) || !strings.Contains(log, "6 files parsed") {
		t.Error(log)
	}
	if names := unpack(t, text("mimir://indexes/"+id+"/bundle.tar.zst")); names["manifest.json"] == "" || !strings.Contains(names["chunks.jsonl"], "Charge takes money") {
		t.Errorf("%v", names)
	}
	for _, template := range []string{"mimir://status/{index_id}", "mimir://manifest/{index_id}", "mimir://logs/{index_id}", "mimir://indexes/{index_id}/" + workspace.BundleFile} {
		for _, c := range []struct {
			owner, argument, value string
			want                   int
		}{{"ann", "index_id", strings.ToLower(id[:3]), 1}, {"ann", "index_id", "none", 0}, {"ann", "other", "", 0}, {"bob", "index_id", "", 0}} {
			got, err := r.Complete(t.Context(), template, false, tools.CompleteCall{Caller: access.Caller{ID: c.owner}, Argument: c.argument, Value: c.value})
			if err != nil || len(got.Values) != c.want || c.want > 0 && got.Values[0] != id {
				t.Errorf("%s: %+v gives %+v, %v", template, c, got, err)
			}
		}
	}
	for _, uri := range workspace.URIs(id, true) {
		codetest.Eventually(t, uri+" is told of", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return updated["ann "+uri]
		})
		for _, other := range []struct{ owner, uri string }{{"bob", uri}, {"ann", strings.Replace(uri, id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", 1)}} {
			if _, err := read(t, r, other.owner, other.uri); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q reads %s: %v", other.owner, other.uri, err)
			}
		}
	}
	for _, odd := range []string{"..", "%2e%2e%2f", "%00", "%ff", strings.Repeat("x", 4000)} {
		if _, err := read(t, r, "ann", "mimir://status/"+odd); err == nil {
			t.Errorf("%.20q was read", odd)
		}
	}
}

// unpack gives the files of a bundle.
func unpack(t testing.TB, bundle string) map[string]string {
	t.Helper()
	z, err := zstd.NewReader(strings.NewReader(bundle))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, r); err != nil {
			t.Fatal(err)
		}
		out[h.Name] = b.String()
	}
}
