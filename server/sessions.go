package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
)

// maxTitle is how long a session's title may be, in characters.
const maxTitle = 200

func (s *Server) getSessions(c *gin.Context) {
	limit, err := number(c, "limit", 100, 1, 1000)
	if err != nil {
		s.fail(c, err)
		return
	}
	ctx := c.Request.Context()
	list, err := s.opt.Sessions.ListSessions(ctx, callerOf(ctx).ID, limit)
	if err != nil {
		s.fail(c, err)
		return
	}
	if list == nil {
		list = []map[string]any{}
	}
	writeJSON(c, http.StatusOK, map[string]any{"sessions": list})
}

func (s *Server) getSession(c *gin.Context) {
	limit, err := number(c, "limit", 100, 1, 1000)
	if err != nil {
		s.fail(c, err)
		return
	}
	ctx, id := c.Request.Context(), c.Param("id")
	turns, err := s.opt.Sessions.Turns(ctx, callerOf(ctx).ID, id, limit)
	if err != nil {
		s.fail(c, err)
		return
	}
	out := make([]json.RawMessage, len(turns))
	for i, t := range turns {
		out[i] = t
	}
	writeJSON(c, http.StatusOK, map[string]any{"session_id": id, "turns": out})
}

// sessionPatch is what PATCH /api/v1/sessions/{id} takes.
type sessionPatch struct {
	Title *string `json:"title"`
}

func (s *Server) patchSession(c *gin.Context) {
	var patch sessionPatch
	if err := decode(c, &patch, false); err != nil {
		s.fail(c, err)
		return
	}
	title := ""
	if patch.Title != nil {
		title = strings.TrimSpace(*patch.Title)
	}
	if n := utf8.RuneCountInString(title); n == 0 || n > maxTitle {
		s.fail(c, newProblem(http.StatusBadRequest, "out_of_range", "title must have 1 to 200 characters.", ""))
		return
	}
	ctx, id := c.Request.Context(), c.Param("id")
	if err := s.opt.Sessions.SetTitle(ctx, callerOf(ctx).ID, id, title); err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, map[string]any{"session_id": id, "title": title})
}

func (s *Server) deleteSession(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	if err := s.opt.Runs.DeleteSession(ctx, callerOf(ctx), id); err != nil {
		s.fail(c, err)
		return
	}
	// Tables live in memory too, and those of the last steps may have reached the store behind the deletion.
	if err := s.opt.Tables.DropSession(ctx, callerOf(ctx), id); err != nil {
		s.fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}
