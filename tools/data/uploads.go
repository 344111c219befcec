package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
)

// Bounds of what uploads take while they are read. Anybody who may send a message may send them, unlike the operator's own files.
const (
	uploadBytes    = 128 << 20        // of one, after decompression; tables of columns take four times as much while they are read
	readingUploads = 1                // that may be large are read at a time
	readingWait    = 20 * time.Second // for one's turn
	smallUpload    = 1 << 20          // bytes of plain text that wait for nobody
	largeGarbage   = 8 << 20          // bytes of a file whose reading leaves much to collect
)

// readUpload reads the tables of a file. Files that may be large are read one after another: each takes up to some hundred megabytes.
func (s *Sources) readUpload(ctx context.Context, name, locale string, data []byte) ([]table.Named, error) {
	limits := s.limits.WithContext(ctx)
	limits.Locale = locale
	plain := table.Plain(data)
	if plain && len(data) <= smallUpload {
		return readTables(data, name, plain, limits)
	}
	if !plain {
		limits.Bytes = min(max(uploadBytes, int64(len(data))), cmp.Or(max(s.limits.Bytes, 0), table.DefaultLimits.Bytes))
	}
	wait := time.NewTimer(readingWait)
	defer wait.Stop()
	select {
	case s.room <- struct{}{}:
	case <-wait.C:
		return nil, fmt.Errorf("%q waits for other files to be read: %w", name, tools.ErrBusy)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-s.room }()
	found, err := readTables(data, name, plain, limits)
	if !plain && err != nil || len(data) > largeGarbage {
		runtime.GC() // what the next one takes must not come on top of what this one leaves
	}
	return found, err
}

// readTables reads the tables of a file, or only the first where others cannot be read.
func readTables(data []byte, name string, plain bool, limits table.Limits) ([]table.Named, error) {
	found, err := table.ReadTables(data, name, limits)
	var over *table.LimitError
	if err == nil || !plain && errors.As(err, &over) {
		return found, err
	}
	one, oerr := table.ReadBytes(data, name, limits)
	if oerr != nil {
		return nil, err
	}
	one.Report.Notes = slices.Insert(one.Report.Notes, 0, "the other tables were left out: "+err.Error())
	return []table.Named{one}, nil
}

// Attach loads a file that came with a message as tables of the session and returns their names, that of the first table first. Of a file with more tables than a session
// shows, the first ones are taken, and the first table's notes say so. The locale of who sends it decides what a text leaves open (table.Limits); "" for none.
// A file that holds more than an upload may gives a *table.FormatError that wraps a *table.LimitError, one that did not get its turn to be read wraps tools.ErrBusy.
func (s *Sources) Attach(ctx context.Context, c access.Caller, session, name, locale string, data []byte) ([]string, error) {
	found, err := s.readUpload(ctx, name, locale, data)
	if err != nil {
		return nil, err
	}
	if first := found[0].Table; len(found) == 1 && first.NumRows() == 0 && first.NumCols() < 2 {
		return nil, &table.FormatError{Source: name, Reason: "there is no table in it", Hint: "send a row of names and rows of values below it, as CSV, JSON, Markdown or a workbook"}
	}
	if n := len(found); n > maxUploads/2 {
		found = found[:maxUploads/2]
		found[0].Report.Notes = slices.Insert(found[0].Report.Notes, 0, fmt.Sprintf("only the first %d of %d tables were taken", len(found), n))
	}
	names := make([]string, 0, len(found))
	for _, t := range found {
		added, err := s.attach(ctx, c, session, t)
		if errors.Is(err, tools.ErrQuota) {
			err = &table.FormatError{Source: name, Reason: err.Error(), Err: err}
		}
		if err != nil {
			return names, err
		}
		names = append(names, added)
	}
	return names, nil
}

// attach keeps one table under a name that is free in the session.
func (s *Sources) attach(ctx context.Context, c access.Caller, session string, t table.Named) (string, error) {
	list := s.List(c, session)
	free := freeName(safeName(t.Name), func(n string) bool {
		return slices.ContainsFunc(list, func(t SourceTable) bool { return strings.EqualFold(t.Name, n) })
	})
	meta := tools.Meta{Name: free, Session: session, Source: sourceUpload, Notes: notesOf(t.Report), Untrusted: true}
	_, err := s.kept.Put(ctx, c, meta, t.Table)
	return free, err
}
