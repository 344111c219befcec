package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"catena/table"
	"catena/table/csv"
	tablejson "catena/table/json"
	"catena/table/load"
)

// loaders scores the sets that are not divided: JSONTestSuite (files y_ must be accepted, n_ refused), csv-spectrum (rows compared with the JSON beside
// them) and the horror files, which must only be read or refused without a crash.
func loaders(o options, f *figures) error {
	dir := filepath.Join(o.data, "loaders")
	if err := jsonSuite(o, filepath.Join(dir, "JSONTestSuite"), f); err != nil {
		return err
	}
	if err := spectrum(o, dir, f); err != nil {
		return err
	}
	names, err := folderNames(filepath.Join(dir, "messytables-horror"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, "messytables-horror", name))
		if err != nil {
			return err
		}
		f.HorrorTotal++
		named, err := load.Bytes(data, name, table.Limits{})
		var format *table.FormatError
		if err == nil || errors.As(err, &format) {
			f.HorrorRead++
		}
		if o.verbose {
			columns := 0
			if named.Table != nil {
				columns = named.Table.NumCols()
			}
			fmt.Fprintf(o.errs, "horror %s: %d rows, %d columns, %s, delimiter %q, header %t, error %v\n",
				name, named.Report.Rows, columns, named.Report.Encoding, named.Report.Comma, named.Report.Header, err)
		}
	}
	return err
}

func jsonSuite(o options, dir string, f *figures) error {
	names, err := folderNames(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		start := time.Now()
		_, err = tablejson.Read(bytes.NewReader(data), name, table.Limits{})
		if took := time.Since(start); took > 2*time.Second {
			return fmt.Errorf("%s took %v", name, took)
		}
		kind := name[:1]
		if kind != "y" && kind != "n" {
			continue
		}
		f.JSONTotal++
		if (err == nil) == (kind == "y") {
			f.JSONRight++
		} else if o.verbose {
			fmt.Fprintf(o.errs, "json %s: %v\n", name, err)
		}
	}
	return nil
}

// spectrum compares the records of csv-spectrum. Its tables have names in their first row, always, and cells are text.
func spectrum(o options, dir string, f *figures) error {
	names, err := folderNames(filepath.Join(dir, "csv-spectrum-csv"))
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, "csv-spectrum-csv", name))
		if err != nil {
			return err
		}
		truth, err := os.ReadFile(filepath.Join(dir, "csv-spectrum-json", strings.TrimSuffix(name, ".csv")+".json"))
		if err != nil {
			return err
		}
		want, err := recordsOf(truth)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.SpectrumTotal++
		got, err := csv.ReadCells(data, name, table.Limits{})
		if err == nil && len(got) == 1 && sameRecords(want, got[0]) {
			f.SpectrumRight++
		} else if o.verbose {
			fmt.Fprintf(o.errs, "spectrum %s: want %q, got %+v, error %v\n", name, want, got, err)
		}
	}
	return nil
}

// recordsOf reads a list of objects, or one object, of texts.
func recordsOf(truth []byte) ([]map[string]string, error) {
	if truth = bytes.TrimSpace(truth); bytes.HasPrefix(truth, []byte("{")) {
		truth = slices.Concat([]byte("["), truth, []byte("]"))
	}
	var records []map[string]string
	err := json.Unmarshal(truth, &records)
	return records, err
}

func sameRecords(want []map[string]string, got csv.Cells) bool {
	rows, header := got.Rows, got.Header
	if header == nil && len(rows) > 0 {
		header, rows = rows[0], rows[1:]
	}
	if len(want) != len(rows) {
		return false
	}
	for i, row := range rows {
		if len(row) != len(want[i]) {
			return false
		}
		for key, value := range want[i] {
			if c := slices.Index(header, key); c < 0 || row[c] != value {
				return false
			}
		}
	}
	return true
}
