package runs

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"catena/chat"
	"catena/internal/access"
)

// keyedID is the id of the run that a caller's key starts: 130 bits of a hash, as long as a random id.
func keyedID(c access.Caller, key string) string {
	sum := sha256.Sum256([]byte(c.ID + "\x00" + key))
	return "run_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// digest is the SHA-256 of all that a client sent, in hex. What was found for it is no part of it: that may be another
// place the next time.
func digest(req chat.Request) (string, error) {
	if req.Asked != "" {
		req.SessionID, req.AfterRun = "", ""
	}
	data, err := json.Marshal(req)
	if err != nil {
		return "", fmt.Errorf("chat: the message could not be written: %w", err)
	}
	sum := sha256.Sum256(slices.Concat(data, []byte(req.Asked), req.Client, req.Form))
	return hex.EncodeToString(sum[:]), nil
}

// Started gives the run that the IdempotencyKey of a request started before and that is over, as Start does: "" where
// there is none. A server asks it before it looks where the message belongs. Errors are those of Start.
func (r *Runs) Started(ctx context.Context, c access.Caller, req chat.Request) (run string, err error) {
	if req.IdempotencyKey == "" {
		return "", nil
	}
	if err := req.Check(); err != nil {
		return "", err
	}
	id := keyedID(c, req.IdempotencyKey)
	sum, err := digest(req)
	if err != nil {
		return "", err
	}
	if known, err := r.startedBefore(ctx, c, id, sum); !known || err != nil {
		return "", err
	}
	return id, nil
}

// startedBefore reports whether the key of a request has started its run already, which is over. While that is under
// way, and when the key was used for another request, the error is an *InputError.
func (r *Runs) startedBefore(ctx context.Context, c access.Caller, id, digest string) (bool, error) {
	_, status, data, _, err := r.log.Run(ctx, c.ID, id)
	if errors.Is(err, fs.ErrNotExist) {
		return false, r.deletedBefore(ctx, id, digest)
	}
	if err != nil {
		return false, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	var before storedRequest
	if err := json.Unmarshal(data, &before); err != nil {
		return false, fmt.Errorf("chat: the request of run %s could not be read: %w", id, err)
	}
	switch {
	case before.Digest != digest:
		return false, keyReused()
	case status == statusRunning:
		return false, inFlight(id)
	}
	return true, nil
}

// deletedBefore is the error for a request whose key started a run that was deleted with its session: what it did is
// not to be done again for want of its reply. nil is for a key that is new.
func (r *Runs) deletedBefore(ctx context.Context, id, digest string) error {
	was, err := r.log.GoneRun(ctx, id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("chat: whether the key was used could not be read: %w", err)
	case was != digest:
		return keyReused()
	}
	return &chat.InputError{
		Code: "reply_not_kept",
		Detail: "The request with this Idempotency-Key was done. Its reply was not kept: store was false, or its " +
			"session was deleted.",
		Hint: "Use another key to do it again.", Err: fs.ErrExist,
	}
}

func keyReused() error {
	return &chat.InputError{Code: "idempotency_key_reused", Detail: "This Idempotency-Key belongs to another request.",
		Hint: "Use a new key for each message."}
}

// inFlight is the error for a request whose key has started a run that is not over. It wraps fs.ErrExist.
func inFlight(run string) error {
	return &chat.InputError{
		Code: "idempotency_key_in_flight", Detail: "The request with this Idempotency-Key is still being answered.",
		Hint: "Send it again in a moment, or follow /api/v1/runs/" + run + "/events.", Err: fs.ErrExist,
	}
}
