package main

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// pack writes files of a folder into one, in the order of names: a tar archive, packed by Zstandard. It is on disk when pack returns.
func pack(ctx context.Context, to, folder string, names []string) (err error) {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := zstd.NewWriter(f)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(z)
	for _, name := range names {
		if err := packOne(ctx, archive, filepath.Join(folder, name), name); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), z.Close(), f.Sync())
}

func packOne(ctx context.Context, archive *tar.Writer, path, name string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime(), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	_, err = io.Copy(archive, &steady{ctx, f})
	return err
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

// unpack writes the entries of a copy into a folder. The manifest is the first; what it does not name is refused, and what it names must
// be there.
func unpack(ctx context.Context, file, folder string) (m manifest, err error) {
	f, err := os.Open(file)
	if err != nil {
		return m, usageError(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	bad := func(err error) (manifest, error) {
		if ctx.Err() != nil {
			return m, ctx.Err()
		}
		return m, usageError(fmt.Errorf("%s is no copy that catena backup made, or is damaged: %w", file, err))
	}
	z, err := zstd.NewReader(&steady{ctx, f}, zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return bad(err)
	}
	defer z.Close()
	archive := tar.NewReader(z)
	const longest = 1 << 16 // bytes of a manifest
	head, err := archive.Next()
	if err != nil {
		return bad(err)
	}
	if head.Name != copyManifest || head.Size > longest {
		return bad(errors.New("it does not begin with its manifest"))
	}
	if err := json.NewDecoder(archive).Decode(&m); err != nil {
		return bad(err)
	}
	left := slices.Clone(m.Entries)
	for {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return bad(err)
		}
		at := slices.Index(left, head.Name)
		if at < 0 || head.Name != copyFile && head.Name != copyShared {
			return bad(fmt.Errorf("it holds %q", head.Name))
		}
		left = slices.Delete(left, at, at+1)
		if err := unpackOne(archive, filepath.Join(folder, head.Name)); err != nil {
			return bad(err)
		}
	}
	if len(left) > 0 {
		return bad(fmt.Errorf("it lacks %q", left))
	}
	return m, nil
}

func unpackOne(r io.Reader, to string) (err error) {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	return f.Sync()
}
