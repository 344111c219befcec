package app

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/table/tabletest"
)

// smallFiles are those that an upload may be.
func smallFiles() (small []tabletest.File) {
	const largest = 32 << 10
	for _, file := range append(tabletest.Arrow(), tabletest.Parquet()...) {
		if len(file.Data) <= largest {
			small = append(small, file)
		}
	}
	return small
}

// Files that unfold to gigabytes are refused by name when they are uploaded, eight at once, and the program goes on.
func TestUploadsThatUnfold(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"}, access.Key{Name: "bob"})
	files := make(chan tabletest.File)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for file := range files {
				status, _, body := h.post("bob", "/api/v1/tables?name="+file.Name, string(file.Data), map[string]string{"Content-Type": "application/octet-stream"})
				if status < 400 || status >= 500 || !strings.Contains(body, file.Name) {
					t.Errorf("%s: %d %s", file.Name, status, body)
				}
			}
		})
	}
	for _, file := range smallFiles() {
		files <- file
	}
	close(files)
	all.Wait()
	status, _, body := h.post("ann", "/api/v1/tables?name=honest.csv", "a,b\n1,2\n", map[string]string{"Content-Type": "text/csv"})
	if status != http.StatusCreated {
		t.Errorf("an honest file: %d %s", status, body)
	}
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(sample); sample[0].Value.Uint64() > 512<<20 {
		t.Errorf("%d MB are kept", sample[0].Value.Uint64()>>20)
	}
}

// A file of the operator's that unfolds to gigabytes is left out, and the others load.
func TestDataThatUnfolds(t *testing.T) {
	dir := t.TempDir()
	for _, file := range smallFiles() {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "honest.csv"), []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "data.sources": {dir}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	p, err := New(t.Context(), cfg, &out)
	if err != nil {
		t.Fatal(fmt.Errorf("the program does not start: %w", err))
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
