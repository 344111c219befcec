package main

import (
	"strings"
	"testing"

	"catena/table"
)

// TestStages does each stage once on little data.
func TestStages(t *testing.T) {
	dir := t.TempDir()
	csv, err := writeCSV(dir, 200, 10)
	if err != nil {
		t.Fatal(err)
	}
	json, err := writeJSON(dir, 200, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range comparisons {
		path := csv
		if c.ending == "json" {
			path = json
		}
		work, err := stage(c.stage, path)
		if err != nil {
			t.Fatal(c.stage, err)
		}
		if n, err := work(); err != nil || n == 0 {
			t.Errorf("%s of %s: %d rows, %v", c.stage, c.ending, n, err)
		}
	}
	if _, err := stage("no such", csv); err == nil || !strings.Contains(err.Error(), "no such") {
		t.Errorf("an unknown stage: %v", err)
	}
}

// TestData checks that both files hold the same cells, of the types that the comparison is about.
func TestData(t *testing.T) {
	dir := t.TempDir()
	var all []*table.Table
	for _, write := range []func(string, int, int) (string, error){writeCSV, writeJSON} {
		path, err := write(dir, 500, 10)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := loaded(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tab)
	}
	want := []table.Type{table.Int, table.Text, table.Text, table.Date, table.Decimal, table.Float, table.Int, table.Decimal, table.Bool, table.Text}
	for c, typ := range want {
		for i, tab := range all {
			if got := tab.Column(c).Type; got != typ {
				t.Errorf("file %d: column %s is %s, not %s", i, tab.Column(c).Name, got, typ)
			}
		}
		for r := range all[0].NumRows() {
			if a, b := all[0].Value(r, c), all[1].Value(r, c); !table.Equal(a, b) {
				t.Fatalf("row %d of %s: %s in CSV, %s in JSON", r, all[0].Column(c).Name, a, b)
			}
		}
	}
}
