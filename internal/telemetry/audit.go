package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Audit is the record of what was called, and by whom: one entry after the other, never changed. It is safe for concurrent use.
type Audit struct {
	log  *slog.Logger
	file *appendFile // nil for the log
}

// NewAudit makes an audit that goes to the log, or to the end of a file as one JSON object per line, which is made when it is missing and
// readable by its owner only. Rotating the file is the system's: when it was renamed or removed, a new one is begun within a second.
// requestID is as for Logger.
func NewAudit(path string, log *slog.Logger, requestID func(context.Context) string) (*Audit, error) {
	if path == "" {
		return &Audit{log: log}, nil
	}
	f := &appendFile{path: path}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("telemetry: the audit's file: %w", err)
	}
	var handler slog.Handler = slog.NewJSONHandler(f, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	if requestID != nil {
		handler = withID{handler, requestID}
	}
	a := &Audit{log: slog.New(handler), file: f}
	f.failed = func(err error) { log.Error("the audit could not be written", "error", err.Error()) }
	return a, nil
}

// Record writes an entry. One that cannot be written is told to the log, once a minute.
func (a *Audit) Record(ctx context.Context, event string, attrs ...slog.Attr) {
	a.log.LogAttrs(context.WithoutCancel(ctx), slog.LevelInfo, event, attrs...)
}

// Healthy is the error of the last entry where that could not be written, nil otherwise and for an audit that goes to the log.
func (a *Audit) Healthy() error {
	if a.file == nil {
		return nil
	}
	a.file.mu.Lock()
	defer a.file.mu.Unlock()
	return a.file.err
}

// Close closes the file.
func (a *Audit) Close() error {
	if a.file == nil {
		return nil
	}
	a.file.mu.Lock()
	defer a.file.mu.Unlock()
	return a.file.f.Close()
}

// appendFile is a file that is only added to.
type appendFile struct {
	path   string
	failed func(error)

	mu      sync.Mutex
	f       *os.File
	info    os.FileInfo
	looked  time.Time // when it was last seen whether the file is still there
	told    time.Time // when a failure was last told
	partial bool      // the last entry is cut
	err     error     // of the last entry
}

func (a *appendFile) open() error {
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // the first error says more
		return err
	}
	if a.f != nil {
		_ = a.f.Close() // every entry is in it already
	}
	a.f, a.info = f, info
	return nil
}

// Write adds one entry.
func (a *appendFile) Write(p []byte) (n int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if now.Sub(a.looked) >= time.Second {
		a.looked = now
		if info, err := os.Stat(a.path); err != nil || !os.SameFile(info, a.info) {
			err = a.open() // where that fails, the old file still takes the entry
			a.tell(now, err)
		}
	}
	if a.partial {
		_, _ = a.f.WriteString("\n") // so that the next entry is whole; where it fails, so does the next one
	}
	n, err = a.f.Write(p)
	a.partial = err != nil && (n > 0 || a.partial)
	a.err = err
	a.tell(now, err)
	return n, err
}

func (a *appendFile) tell(now time.Time, err error) {
	if err != nil && a.failed != nil && now.Sub(a.told) >= time.Minute {
		a.told = now
		a.failed(err)
	}
}
