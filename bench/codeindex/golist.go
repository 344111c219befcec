package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"catena/tools/code/index"
)

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Deps       []string
}

// dependents compares get_dependents with go list -deps, turned round, for all packages of the standard library.
func dependents(ctx context.Context, set *settings, c *corpus, snap *index.Snapshot, out *report) error {
	if filepath.Clean(set.dir) != filepath.Join(goRoot(), "src") {
		fmt.Println("\nDependents: not compared, -dir is not GOROOT/src")
		return nil
	}
	out.heading("get_dependents against go list -deps, turned round")
	packages, err := goList(ctx, set.dir)
	if err != nil {
		return err
	}
	want, dirOf := turned(packages, set.dir)
	known := make(map[string]bool)
	for _, dir := range dirOf {
		known[dir] = true
	}
	equal, compared, pairs := 0, 0, 0
	for _, p := range packages {
		dir := dirOf[p.ImportPath]
		if len(p.GoFiles) == 0 { // nothing of it builds here
			continue
		}
		compared++
		found, err := snap.Dependents(path.Join(dir, p.GoFiles[0]))
		if err != nil {
			return err
		}
		got := make(map[string]bool)
		for _, d := range found {
			if parent := path.Dir(d.Path); !d.Test && known[parent] { // the commands are not in the list
				got[parent] = true
			}
		}
		pairs += len(want[dir])
		if diff := difference(want[dir], got); len(diff) > 0 {
			fmt.Fprintf(os.Stderr, "%s: %s\n", dir, strings.Join(diff, " "))
		} else {
			equal++
		}
	}
	out.plain("dependents_pairs", "pairs of packages", float64(pairs), "")
	out.least("dependents_equal", fmt.Sprintf("packages with the same dependents, of %d", compared), float64(equal), float64(compared))
	return nil
}

// turned gives, for each folder, the folders of the packages that depend on it, and the folder of each import path.
func turned(packages []listed, root string) (want map[string]map[string]bool, dirOf map[string]string) {
	want, dirOf = make(map[string]map[string]bool), make(map[string]string)
	for _, p := range packages {
		dirOf[p.ImportPath] = relative(root, p.Dir)
	}
	for _, p := range packages {
		for _, d := range p.Deps {
			to := dirOf[d]
			if want[to] == nil {
				want[to] = make(map[string]bool)
			}
			want[to][dirOf[p.ImportPath]] = true
		}
	}
	return want, dirOf
}

// difference lists what only one of two sets has.
func difference(want, got map[string]bool) []string {
	var out []string
	for w := range want {
		if !got[w] {
			out = append(out, "-"+w)
		}
	}
	for g := range got {
		if !want[g] {
			out = append(out, "+"+g)
		}
	}
	slices.Sort(out)
	return out
}

// goList asks for the packages of the standard library with all that they depend on, as they build here without cgo.
func goList(ctx context.Context, dir string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Deps", "std")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// relative gives a folder as the index names it.
func relative(root, dir string) string {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return dir
	}
	return filepath.ToSlash(rel)
}
