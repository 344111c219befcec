package chat

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"catena/internal/access"
)

// keyedID is the id of the run that a caller's key starts: 130 bits of a hash, as long as a random id.
func keyedID(c access.Caller, key string) string {
	sum := sha256.Sum256([]byte(c.ID + "\x00" + key))
	return "run_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// startedBefore reports whether the key of a request has started its run already. A key that was used for another message is an
// *InputError.
func (r *Runs) startedBefore(ctx context.Context, c access.Caller, id string, req Request) (bool, error) {
	_, _, data, _, err := r.log.Run(ctx, c.ID, id)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	var before Request
	if err := json.Unmarshal(data, &before); err != nil {
		return false, fmt.Errorf("chat: the request of run %s could not be read: %w", id, err)
	}
	if before.Message != req.Message || req.SessionID != "" && req.SessionID != before.SessionID {
		return false, &InputError{Code: "idempotency_key_reused", Detail: "This Idempotency-Key belongs to another message.", Hint: "Use a new key for each message."}
	}
	return true, nil
}
