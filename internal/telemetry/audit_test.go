package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAudit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a, err := NewAudit(path, slog.New(slog.DiscardHandler), requestID)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				a.Record(context.WithValue(context.Background(), key{}, "abc"), "call", slog.String("caller", "ann"), slog.Bool("allowed", true))
			}
		})
	}
	all.Wait()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if n := entries(t, path); n != 400 {
		t.Errorf("%d entries", n)
	}
	// What rotates logs renames the file.
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	a.file.looked = time.Time{}
	a.Record(context.Background(), "call")
	if entries(t, path) != 1 || entries(t, path+".1") != 400 {
		t.Error("the audit did not go on in a new file")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := NewAudit(path, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Record(context.Background(), "call")
	if err := again.Close(); err != nil || entries(t, path) != 2 {
		t.Error("the audit was not gone on with", err)
	}
}

// entries counts whole entries.
func entries(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, dec := 0, json.NewDecoder(f)
	for {
		var entry map[string]any
		if err := dec.Decode(&entry); err == io.EOF {
			return n
		} else if err != nil || entry["msg"] != "call" || entry["time"] == nil || entry["level"] != nil {
			t.Fatalf("%v %v", entry, err)
		}
		n++
	}
}

// TestAuditFails: an audit that cannot be written says so, until it can.
func TestAuditFails(t *testing.T) {
	a, err := NewAudit(filepath.Join(t.TempDir(), "audit.jsonl"), slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Record(t.Context(), "call")
	if err := a.Healthy(); err != nil {
		t.Error(err)
	}
	if err := a.file.f.Close(); err != nil { // stands for a disk that is full
		t.Fatal(err)
	}
	a.Record(t.Context(), "call")
	if a.Healthy() == nil {
		t.Error("an entry was lost and nobody is told")
	}
	if err := a.file.open(); err != nil {
		t.Fatal(err)
	}
	a.Record(t.Context(), "call")
	if err := errors.Join(a.Healthy(), a.Close()); err != nil {
		t.Error(err)
	}
	if err := (&Audit{log: slog.New(slog.DiscardHandler)}).Healthy(); err != nil {
		t.Error(err)
	}
}

func TestAuditToLog(t *testing.T) {
	var out strings.Builder
	a, err := NewAudit("", slog.New(slog.NewJSONHandler(&out, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Record(context.Background(), "call", slog.String("caller", "ann"))
	if !strings.Contains(out.String(), `"msg":"call","caller":"ann"`) {
		t.Error(out.String())
	}
	if _, err := NewAudit(t.TempDir(), slog.New(slog.DiscardHandler), nil); err == nil {
		t.Error("a folder is taken for a file")
	}
}
