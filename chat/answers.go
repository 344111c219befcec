package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"catena/internal/access"
	"catena/internal/id"
	"catena/table"
	"catena/table/columnar"
	"catena/tools/handle"
)

// Answers keeps what is too large for the log, for a while. *sqlite.Store and *redis.Store satisfy it; what is kept
// goes with its session, and counts among its owner's tables.
type Answers interface {
	// PutHandle keeps a content under a handle until a time. Whoever sees a turn that is appended later can read it.
	PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error
	// GetHandle returns what PutHandle was given, to its owner only. What is there no more gives an error that wraps
	// fs.ErrNotExist.
	GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error)
}

const (
	answerTTL = 24 * time.Hour // as long as tables are kept, unless Options says otherwise
	// answerPrefix starts the handles of answers. It is not that of tables: nothing that takes a table takes an answer.
	answerPrefix = "ans_"
	// maxWholes bounds the texts of whole answers that a session is given with at once, in bytes.
	maxWholes = 32 << 20
	// maxWhole bounds the JSON of an answer that is kept whole, in bytes.
	maxWhole = 256 << 20
)

// goneNote is said of a short answer whose whole is there no more.
const goneNote = "The whole of this answer is kept no longer; ask again for it."

// keepWhole keeps the whole response under a handle of its own; "" where that cannot be. It is there before the run's
// end is told.
func (t *turn) keepWhole(ctx context.Context) (whole string, expires time.Time) {
	if t.opts.Answers == nil {
		return "", time.Time{}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	whole, expires = id.New(answerPrefix), t.opts.Now().Add(t.opts.KeepFor)
	data, err := Encode(t.resp)
	var content bytes.Buffer
	if err == nil {
		t.resp.encoded = data
		err = packAnswer(ctx, &content, data)
	}
	var meta []byte
	if err == nil {
		meta, err = json.Marshal(handle.Meta{
			Handle: whole, Run: t.req.RunID, Session: t.req.SessionID, Source: handle.SourceAnswer, Rows: 1,
			Created: t.opts.Now(), Expires: expires,
		})
	}
	if err == nil {
		err = t.opts.Answers.PutHandle(ctx, t.caller.ID, whole, t.req.SessionID, t.req.RunID, meta,
			content.Bytes(), expires)
	}
	if err != nil {
		t.opts.Log.WarnContext(ctx, "a large answer could not be kept as a whole", "run", t.req.RunID,
			"error", err.Error())
		return "", time.Time{}
	}
	return whole, expires
}

// packAnswer writes an answer as tables are kept: Arrow IPC, packed.
func packAnswer(ctx context.Context, b *bytes.Buffer, data []byte) error {
	if len(data) > maxWhole {
		return fmt.Errorf("chat: the answer takes %d bytes, and at most %d are kept", len(data), maxWhole)
	}
	one := table.NewBuilder(table.Column{Name: "answer", Type: table.Text})
	if err := one.Append(table.TextValue(string(data))); err != nil {
		return err
	}
	return columnar.WriteIPCPacked(ctx, b, one.Table())
}

// readWhole reads a whole response. What is there no more gives an error that wraps fs.ErrNotExist.
func (e *Engine) readWhole(ctx context.Context, c access.Caller, w *Whole) (Response, error) {
	var resp Response
	if e.opts.Answers == nil || w.Handle == "" {
		return resp, fs.ErrNotExist
	}
	_, content, err := e.opts.Answers.GetHandle(ctx, c.ID, w.Handle)
	if err != nil {
		return resp, err
	}
	one, err := columnar.ReadStored(content)
	if err != nil {
		return resp, err
	}
	if one.NumRows() != 1 || one.NumCols() != 1 {
		return resp, fmt.Errorf("chat: answer %s has %d rows and %d columns; it should have one of each", w.Handle,
			one.NumRows(), one.NumCols())
	}
	data := []byte(one.Value(0, 0).Text())
	if err := json.Unmarshal(data, &resp); err != nil {
		return resp, fmt.Errorf("chat: answer %s: %w", w.Handle, err)
	}
	resp.encoded = data
	return resp, nil
}

// UnreadError is that of an answer that is kept, as far as is known, and could not be read: to ask again may help, and
// runs nothing again.
type UnreadError struct {
	Run string
	Err error // what the store said
}

func (e *UnreadError) Error() string {
	return fmt.Sprintf("chat: the whole answer of run %s could not be read: %v", e.Run, e.Err)
}

// Unwrap returns Err.
func (e *UnreadError) Unwrap() error { return e.Err }

// WholeResponse gives the whole of a response that the log has a short form of; the short form, which says so, where
// that is there no more. Any other reason is an *UnreadError: nothing that is only out of reach is said to be gone.
func (e *Engine) WholeResponse(ctx context.Context, c access.Caller, resp Response) (Response, error) {
	if resp.Whole == nil {
		return resp, nil
	}
	all, err := e.readWhole(ctx, c, resp.Whole)
	if err == nil {
		return all, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Response{}, &UnreadError{resp.RunID, err}
	}
	resp.encoded = nil
	resp.Notes = append(resp.Notes, goneNote)
	resp.Completeness.Detail += " " + goneNote
	return resp, nil
}

// WholeTurns puts the whole texts of answers in place of the short ones that a session has of them, the newest first,
// as long as they have room in 32 MiB together. Those that are there no more stay short, and say so. The error is an
// *UnreadError.
func (e *Engine) WholeTurns(ctx context.Context, c access.Caller, turns []StoredTurn) ([]StoredTurn, error) {
	room := maxWholes
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		if t.Whole == nil || room <= 0 {
			continue
		}
		all, err := e.readWhole(ctx, c, t.Whole)
		if errors.Is(err, fs.ErrNotExist) {
			t.gone()
			continue
		}
		if err != nil {
			return nil, &UnreadError{t.RunID, err}
		}
		if room -= len(all.Response); room >= 0 {
			t.Response, t.Whole = all.Response, nil
		}
	}
	return turns, nil
}

// gone says that there is no more of a turn's answer than stands here.
func (t *StoredTurn) gone() {
	for _, n := range t.Notes {
		if n == goneNote {
			return
		}
	}
	t.Notes = append(t.Notes, goneNote)
}
