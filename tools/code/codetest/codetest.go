// Package codetest has the folders and the waiting that tests of tools/code and its rooms share. The program does not
// contain it.
package codetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Shop is a small repository.
var Shop = map[string]string{
	"go.mod":          "module example.com/shop\n\ngo 1.24\n",
	"main.go":         "package main\n\nimport \"example.com/shop/pay\"\n\nfunc main() { pay.Charge(3) }\n",
	"pay/pay.go":      "// Package pay takes money.\npackage pay\n\n// Charge takes money from a card.\nfunc Charge(n int) int {\n\tif n > 2 {\n\t\treturn n\n\t}\n\treturn 0\n}\n",
	"pay/pay_test.go": "package pay\n\nimport \"testing\"\n\nfunc TestCharge(t *testing.T) { Charge(1) }\n",
	"README.md":       "# Shop\n\nSells things.\n",
}

// Put writes files below a folder.
func Put(t testing.TB, root string, files map[string]string) {
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

// Age makes files older than the step of the file system's clock, so that a change shows in their time.
func Age(t testing.TB, root string) {
	t.Helper()
	when := time.Now().Add(-time.Minute)
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(name, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Eventually waits until something holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came to this: " + what)
		}
	}
}
