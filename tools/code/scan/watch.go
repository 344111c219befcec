package scan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// WatchOptions say how a folder is watched. The zero value is usable.
type WatchOptions struct {
	Debounce time.Duration // how long it must be quiet before an Event is sent; 0 means 1 s
	Git      time.Duration // pause between looks at git's HEAD; 0 means 5 s
	Poll     time.Duration // pause between listings where the system cannot watch the folder; 0 means 5 s
	Folders  int           // more are not watched but polled; 0 means 8,000: many Linux systems allow 8,192 a user
}

// Event says that a watched folder may have changed.
type Event struct {
	Paths []string // relative to the folder, as far as known; nil says: look at everything
	Git   bool     // another commit or branch is checked out
	Gone  bool     // the folder is not there any more
	At    time.Time
}

// maxEventPaths bounds Event.Paths: with more, all is looked at.
const maxEventPaths = 1000

// longestQuiet bounds the waiting for quiet, in debounces: a file that is written all the time must not hide the others.
const longestQuiet = 10

// Watch tells of changes of a folder that was opened with Folder and listed at least once. It ends, and the channel is closed,
// when the context ends. An event that nobody takes is merged with the next. Folders that were left out of the last listing are
// not watched.
func Watch(ctx context.Context, tree Tree, opt WatchOptions) (<-chan Event, error) {
	f, ok := tree.(*folder)
	if !ok {
		return nil, errors.New("only a folder can be watched: a revision does not change")
	}
	or := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	or(&opt.Debounce, time.Second)
	or(&opt.Git, 5*time.Second)
	or(&opt.Poll, 5*time.Second)
	if opt.Folders <= 0 {
		opt.Folders = 8000
	}
	w := &watch{folder: f, opt: opt, out: make(chan Event), paths: map[string]bool{}, watched: map[string]bool{}}
	w.head, _ = f.Git(ctx) // unreadable now is a change when it becomes readable
	if n, err := fsnotify.NewWatcher(); err == nil {
		w.notify = n
		w.cover()
	}
	w.touch("", true) // what changed between the listing and now
	go w.run(ctx)
	return w.out, nil
}

// watch is one watched folder. Only run's goroutine touches it.
type watch struct {
	folder  *folder
	opt     WatchOptions
	out     chan Event
	notify  *fsnotify.Watcher // nil where the folder is polled
	watched map[string]bool
	head    State

	paths map[string]bool // what has changed since the last event
	all   bool            // all may have changed
	git   bool
	gone  bool
	first time.Time // of the changes that are not sent yet; zero without any
	last  time.Time
}

// cover watches every folder of the last listing, and no longer those that are gone. Where that is not possible, because there
// are too many or the system does not let us, the folder is polled from then on. It reports whether a folder is new.
func (w *watch) cover() bool {
	w.folder.mu.Lock()
	dirs := w.folder.dirs
	w.folder.mu.Unlock()
	now, added := make(map[string]bool, len(dirs)), false
	for _, dir := range dirs {
		if w.watched[dir] {
			now[dir] = true
			continue
		}
		if len(now) >= w.opt.Folders {
			w.giveUp()
			return false
		}
		switch err := w.notify.Add(w.absolute(dir)); {
		case err == nil:
			now[dir], added = true, true
		case !errors.Is(err, fs.ErrNotExist):
			w.giveUp()
			return false
		}
	}
	for dir := range w.watched {
		if !now[dir] {
			_ = w.notify.Remove(w.absolute(dir)) // gone already, most often
		}
	}
	w.watched = now
	return added
}

func (w *watch) absolute(dir string) string {
	return filepath.Join(w.folder.path, filepath.FromSlash(dir))
}

// giveUp stops notifications; polling takes over.
func (w *watch) giveUp() {
	_ = w.notify.Close() // its goroutine ends; there is nothing to lose
	w.notify, w.watched = nil, map[string]bool{}
	w.touch("", true)
}

// run waits for what happens and sends events.
func (w *watch) run(ctx context.Context) {
	defer close(w.out)
	defer func() {
		if w.notify != nil {
			_ = w.notify.Close()
		}
	}()
	git := time.NewTicker(w.opt.Git)
	defer git.Stop()
	poll := time.NewTicker(w.opt.Poll)
	defer poll.Stop()
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for {
		events, faults := w.channels()
		out, event := w.due()
		if out == nil && !w.first.IsZero() {
			quiet.Reset(time.Until(w.dueAt()))
		}
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if ok {
				w.saw(ctx, e)
			}
		case <-w.folder.listed:
			if w.notify != nil && w.cover() {
				w.touch("", true) // what came into the new folders before they were watched
			}
		case _, ok := <-faults: // an overflow: what was lost is unknown
			if ok {
				w.touch("", true)
			}
		case <-git.C:
			w.look(ctx)
		case <-poll.C:
			if w.notify == nil {
				w.touch("", true)
			}
		case <-quiet.C:
		case out <- event:
			w.sent()
		}
	}
}

func (w *watch) channels() (<-chan fsnotify.Event, <-chan error) {
	if w.notify == nil {
		return nil, nil
	}
	return w.notify.Events, w.notify.Errors
}

// touch notes a change.
func (w *watch) touch(name string, all bool) {
	w.last = time.Now()
	if w.first.IsZero() {
		w.first = w.last
	}
	if w.all = w.all || all || len(w.paths) >= maxEventPaths; w.all {
		clear(w.paths)
		return
	}
	w.paths[name] = true
}

// saw notes what the system told.
func (w *watch) saw(ctx context.Context, e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	rel, err := filepath.Rel(w.folder.path, e.Name)
	if err != nil {
		return
	}
	rel = filepath.ToSlash(rel)
	base := path.Base(rel)
	switch {
	case rel == ".":
		w.touch("", true)
		w.look(ctx)
	case alwaysOut[base]:
	case strings.HasPrefix(base, ".") && strings.HasSuffix(base, "ignore"), w.watched[rel]:
		w.touch("", true) // rules have changed, or a folder has come or gone
	default:
		info, err := os.Lstat(w.absolute(rel))
		w.touch(rel, err == nil && info.IsDir())
	}
}

// look asks git, and whether the folder is still there.
func (w *watch) look(ctx context.Context) {
	if _, err := os.Stat(w.folder.path); errors.Is(err, fs.ErrNotExist) {
		if !w.gone {
			w.gone = true
			w.touch("", true)
		}
		return
	}
	if w.gone {
		w.gone = false
		w.watched = map[string]bool{} // its watches went with it
		w.touch("", true)
	}
	head, err := w.folder.Git(ctx)
	if err == nil && head != w.head {
		w.head, w.git = head, true
		w.touch("", true)
	}
}

// dueAt is when the changes so far are to be told: when it was quiet for a while, or has not been for long.
func (w *watch) dueAt() time.Time {
	quiet, longest := w.last.Add(w.opt.Debounce), w.first.Add(longestQuiet*w.opt.Debounce)
	if longest.Before(quiet) {
		return longest
	}
	return quiet
}

// due gives the event that can be sent now; a nil channel when there is none.
func (w *watch) due() (chan<- Event, Event) {
	if w.first.IsZero() || time.Now().Before(w.dueAt()) {
		return nil, Event{}
	}
	e := Event{Git: w.git, Gone: w.gone, At: w.first}
	if !w.all {
		for p := range w.paths {
			e.Paths = append(e.Paths, p)
		}
	}
	return w.out, e
}

// sent forgets what was told. Who took the event lists the folder, after which new folders can be watched.
func (w *watch) sent() {
	w.first, w.all, w.git = time.Time{}, false, false
	clear(w.paths)
}
