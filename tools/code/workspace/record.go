package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"catena/internal/text"
	"catena/tools/code/redact"
)

// The states of a Status and of its stages.
const (
	Pending   = "pending"
	Running   = "running"
	Complete  = "complete"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// maxLog bounds the log lines of an index.
const maxLog = 400

// record is an index id: who it belongs to, what it is an index of, and how far it is. Workspaces.mu guards it.
type record struct {
	saved
	corpus  *corpus
	run     *run          // that makes the index; nil before and after
	err     error         // why it is failed or cancelled
	events  []event       // for those who wait
	changed chan struct{} // closed at each change, and replaced
	told    bool          // those who wait know of the end
	waiters int
	kept    bool      // goes on without anybody who waits
	stamp   time.Time // of its file, as this process wrote or read it
}

// saved is what of a record survives a restart.
type saved struct {
	Owner   string
	Base    string // the root that Path lies below
	Hint    string `json:",omitempty"` // what to do about Status.Error
	Process string `json:",omitempty"` // that wrote it last
	Status  Status
	Log     []logLine
}

// logLine is one line of mimir://logs/{id}, with secrets redacted.
type logLine struct {
	At   time.Time
	Text string
}

// event is what Request.Progress is told.
type event struct {
	stage   string
	percent int
	message string
	ended   bool // the bundle and the manifest are there
}

// over reports whether the record will not change any more.
func (r *record) over() bool {
	switch r.Status.Status {
	case Complete, Failed, Cancelled:
		return true
	}
	return false
}

// status copies the status, so that it may be read without the lock.
func (r *record) status() Status {
	st := r.Status
	st.Stages = maps.Clone(st.Stages)
	st.Facts.Languages = maps.Clone(st.Facts.Languages)
	return st
}

// tell adds an event and a log line and wakes those who wait.
func (r *record) tell(now time.Time, e event) {
	r.Status.UpdatedAt = now
	r.events = append(r.events, e)
	r.told = r.told || e.ended
	r.log(now, fmt.Sprintf("%s, %d %%: %s", e.stage, e.percent, e.message))
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *record) log(now time.Time, line string) {
	if len(r.Log) == maxLog {
		r.Log = append(r.Log[:1], r.Log[2:]...) // the first line says what it is about
	}
	r.Log = append(r.Log, logLine{At: now, Text: text.Clip(redact.Text(strings.ToValidUTF8(line, "?")), 1000)})
}

// end sets the last status and returns the event that tells of it. What was running is neither complete nor running any
// more.
func (r *record) end(now time.Time, status string, err error, hint string) event {
	r.Status.UpdatedAt = now
	r.Status.Status = status
	r.run = nil
	if err != nil {
		r.err, r.Hint = err, hint
		r.Status.Error = text.Clip(redact.Text(strings.ToValidUTF8(err.Error(), "?")), 1000)
		if hint != "" {
			r.Status.Error += ". " + hint
		}
	}
	for name, st := range r.Status.Stages {
		switch {
		case status == Complete:
			r.Status.Stages[name] = StageStatus{Status: Complete, Progress: 100}
		case st.Status == Running:
			r.Status.Stages[name] = StageStatus{Status: status, Progress: st.Progress}
		}
	}
	text := "The index is complete."
	if err != nil {
		text = "The index is " + status + ": " + r.Status.Error
	}
	if status == Complete {
		r.Status.Progress = 100
	}
	return event{stage: r.Status.Stage, percent: r.Status.Progress, message: text, ended: true}
}

// recordFile names the file of a record. Ids are ULIDs, made here: they are safe as names.
func (w *Workspaces) recordFile(id string) string {
	return filepath.Join(w.dir, "records", id+".json")
}

// save writes a record as it is now. Writers take turns, so that an older state cannot come after a newer one.
func (w *Workspaces) save(r *record) {
	w.saveMu.Lock()
	defer w.saveMu.Unlock()
	w.mu.Lock()
	_, known := w.records[r.Status.IndexID]
	r.Process = w.self
	src, err := json.Marshal(r.saved)
	w.mu.Unlock()
	if !known {
		return
	}
	if err == nil {
		err = writeFile(w.recordFile(r.Status.IndexID), src)
	}
	if info, e := os.Stat(w.recordFile(r.Status.IndexID)); err == nil && e == nil {
		w.mu.Lock()
		r.stamp = info.ModTime()
		w.mu.Unlock()
	}
	if err != nil {
		w.log.Error("an index's record could not be written; after a restart it would be as it was before", "index", r.Status.IndexID, "error", err)
	}
}

// writeFile writes a file so that it is either the old one or the new one, also after a crash.
func writeFile(name string, src []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".new*")
	if err != nil {
		return err
	}
	_, err = f.Write(src)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = replace(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// replace renames a file over another one. Windows refuses while somebody reads that, which takes no time.
func replace(from, to string) error {
	err := os.Rename(from, to)
	for range 20 {
		if err == nil || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(10 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}

// tidy removes what a process that was ended in the middle of writing has left.
func (w *Workspaces) tidy() {
	for _, pattern := range []string{"records/*.new*", "data/*/*.new*", "bundle-*", "gone-*"} {
		names, _ := filepath.Glob(filepath.Join(w.dir, filepath.FromSlash(pattern))) // the patterns are good
		for _, name := range names {
			if err := os.RemoveAll(name); err != nil {
				w.log.Warn("what was left of an earlier run could not be removed", "file", name, "error", err)
			}
		}
	}
}

// errInterrupted says why an index is failed that was being made when the process ended.
var errInterrupted = errors.New("interrupted: the program ended while the index was made")
