package share

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/id"
	"catena/server"
	"catena/tools/handle"
)

const (
	// recordKind is what links are called among the store's records.
	recordKind = "share"
	// copyPrefix starts the handles of copies. It is not that of tables: nothing that takes a table takes a copy.
	copyPrefix = "shr_"
	// mostLinks is how many links an owner has at a time.
	mostLinks = 100
	// tokenBytes is how much of a link is random: 128 bits.
	tokenBytes = 16
)

// link is a link as the store has it, under the hash of its token: who reads the store finds no link that works.
type link struct {
	Owner   string    `json:"owner"`
	Session string    `json:"session"`
	Handle  string    `json:"handle"` // of the copy
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// sharedChat is a link as its owner is told of it.
type sharedChat struct {
	ID      string    `json:"id"` // to revoke it by
	Session string    `json:"session_id"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	URL     string    `json:"url,omitempty"` // the path of the copy; only told once, when the link is made
}

func told(id string, l link) sharedChat {
	return sharedChat{ID: id, Session: l.Session, Title: l.Title, Created: l.Created, Expires: l.Expires}
}

// shareRequest is what POST /api/v1/sessions/{id}/shares takes.
type shareRequest struct {
	Days chat.Count `json:"days"` // 0 is a week
}

// defaultDays is how long a link lasts unless its maker says otherwise.
const defaultDays = 7

// hashOf is what the store knows a token by.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func (s *handlers) postShare(c *gin.Context) {
	var req shareRequest
	err := server.Decode(c, &req)
	if err == nil {
		err = daysField.Number(int64(req.Days))
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, caller := c.Request.Context(), server.CallerOf(c.Request.Context())
	mine, err := s.links(ctx, caller.ID)
	if err == nil && len(mine) >= mostLinks {
		err = tooManyLinks()
	}
	var info chat.SessionInfo
	var doc []byte
	if err == nil {
		info, doc, err = s.document(ctx, c.Param("id"))
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	days := int(req.Days)
	if days == 0 {
		days = defaultDays
	}
	now := s.opt.Now().UTC()
	l := link{Owner: caller.ID, Session: info.ID, Handle: id.New(copyPrefix), Title: info.Title, Created: now,
		Expires: now.AddDate(0, 0, days)}
	random := make([]byte, tokenBytes)
	_, _ = rand.Read(random) // it never fails
	token := base64.RawURLEncoding.EncodeToString(random)
	if err := s.keep(ctx, l, hashOf(token), doc); err != nil {
		s.Fail(c, err)
		return
	}
	out := told(hashOf(token), l)
	out.URL = "/share/" + token
	server.WriteJSON(c, http.StatusCreated, out)
}

// tooManyLinks refuses a further link.
func tooManyLinks() error {
	return server.NewProblem(http.StatusConflict, "too_many_shares",
		fmt.Sprintf("There are %d links already.", mostLinks), "Revoke one of them first.")
}

// beingMade is how long a link may be there before its copy is. The link is written first: a process that ends between
// the two leaves a link that leads nowhere, which goes when the owner's are looked through, and never a copy that
// nobody knows of and that counts until it expires.
const beingMade = time.Minute

// keep writes a link, unless others have all places, and then puts its copy under its owner.
func (s *handlers) keep(ctx context.Context, l link, hash string, doc []byte) error {
	meta, err := json.Marshal(handle.Meta{Handle: l.Handle, Session: l.Session, Source: handle.SourceAnswer, Rows: 1,
		Created: l.Created, Expires: l.Expires})
	if err != nil {
		return err
	}
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	added, err := s.opt.Store.AddRecord(ctx, recordKind, hash, data, mostLinks, func(data []byte) bool {
		var other link
		return json.Unmarshal(data, &other) == nil && other.Owner == l.Owner && other.Expires.After(s.opt.Now())
	})
	if err != nil {
		return err
	}
	if !added {
		return tooManyLinks()
	}
	if err = s.opt.Store.PutHandle(ctx, l.Owner, l.Handle, l.Session, "", meta, doc, l.Expires); err != nil {
		return errors.Join(err, s.opt.Store.DeleteRecord(context.WithoutCancel(ctx), recordKind, hash))
	}
	return nil
}

// links are the links of an owner that lead somewhere, the newest first. Removed are those that have expired, of
// anyone, and those of the owner whose copy is gone: with its chat, or because later tables needed its room.
func (s *handlers) links(ctx context.Context, owner string) ([]sharedChat, error) {
	out, gone, mine := []sharedChat{}, []string{}, map[string]link{}
	err := s.opt.Store.Records(ctx, recordKind, func(id string, data []byte) error {
		var l link
		if err := json.Unmarshal(data, &l); err != nil {
			return fmt.Errorf("share: the record of a link cannot be read: %w", err)
		}
		if !l.Expires.After(s.opt.Now()) {
			gone = append(gone, id)
		} else if l.Owner == owner {
			mine[id] = l
		}
		return nil
	})
	copies := copiesBySession{}
	for id, l := range mine {
		there, failed := copies.has(ctx, s.opt.Store, l)
		switch {
		case failed != nil:
			return nil, errors.Join(err, failed)
		case there:
			out = append(out, told(id, l))
		case s.opt.Now().Sub(l.Created) > beingMade:
			gone = append(gone, id)
		}
	}
	for _, id := range gone {
		if dropped := s.opt.Store.DeleteRecord(ctx, recordKind, id); !errors.Is(dropped, fs.ErrNotExist) {
			err = errors.Join(err, dropped)
		}
	}
	slices.SortFunc(out, func(a, b sharedChat) int { return b.Created.Compare(a.Created) })
	return out, err
}

// mostListed is in how many contents of a session a copy is looked for.
const mostListed = 10_000

// copiesBySession are the handles of the contents of some sessions of one owner.
type copiesBySession map[string][]string

// has reports whether the copy of a link is there. Of a session with more contents than are listed that is not known,
// and the link stays.
func (k copiesBySession) has(ctx context.Context, store Store, l link) (bool, error) {
	list, known := k[l.Session]
	if !known {
		var err error
		if list, _, err = store.ListHandles(ctx, l.Owner, l.Session, mostListed); err != nil {
			return false, err
		}
		k[l.Session] = list
	}
	return len(list) == mostListed || slices.Contains(list, l.Handle), nil
}

func (s *handlers) getShares(c *gin.Context) {
	ctx := c.Request.Context()
	list, err := s.links(ctx, server.CallerOf(ctx).ID)
	if err != nil {
		s.Fail(c, err)
		return
	}
	server.WriteJSON(c, http.StatusOK, map[string]any{"shares": list})
}

// find is the link under a hash; one that is not there or has expired gives fs.ErrNotExist.
func (s *handlers) find(ctx context.Context, hash string) (found link, err error) {
	data, err := s.opt.Store.Record(ctx, recordKind, hash)
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err == nil && !found.Expires.After(s.opt.Now()) {
		err = fmt.Errorf("share: the link has expired: %w", fs.ErrNotExist)
	}
	return found, err
}

func (s *handlers) deleteShare(c *gin.Context) {
	ctx := c.Request.Context()
	if err := s.revoke(ctx, server.CallerOf(ctx).ID, c.Param("id")); err != nil {
		s.Fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

// revoke takes away the link of an owner under a hash, after its copy: see beingMade.
func (s *handlers) revoke(ctx context.Context, owner, hash string) error {
	l, err := s.find(ctx, hash)
	if err == nil && l.Owner != owner {
		err = fmt.Errorf("share: another's link: %w", fs.ErrNotExist)
	}
	if err == nil {
		err = s.opt.Store.DeleteHandles(ctx, l.Owner, l.Handle)
	}
	if err == nil {
		err = s.opt.Store.DeleteRecord(ctx, recordKind, hash)
	}
	return err
}

// sharedPolicy lets a copy do nothing but show itself.
const sharedPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'; sandbox"

// getShared shows a copy to whoever has its link.
func (s *handlers) getShared(c *gin.Context) {
	ctx := c.Request.Context()
	l, err := s.find(ctx, hashOf(c.Param("token")))
	var doc []byte
	if err == nil {
		_, doc, err = s.opt.Store.GetHandle(ctx, l.Owner, l.Handle)
	}
	h := c.Writer.Header()
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	if errors.Is(err, fs.ErrNotExist) {
		err = server.NewProblem(http.StatusNotFound, "not_found", "This link leads nowhere any more.",
			"It may have expired or been revoked; ask for a new one.")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	h.Set("Content-Security-Policy", sharedPolicy)
	c.Data(http.StatusOK, "text/html; charset=utf-8", doc)
}

// getReport sends the chat as a file.
func (s *handlers) getReport(c *gin.Context) {
	info, doc, err := s.document(c.Request.Context(), c.Param("id"))
	if err != nil {
		s.Fail(c, err)
		return
	}
	h := c.Writer.Header()
	h.Set("Content-Disposition", server.Attachment(strings.TrimSpace(info.Title), ".html"))
	h.Set("Content-Security-Policy", sharedPolicy)
	h.Set("Cache-Control", "no-store")
	c.Data(http.StatusOK, "text/html; charset=utf-8", doc)
}
