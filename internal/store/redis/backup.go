package redis

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Bounds of what Stage takes, in bytes: a key, and what it holds.
const (
	maxKey   = 1 << 16
	maxValue = 512 << 20 // a string of Redis can be no longer
)

// Export writes all keys of the store to w, with the time that each has to live, and returns how many there were. The servers go on
// meanwhile: keys that change are as they were at some moment of the writing. An AOF or an RDB file of the server's is a copy of one moment.
func (s *Store) Export(ctx context.Context, w io.Writer) (int, error) {
	out := bufio.NewWriterSize(w, 1<<20)
	n := 0
	var mu sync.Mutex // masters of a cluster are read at once
	err := s.eachKey(ctx, s.prefix()+":{", func(ctx context.Context, c redis.UniversalClient, keys []string) error {
		pipe := c.Pipeline()
		values, lives := make([]*redis.StringCmd, len(keys)), make([]*redis.DurationCmd, len(keys))
		for i, key := range keys {
			values[i], lives[i] = pipe.Dump(ctx, key), pipe.PTTL(ctx, key)
		}
		if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for i, key := range keys {
			value, err := values[i].Result()
			if errors.Is(err, redis.Nil) {
				continue // it went meanwhile
			} else if err != nil {
				return err
			}
			n++
			if err := writeEntry(out, key[len(s.prefix()):], max(lives[i].Val(), 0), value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return n, s.explain(ctx, err)
	}
	return n, out.Flush()
}

// eachKey gives the keys that begin so in parts, by the server that has them; of a cluster's masters, several at once.
func (s *Store) eachKey(ctx context.Context, begin string, do func(ctx context.Context, c redis.UniversalClient, keys []string) error) error {
	scan := func(ctx context.Context, c *redis.Client) error {
		var cursor uint64
		for {
			keys, next, err := c.Scan(ctx, cursor, begin+"*", scanned).Result()
			if err != nil {
				return err
			}
			if len(keys) > 0 {
				if err := do(ctx, c, keys); err != nil {
					return err
				}
			}
			if cursor = next; cursor == 0 {
				return nil
			}
		}
	}
	switch c := s.client.(type) {
	case *redis.ClusterClient:
		return c.ForEachMaster(ctx, scan)
	case *redis.Client:
		return scan(ctx, c)
	}
	return fmt.Errorf("store: a %T has no keys to go through", s.client)
}

// entry is one key as Export writes it.
type entry struct {
	key   string
	life  time.Duration // 0 is for ever
	value string        // as DUMP gives it: with the version of its form and a checksum, which RESTORE looks at
}

// writeEntry writes the length and the bytes of the key, milliseconds to live, the length and the bytes of the value.
func writeEntry(w *bufio.Writer, key string, life time.Duration, value string) error {
	b := binary.AppendUvarint(nil, uint64(len(key)))
	b = append(b, key...)
	b = binary.AppendUvarint(b, uint64(life.Milliseconds()))
	b = binary.AppendUvarint(b, uint64(len(value)))
	_, _ = w.Write(b) // the error stays with the writer
	_, err := w.WriteString(value)
	return err
}

// readEntry reads one; io.EOF is the end, and io.ErrUnexpectedEOF one that is cut.
func readEntry(r *bufio.Reader) (entry, error) {
	if _, err := r.Peek(1); err != nil {
		return entry{}, err
	}
	key, err := readSized(r, maxKey)
	if err != nil {
		return entry{}, err
	}
	life, err := binary.ReadUvarint(r)
	if err != nil {
		return entry{}, cut(err)
	}
	value, err := readSized(r, maxValue)
	return entry{key: string(key), life: time.Duration(life) * time.Millisecond, value: string(value)}, err
}

func readSized(r *bufio.Reader, most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, cut(err)
	}
	if n > most {
		return nil, fmt.Errorf("an entry of %d bytes, where %d are the most", n, most)
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(n))) // grows with what is there, not with what is said
	if err == nil && uint64(len(b)) < n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// cut is the error of an entry that ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
