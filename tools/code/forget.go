package code

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// Bounds of the ids that are kept of an owner: for one folder or revision, and in all. The oldest are forgotten.
const (
	maxIDs      = 20
	maxOwnerIDs = 200
)

// outdated forgets the oldest ids of a record's owner and returns them, with the folders of indexes that nobody has an id for any
// more. The lock must be held.
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

// abandon lets go of a corpus that no id leads to. Its folder gets another name at once, so that a new index of the same can begin
// while the old one is being removed. The lock must be held.
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
