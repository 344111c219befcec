package index

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A stored index is a folder: parts that never change once they are written, and a manifest that names those that count. The
// manifest is renamed into its place when everything that it names is on the disk, so that a crash leaves the former index or the
// new one. What no manifest names is removed by the next Save.
const (
	manifestName  = "index.json"
	formatVersion = 2
	maxManifest   = 16 << 20 // bytes
)

// manifest is the content of index.json.
type manifest struct {
	Version int          `json:"version"`
	Made    time.Time    `json:"made"`
	Parts   []storedPart `json:"parts"`
	State   storedPart   `json:"state"` // which files of the parts are gone
	Model   string       `json:"model,omitempty"`
	Dim     int          `json:"dimensions,omitempty"`
	Vectors []storedPart `json:"vectors,omitempty"`
}

type storedPart struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

// signed is the manifest with its checksum.
type signed struct {
	CRC      uint32          `json:"crc32c"`
	Manifest json.RawMessage `json:"manifest"`
}

// Save writes the snapshot into a folder, which is made when it is missing and must belong to this index alone. Parts that are there
// from an earlier Save are not written again. After an error, a cancelled ctx among them, the folder holds what it held. Two Saves
// into one folder must not run at once.
func (s *Snapshot) Save(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("saving the index: %w", err)
	}
	w := saver{ctx: ctx, dir: dir, known: make(map[string]storedPart)}
	if old, err := readManifest(dir); err == nil {
		for _, p := range old.all() {
			w.known[p.Name] = p
		}
	}
	m := manifest{Version: formatVersion, Made: s.made}
	for _, v := range s.views {
		p, err := w.part(v.name, v.columns())
		if err != nil {
			return fmt.Errorf("saving the index: %w", err)
		}
		v.disk.Store(p.Size)
		m.Parts = append(m.Parts, p)
	}
	if s.vec != nil {
		m.Model, m.Dim = s.vec.model, s.vec.dim
		for _, p := range s.vec.parts {
			stored, err := w.part(p.name, p.columns())
			if err != nil {
				return fmt.Errorf("saving the index: %w", err)
			}
			m.Vectors = append(m.Vectors, stored)
		}
	}
	var err error
	if m.State, err = w.part(partName("state"), s.state().columns()); err != nil {
		return fmt.Errorf("saving the index: %w", err)
	}
	if err := w.commit(m); err != nil {
		return fmt.Errorf("saving the index: %w", err)
	}
	return nil
}

func (m *manifest) all() []storedPart {
	out := append([]storedPart{m.State}, m.Parts...)
	return append(out, m.Vectors...)
}

// saver writes parts and, at the end, the manifest.
type saver struct {
	ctx   context.Context
	dir   string
	known map[string]storedPart // by the manifest that is there
}

// part writes a part unless it is there.
func (w *saver) part(name string, cols []column) (storedPart, error) {
	if err := w.ctx.Err(); err != nil {
		return storedPart{}, err
	}
	if p, ok := w.known[name]; ok {
		if st, err := os.Stat(filepath.Join(w.dir, name)); err == nil && st.Size() == p.Size {
			return p, nil
		}
	}
	p := storedPart{Name: name}
	err := w.write(name, func(f io.Writer) (err error) {
		p.Size, p.CRC, err = writeColumns(f, cols)
		return err
	})
	return p, err
}

// write makes a file under a temporary name, sees it to the disk and gives it its name.
func (w *saver) write(name string, content func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(w.dir, "tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // closed already, or the error before says more
			_ = os.Remove(f.Name()) // the next Save removes it
		}
	}()
	buf := bufio.NewWriterSize(f, 256<<10)
	if err := content(&cancelling{w.ctx, buf}); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(w.dir, name))
}

// cancelling refuses to write once its context is done.
type cancelling struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancelling) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// commit puts the manifest into its place and removes what it does not name.
func (w *saver) commit(m manifest) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	text, err := json.Marshal(signed{CRC: crc32.Checksum(body, castagnoli), Manifest: body})
	if err != nil {
		return err
	}
	if err := syncDir(w.dir); err != nil {
		return err
	}
	err = w.write(manifestName, func(f io.Writer) error { _, err := f.Write(text); return err })
	if err != nil {
		return err
	}
	if err := syncDir(w.dir); err != nil {
		return err
	}
	keep := map[string]bool{manifestName: true}
	for _, p := range m.all() {
		keep[p.Name] = true
	}
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return nil //nolint:nilerr // the index is saved; what is left over is removed next time
	}
	for _, e := range entries {
		if ours(e.Name()) && !keep[e.Name()] {
			_ = os.Remove(filepath.Join(w.dir, e.Name())) // removed next time
		}
	}
	return nil
}

// ours reports whether Save writes files of such a name.
func ours(name string) bool {
	for _, p := range []string{"part-", "state-", "vectors-", "tmp-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// syncDir makes renames last. Windows knows no such thing.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func readManifest(dir string) (*manifest, error) {
	f, err := os.Open(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return nil, err
	}
	return parseManifest(text)
}

func parseManifest(text []byte) (*manifest, error) {
	damaged := func(reason string) error { return &DamagedError{File: manifestName, Reason: reason} }
	var s signed
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, damaged("it is no JSON of ours")
	}
	if crc32.Checksum(s.Manifest, castagnoli) != s.CRC {
		return nil, damaged("its checksum is not that of its content")
	}
	var m manifest
	if err := json.Unmarshal(s.Manifest, &m); err != nil {
		return nil, damaged("it is no manifest")
	}
	if m.Version != formatVersion {
		return nil, damaged(fmt.Sprintf("it has version %d, this program writes %d", m.Version, formatVersion))
	}
	for _, p := range m.all() {
		if p.Name != filepath.Base(p.Name) || !ours(p.Name) {
			return nil, damaged("it names a file that is none of an index")
		}
	}
	return &m, nil
}

func isDamaged(err error) bool {
	var d *DamagedError
	return errors.As(err, &d)
}
