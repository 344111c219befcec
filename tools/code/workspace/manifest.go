package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// manifest is what an index was made of. It is not changed after it was made, only replaced.
type manifest struct {
	Generation string // names the folder of the index
	Rules      int    // of what is left out and hidden, as the constant rules was
	Git        scan.State
	ListedAt   time.Time
	MadeAt     time.Time
	Files      map[string]fileState // by path
	Skipped    []scan.Skipped
	Facts      index.Facts
	Stages     []stageTime
	EmbedModel string
	Unembedded int // texts without a vector because the embedder failed
}

// fileState tells whether a file has changed.
type fileState struct {
	Size int64
	Mod  time.Time
	Hash string // of the content
	// Racy says that the file was written so shortly before it was read that another write could have left the same
	// time: only its content tells then, as in git's index.
	Racy bool
	Out  string // why its content is not indexed, though it was listed: one of scan's reasons
}

// stageTime is how long a stage took.
type stageTime struct {
	Name string
	Took time.Duration
}

// tick is more than the step of the clock that file systems stamp files with.
const tick = 50 * time.Millisecond

// hashOf names a content.
func hashOf(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:16])
}

// stateOf is the state of a file that was listed as e and then read.
func stateOf(e scan.Entry, src []byte, readAt time.Time) fileState {
	if e.Hash != "" { // git's own hash of it
		return fileState{Size: e.Size, Hash: e.Hash}
	}
	return fileState{Size: e.Size, Mod: e.ModTime, Hash: hashOf(src), Racy: !e.ModTime.Before(readAt.Add(-tick))}
}

// delta is how a listing differs from a manifest.
type delta struct {
	changed []scan.Entry
	gone    []string
	touched map[string]fileState // written anew with the same content
}

func (d delta) empty() bool { return len(d.changed) == 0 && len(d.gone) == 0 }

// diff compares a listing with the manifest. Files whose time is another one are read, up to most of them: the rest
// count as changed.
func (m *manifest) diff(ctx context.Context, tree scan.Tree, files []scan.Entry, most int) (delta, error) {
	d := delta{touched: map[string]fileState{}}
	seen := make(map[string]bool, len(files))
	for _, e := range files {
		seen[e.Path] = true
		old, ok := m.Files[e.Path]
		switch {
		case ok && e.Hash != "" && e.Hash == old.Hash:
			continue
		case ok && e.Hash == "" && e.Size == old.Size && e.ModTime.Equal(old.Mod) && !old.Racy:
			continue
		case ok && e.Hash == "" && e.Size == old.Size && most > 0:
			most--
			at := time.Now()
			src, err := tree.Read(ctx, e.Path)
			if ctx.Err() != nil {
				return delta{}, ctx.Err()
			}
			if err == nil && hashOf(src) == old.Hash {
				d.touched[e.Path] = stateOf(e, src, at)
				continue
			}
		}
		d.changed = append(d.changed, e)
	}
	for path := range m.Files {
		if !seen[path] {
			d.gone = append(d.gone, path)
		}
	}
	return d, nil
}

// write saves the manifest beside its index. The form keeps paths that are no UTF-8.
func (m *manifest) write(dir string) error {
	f, err := os.Create(filepath.Join(dir, manifestFile))
	if err != nil {
		return fmt.Errorf("saving the manifest: %w", err)
	}
	if err := errors.Join(gob.NewEncoder(f).Encode(m), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("saving the manifest: %w", err)
	}
	return nil
}

// readManifest reads the manifest of an index; fs.ErrNotExist when there is none.
func readManifest(dir string) (*manifest, error) {
	f, err := os.Open(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("reading the manifest: %w", err)
	}
	defer f.Close()
	var m manifest
	if err := gob.NewDecoder(f).Decode(&m); err != nil {
		return nil, fmt.Errorf("reading the manifest: %w", err)
	}
	if m.Rules != rules { // it may hold what must not be told any more
		return nil, fmt.Errorf("an index by other rules counts as none: %w", fs.ErrNotExist)
	}
	return &m, nil
}

// with returns a manifest that knows the new times of files whose content is the same.
func (m *manifest) with(d delta) *manifest {
	next := *m
	next.Files = maps.Clone(m.Files)
	maps.Copy(next.Files, d.touched)
	return &next
}
