package app

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/store/sqlite"
)

// A copy is a tar archive, packed by Zstandard, and a seal behind it. The archive begins with a manifest, which names
// each part with its size and its SHA-256; the seal is the SHA-256 of all bytes before it, in a frame that Zstandard
// skips: `tar --zstd -x` reads a copy too. So a bit that has changed is found wherever it is: in a part, in the
// manifest, in what packs them, in the seal.

// Manifest is the first entry of a copy: what it is, and of when.
type Manifest struct {
	Format  int       `json:"format"` // copyFormat, or unsealed
	Catena  string    `json:"catena"`
	Made    time.Time `json:"made"`
	Entries []string  `json:"entries"`               // names of the parts, in order
	Parts   []part    `json:"parts,omitempty"`       // one for each entry; none in a copy that is unsealed
	Shared  int       `json:"shared_keys,omitempty"` // of store.url

	// ModelLeft says that a model was chosen on the page, which no copy has: its file holds a key that pays for calls.
	ModelLeft bool `json:"model_left,omitempty"`

	// Lying says that the store's folder could not be written when this copy was made, so that its files were read
	// as they lay there.
	Lying bool `json:"-"`
}

// part is what the manifest says of an entry.
type part struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hex
}

// Formats of copies, and their entries.
const (
	Unsealed     = 1 // as written before there were digests: no parts, no seal
	copyFormat   = 2
	copyManifest = "manifest.json"
	copyFile     = "catena.db"
	copyShared   = "shared.keys"
)

// sealHead begins a seal: the magic of a frame that is skipped, and how long the rest is (RFC 8878, 3.1.2). sealName
// tells it from others.
var sealHead = binary.LittleEndian.AppendUint32([]byte{0x5c, 0x2a, 0x4d, 0x18}, uint32(len(sealName)+sha256.Size))

const (
	sealName = "catena02"
	sealSize = 8 + len(sealName) + sha256.Size
)

func seal(sum hash.Hash) []byte {
	return sum.Sum(append(bytes.Clone(sealHead), sealName...))
}

// describe fills in what the manifest says of its entries, which are files of a folder.
func (m *Manifest) describe(ctx context.Context, folder string) error {
	m.Parts = nil
	for _, name := range m.Entries {
		sum := sha256.New()
		n, err := readInto(ctx, sum, filepath.Join(folder, name))
		if err != nil {
			return err
		}
		m.Parts = append(m.Parts, part{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))})
	}
	return nil
}

// pack writes a manifest and the files of a folder that it names into one new file. It is on disk when pack returns.
func (m *Manifest) pack(ctx context.Context, to, folder string) (err error) {
	if err := m.describe(ctx, folder); err != nil {
		return err
	}
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	z, err := zstd.NewWriter(io.MultiWriter(f, sum))
	if err != nil {
		return err
	}
	archive := tar.NewWriter(z)
	if err := m.packParts(ctx, archive, about, folder); err != nil {
		return errors.Join(err, z.Close())
	}
	if err := errors.Join(archive.Close(), z.Close()); err != nil {
		return err
	}
	if _, err := f.Write(seal(sum)); err != nil {
		return err
	}
	return f.Sync()
}

func (m *Manifest) packParts(ctx context.Context, archive *tar.Writer, about []byte, folder string) error {
	head := func(name string, size int64) error {
		return archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: m.Made,
			Typeflag: tar.TypeReg})
	}
	if err := head(copyManifest, int64(len(about))); err != nil {
		return err
	}
	if _, err := archive.Write(about); err != nil {
		return err
	}
	for _, p := range m.Parts {
		if err := head(p.Name, p.Bytes); err != nil {
			return err
		}
		if _, err := readInto(ctx, archive, filepath.Join(folder, p.Name)); err != nil {
			return err
		}
	}
	return nil
}

