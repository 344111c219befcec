package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"catena/internal/access"
	"catena/internal/id"
	"catena/planner/plan"
)

// historyTurns is how many earlier turns a planner is shown.
const historyTurns = 10

// StoredTurn is what a session keeps of a turn: what the user saw, and what a later planner may know.
type StoredTurn struct {
	RunID string `json:"run_id"`
	// the run whose turn this one follows, or AtStart; "" is the turn before it in the list
	AfterRun  string           `json:"after_run,omitempty"`
	At        time.Time        `json:"at"`
	Message   string           `json:"message"`
	Files     []string         `json:"files,omitempty"` // names of the files that came with the message
	Response  string           `json:"response"`
	Outcome   string           `json:"outcome"`
	Title     string           `json:"title,omitempty"`
	PlannedBy string           `json:"planned_by,omitempty"`
	Notes     []string         `json:"notes,omitempty"`
	Plan      *plan.Plan       `json:"plan,omitempty"`
	Tables    []plan.TableInfo `json:"tables,omitempty"` // what the answer showed, without a cell
	Pending   []Pending        `json:"pending,omitempty"`
	Choices   []string         `json:"choices,omitempty"` // see Response.Choices
	Whole     *Whole           `json:"whole,omitempty"`   // where the whole of a large answer is; nil: Response is all
}

// EnterSession makes a new session for a request without one, or with a name of the caller's own that is not used yet.
// It returns the last n turns before the request's own of the session that the request names, which must be the
// caller's.
func (e *Engine) EnterSession(ctx context.Context, c access.Caller, req *Request, n int) ([]StoredTurn, error) {
	turns, begins, err := e.FindSession(ctx, c, req, n)
	if err == nil && begins {
		err = e.createNamed(ctx, c, req.SessionID, SessionTitle(*req))
	}
	return turns, err
}

// FindSession is EnterSession without making the session: begins reports that it is to be made, by the id that the
// request has then, with its SessionTitle.
func (e *Engine) FindSession(
	ctx context.Context,
	c access.Caller,
	req *Request,
	n int,
) (turns []StoredTurn, begins bool, err error) {
	if c.ID == "" {
		return nil, false, fmt.Errorf("chat: a turn needs a caller: %w", access.ErrForbidden)
	}
	if req.SessionID != "" {
		turns, err = e.stored(ctx, c, req.SessionID, n)
		if errors.Is(err, fs.ErrNotExist) && req.RunID == "" { // an accepted run's session may have been deleted since
			err = mayBegin(req)
			return nil, err == nil, err
		}
		if err == nil && branched(req, turns) {
			turns, err = e.lineage(ctx, c, req, n)
		}
		return turns, false, err
	}
	if req.AfterRun != "" || req.EditRun != "" {
		return nil, false, turnNotFound()
	}
	req.SessionID = id.New(SessionPrefix)
	return nil, true, nil
}

// SessionTitle is the title of the session that a request begins.
func SessionTitle(req Request) string { return Title(shorten(Title(req.Message), 80)) }

// NewSession makes a session of the caller's and returns its id: for what belongs to a session before its first
// message.
func (e *Engine) NewSession(ctx context.Context, c access.Caller, title string) (string, error) {
	id := id.New(SessionPrefix)
	if err := e.createSession(ctx, c, id, title); err != nil {
		return "", err
	}
	return id, nil
}

// stored reads the last n turns.
func (e *Engine) stored(ctx context.Context, c access.Caller, session string, n int) ([]StoredTurn, error) {
	raw, err := e.opts.Sessions.Turns(ctx, c.ID, session, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, sessionNotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("chat: the session could not be read: %w", err)
	}
	turns := make([]StoredTurn, len(raw))
	for i, data := range raw {
		if err := json.Unmarshal(data, &turns[i]); err != nil {
			return nil, fmt.Errorf("chat: a turn of session %s could not be read: %w", session, err)
		}
	}
	return turns, nil
}

