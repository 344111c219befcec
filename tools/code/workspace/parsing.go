package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"catena/internal/text"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/redact"
	"catena/tools/code/scan"
)

// parsing reads and parses files on all cores and hands them to the index.
type parsing struct {
	p       *pipeline
	builder *index.Builder // when the index is made from nothing
	mu      sync.Mutex
	changes []index.Change // when it is made from a former one
	files   int
	symbols int
	out     int
}

func newParsing(p *pipeline) *parsing {
	q := &parsing{p: p}
	if p.former == nil {
		q.builder = index.NewBuilder(index.Options{Now: p.w.now})
	}
	for _, path := range p.gone {
		q.changes = append(q.changes, index.Change{File: parse.File{Path: path}, Gone: true})
	}
	return q
}

// all takes in the files. The first error ends it.
func (q *parsing) all(ctx context.Context, files []scan.Entry) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(q.p.w.cores, len(files)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) || ctx.Err() != nil {
					return
				}
				if err := q.one(ctx, files[i]); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// one takes in a file, or notes why it is left out. A file that vanished since it was listed is no more: nothing is
// noted.
func (q *parsing) one(ctx context.Context, e scan.Entry) error {
	at := time.Now()
	src, err := q.p.tree.Read(ctx, e.Path)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.leaveOut(e, err)
		return nil
	}
	st := stateOf(e, src, at)
	text, err := q.p.run.corpus.w.opt.admit(e.Path, src)
	if err != nil {
		q.leaveOut(e, err)
		return nil
	}
	cost := parseCost(len(text))
	if err := q.p.w.memory.Acquire(ctx, cost); err != nil {
		return err
	}
	defer q.p.w.memory.Release(cost)
	f, err := parseSafely(ctx, e.Path, text)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.leaveOut(e, err)
		return nil
	}
	text = redact.File(&f, text)
	if q.builder != nil {
		if err := q.builder.Add(f, text, index.Stamp{Hash: st.Hash, Mod: st.Mod}); err != nil {
			if errors.Is(err, index.ErrTooLarge) {
				return err
			}
			q.leaveOut(e, err)
			return nil
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.files++
	q.symbols += len(f.Symbols)
	q.p.made.Files[e.Path] = st
	if q.builder == nil {
		q.changes = append(q.changes, index.Change{File: f, Source: text, Hash: st.Hash, Mod: st.Mod})
	}
	return nil
}

// leaveOut notes that a file is not indexed, so that the manifest tells of it and the next look does not take it for
// new.
func (q *parsing) leaveOut(e scan.Entry, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.builder == nil { // what was indexed of it before is true no more
		q.changes = append(q.changes, index.Change{File: parse.File{Path: e.Path}, Gone: true})
	}
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	reason := scan.Unreadable
	switch {
	case errors.Is(err, scan.ErrBinary):
		reason = scan.Binary
	case errors.Is(err, errWithheld), errors.Is(err, scan.ErrSecret):
		reason = scan.Secret
	case errors.Is(err, scan.ErrTooLarge), errors.Is(err, parse.ErrTooLarge):
		reason = scan.TooLarge
	default:
		q.p.run.note("%q is left out: %v", e.Path, err)
	}
	q.out++
	q.p.made.Files[e.Path] = fileState{Size: e.Size, Mod: e.ModTime, Hash: e.Hash, Out: reason}
	q.p.made.Skipped = append(q.p.made.Skipped, scan.Skipped{Path: e.Path, Reason: reason, Size: e.Size})
}

func (q *parsing) summary() string {
	s := fmt.Sprintf("%d files parsed, %d symbols", q.files, q.symbols)
	if q.out > 0 {
		s += fmt.Sprintf("; %d left out when they were read", q.out)
	}
	return s
}

// What parsing may take. Good source takes a hundredth of the time; a file that takes more is left out.
const (
	parseMemory   = 512 << 20 // bytes, for all files that the process parses at once
	parseTime     = 5 * time.Second
	parseTimeByte = 20 * time.Microsecond
)

// errSlow says that a file took longer than a file of its size may.
var errSlow = errors.New("parsing it takes too long for its size")

// parseCost is the part of parseMemory that a file of so many bytes is parsed with; a very large one has all of it.
func parseCost(size int) int64 { return min(parseMemory, int64(size)*parse.MemoryPerByte) }

// parseSafely parses a file. A parser that breaks on one file must not end the program: the file is left out.
func parseSafely(ctx context.Context, path string, source []byte) (f parse.File, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, parseTime+time.Duration(len(source))*parseTimeByte, errSlow)
	defer cancel()
	defer func() {
		if errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errSlow) {
			err = errSlow
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			f, err = parse.File{}, fmt.Errorf("its parser broke: %v\n%s", p, text.Clip(string(debug.Stack()), 600))
		}
	}()
	return parse.Parse(ctx, path, source)
}
