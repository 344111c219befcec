package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"catena/internal/access"
)

// storedRequest is a request as the log keeps it: without attachments, which become tables.
type storedRequest struct {
	Request
	// Digest tells whether a request under the same IdempotencyKey is the same one; "" without a key.
	Digest string `json:"digest,omitempty"`
	// Caller is who sent it: a process that takes the run over goes on with the same rights.
	Caller *storedCaller `json:"caller,omitempty"`
	At     time.Time     `json:"at,omitzero"` // when it was accepted
	// Attached is how many attachments it had.
	Attached int `json:"attached,omitempty"`
}

// storedCaller is an access.Caller: its rights as the scopes that they were made of, those of its roles among them.
type storedCaller struct {
	ID     string   `json:"id"`
	Tenant string   `json:"tenant,omitempty"`
	Roles  []string `json:"roles,omitempty"`
	Via    string   `json:"via,omitempty"`
	Key    string   `json:"key,omitempty"`
	Scopes []string `json:"scopes,omitempty"`
}

// newStored is what is kept of a run's request.
func newStored(l *liveRun, req Request, at time.Time) storedRequest {
	c := l.caller
	s := storedRequest{Request: req, Digest: l.digest, At: at, Attached: len(req.Attachments), Caller: &storedCaller{
		ID: c.ID, Tenant: c.Tenant, Roles: c.Roles, Via: c.Via, Key: c.Key, Scopes: c.Rights.Scopes(),
	}}
	s.Attachments = nil
	return s
}

// caller is who sent the request, with the rights of then.
func (s storedCaller) caller() (access.Caller, error) {
	rights, err := access.ParseRights(s.Scopes, nil, nil)
	if err != nil {
		return access.Caller{}, fmt.Errorf("chat: who sent the message could not be read: %w", err)
	}
	return access.Caller{ID: s.ID, Tenant: s.Tenant, Roles: s.Roles, Via: s.Via, Key: s.Key, Rights: rights}, nil
}

// keepAttached keeps the attachments of an accepted message until its plan is kept in their place.
func (r *Runs) keepAttached(ctx context.Context, req *Request) error {
	if len(req.Attachments) == 0 {
		return nil
	}
	data, err := json.Marshal(kept{Session: req.SessionID, Attachments: req.Attachments})
	if err == nil {
		err = r.log.SaveState(ctx, req.RunID, data)
	}
	if err != nil {
		return fmt.Errorf("chat: the attachments could not be kept: %w", err)
	}
	return nil
}
