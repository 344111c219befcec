package code

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// put writes files below a folder.
func put(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// open opens workspaces over one root.
func open(t testing.TB, root string, change ...func(*Options)) *Workspaces {
	t.Helper()
	opt := Options{Roots: []string{root}, Dir: t.TempDir(), Log: quiet()}
	for _, f := range change {
		f(&opt)
	}
	w, err := NewWorkspaces(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

var small = map[string]string{
	"go.mod":          "module example.com/shop\n\ngo 1.24\n",
	"main.go":         "package main\n\nimport \"example.com/shop/pay\"\n\nfunc main() { pay.Charge(3) }\n",
	"pay/pay.go":      "// Package pay takes money.\npackage pay\n\n// Charge takes money from a card.\nfunc Charge(n int) int {\n\tif n > 2 {\n\t\treturn n\n\t}\n\treturn 0\n}\n",
	"pay/pay_test.go": "package pay\n\nimport \"testing\"\n\nfunc TestCharge(t *testing.T) { Charge(1) }\n",
	"README.md":       "# Shop\n\nSells things.\n",
}

func TestEnsure(t *testing.T) {
	root := t.TempDir()
	put(t, root, small)
	w := open(t, root)
	var seen []string
	st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Progress: func(id, stage string, percent int, message string) {
		seen = append(seen, fmt.Sprint(percent))
		t.Log(id, stage, percent, message)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", st)
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	v := x.View()
	if v.State != Fresh || v.Snapshot == nil {
		t.Fatalf("state %q", v.State)
	}
	again, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: root})
	if err != nil || again.IndexID != st.IndexID {
		t.Fatalf("an unchanged folder was indexed anew: %v %v", again, err)
	}
	time.Sleep(5 * time.Millisecond)
	put(t, root, map[string]string{"pay/pay.go": "package pay\n\nfunc Refund() {}\n"})
	third, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: root})
	if err != nil || third.IndexID == st.IndexID {
		t.Fatalf("a changed folder was not indexed anew: %v %v", third, err)
	}
}
