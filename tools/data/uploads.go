package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

// Bounds of what uploads take while they are read. Anybody who may send a message may send them, unlike the operator's own files.
const (
	uploadBytes = 128 << 20        // of one, after decompression; tables of columns take four times as much while they are read
	readingWait = 20 * time.Second // for one's turn
	smallUpload = 128 << 10        // bytes of plain text that wait for nobody
	// uploadColumns is how many columns the uploads of a session may have together: a planner looks at all of them for
	// each message, and a file of 200 KB may have 16,000.
	uploadColumns = 32_768
)

// readUpload reads the tables of a file.
func (s *Sources) readUpload(ctx context.Context, name, locale string, data []byte) ([]table.Named, error) {
	limits := s.limits.WithContext(ctx)
	limits.Locale = locale
	plain := load.Plain(data)
	if isSmall(data) {
		return readTables(data, name, plain, limits)
	}
	if !plain {
		limits.Bytes = min(max(uploadBytes, int64(len(data))), cmp.Or(max(s.limits.Bytes, 0), table.DefaultLimits.Bytes))
	}
	return readTables(data, name, plain, limits)
}

// isSmall reports whether a file is a short text: others may take long, and some hundred megabytes.
func isSmall(data []byte) bool { return len(data) <= smallUpload && load.Plain(data) }

// turn waits until a file may be read, and what was read be looked through. The returned function lets the next one in.
func (s *Sources) turn(ctx context.Context, c access.Caller, u tools.Upload) (done func(), err error) {
	if isSmall(u.Data) {
		return func() {}, nil
	}
	within, cancel := context.WithTimeout(ctx, readingWait)
	defer cancel()
	done, ok := s.Heavy.Enter(within, c.ID)
	if !ok {
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("%q waits for other files to be read: %w", u.Name, handle.ErrBusy))
	}
	return done, nil
}

// readTables reads the tables of a file, or only the first where others cannot be read.
func readTables(data []byte, name string, plain bool, limits table.Limits) ([]table.Named, error) {
	found, err := load.Tables(data, name, limits)
	var over *table.LimitError
	if err == nil || !plain && errors.As(err, &over) {
		return found, err
	}
	one, oerr := load.Bytes(data, name, limits)
	if oerr != nil {
		return nil, err
	}
	one.Report.Notes = slices.Insert(one.Report.Notes, 0, "the other tables were left out: "+err.Error())
	return []table.Named{one}, nil
}

// Attach loads a file that came with a message as tables of the session. Of a file with more tables than a session shows, the first ones are taken, and
// the first table's notes say so. Content that the session has already is not loaded again, whatever its name: the table that is there is given, and a
// note. Names of the operator's tables are free: in the session the upload comes before them.
// A file that holds more than an upload may gives a *table.FormatError that wraps a *table.LimitError, one that did not get its turn to be read wraps
// handle.ErrBusy, one whose name other content has a *tools.NameTakenError, unless OnConflict decides, and one whose
// session was deleted meanwhile fs.ErrNotExist: nothing of it is kept. What is given is stored.
func (s *Sources) Attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error) {
	found, err := s.readUpload(ctx, u.Name, u.Locale, u.Data)
	if err != nil {
		return tools.Uploaded{}, err
	}
	if first := found[0].Table; len(found) == 1 && first.NumRows() == 0 && first.NumCols() < 2 {
		return tools.Uploaded{}, &table.FormatError{Source: u.Name, Reason: "there is no table in it", Hint: "send a row of names and rows of values below it, as CSV, JSON, Markdown or a workbook"}
	}
	if n := len(found); n > maxUploads/2 {
		found = found[:maxUploads/2]
		found[0].Report.Notes = slices.Insert(found[0].Report.Notes, 0, fmt.Sprintf("only the first %d of %d tables were taken", len(found), n))
	}
	var done attaching
	err = s.kept.Naming(ctx, c, u.Session, func(ctx context.Context) (err error) {
		done, err = s.put(ctx, c, u, found)
		for _, handle := range done.done.Handles {
			if err == nil {
				err = s.kept.Stored(ctx, c, handle)
			}
		}
		if err != nil { // nobody is told of them
			err = errors.Join(err, s.kept.Drop(ctx, c, done.made...))
		}
		return err
	})
	if err != nil {
		return tools.Uploaded{}, err
	}
	return done.done, nil
}

