package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"catena/internal/access"
	"catena/table"
)

// sourceUpload is Meta.Source of what a person uploaded.
const sourceUpload = "upload"

// maxLookedThrough bounds the stored tables that DropText reads: the newest.
const maxLookedThrough = 100_000

// DropText deletes those of the caller's tables that have one of the texts in a cell, from memory and from the Store, also those
// that are still on their way to it: when the original is deleted for good, results that show it must not bring it back. What
// the caller uploaded stays. Errors are the Store's, or the context's.
func (t *Tables) DropText(ctx context.Context, c access.Caller, texts ...string) error {
	if c.ID == "" || len(texts) == 0 {
		return nil
	}
	t.dropShown(c.ID, texts)
	store, ok := t.opt.Store.(deleter)
	if t.writer == nil || !ok {
		return nil
	}
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	handles, _, err := store.ListHandles(ctx, c.ID, "", maxLookedThrough)
	if err != nil {
		return err
	}
	for _, h := range handles {
		tab, meta, err := load(ctx, t.opt.Store, c.ID, h)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (meta.Source == sourceUpload || !shows(tab, texts)) {
			continue
		}
		if err == nil {
			err = store.DeleteHandle(ctx, c.ID, h)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("table %s could not be looked through or deleted: %w", h, err)
		}
	}
	return nil
}

// dropShown drops from memory what shows a text, and what only the store has the cells of: it is asked again for what is left.
func (t *Tables) dropShown(owner string, texts []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil {
		return
	}
	clear(s.asked)
	for e := s.order.Front(); e != nil; {
		next := e.Next()
		if k := e.Value.(*kept); k.meta.Source != sourceUpload && (k.table == nil || shows(k.table, texts)) {
			s.drop(e)
		}
		e = next
	}
}

// shows reports whether a table has one of the texts in a cell.
func shows(tab *table.Table, texts []string) bool {
	for i, col := range tab.Columns() {
		if col.Type != table.Text && col.Type != table.JSON {
			continue
		}
		for row := range tab.NumRows() {
			cell := tab.Value(row, i).Text()
			for _, s := range texts {
				if strings.Contains(cell, s) {
					return true
				}
			}
		}
	}
	return false
}
