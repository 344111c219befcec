package handle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"catena/internal/access"
)

// sourceUpload is Meta.Source of what a person uploaded.
const sourceUpload = "upload"

// maxLookedThrough bounds the stored tables whose descriptions DropFrom reads: the newest.
const maxLookedThrough = 100_000

// DropFrom deletes those of the caller's tables that may show what a toolset's tools or live tables said: what it made,
// what was computed of that (Meta.From), and everything of runs in which one of these was made, as a plan hands values
// on in other ways too. They go from memory and from the Store, also those that are still on their way to it: when an
// original is deleted for good, no result must bring it back. Cells are not read. What the caller uploaded stays, and
// so does everything else. Errors are the Store's, or the context's.
func (t *Tables) DropFrom(ctx context.Context, c access.Caller, toolset string) error {
	if c.ID == "" || toolset == "" {
		return nil
	}
	d := derived{toolset: toolset, runs: map[string]bool{}}
	gone := t.dropDerived(c.ID, &d) // at once, whatever the store says
	store, ok := t.opt.Store.(deleter)
	if t.writer == nil || !ok {
		return nil
	}
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	handles, raws, err := store.ListHandles(ctx, c.ID, "", maxLookedThrough)
	if err != nil {
		return err
	}
	metas := make([]Meta, len(raws))
	for i, raw := range raws {
		if err := json.Unmarshal(raw, &metas[i]); err != nil {
			return fmt.Errorf("the description of table %s: %w", handles[i], err)
		}
		d.learn(metas[i])
	}
	gone = append(gone, t.dropDerived(c.ID, &d)...)
	for i, m := range metas {
		if d.has(m) {
			gone = append(gone, handles[i])
		}
	}
	if err := store.DeleteHandles(ctx, c.ID, gone...); err != nil {
		return fmt.Errorf("the tables made from %s could not be deleted: %w", toolset, err)
	}
	return nil
}

// derived tells the tables that show what came from a toolset.
type derived struct {
	toolset string
	runs    map[string]bool // in which such a table was made
}

func (d *derived) learn(m Meta) {
	if m.Run != "" && slices.Contains(m.From, d.toolset) {
		d.runs[m.Run] = true
	}
}

func (d *derived) has(m Meta) bool {
	return m.Source != sourceUpload && (d.runs[m.Run] || slices.Contains(m.From, d.toolset))
}

// dropDerived drops from memory what is derived, and returns the handles.
func (t *Tables) dropDerived(owner string, d *derived) (gone []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil {
		return nil
	}
	for e := s.order.Front(); e != nil; e = e.Next() {
		d.learn(e.Value.(*kept).meta)
	}
	for e := s.order.Front(); e != nil; {
		next := e.Next()
		if m := e.Value.(*kept).meta; d.has(m) {
			gone = append(gone, m.Handle)
			t.drop(s, e)
		}
		e = next
	}
	return gone
}
