package server

import (
	"context"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
)

func (s *Core) getSessions(c *gin.Context) {
	ctx := c.Request.Context()
	page, err := s.opt.Sessions.ListSessions(ctx, CallerOf(ctx), c.Query("q"), c.Query("cursor"), numberOf(c, "limit"))
	if err != nil {
		s.Fail(c, err)
		return
	}
	WriteJSON(c, http.StatusOK, page)
}

// maxTurns is how many turns a file of a session has at most.
const maxTurns = 10_000

// getSession gives the turns of a session, or, with an ending, all of it as a file.
func (s *Core) getSession(c *gin.Context) {
	id := c.Param("id")
	if ending := path.Ext(id); (ending == ".md" || ending == ".json") && s.ownSession(c.Request.Context(), id) != nil {
		// a name may end so
		s.exportSession(c, strings.TrimSuffix(id, ending), ending)
		return
	}
	ctx := c.Request.Context()
	running, err := s.opt.Runs.Running(ctx, CallerOf(ctx), id) // first: one that ends meanwhile is among the turns
	var info chat.SessionInfo
	if err == nil {
		info, err = s.opt.Sessions.Session(ctx, CallerOf(ctx), id)
	}
	var turns []chat.StoredTurn
	if err == nil {
		turns, err = s.opt.Sessions.Turns(ctx, CallerOf(ctx), id, numberOf(c, "limit"))
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	whole := chat.Export(chat.SessionInfo{}, turns)
	WriteJSON(c, http.StatusOK, map[string]any{"session_id": id, "title": info.Title, "turns": whole.Turns,
		"path": whole.Path, "running": running})
}

// exportSession sends a session as a file.
func (s *Core) exportSession(c *gin.Context, id, ending string) {
	ctx := c.Request.Context()
	info, err := s.opt.Sessions.Session(ctx, CallerOf(ctx), id)
	var turns []chat.StoredTurn
	if err == nil {
		turns, err = s.opt.Sessions.Turns(ctx, CallerOf(ctx), id, maxTurns)
	}
	if err == nil {
		turns, err = s.opt.Sessions.WholeTurns(ctx, CallerOf(ctx), turns)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	c.Header("Content-Type", formats[ending])
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": info.ID + ending}))
	if ending == ".md" {
		writeBytes(c, http.StatusOK, []byte(chat.ExportMarkdown(info, turns)))
		return
	}
	WriteJSON(c, http.StatusOK, chat.Export(info, turns))
}

// sessionPatch is what PATCH /api/v1/sessions/{id} takes.
type sessionPatch struct {
	Title string `json:"title"`
}

func (s *Core) patchSession(c *gin.Context) {
	var patch sessionPatch
	if err := Decode(c, &patch); err != nil {
		s.Fail(c, err)
		return
	}
	if err := chat.TitleField.Text(patch.Title); err != nil {
		s.Fail(c, err)
		return
	}
	title := chat.Title(patch.Title)
	ctx, id := c.Request.Context(), c.Param("id")
	if err := s.opt.Sessions.RenameSession(ctx, CallerOf(ctx), id, title); err != nil {
		s.Fail(c, err)
		return
	}
	WriteJSON(c, http.StatusOK, map[string]any{"session_id": id, "title": title})
}

func (s *Core) deleteSession(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	if err := s.opt.Runs.DeleteSession(ctx, CallerOf(ctx), id); err != nil {
		s.Fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

// openSession begins the session that a call of a tool names, where that is a name of the caller's own that is not used
// yet; "" is none.
func (s *Core) openSession(ctx context.Context, id, tool string) error {
	if id == "" {
		return nil
	}
	return s.opt.Planner.OpenSession(ctx, CallerOf(ctx), id, tool)
}

// ownSession is the error of a session that a request names and that is not there, or is another's; nil for "".
func (s *Core) ownSession(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	_, err := s.opt.Sessions.Session(ctx, CallerOf(ctx), id)
	return err
}
