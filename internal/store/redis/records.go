package redis

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"catena/internal/store/backend"
)

// recordsKey holds the records of a kind by id.
func (s *Store) recordsKey(kind string) string { return s.key("records", kind, "") }

// PutRecord keeps a record, in place of an earlier one with its kind and id.
func (s *Store) PutRecord(ctx context.Context, kind, id string, data []byte) error {
	return s.retry(ctx, func(ctx context.Context, _ bool) error { return s.client.HSet(ctx, s.recordsKey(kind), id, data).Err() })
}

// AddRecord is PutRecord within a limit: it reports false, and keeps nothing, where most other records of the kind have
// data that counted reports true of. Where another process writes a record of the kind meanwhile, it counts again.
func (s *Store) AddRecord(
	ctx context.Context, kind, id string, data []byte, most int, counted func(data []byte) bool,
) (added bool, err error) {
	key := s.recordsKey(kind)
	add := func(tx *redis.Tx) error {
		others, err := tx.HGetAll(ctx, key).Result()
		if err != nil {
			return err
		}
		delete(others, id)
		n := 0
		for _, other := range others {
			if counted([]byte(other)) {
				n++
			}
		}
		if added = n < most; !added {
			return nil
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.HSet(ctx, key, id, data).Err() })
		return err
	}
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		for {
			err := s.client.Watch(ctx, add, key)
			if !errors.Is(err, redis.TxFailedErr) || ctx.Err() != nil {
				return err
			}
		}
	})
	return added && err == nil, err
}

// DeleteRecord removes a record; one that is not there gives an error that wraps fs.ErrNotExist.
func (s *Store) DeleteRecord(ctx context.Context, kind, id string) error {
	return s.retry(ctx, func(ctx context.Context, again bool) error {
		n, err := s.client.HDel(ctx, s.recordsKey(kind), id).Result()
		if err == nil && n == 0 && !again {
			err = backend.Missing(kind, id)
		}
		return err
	})
}

// Record is one record; one that is not there gives an error that wraps fs.ErrNotExist.
func (s *Store) Record(ctx context.Context, kind, id string) (data []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		data, err = s.client.HGet(ctx, s.recordsKey(kind), id).Bytes()
		if errors.Is(err, redis.Nil) {
			err = backend.Missing(kind, id)
		}
		return err
	})
	return data, err
}

// Records gives the records of a kind, by id. An error of each ends it and is returned.
func (s *Store) Records(ctx context.Context, kind string, each func(id string, data []byte) error) error {
	var all map[string]string
	err := s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		all, err = s.client.HGetAll(ctx, s.recordsKey(kind)).Result()
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if err := each(id, []byte(all[id])); err != nil {
			return err
		}
	}
	return nil
}
