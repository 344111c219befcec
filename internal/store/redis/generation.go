package redis

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"regexp"
	"sync"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
)

// All keys of a store stand below its prefix, and below the name of a generation where it has one. One key beside them says which generation
// the store is. A copy is put back as a new generation, and that key is written when it is complete: a store is the former one or the new
// one, however the restore ends.

// ErrNotEmpty is Stage's answer where there are keys already.
var ErrNotEmpty = errors.New("the store is not empty")

// prefix is what all keys of the store begin with.
func (s *Store) prefix() string { return s.server.prefix + s.current() }

// current is the generation that is the store.
func (s *Store) current() string {
	if generation := s.generation.Load(); generation != nil {
		return *generation
	}
	return ""
}

// generationKey says which generation the store is. Its name has no brace: it is in none.
func (s *Store) generationKey() string { return s.server.prefix + ":generation" }

// generationForm is what stands between the prefix and the keys of a generation; "" is the first.
var generationForm = regexp.MustCompile(`^:g[A-Z2-7]{26}$`)

// readGeneration finds out which keys are the store.
func (s *Store) readGeneration(ctx context.Context) error {
	return s.retry(ctx, func(ctx context.Context, _ bool) error {
		generation, err := s.client.Get(ctx, s.generationKey()).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		if generation != "" && !generationForm.MatchString(generation) {
			return &store.ServerError{Address: s.server.String(), Reason: "has a damaged key " + s.generationKey(), Hint: "restore a copy"}
		}
		s.generation.Store(&generation)
		return nil
	})
}

// Stage puts what Export wrote beside the store, as a new generation, for Adopt to make it the store. The store must be empty, or there is
// ErrNotEmpty; clear says that it may be replaced. All of r is read and checked before anything is written: a copy that does not have want
// keys, is cut (the error wraps io.ErrUnexpectedEOF) or holds a value that is not as the server gave it is an error. What an earlier Stage
// left that was never adopted is removed. The server needs room for both generations.
func (s *Store) Stage(ctx context.Context, r io.ReadSeeker, want int, clear bool) (generation string, err error) {
	if err := checkEntries(r, want); err != nil {
		return "", err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if !clear {
		err := s.eachKey(ctx, s.prefix()+":{", func(context.Context, redis.UniversalClient, []string) error { return ErrNotEmpty })
		if err != nil {
			return "", s.explain(ctx, err)
		}
	}
	if err := s.removeOthers(ctx); err != nil {
		return "", err
	}
	generation = ":g" + rand.Text()
	n, err := s.fill(ctx, s.server.prefix+generation, r)
	if err == nil && n != want {
		err = fmt.Errorf("store: %d of %d keys of the copy were put back", n, want)
	}
	if err == nil {
		err = s.retry(ctx, func(ctx context.Context, _ bool) error {
			return s.client.Set(ctx, s.stagedKey(generation), want, 0).Err()
		})
	}
	if err != nil {
		return "", errors.Join(err, s.removeOthers(context.WithoutCancel(ctx)))
	}
	return generation, nil
}

// stagedKey is written last into a generation: one that a server has lost in part, or as a whole, is not adopted.
func (s *Store) stagedKey(generation string) string {
	return s.server.prefix + generation + ":{staged}"
}

// Adopt makes the generation that Stage gave the store, at one moment, and removes the former one. It may be done again.
func (s *Store) Adopt(ctx context.Context, generation string) error {
	if !generationForm.MatchString(generation) {
		return fmt.Errorf("store: %q is no generation", generation)
	}
	err := s.retry(ctx, func(ctx context.Context, _ bool) error {
		n, err := s.client.Exists(ctx, s.stagedKey(generation)).Result()
		if err == nil && n == 0 && s.current() != generation {
			err = &store.ServerError{Address: s.server.String(), Reason: "does not have the restored keys any more", Hint: "restore the copy once more"}
		}
		if err != nil {
			return err
		}
		return s.client.Set(ctx, s.generationKey(), generation, 0).Err()
	})
	if err != nil {
		return err
	}
	s.generation.Store(&generation)
	if err := s.removeOthers(ctx); err != nil {
		return err
	}
	return s.explain(ctx, s.client.Unlink(ctx, s.stagedKey(generation)).Err())
}

// Import is Stage and Adopt. It returns how many keys there are.
func (s *Store) Import(ctx context.Context, r io.ReadSeeker, want int, clear bool) (int, error) {
	generation, err := s.Stage(ctx, r, want, clear)
	if err == nil {
		err = s.Adopt(ctx, generation)
	}
	if err != nil {
		return 0, err
	}
	return want, nil
}

// removeOthers removes the keys of all generations that are not the store.
func (s *Store) removeOthers(ctx context.Context) error {
	other := regexp.MustCompile(`^` + regexp.QuoteMeta(s.server.prefix) + `((?::g[A-Z2-7]{26})?):\{`)
	err := s.eachKey(ctx, s.server.prefix+":", func(ctx context.Context, c redis.UniversalClient, keys []string) error {
		pipe := c.Pipeline()
		for _, key := range keys { // one by one: they are in several slots
			if m := other.FindStringSubmatch(key); m != nil && m[1] != s.current() {
				pipe.Unlink(ctx, key)
			}
		}
		if pipe.Len() == 0 {
			return nil
		}
		_, err := pipe.Exec(ctx)
		return err
	})
	return s.explain(ctx, err)
}

// fill writes the entries of a copy below a prefix.
func (s *Store) fill(ctx context.Context, prefix string, r io.Reader) (n int, err error) {
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		pipe := s.client.Pipeline()
		size := 0
		var end error
		for range inOneTrip {
			var e entry
			if e, end = readEntry(in); end != nil {
				break
			}
			pipe.RestoreReplace(ctx, prefix+e.key, e.life, e.value)
			n++
			if size += len(e.value); size > 8<<20 {
				break
			}
		}
		if pipe.Len() > 0 {
			if _, err := pipe.Exec(ctx); err != nil {
				return n, s.explain(ctx, err)
			}
		}
		if errors.Is(end, io.EOF) {
			return n, nil
		} else if end != nil {
			return n, fmt.Errorf("store: the copy: %w", end)
		}
	}
}

// checkEntries reads all entries of a copy, and compares each value with its checksum.
func checkEntries(r io.Reader, want int) error {
	in := bufio.NewReaderSize(r, 1<<20)
	for n := 0; ; n++ {
		e, err := readEntry(in)
		switch {
		case errors.Is(err, io.EOF) && n < want:
			return fmt.Errorf("store: the copy has %d of %d keys: %w", n, want, io.ErrUnexpectedEOF)
		case errors.Is(err, io.EOF) && n > want:
			return fmt.Errorf("store: the copy has %d keys, and %d were written", n, want)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("store: the copy: %w", err)
		case !wholeValue(e.value):
			return fmt.Errorf("store: the copy: the value of key %d is not the one that the server gave", n+1)
		}
	}
}

// jones is the polynomial of Redis's CRC-64, with its bits in reverse.
var jones = sync.OnceValue(func() *crc64.Table { return crc64.MakeTable(0x95ac9329ac4bc9b5) })

// wholeValue compares what DUMP gave with the checksum at its end: eight bytes, of all before them. Zeros say that the server made none.
func wholeValue(value string) bool {
	if len(value) < 10 {
		return false
	}
	at := len(value) - 8
	want := binary.LittleEndian.Uint64([]byte(value[at:]))
	// Redis begins with zero and inverts nothing; package crc64 inverts before and after.
	return want == 0 || ^crc64.Update(^uint64(0), jones(), []byte(value[:at])) == want
}
