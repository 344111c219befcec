package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"catena/chat"
	"catena/internal/access"
)

// storedRequest is a request as the log keeps it: without attachments, which become tables.
type storedRequest struct {
	chat.Request
	// Digest tells whether a request under the same IdempotencyKey is the same one; "" without a key.
	Digest string `json:"digest,omitempty"`
	// Caller is who sent it: a process that takes the run over goes on with the same rights.
	Caller *StoredCaller `json:"caller,omitempty"`
	At     time.Time     `json:"at,omitzero"` // when it was accepted
	// Client is Request.Client.
	Client json.RawMessage `json:"client,omitempty"`
	// Form is Request.Form.
	Form json.RawMessage `json:"form,omitempty"`
	// Attached is how many attachments it had.
	Attached int `json:"attached,omitempty"`
	// Files is Request.Files.
	Files []string `json:"files,omitempty"`
}

// StoredCaller is an access.Caller as a store keeps it, for work that another process goes on with: its rights as the
// scopes that they were made of, those of its roles among them.
type StoredCaller struct {
	ID     string   `json:"id"`
	Tenant string   `json:"tenant,omitempty"`
	Roles  []string `json:"roles,omitempty"`
	Via    string   `json:"via,omitempty"`
	Key    string   `json:"key,omitempty"`
	Scopes []string `json:"scopes,omitempty"`
}

// newStored is what is kept of a run's request.
func newStored(l *liveRun, req chat.Request, at time.Time) storedRequest {
	s := storedRequest{Request: req, Digest: l.digest, At: at, Client: req.Client, Form: req.Form,
		Attached: len(req.Attachments), Files: req.Files, Caller: StoreCaller(l.caller)}
	s.Attachments = nil
	return s
}

// request is the request that a run goes on with.
func (s *storedRequest) request() chat.Request {
	req := s.Request
	req.Form, req.Files = s.Form, s.Files
	return req
}

// StoreCaller makes what a store keeps of a caller.
func StoreCaller(c access.Caller) *StoredCaller {
	return &StoredCaller{ID: c.ID, Tenant: c.Tenant, Roles: c.Roles, Via: c.Via, Key: c.Key, Scopes: c.Rights.Scopes()}
}

// CallerNow is who a stored caller is by now, with the rights that its key has (RunsOptions.Present), or else those of
// then. A *access.CredentialError says that the key is gone.
func (r *Runs) CallerNow(ctx context.Context, s StoredCaller) (access.Caller, error) {
	rights, err := access.ParseRights(s.Scopes, nil, nil)
	if err != nil {
		return access.Caller{}, fmt.Errorf("chat: who sent the message could not be read: %w", err)
	}
	c := access.Caller{ID: s.ID, Tenant: s.Tenant, Roles: s.Roles, Via: s.Via, Key: s.Key, Rights: rights}
	if r.opts.Present == nil {
		return c, nil
	}
	return r.opts.Present(ctx, c)
}

// attachedState is the state of a run that has no plan yet: the attachments of its message, until its plan is kept in
// their place. nil is none.
func attachedState(req *chat.Request) ([]byte, error) {
	if len(req.Attachments) == 0 {
		return nil, nil
	}
	return json.Marshal(chat.Checkpoint{Session: req.SessionID, Attachments: req.Attachments})
}