// put gives the tables of an upload their names and handles. It is used under handle.Tables.Naming.
func (s *Sources) put(ctx context.Context, c access.Caller, u tools.Upload, found []table.Named) (attaching, error) {
	a := attaching{Sources: s, caller: c, upload: u, own: s.uploads(c, u.Session), names: map[string]bool{}}
	for _, m := range s.ofSession(c, u.Session, sourceUpload) {
		a.names[strings.ToLower(safeName(m.Name))] = true
	}
	if taken := a.taken(found); len(taken) > 0 {
		return a, &tools.NameTakenError{File: u.Name, Tables: taken}
	}
	if a.columns(found) > uploadColumns {
		return a, table.OverLimit(u.Name, 0, table.LimitColumns, uploadColumns,
			"with it the chat's files would have more than %d columns together", uploadColumns)
	}
	for _, t := range found {
		if err := a.add(ctx, t); err != nil {
			return a, err
		}
	}
	return a, nil
}

// attaching gives the tables of one upload their names. It is used under handle.Tables.Naming.
type attaching struct {
	*Sources
	caller access.Caller
	upload tools.Upload
	own    []SourceTable   // the session's newest uploads from before
	names  map[string]bool // of all its uploads, and of this one's tables, in small letters
	made   []string        // the handles of its tables that the session did not have
	done   tools.Uploaded
}

// same is the table of the session that holds what t holds.
func (a *attaching) same(t table.Named) (SourceTable, bool) {
	i := slices.IndexFunc(a.own, func(o SourceTable) bool { return o.Table != nil && o.Table.Fingerprint() == t.Table.Fingerprint() })
	if i < 0 {
		return SourceTable{}, false
	}
	return a.own[i], true
}

func (a *attaching) has(name string) bool {
	return a.names[strings.ToLower(name)]
}

// columns are those that the session's uploads have together once these tables are among them.
func (a *attaching) columns(found []table.Named) (n int) {
	replaced := map[string]bool{}
	for _, t := range found {
		if _, same := a.same(t); !same {
			n += t.Table.NumCols()
			replaced[strings.ToLower(safeName(t.Name))] = a.upload.OnConflict == tools.Replace
		}
	}
	for _, old := range a.own {
		if !replaced[strings.ToLower(old.Name)] {
			n += old.Table.NumCols()
		}
	}
	return n
}

// taken are the names that other content has, where that is to be asked about.
func (a *attaching) taken(found []table.Named) (names []string) {
	if a.upload.OnConflict == tools.Replace || a.upload.OnConflict == tools.KeepBoth {
		return nil
	}
	for _, t := range found {
		if _, same := a.same(t); !same && a.has(safeName(t.Name)) {
			names = append(names, safeName(t.Name))
		}
	}
	return names
}

// add keeps one table under its name, or gives the one that holds the same.
func (a *attaching) add(ctx context.Context, t table.Named) error {
	if old, same := a.same(t); same {
		a.done.Tables, a.done.Handles = append(a.done.Tables, old.Name), append(a.done.Handles, old.Handle)
		a.done.Notes = append(a.done.Notes, fmt.Sprintf("%s holds what the table %s holds already, so it was not loaded again: ask about %[2]s.", a.upload.Name, old.Name))
		return nil
	}
	name, note := safeName(t.Name), ""
	switch {
	case a.has(name) && a.upload.OnConflict == tools.Replace && !slices.Contains(a.done.Tables, name):
		note = fmt.Sprintf("%s took the place of the table %s that the session had", a.upload.Name, name)
	case a.has(name):
		old := name
		name = pipeline.FreeName(name, a.has)
		note = fmt.Sprintf("%s is called %s here, for %s is another table", a.upload.Name, name, old)
	case name != t.Name:
		note = fmt.Sprintf("%s is called %s here, in letters that names of tables may have", a.upload.Name, name)
	}
	notes := notesOf(t.Report)
	if note != "" {
		notes = slices.Insert(notes, 0, note)
		a.done.Notes = append(a.done.Notes, note+".")
	}
	meta := handle.Meta{Name: name, Session: a.upload.Session, Source: sourceUpload, Notes: notes, Untrusted: true}
	kept, err := a.kept.Put(ctx, a.caller, meta, t.Table)
	if errors.Is(err, handle.ErrQuota) {
		return &table.FormatError{Source: a.upload.Name, Reason: err.Error(), Err: err}
	}
	if err != nil {
		return err
	}
	a.names[strings.ToLower(name)], a.made = true, append(a.made, kept)
	a.done.Tables, a.done.Handles = append(a.done.Tables, name), append(a.done.Handles, kept)
	return nil
}
