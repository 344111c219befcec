package data

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/table"
	"catena/tools/handle"
)

// tree makes files in a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// relative cuts a folder off the paths in it.
func relative(root string, paths []string) []string {
	out := []string{}
	for _, p := range paths {
		rel, _ := filepath.Rel(root, p)
		out = append(out, filepath.ToSlash(rel))
	}
	return out
}

func TestFilesUnder(t *testing.T) {
	deep := strings.Repeat("d/", maxFolderDepth+1)
	root := tree(t, map[string]string{
		"a.csv": "x\n1\n", "b/c.csv": "x\n1\n", "b/d/e.json": "[]", "b/notes.txt": "", ".hidden/f.csv": "", "b/.g.csv": "", "old.zip": "PK", "b/old.tar.gz": "", "b/h.csv.gz": "",
		deep + "far.csv": "x\n",
	})
	for link, to := range map[string]string{"b/loop": root, "b/gone.csv": "nowhere", "b/self": "self", "b/other": filepath.Join(root, "b", "d")} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	files, faults := filesUnder(t.Context(), root)
	if diff := cmp.Diff([]string{"a.csv", "b/c.csv", "b/d/e.json", "b/h.csv.gz", "b/other/e.json"}, relative(root, files)); diff != "" {
		t.Error(diff)
	}
	var named []string
	for _, err := range faults {
		var format *table.FormatError
		if !errors.As(err, &format) || format.Hint == "" {
			t.Fatalf("%T %v", err, err)
		}
		named = append(named, relative(root, []string{format.Source})[0]+": "+format.Reason)
	}
	want := []string{
		"b/gone.csv: it is a link that leads nowhere", "b/loop: it is a link to a folder that it is in", "b/old.tar.gz: it is an archive, which is not looked into",
		"b/self: it is a link that leads nowhere", strings.TrimSuffix(deep, "/") + fmt.Sprintf(": it is more than %d folders deep", maxFolderDepth), "old.zip: it is an archive, which is not looked into",
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Error(diff)
	}
}

// A folder that cannot be read is named; those beside it are read.
func TestFilesUnderUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"a/x.csv": "x\n1\n", "b/y.csv": "x\n1\n"})
	w := &folderWalk{ctx: t.Context(), readDir: func(path string) ([]os.DirEntry, error) {
		if filepath.Base(path) == "a" {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return os.ReadDir(path)
	}}
	files, faults := w.run(root)
	if diff := cmp.Diff([]string{"b/y.csv"}, relative(root, files)); diff != "" || len(faults) != 1 || !errors.Is(faults[0], fs.ErrPermission) {
		t.Errorf("%s %v", diff, faults)
	}
}

// Many faults are counted.
func TestFilesUnderManyFaults(t *testing.T) {
	files := map[string]string{"a.csv": "x\n1\n"}
	for i := range maxFolderFaults + 5 {
		files[fmt.Sprintf("z%d.zip", i)] = ""
	}
	found, faults := filesUnder(t.Context(), tree(t, files))
	if len(found) != 1 || len(faults) != maxFolderFaults+1 || !strings.Contains(faults[maxFolderFaults].Error(), "5 further") {
		t.Errorf("%d files, %d faults: %v", len(found), len(faults), faults[len(faults)-1])
	}
}

// What breaks off is named, and the rest loads.
func TestLoadFolder(t *testing.T) {
	var packed strings.Builder
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write([]byte(strings.Repeat("x,y\n1,2\n", 1000)))
	_ = zip.Close()
	root := tree(t, map[string]string{
		"a.csv": "x\n1\n", "in/b.json": `[{"x":1},{"x":`, "in/c.parquet": "PAR1", "in/d.csv.gz": packed.String()[:packed.Len()/2], "in/e.jsonl": `{"x":1}`, "in/f.db": "SQLite format 3\x00",
	})
	s := NewSources(handle.New(handle.Options{}), table.Limits{})
	errs := s.Load(t.Context(), root)
	var got []string
	for _, tab := range s.List(access.Caller{}, "") {
		got = append(got, tab.Name)
	}
	if diff := cmp.Diff([]string{"a", "e"}, got); diff != "" {
		t.Error(diff)
	}
	for i, name := range []string{"b.json", "c.parquet", "d.csv.gz", "f.db"} {
		if i >= len(errs) || !strings.Contains(errs[i].Error(), filepath.Join("in", name)) {
			t.Fatalf("%s is not named: %v", name, errs)
		}
	}
}
