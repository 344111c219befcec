package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
	"catena/tools/handle"
)

// Problem is an error as clients read it: RFC 9457's members, with a stable code, the id to find the log entry by, and
// what to do next.
type Problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Code      string         `json:"code"`
	Hint      string         `json:"hint,omitempty"`
	RequestID string         `json:"request_id,omitempty"`
	RunID     string         `json:"run_id,omitempty"` // of a run that goes on, or whose answer could not be read
	Findings  []plan.Finding `json:"findings,omitempty"`
	Choices   []string       `json:"choices,omitempty"` // of on_conflict, where a name is taken

	Param string `json:"-"` // of OpenAI's requests: what it is about
}

// Error gives the detail, so that handlers can return problems as errors.
func (p *Problem) Error() string { return p.Detail }

// NewProblem is a problem with an HTTP status, a code for programs, and a detail and a hint for people. The hint may be
// empty.
func NewProblem(status int, code, detail, hint string) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code,
		Detail: detail, Hint: hint}
}

// busyProblem is that of requests that would take more memory than there is for all of them.
func busyProblem() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "busy", "As much is being sent and read as may be at once.",
		"Try again in a moment.")
}

// unreadProblem is that of a run that is done, whose answer could not be read.
func unreadProblem(run string) *Problem {
	p := NewProblem(http.StatusServiceUnavailable, "answer_unread",
		"The message is answered, but the whole answer could not be read just now.",
		"Try GET /api/v1/runs/"+run+" again in a moment: nothing is run again for it.")
	p.RunID = run
	return p
}

func internalProblem() *Problem {
	return NewProblem(http.StatusInternalServerError, "internal",
		"Something broke inside the server; nothing about it is shown here.",
		"The server's log has the details under the request id.")
}

// statusClientClosed is nginx's number for a client that went away; only the log ever sees it.
const statusClientClosed = 499

