package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"catena/internal/store/sqlite"
)

// Bounds of checkSizes: how long it reads the store's file, and how many files of indexes it counts.
const (
	sizesTime  = 5 * time.Second
	sizesFiles = 10_000
)

// checkSizes says what the file in store.dir holds, by kind, and when compacting it would help. A store in memory
// has none.
func (s *stores) checkSizes(ctx context.Context) []Check {
	room, err := s.folder.Room(ctx)
	if err != nil {
		return []Check{{Name: "sizes", Bad: true, Say: err.Error()}}
	}
	if room.File == 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, sizesTime)
	defer cancel()
	sizes, err := s.folder.Sizes(bounded)
	switch {
	case err != nil && bounded.Err() != nil && ctx.Err() == nil:
		sizes = nil // the file's size, and what is free in it, are known all the same
	case err != nil:
		return []Check{{Name: "sizes", Bad: true, Say: err.Error()}}
	}
	whole := sizes != nil
	indexes, err := folderSize(filepath.Join(filepath.Dir(s.folder.String()), "code"))
	if err != nil {
		return []Check{{Name: "sizes", Bad: true, Say: err.Error()}}
	}
	if indexes > 0 {
		sizes = append(sizes, sqlite.Size{Kind: "indexes of repositories", Bytes: indexes, Beside: true})
	}
	return []Check{{Name: "sizes", Say: sizesOf(room, sizes, whole)}}
}

// sizesOf is what checkSizes says. whole is false where the file is so large that its kinds were not counted.
func sizesOf(room sqlite.Room, sizes []sqlite.Size, whole bool) string {
	say := fmt.Sprintf("the file has %s", Mebibytes(room.File))
	if !whole {
		say += fmt.Sprintf(" (too many to tell in %v what they are)", sizesTime)
	}
	var inside, beside []string
	for _, s := range append(sizes, sqlite.Size{Kind: "free", Bytes: room.Free}) {
		if text := s.Kind + " " + Mebibytes(s.Bytes); s.Beside {
			beside = append(beside, text)
		} else {
			inside = append(inside, text)
		}
	}
	say += ": " + strings.Join(inside, ", ")
	if len(beside) > 0 {
		say += "; beside it: " + strings.Join(beside, ", ")
	}
	switch {
	case room.Gives:
	case room.Free > sqlite.Spare:
		say += fmt.Sprintf("; catena store compact makes it %s smaller, and has it give back by itself what is "+
			"deleted later",
			Mebibytes(room.Free))
	default:
		say += "; an older Catena made it, and it keeps its size when things are deleted: catena store compact " +
			"changes that"
	}
	return say
}

// folderSize is how many bytes the files in a folder have, of the first sizesFiles. One that is not there has none.
func folderSize(dir string) (bytes int64, err error) {
	files := 0
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return ignoreGone(err)
		}
		if files++; files > sizesFiles {
			return fs.SkipAll
		}
		info, err := e.Info()
		if err == nil {
			bytes += info.Size()
		}
		return ignoreGone(err)
	})
	return bytes, err
}

// ignoreGone is err, but for a file that is not there, or not any more.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Mebibytes writes a number of bytes for people.
func Mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
