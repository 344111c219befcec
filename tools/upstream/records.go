package upstream

import (
	"context"
	"sync"
)

// Records keeps small things that last. internal/store has it.
type Records interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	DeleteRecord(ctx context.Context, kind, id string) error
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// memory keeps records until the end of the process.
type memory struct {
	mu   sync.Mutex
	kept map[string]map[string][]byte
}

// PutRecord keeps a record.
func (m *memory) PutRecord(_ context.Context, kind, id string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]map[string][]byte{}
	}
	if m.kept[kind] == nil {
		m.kept[kind] = map[string][]byte{}
	}
	m.kept[kind][id] = data
	return nil
}

// DeleteRecord forgets a record.
func (m *memory) DeleteRecord(_ context.Context, kind, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept[kind], id)
	return nil
}

// Records gives the records of a kind.
func (m *memory) Records(_ context.Context, kind string, each func(id string, data []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, data := range m.kept[kind] {
		if err := each(id, data); err != nil {
			return err
		}
	}
	return nil
}
