package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"catena/internal/access"
)

// SessionPrefix begins the ids of sessions that the server names. Any other id is a name that a client chose: it lies in its caller's own
// space, so that two callers may use the same one.
const SessionPrefix = "ses_"

// CheckSession says what is wrong with the id of a session that a client sent, as an *InputError; nil where nothing is, and for "".
func CheckSession(id string) error {
	return SessionField.Text(id)
}

// OpenSession makes the session of a name that the client chose, where the caller has none of that name yet. Errors: *InputError for a name that
// cannot be, and, wrapping fs.ErrNotExist, for an id of the server's form that is not the caller's.
func (e *Engine) OpenSession(ctx context.Context, c access.Caller, id, title string) error {
	if err := CheckSession(id); err != nil {
		return err
	}
	_, err := e.Session(ctx, c, id)
	if errors.Is(err, fs.ErrNotExist) && chosen(id) {
		err = e.createNamed(ctx, c, id, title)
	}
	return err
}

// chosen reports whether a client chose an id.
func chosen(id string) bool { return id != "" && !strings.HasPrefix(id, SessionPrefix) }

// mayBegin says why a request cannot begin the session that it names and that is not there.
func mayBegin(req *Request) error {
	switch {
	case !chosen(req.SessionID):
		return sessionNotFound()
	case req.EditRun != "" || req.AfterRun != "" && req.AfterRun != AtStart:
		return turnNotFound()
	}
	return nil
}

// createNamed makes a session of a name. One that another request made since is as good.
func (e *Engine) createNamed(ctx context.Context, c access.Caller, id, title string) error {
	if err := e.createSession(ctx, c, id, title); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (e *Engine) createSession(ctx context.Context, c access.Caller, id, title string) error {
	if err := e.opts.Sessions.CreateSession(ctx, c.ID, id, Title(title), e.opts.Now()); err != nil {
		return fmt.Errorf("chat: a session could not be made: %w", err)
	}
	return nil
}
