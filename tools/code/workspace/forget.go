package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"catena/internal/text"
)

// Bounds of the ids that are kept of an owner: for one folder or revision, and in all. The oldest are forgotten.
const (
	maxIDs      = 20
	maxOwnerIDs = 200
)

// Drop forgets the owner's ids of a folder, or of what an index id is of, and stops what is being made for them. When
// nobody else has an id for it the index is removed too. It returns what was forgotten. When there is nothing the error
// wraps ErrNotFound; what another process makes gives ErrElsewhere.
func (w *Workspaces) Drop(ctx context.Context, owner, name string) ([]Status, error) {
	w.sync(true)
	path := w.absolute(name)
	w.mu.Lock()
	named := w.records[strings.ToUpper(name)]
	var list []*record
	for _, r := range w.records {
		if r.Owner == owner && (named != nil && named.Owner == owner && r.corpus == named.corpus || r.corpus.site.path == path) {
			list = append(list, r)
		}
	}
	err := w.stopAll(list)
	w.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("index %q: %w", text.Clip(name, 300), ErrNotFound)
	}
	return w.dropAll(ctx, list)
}

// stopAll stops what is being made for records. The lock must be held.
func (w *Workspaces) stopAll(list []*record) error {
	if w.closed {
		return ErrClosed
	}
	for _, r := range list {
		if w.elsewhere(r) {
			return ErrElsewhere
		}
	}
	for _, r := range list {
		w.stop(r)
	}
	return nil
}

// dropAll forgets records that are over, once nobody makes their indexes for them any more.
func (w *Workspaces) dropAll(ctx context.Context, list []*record) ([]Status, error) {
	for _, r := range list {
		w.mu.Lock()
		making := r.corpus.run
		w.mu.Unlock()
		if making == nil || !making.stopped() {
			continue
		}
		select {
		case <-making.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	var ids, unused []string
	var out []Status
	w.mu.Lock()
	for _, r := range list {
		ids, out = append(ids, r.Status.IndexID), append(out, r.status())
		delete(w.records, r.Status.IndexID)
	}
	for _, r := range list {
		if name, ok := w.abandon(r.corpus); ok {
			unused = append(unused, name)
		}
	}
	w.mu.Unlock()
	w.forget(ids, unused)
	return out, nil
}

// outdated forgets the oldest ids of a record's owner and returns them, with the folders of indexes that nobody has an
// id for any more. The lock must be held.
func (w *Workspaces) outdated(rec *record) (ids, unused []string) {
	var same, all []*record
	for _, r := range w.records {
		if r.Owner != rec.Owner || r == rec || !r.over() {
			continue
		}
		if all = append(all, r); r.corpus == rec.corpus {
			same = append(same, r)
		}
	}
	drop := append(oldest(same, maxIDs-1), oldest(all, maxOwnerIDs-1)...)
	for _, r := range drop {
		if w.records[r.Status.IndexID] == nil {
			continue
		}
		ids = append(ids, r.Status.IndexID)
		delete(w.records, r.Status.IndexID)
	}
	for _, r := range drop {
		if name, ok := w.abandon(r.corpus); ok {
			unused = append(unused, name)
		}
	}
	return ids, unused
}

// oldest are the records beyond the newest n.
func oldest(list []*record, n int) []*record {
	slices.SortFunc(list, func(a, b *record) int { return strings.Compare(a.Status.IndexID, b.Status.IndexID) })
	return list[:max(0, len(list)-n)]
}

// abandon lets go of a corpus that no id leads to. Its folder gets another name at once, so that a new index of the
// same can begin while the old one is being removed. The lock must be held.
func (w *Workspaces) abandon(c *corpus) (folder string, ok bool) {
	if c.run != nil || w.corpora[c.key] != c {
		return "", false
	}
	for _, r := range w.records {
		if r.corpus == c {
			return "", false
		}
	}
	l := flock.New(filepath.Join(w.dir, "locks", c.key), flock.SetPermissions(0o600))
	if ok, err := tryLock(l); err != nil || !ok { // another process makes it: it is still wanted
		return "", false
	}
	defer func() { _ = unlock(l) }() // nothing was written
	delete(w.corpora, c.key)
	c.orphan = true
	if c.unwatch != nil {
		c.unwatch()
		c.unwatch = nil
	}
	w.orphans = append(w.orphans, c)
	folder = filepath.Join(w.dir, "gone-"+c.key)
	return folder, os.Rename(c.dir, folder) == nil
}

// forget removes the files of records and indexes that are forgotten. The lock must not be held.
func (w *Workspaces) forget(ids, folders []string) {
	if len(ids) > 0 {
		w.listChanged()
	}
	w.saveMu.Lock()
	defer w.saveMu.Unlock()
	for _, id := range ids {
		if err := os.Remove(w.recordFile(id)); err != nil && !errors.Is(err, os.ErrNotExist) {
			w.log.Warn("an old index's record could not be removed", "index", id, "error", err)
		}
	}
	for _, folder := range folders {
		if err := os.RemoveAll(folder); err != nil {
			w.log.Warn("an old index could not be removed", "folder", folder, "error", err)
		}
	}
}