// readInto writes a file's bytes to w, and returns how many there were.
func readInto(ctx context.Context, w io.Writer, path string) (n int64, err error) {
	f, err := config.OpenRegular(path, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.Copy(w, &steady{ctx, f})
}

// steady is a reader that ends with its context, so that Ctrl-C ends a long copy.
type steady struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (s *steady) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// unpack writes the parts of a copy into a folder, "" for nowhere. When it returns without an error all of the file was
// read and every digest that it has was found right; what was written before an error must not be used. What the
// manifest does not name is refused, and what it names must be there.
func unpack(ctx context.Context, file, folder string) (m Manifest, err error) {
	f, err := config.OpenRegular(file, math.MaxInt64)
	if err != nil {
		return m, UsageError(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return m, err
	}
	m, err = readCopy(ctx, f, info.Size(), folder)
	var newer *newerCopy
	var disk *fs.PathError // of this machine's disk: it says nothing about the copy
	var room *store.FileError
	switch {
	case err == nil || ctx.Err() != nil:
		return m, errors.Join(err, ctx.Err())
	case errors.As(err, &newer):
		return m, UsageError(err)
	case errors.As(err, &disk), errors.As(err, &room):
		return m, err
	}
	return m, UsageError(fmt.Errorf("%s is no copy that catena backup made, or is damaged: %w; nothing was changed, "+
		"use another copy", file, err))
}

// newerCopy says that a copy is of a format that this program does not know.
type newerCopy struct{ m Manifest }

func (e *newerCopy) Error() string {
	return fmt.Sprintf("the copy has the format %d and this program knows %d; use Catena %s", e.m.Format,
		copyFormat, e.m.Catena)
}

// readCopy reads a copy of a size to its end.
func readCopy(ctx context.Context, f io.ReaderAt, size int64, folder string) (m Manifest, err error) {
	want, err := readSeal(f, size)
	if err != nil {
		return m, err
	}
	body := size
	if want != nil {
		body -= int64(len(want))
	}
	sum := sha256.New()
	packed := io.TeeReader(&steady{ctx, io.NewSectionReader(f, 0, body)}, sum)
	z, err := zstd.NewReader(packed, zstd.WithDecoderMaxMemory(256<<20), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return m, err
	}
	defer z.Close()
	if m, err = readArchive(&steady{ctx, z}, want != nil, folder); err != nil {
		return m, err
	}
	// The archive ends before what packs it does: the rest, with the checksum at its end, is read too, and may hold
	// nothing.
	if n, err := io.Copy(io.Discard, z); err != nil {
		return m, err
	} else if n > 0 {
		return m, fmt.Errorf("%d bytes come after its end", n)
	}
	if want != nil && !bytes.Equal(seal(sum), want) {
		return m, errors.New("its SHA-256 is not the one that it was sealed with")
	}
	return m, nil
}

// readSeal returns the seal at a file's end, nil where there is none.
func readSeal(f io.ReaderAt, size int64) ([]byte, error) {
	if size < int64(sealSize) {
		return nil, nil
	}
	end := make([]byte, sealSize)
	if _, err := f.ReadAt(end, size-int64(sealSize)); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(end, append(bytes.Clone(sealHead), sealName...)) {
		return nil, nil
	}
	return end, nil
}

// readArchive reads the manifest and the parts.
func readArchive(z io.Reader, sealed bool, folder string) (m Manifest, err error) {
	archive := tar.NewReader(z)
	const longest = 1 << 16 // bytes of a manifest
	head, err := archive.Next()
	if err != nil {
		return m, err
	}
	if head.Name != copyManifest || head.Size > longest {
		return m, errors.New("it does not begin with its manifest")
	}
	about, err := io.ReadAll(archive)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(about, &m); err != nil {
		return m, fmt.Errorf("its manifest: %w", err)
	}
	if err := m.whole(sealed); err != nil {
		return m, err
	}
	for i, name := range m.Entries {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return m, fmt.Errorf("it lacks %q", m.Entries[i:])
		} else if err != nil {
			return m, err
		}
		if head.Name != name || head.Typeflag != tar.TypeReg {
			return m, fmt.Errorf("it holds %q in the place of %q", head.Name, name)
		}
		if sparse(head.PAXRecords) {
			return m, fmt.Errorf("%s is written with holes", name)
		}
		if sealed && head.Size != m.Parts[i].Bytes {
			return m, fmt.Errorf("%s has %d bytes, and %d in its manifest", name, head.Size, m.Parts[i].Bytes)
		}
		if folder != "" {
			if err := sqlite.EnoughRoom(filepath.Join(folder, name), head.Size, "be unpacked", "free some space there; nothing was changed"); err != nil {
				return m, err
			}
		}
		if err := m.readPart(archive, i, folder); err != nil {
			return m, err
		}
	}
	if head, err := archive.Next(); err == nil {
		return m, fmt.Errorf("it holds %q", head.Name)
	} else if !errors.Is(err, io.EOF) {
		return m, err
	}
	return m, nil
}

// sparse reports whether a part of an archive is mostly holes: a few bytes that fill a disk. No copy has any.
func sparse(records map[string]string) bool {
	for name := range records {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// whole says what is wrong with what a manifest says, nil for nothing.
func (m *Manifest) whole(sealed bool) error {
	switch {
	case m.Format > copyFormat:
		return &newerCopy{*m}
	case m.Format < Unsealed || sealed != (m.Format == copyFormat):
		return errors.New("its end is not the one that it was written with")
	case len(m.Entries) == 0:
		return errors.New("it holds nothing")
	case sealed && len(m.Parts) != len(m.Entries):
		return errors.New("its manifest does not describe its parts")
	}
	seen := map[string]bool{}
	for i, name := range m.Entries {
		known := name == copyFile || name == copyShared
		if !known || seen[name] || sealed && m.Parts[i].Name != name {
			return fmt.Errorf("its manifest names %q", name)
		}
		seen[name] = true
	}
	return nil
}

// readPart reads entry i into its file, and compares it with what the manifest says.
func (m *Manifest) readPart(r io.Reader, i int, folder string) (err error) {
	sum, to := sha256.New(), io.Discard
	if folder != "" {
		f, openErr := os.OpenFile(filepath.Join(folder, m.Entries[i]), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		to = f
	}
	n, err := io.Copy(io.MultiWriter(to, sum), r)
	if err != nil || m.Format == Unsealed {
		return err
	}
	if p := m.Parts[i]; n != p.Bytes || hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
		return fmt.Errorf("the SHA-256 of %s is not the one in its manifest", p.Name)
	}
	return nil
}
