package app

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/config"
)

// An owner near a quota is named in the log, and told beside its answers.
func TestQuotaWarnings(t *testing.T) {
	var log bytes.Buffer
	p := newApp(config.Config{Store: config.Store{Dir: filepath.Join(t.TempDir(), "store"), TablesMB: 1}})
	p.log = slog.New(slog.NewTextHandler(&log, nil))
	if err := p.openStore(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	err := p.folder.PutHandle(t.Context(), "ann", "tbl_1", "", "", nil, make([]byte, 900<<10), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.folder.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, "owner=ann what=tables setting=store.tables_mb bytes=921600") {
		t.Error(got)
	}
	want := "Your tables use 87 % of the 1.0 MiB that they may have (store.tables_mb); beyond that the oldest are deleted."
	if got := p.quotaWarnings("ann"); len(got) != 1 || got[0] != want {
		t.Error(got)
	}
	if got := p.quotaWarnings("bob"); len(got) > 0 {
		t.Error(got)
	}
}
