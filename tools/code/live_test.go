package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools"
	"catena/tools/code/codetest"
)

func TestLiveTables(t *testing.T) {
	k := cook(t, market)
	for _, l := range k.kit.Live() {
		if v, err := l.Version(t.Context(), ann); v != "" || err != nil {
			t.Fatalf("%s has a version before there is an index: %q, %v", l.Name, v, err)
		}
	}
	k.index()
	open := func(name string) tools.Result {
		t.Helper()
		res, err := k.reg.OpenLive(t.Context(), ann, name)
		if err != nil {
			t.Fatal(err)
		}
		if !res.Untrusted {
			t.Errorf("%s is not marked as untrusted", name)
		}
		return res
	}
	functions := open("functions")
	if got, want := column(t, functions, "function"), []string{"Remind", "main", "Ledger.Charge", "Ledger.Refund", "TestCharge", "Run"}; !cmp.Equal(got, want) {
		t.Errorf("functions: %s", cmp.Diff(want, got))
	}
	files := open("code_files")
	byPath := map[string][]string{}
	for _, row := range rows(files) {
		byPath[row[0]] = row
	}
	if got := byPath["payment/ledger.go"]; got[files.Table.Index("functions")] != "2" || got[files.Table.Index("dependents")] != "1" || got[files.Table.Index("cyclomatic")] != "6" {
		t.Errorf("payment/ledger.go: %v", got)
	}
	if got := rows(open("dependencies")); !strings.Contains(strings.Join(flatten(got), "\n"), "mail/mail.go payment 4 true") {
		t.Errorf("dependencies: %v", got)
	}
	before := versionOf(t, k, "functions")
	codetest.Put(t, k.root, map[string]string{"new.go": "package main\n\nfunc added() {}\n"})
	k.index()
	if versionOf(t, k, "functions") == before {
		t.Error("the version stays when the rows change")
	}
}

func flatten(rows [][]string) []string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.Join(r, " "))
	}
	return out
}

func versionOf(t *testing.T, k kitchen, name string) string {
	t.Helper()
	for _, l := range k.kit.Live() {
		if l.Name == name {
			v, err := l.Version(t.Context(), ann)
			if err != nil || v == "" {
				t.Fatalf("version %q, %v", v, err)
			}
			return v
		}
	}
	return ""
}