// statusOf maps a problem of package chat to a status. What is not told apart here is the asker's to mend: 400.
func statusOf(p *chat.Problem, cause error) int {
	switch {
	case strings.HasSuffix(p.Code, "_too_large"):
		return http.StatusRequestEntityTooLarge
	case p.Code == "idempotency_key_reused" || p.Code == "bad_plan": // as described, and yet not to be taken
		return http.StatusUnprocessableEntity
	case strings.HasSuffix(p.Code, "_not_found") || errors.Is(cause, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.Is(cause, fs.ErrExist):
		return http.StatusConflict
	case errors.Is(cause, access.ErrForbidden):
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// toolStatuses are the statuses of what a tool refuses, by its code. Any other is said of a request that is as it is
// described, of something that is not so: a column that a table does not have, a text that no table stands in.
var toolStatuses = map[string]int{
	tools.CodeInvalidArguments: http.StatusBadRequest,
	tools.CodeTooLarge:         http.StatusRequestEntityTooLarge,
	tools.CodeTimeout:          http.StatusGatewayTimeout,
	tools.CodeUnavailable:      http.StatusServiceUnavailable,
}

// toolProblem is the problem of what a tool refused.
func toolProblem(res tools.Result, detail, hint string) *Problem {
	return NewProblem(cmp.Or(toolStatuses[res.Code], http.StatusUnprocessableEntity), res.Code, detail, hint)
}

// unavailable is an error of a store that cannot do its work now, for a reason that says nothing of where it is.
type unavailable interface{ Unavailable() string }

// ProblemOf words an error for a client, with what it quotes of the request bounded.
func ProblemOf(err error) *Problem {
	p := *wordedProblem(err)
	p.Detail, p.Hint = plan.Bounded(p.Detail, plan.LongestError), plan.Bounded(p.Hint, plan.LongestError)
	p.Findings = plan.Findings(p.Findings).Bounded()
	return &p
}

// wording is the problem of a sentinel error.
type wording struct {
	is      error
	problem func() *Problem
}

// says makes a problem that is always the same.
func says(status int, code, detail, hint string) func() *Problem {
	return func() *Problem { return NewProblem(status, code, detail, hint) }
}

// ofBusy are the errors of a server that takes no more for now.
var ofBusy = []wording{
	{runs.ErrCallerBusy, says(http.StatusTooManyRequests, "busy",
		"You have as many runs under way as one caller may have at once (access.limits.runs).",
		"Wait until one of them ends, or stop one: POST /api/v1/runs/{id}/cancel.")},
	{runs.ErrBusy, says(http.StatusTooManyRequests, "busy",
		"The server answers as many messages, of all callers, as it may at once (listen.max_runs).",
		"Try again in a moment.")},
	{handle.ErrBusy, busyProblem},
	{runs.ErrClosed, func() *Problem { return closing("") }},
}

// ofGeneral are errors that many packages have: they say least, and are looked at last.
var ofGeneral = []wording{
	{access.ErrForbidden, says(http.StatusForbidden, "not_permitted", "That is not permitted to you.", "")},
	{fs.ErrNotExist, says(http.StatusNotFound, "not_found", "There is nothing under that name that belongs to you.",
		"It may have been deleted, or have expired.")},
	{context.Canceled, says(statusClientClosed, "cancelled", "The request was cancelled.", "")},
	{context.DeadlineExceeded, says(http.StatusGatewayTimeout, "timeout", "It took too long.",
		"Ask for less, or try again.")},
}

// worded is the problem of the first sentinel of a list that an error is; nil where it is none.
func worded(err error, list []wording) *Problem {
	for _, w := range list {
		if errors.Is(err, w.is) {
			return w.problem()
		}
	}
	return nil
}

// wordedProblem is problemOf without bounds. An error that it does not know becomes "internal": the text of unknown
// errors may hold what clients must not see.
func wordedProblem(err error) *Problem {
	var own *Problem
	var from interface{ Problem() *chat.Problem }
	var tooLong *http.MaxBytesError
	var unknown *tools.UnknownToolError
	var broken *tools.PanicError
	var store unavailable
	var unread *chat.UnreadError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &from):
		p := from.Problem()
		return NewProblem(statusOf(p, err), p.Code, p.Detail, p.Hint)
	case errors.As(err, &tooLong):
		return NewProblem(http.StatusRequestEntityTooLarge, "body_too_large",
			fmt.Sprintf("The request is larger than %s.", size(tooLong.Limit)),
			"Send less, raise listen.max_upload_mb, upload files to POST /api/v1/tables, or start the program with "+
				"--data for large ones.")
	case errors.As(err, &unknown):
		return NewProblem(http.StatusNotFound, "unknown_tool", Sentence(unknown.Error()),
			"GET /api/v1/tools lists the tools.")
	case errors.As(err, &broken):
		return NewProblem(http.StatusInternalServerError, "tool_broke", broken.Error()+".", "")
	}
	if p := worded(err, ofBusy); p != nil {
		return p
	}
	switch {
	case errors.As(err, &unread) && !errors.Is(err, context.Canceled):
		return unreadProblem(unread.Run)
	case errors.As(err, &store):
		return NewProblem(http.StatusServiceUnavailable, "store_unavailable",
			Sentence("the store "+store.Unavailable()),
			"Try again later. Who runs the server finds what to do in its log and with catena doctor.")
	case RefusedOf(err) != nil:
		return RefusedProblem(RefusedOf(err))
	}
	if p := worded(err, ofGeneral); p != nil {
		return p
	}
	if found := plan.FindingsOf(err); found != nil {
		p := NewProblem(http.StatusBadRequest, "invalid_plan", "The plan has findings.",
			"Each finding says where and what would be right.")
		p.Findings = found
		return p
	}
	return internalProblem()
}

// explain words an error for the client of a request; one that must not be shown goes to the log.
func (s *Core) explain(c *gin.Context, err error) Problem {
	if errors.Is(err, context.Canceled) && stopping(c.Request.Context()) {
		err = runs.ErrClosed
	}
	p := *ProblemOf(err)
	p.RequestID = RequestID(c.Request.Context())
	if p.Code == "not_permitted" && p.Hint == "" {
		p.Hint = "Ask whoever runs the server for a key with the right; GET /api/v1/tools lists the tools that this " +
			"one may call."
	}
	if p.Code == "internal" || p.Code == "store_unavailable" || p.Code == "answer_unread" {
		s.log.ErrorContext(c.Request.Context(), "a request failed", "route", c.FullPath(), "error", err.Error())
	}
	p.Detail, p.Hint = s.opt.Hide(p.Detail), s.opt.Hide(p.Hint)
	return p
}

// Fail ends a request with an error, in the shape of its protocol.
func (s *Core) Fail(c *gin.Context, err error) {
	p := s.explain(c, err)
	c.Abort()
	if after := retryAfter(p); after != "" && c.Writer.Header().Get("Retry-After") == "" {
		c.Header("Retry-After", after)
	}
	if refused := RefusedOf(err); refused != nil {
		s.Insufficient(c, refused.What.Scope())
	}
	switch p.Code {
	case "busy", "unknown_tool", "not_permitted": // told before anything is done, and may be otherwise the next time
		c.Set(notDone, true)
	}
	if p.Code == "reply_not_kept" {
		c.Header("X-Should-Retry", "false") // it stays so
	}
	if p.RunID != "" {
		c.Header("X-Run-Id", p.RunID)
	}
	if p.RunID != "" && c.Request.Method != http.MethodGet {
		// OpenAI's clients would send the message again by themselves, and it would be answered twice
		c.Header("X-Should-Retry", "false")
	}
	if c.Writer.Written() {
		return // a stream has begun; its own protocol has to say it
	}
	if shape, own := s.errorsAt(c.Request.URL.Path); own && shape.Write(c, p) {
		return
	}
	c.Header("Content-Type", "application/problem+json")
	WriteJSON(c, p.Status, p)
}

// Sentence makes an error's text one.
func Sentence(text string) string {
	if text == "" {
		return text
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Clip keeps an answer from repeating all of what was sent.
func Clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// ErrorShape is how a protocol that others have made writes errors at its addresses, as JSON. Everywhere else they are
// problems (RFC 9457).
type ErrorShape struct {
	Name   string                 // of the component that describes it in /openapi.json
	Schema map[string]any         // that component
	Owns   func(path string) bool // which addresses are the protocol's
	Only   bool                   // no error there is written as a problem
	// answers with a problem in this shape; false leaves it to be written as what it is
	Write func(c *gin.Context, p Problem) bool
}

// errorsAt is the shape of a protocol's own errors at a path, and whether there is one.
func (s *Core) errorsAt(path string) (ErrorShape, bool) {
	for _, shape := range s.errors {
		if shape.Owns(path) {
			return shape, true
		}
	}
	return ErrorShape{}, false
}