// Turns returns the last n turns of a session of the caller's, oldest first. A session that is not there, or is
// another's, gives an *InputError that wraps fs.ErrNotExist.
func (e *Engine) Turns(ctx context.Context, c access.Caller, session string, n int) ([]StoredTurn, error) {
	turns, err := e.stored(ctx, c, session, n)
	for i := range turns {
		if w := turns[i].Whole; w != nil && !w.Expires.IsZero() && e.opts.Now().After(w.Expires) {
			turns[i].gone()
		}
	}
	return turns, err
}

// history is what planners see of the turns: messages, plans, and the shapes of what was shown.
func history(turns []StoredTurn) []plan.Turn {
	if len(turns) == 0 {
		return nil
	}
	out := make([]plan.Turn, len(turns))
	for i, t := range turns {
		out[i] = plan.Turn{Message: t.Message, Plan: t.Plan, Outcome: t.Outcome, Tables: t.Tables}
	}
	return out
}

// remember appends a finished turn, also when the request was cancelled: what was asked stays part of the conversation.
func (e *Engine) remember(ctx context.Context, t *turn) error {
	said := t.logged()
	data, err := json.Marshal(StoredTurn{
		RunID: t.req.RunID, AfterRun: t.req.AfterRun, At: t.started, Message: t.req.Message, Files: t.req.Files,
		Response: said.Response, Whole: said.Whole, Outcome: t.resp.Outcome, Title: t.resp.Title,
		PlannedBy: t.resp.PlannedBy, Notes: t.resp.Notes, Plan: t.resp.Plan, Tables: t.shown,
		Pending: t.resp.Pending, Choices: t.resp.Choices,
	})
	if err != nil {
		return fmt.Errorf("chat: the turn could not be written: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	write := e.opts.Sessions.AppendTurn
	if t.From != nil || t.Resumed != nil {
		write = e.opts.Sessions.ReplaceTurn
	}
	err = write(ctx, t.caller.ID, t.req.SessionID, t.req.RunID, data, t.started)
	if errors.Is(err, fs.ErrNotExist) {
		return sessionNotFound() // deleted while the turn ran
	}
	if err != nil {
		return fmt.Errorf("chat: the turn could not be kept: %w", err)
	}
	return nil
}

// RememberEnd leaves a turn in the session of a run that ended without one of its own.
func (e *Engine) RememberEnd(owner string, req Request, resp Response) {
	data, err := json.Marshal(StoredTurn{
		RunID: resp.RunID, AfterRun: req.AfterRun, At: e.opts.Now(), Message: req.Message, Files: req.Files,
		Response: resp.Response, Outcome: resp.Outcome, Title: resp.Title,
		PlannedBy: resp.PlannedBy, Plan: resp.Plan, Pending: resp.Pending,
	})
	ctx, cancel := context.WithTimeout(context.Background(), saveTimeout)
	defer cancel()
	if err == nil {
		err = e.opts.Sessions.ReplaceTurn(ctx, owner, req.SessionID, resp.RunID, data, e.opts.Now())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the session may be gone
		e.opts.Log.Error("the turn of a run that broke off could not be kept", "run", resp.RunID, "error", err.Error())
	}
}

// DropSession deletes a session of the caller's and its turns from the store. Runs under way go on:
// runs.Runs.DeleteSession stops them first. One that is not there, or is another's, gives an *InputError that wraps
// fs.ErrNotExist.
func (e *Engine) DropSession(ctx context.Context, c access.Caller, session string) error {
	err := e.opts.Sessions.DeleteSession(ctx, c.ID, session)
	if errors.Is(err, fs.ErrNotExist) {
		return sessionNotFound()
	}
	if err != nil {
		return fmt.Errorf("chat: the session could not be deleted: %w", err)
	}
	return nil
}

// shorten cuts a text to a line of n runes at most.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
