package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// loadRecords reads the records of earlier processes and, unless this one is alone, of those beside it. One that cannot
// be read is told of and left where it is.
func (w *Workspaces) loadRecords(alone bool) error {
	if alone { // else it may be what another process is about to write
		w.tidy()
	}
	names, err := filepath.Glob(filepath.Join(w.dir, "records", "*.json"))
	if err != nil {
		return fmt.Errorf("listing the indexes: %w", err)
	}
	for _, name := range names {
		s, stamp, err := readRecord(name)
		if err != nil {
			w.log.Error("an index's record cannot be read", "file", name, "error", err)
			continue
		}
		w.adopt(s, stamp)
	}
	return nil
}

// readRecord reads the file of a record, and when it was written.
func readRecord(name string) (s saved, stamp time.Time, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return saved{}, time.Time{}, err
	}
	src, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(src, &s)
	}
	if err == nil && (s.Status.IndexID+".json" != filepath.Base(name) || s.Owner == "" || s.Status.Path == "") {
		err = errors.New("it is not a record of this id")
	}
	return s, info.ModTime(), err
}

// adopt takes up a record of another process. What a process that has ended was doing is not done any more. The lock
// must be held once the workspaces are open.
func (w *Workspaces) adopt(s saved, stamp time.Time) {
	r := &record{saved: s, stamp: stamp, changed: make(chan struct{})}
	// What lies below no root any more is not indexed anew, but the index that is there may be asked.
	at, ok := w.below(s.Status.Path)
	if !ok {
		at = site{base: s.Status.Path, path: s.Status.Path}
	}
	r.corpus = w.corpusOf(at, s.Status.Rev)
	w.records[s.Status.IndexID] = r
	w.interrupt(r)
}

// interrupt ends a record whose process has ended before. The lock must be held once the workspaces are open.
func (w *Workspaces) interrupt(r *record) {
	if r.over() || r.Process == w.self && w.self != "" || w.alive(r.Process) {
		return
	}
	r.tell(w.now(), r.end(w.now(), Failed, errInterrupted, "Call ensure_repo_index again; what was indexed before still answers."))
	w.late = append(w.late, r)
}

// elsewhere reports whether another process makes the index of a record. The lock must be held.
func (w *Workspaces) elsewhere(r *record) bool {
	return !r.over() && r.run == nil && r.Process != "" && r.Process != w.self
}

// sync takes up what other processes have written of their indexes since the last time: new ids, ends, ids that were
// forgotten. It looks at most once a second, unless it is forced to.
func (w *Workspaces) sync(force bool) {
	w.mu.Lock()
	if w.closed || w.temp || !force && time.Since(w.synced) < syncAge {
		w.mu.Unlock()
		return
	}
	w.synced = time.Now()
	w.mu.Unlock()

	w.saveMu.Lock()
	w.readChanged()
	w.mu.Lock()
	for _, r := range w.records {
		if w.elsewhere(r) {
			w.interrupt(r)
		}
	}
	late := w.late
	w.late = nil
	w.mu.Unlock()
	w.saveMu.Unlock()
	for _, r := range late {
		w.save(r)
	}
}

// readChanged reads the records that have changed. A folder that looks as it did has none: each is written under
// another name and then renamed. saveMu must be held.
func (w *Workspaces) readChanged() {
	dir := filepath.Join(w.dir, "records")
	info, err := os.Stat(dir)
	if err != nil || info.ModTime().Equal(w.listed) {
		return
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		w.log.Warn("the records of other processes cannot be listed", "error", err)
		return
	}
	w.listed = time.Time{}
	if time.Since(info.ModTime()) > tick { // else something may be written at the same time of the file system's clock
		w.listed = info.ModTime()
	}
	there := make(map[string]bool, len(list))
	for _, e := range list {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		there[id] = true
		if info, err := e.Info(); err == nil && w.foreign(id, info) {
			w.readForeign(filepath.Join(dir, e.Name()))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, r := range w.records {
		if !there[id] && !r.stamp.IsZero() && r.run == nil && r.waiters == 0 {
			delete(w.records, id)
		}
	}
}

// foreign reports whether a record's file has been written by another process since.
func (w *Workspaces) foreign(id string, info fs.FileInfo) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.records[id]
	return r == nil || r.run == nil && r.waiters == 0 && !r.stamp.IsZero() && !info.ModTime().Equal(r.stamp)
}

func (w *Workspaces) readForeign(name string) {
	s, stamp, err := readRecord(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // forgotten meanwhile
			w.log.Warn("a record of another process cannot be read", "file", name, "error", err)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.records[s.Status.IndexID]
	switch {
	case r == nil:
		w.adopt(s, stamp)
		r = w.records[s.Status.IndexID]
	case r.run == nil && r.waiters == 0:
		r.saved, r.stamp = s, stamp
	}
	r.corpus.peeked = time.Time{} // an index comes before its record, so whoever is told of the one finds the other
}
