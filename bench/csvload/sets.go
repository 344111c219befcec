package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"catena/table"
	"catena/table/csv"
)

// outcome is what a set of dirty files gave.
type outcome struct {
	simple, weighted float64 // 0 to 10
	perfect, files   int
	slowest          time.Duration
}

// set is one folder of dirty files beside the tables that they should give.
type set struct {
	folder, weights string // of -data; the weights' file in it
	// named says that the expected tables have made-up names (col_0, col_1 ...) where the file has no header. The Pollock files have nothing there.
	named bool
}

// run loads every file of the set's split and scores it. Files that are not there are an error; files that cannot be loaded score zero.
func (s set) run(o options) (outcome, error) {
	dir := filepath.Join(o.data, s.folder)
	names, err := lines(filepath.Join(dir, o.split+".list"))
	if errors.Is(err, fs.ErrNotExist) { // a split without a list: all that is expected
		names, err = folderNames(filepath.Join(dir, o.split, "clean"))
	}
	if err != nil {
		return outcome{}, err
	}
	weights, err := readWeights(filepath.Join(dir, strings.ReplaceAll(s.weights, "SPLIT", o.split)))
	if err != nil {
		return outcome{}, err
	}
	var out outcome
	var total, weight float64
	for _, name := range names {
		if o.only != "" && !strings.Contains(name, o.only) {
			continue
		}
		want, err := readClean(filepath.Join(dir, o.split, "clean", name))
		if err != nil {
			return outcome{}, err
		}
		start := time.Now()
		got, loadErr := s.load(filepath.Join(dir, o.split, "csv", name))
		out.slowest = max(out.slowest, time.Since(start))
		var m measures
		if loadErr == nil {
			m = score(want, got)
		}
		out.files++
		total += m.sum()
		weight += weights[name]
		out.weighted += m.sum() * weights[name]
		if m.perfect() {
			out.perfect++
		} else if o.verbose {
			miss(o.errs, s.folder, name, m, loadErr, want, got)
		}
		if o.keep != "" && loadErr == nil {
			if err := keep(filepath.Join(o.keep, s.folder), name, got); err != nil {
				return outcome{}, err
			}
		}
	}
	if out.files > 0 && weight > 0 {
		out.simple, out.weighted = total/float64(out.files), out.weighted/weight
	}
	return out, nil
}

// load gives the first table of a file as rows of text, the names first where the file has any.
func (s set) load(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found, err := csv.ReadCells(data, filepath.Base(path), table.Limits{})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	first := found[0]
	switch {
	case first.Header != nil:
		return append([][]string{first.Header}, first.Rows...), nil
	case s.named && len(first.Rows) > 0:
		names := make([]string, len(first.Rows[0]))
		for i := range names {
			names[i] = fmt.Sprintf("col_%d", i)
		}
		return append([][]string{names}, first.Rows...), nil
	}
	return first.Rows, nil
}

// miss tells what differs in a file that is not perfect.
func miss(w io.Writer, folder, name string, m measures, err error, want, got [][]string) {
	fmt.Fprintf(w, "%s %s %.3f header %.2f records %.3f cells %.3f", folder, name, m.sum(), m[3], m[6], m[9])
	if err != nil {
		fmt.Fprintf(w, " error: %v", err)
	}
	fmt.Fprintf(w, "; %d rows, want %d\n", len(got), len(want))
	shown := 0
	for i := 0; i < max(len(want), len(got)) && shown < 2; i++ {
		var a, b []string
		if i < len(want) {
			a = normals(want[i])
		}
		if i < len(got) {
			b = normals(got[i])
		}
		if strings.Join(a, "\x1f") != strings.Join(b, "\x1f") {
			fmt.Fprintf(w, "    row %d want %.220q\n    row %d got  %.220q\n", i, a, i, b)
			shown++
		}
	}
}

func keep(dir, name string, rows [][]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, name+"_converted.csv"))
	if err != nil {
		return err
	}
	return errors.Join(writeRFC(f, rows), f.Close())
}

func lines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n"), nil
}

func folderNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

func readWeights(path string) (map[string]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var weights map[string]float64
	if err := json.Unmarshal(data, &weights); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return weights, nil
}
