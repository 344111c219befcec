package data

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/query/semantic"
	"catena/table"
)

// Bounds of a folder that is loaded with all that is in it.
const (
	maxFolderDepth   = 16      // folders in folders
	maxFolderFiles   = 10_000  // data files
	maxFolderEntries = 200_000 // names that are looked at
	maxFolderFaults  = 50      // that are named; the rest is counted
)

// dataEndings are what is loaded out of a folder; a file that is named itself may have any ending.
var dataEndings = []string{".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".parquet", ".arrow", ".arrows", ".feather", ".db", ".sqlite", ".sqlite3"}

// archiveEndings are files that hold others, which are not looked into.
var archiveEndings = []string{".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".rar"}

// endingOf is a file's ending in lower case, without that of a compressed file; "" for a hidden one.
func endingOf(name string) string {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, ".") {
		return ""
	}
	for _, packed := range []string{".gz", ".zst", ".bz2", ".xz"} {
		if rest, ok := strings.CutSuffix(name, packed); ok && (packed == ".gz" || packed == ".zst" || filepath.Ext(rest) == ".tar") {
			name = rest
			break
		}
	}
	return filepath.Ext(name)
}

// folderWalk collects the data files of a folder and of the folders in it.
type folderWalk struct {
	ctx     context.Context
	readDir func(string) ([]os.DirEntry, error)
	files   []string
	faults  []error
	further int           // faults beyond those named
	open    []fs.FileInfo // the folders that the present one is in
	entries int
	full    bool
}

// filesUnder gives the data files of a folder and of all folders in it, in order of their paths, also through links. What is left out, and why, is named: folders that cannot be read
// or that are links to one that they are in, archives, and what goes over a bound. Hidden files and folders are passed over.
func filesUnder(ctx context.Context, root string) ([]string, []error) {
	return (&folderWalk{ctx: ctx, readDir: os.ReadDir}).run(root)
}

func (w *folderWalk) run(root string) ([]string, []error) {
	w.folder(root)
	if w.further > 0 {
		w.faults = append(w.faults, &table.FormatError{Source: root, Reason: fmt.Sprintf("%d further files and folders in it were left out", w.further), Hint: "name the files themselves"})
	}
	if len(w.files) == 0 && len(w.faults) == 0 {
		w.faults = append(w.faults, &table.FormatError{Source: root, Reason: "there is no data file in the folder",
			Hint: "files ending in " + strings.Join(dataEndings, " ") + " are loaded, also with .gz or .zst behind"})
	}
	return w.files, w.faults
}

// leaveOut names what is not loaded.
func (w *folderWalk) leaveOut(path, reason, hint string, err error) {
	if len(w.faults) == maxFolderFaults {
		w.further++
		return
	}
	w.faults = append(w.faults, &table.FormatError{Source: path, Reason: reason, Hint: hint, Err: err})
}

// folder looks through one folder.
func (w *folderWalk) folder(path string) {
	info, err := os.Stat(path)
	if err != nil {
		w.leaveOut(path, "the folder cannot be read", "check that it is there, and its permissions", err)
		return
	}
	switch {
	case slices.ContainsFunc(w.open, func(above fs.FileInfo) bool { return os.SameFile(above, info) }):
		w.leaveOut(path, "it is a link to a folder that it is in", "remove the link", nil)
		return
	case len(w.open) > maxFolderDepth:
		w.leaveOut(path, fmt.Sprintf("it is more than %d folders deep", maxFolderDepth), "name the folder itself", nil)
		return
	}
	entries, err := w.readDir(path)
	if err != nil { // what was read before it failed counts
		w.leaveOut(path, "the folder cannot be read", "check its permissions", err)
	}
	w.open = append(w.open, info)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	for _, e := range entries {
		if w.entries++; !w.full && (w.entries > maxFolderEntries || len(w.files) == maxFolderFiles) {
			w.full = true
			w.leaveOut(filepath.Join(path, e.Name()), fmt.Sprintf("the folder holds more than %d data files, or %d files in all; this one and those behind it were left out", maxFolderFiles, maxFolderEntries),
				"name smaller folders", nil)
		}
		if w.full || w.ctx.Err() != nil {
			return
		}
		w.entry(filepath.Join(path, e.Name()), e)
	}
}

// entry looks at one name in a folder.
func (w *folderWalk) entry(path string, e os.DirEntry) {
	ending := endingOf(e.Name())
	folder := e.IsDir()
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			if slices.Contains(dataEndings, ending) || slices.Contains(archiveEndings, ending) || ending == "" && !strings.HasPrefix(e.Name(), ".") {
				w.leaveOut(path, "it is a link that leads nowhere", "remove the link, or restore what it means", err)
			}
			return
		}
		folder = info.IsDir()
	}
	switch {
	case folder && strings.HasPrefix(e.Name(), "."):
	case folder:
		w.folder(path)
	case slices.Contains(dataEndings, ending), strings.HasSuffix(e.Name(), semantic.FileEnding):
		w.files = append(w.files, path)
	case slices.Contains(archiveEndings, ending):
		w.leaveOut(path, "it is an archive, which is not looked into", "unpack it", nil)
	}
}

// expand gives the files that a pattern means, in order of their names, and what was left out of a folder, and why.
func expand(ctx context.Context, pattern string) ([]string, []error) {
	info, err := os.Stat(pattern)
	if err == nil && !info.IsDir() {
		return []string{pattern}, nil
	}
	if err == nil {
		return filesUnder(ctx, pattern)
	}
	files, globErr := filepath.Glob(pattern)
	switch {
	case globErr != nil:
		return nil, []error{
			&table.FormatError{
				Source: pattern,
				Reason: "the pattern is malformed",
				Hint:   "write * and ? for what may vary",
				Err:    globErr,
			},
		}
	case len(files) > 0:
		return files, nil
	case strings.ContainsAny(pattern, "*?["):
		return nil, []error{
			&table.FormatError{Source: pattern, Reason: "no file matches the pattern", Hint: "check the folder's name"},
		}
	}
	return nil, []error{
		&table.FormatError{Source: pattern, Reason: "there is no such file", Hint: "check the path", Err: err},
	}
}
