package store

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"
)

// spacePrefix begins the names of sessions in the store that their owner chose.
const spacePrefix = "own_"

// spaceText writes the part of such a name that stands for the owner, in 26 small letters and digits.
var spaceText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// spaces is a store in which each owner has names of its own for sessions.
type spaces struct {
	Store
	made string
}

// Spaces returns a store that keeps the sessions of each owner apart by name: two owners may use one name for different sessions. Ids that begin
// with made are the program's own, and are one owner's for all. The store that it wraps stays the caller's, and keeps a name with 128 bits
// of its owner's hash before it.
func Spaces(s Store, made string) Store { return &spaces{s, made} }

// inner is the name of a session in the wrapped store.
func (s *spaces) inner(owner, id string) string {
	if id == "" || strings.HasPrefix(id, s.made) {
		return id
	}
	sum := sha256.Sum256([]byte(owner))
	return spacePrefix + spaceText.EncodeToString(sum[:16]) + "_" + id
}

// outer is the owner's name of a session in the wrapped store.
func outer(id string) string {
	skip := len(spacePrefix) + 27 // with the _ after the owner
	if strings.HasPrefix(id, spacePrefix) && len(id) > skip {
		return id[skip:]
	}
	return id
}

func (s *spaces) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	return s.Store.CreateSession(ctx, owner, s.inner(owner, id), title, at)
}

func (s *spaces) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	return s.Store.AppendTurn(ctx, owner, s.inner(owner, session), run, data, at)
}

func (s *spaces) ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	return s.Store.ReplaceTurn(ctx, owner, s.inner(owner, session), run, data, at)
}

func (s *spaces) Turns(ctx context.Context, owner, session string, n int) ([][]byte, error) {
	return s.Store.Turns(ctx, owner, s.inner(owner, session), n)
}

func (s *spaces) SetTitle(ctx context.Context, owner, session, title string) error {
	return s.Store.SetTitle(ctx, owner, s.inner(owner, session), title)
}

func (s *spaces) DeleteSession(ctx context.Context, owner, session string) error {
	return s.Store.DeleteSession(ctx, owner, s.inner(owner, session))
}

func (s *spaces) ListSessions(ctx context.Context, owner string, before time.Time, beforeID string, limit int) ([]map[string]any, error) {
	list, err := s.Store.ListSessions(ctx, owner, before, s.inner(owner, beforeID), limit)
	for _, one := range list {
		rename(one)
	}
	return list, err
}

func (s *spaces) Session(ctx context.Context, owner, id string) (map[string]any, error) {
	one, err := s.Store.Session(ctx, owner, s.inner(owner, id))
	rename(one)
	return one, err
}

// rename gives a session its owner's name.
func rename(session map[string]any) {
	if id, ok := session["id"].(string); ok {
		session["id"] = outer(id)
	}
}

func (s *spaces) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	return s.Store.StartRun(ctx, owner, run, s.inner(owner, session), request, state, at)
}

func (s *spaces) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	return s.Store.StartKeyedRun(ctx, owner, run, s.inner(owner, session), digest, request, state, at)
}

func (s *spaces) StartFirstRun(
	ctx context.Context,
	owner, run, session, title, digest string,
	request, state []byte,
	at time.Time,
) error {
	return s.Store.StartFirstRun(ctx, owner, run, s.inner(owner, session), title, digest, request, state, at)
}

func (s *spaces) RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error) {
	return s.Store.RunningIn(ctx, owner, s.inner(owner, session), limit)
}

func (s *spaces) Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error) {
	session, status, request, response, err = s.Store.Run(ctx, owner, run)
	return outer(session), status, request, response, err
}

func (s *spaces) Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error) {
	owner, session, request, err = s.Store.Accepted(ctx, run)
	return owner, outer(session), request, err
}

func (s *spaces) PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error {
	return s.Store.PutHandle(ctx, owner, handle, s.inner(owner, session), run, meta, content, expires)
}

func (s *spaces) OwnsSession(ctx context.Context, owner, session string) error {
	return s.Store.OwnsSession(ctx, owner, s.inner(owner, session))
}

func (s *spaces) HandleStored(ctx context.Context, owner, session, handle string) error {
	return s.Store.HandleStored(ctx, owner, s.inner(owner, session), handle)
}

func (s *spaces) ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error) {
	return s.Store.ListHandles(ctx, owner, s.inner(owner, session), limit)
}
