package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
)

func (s *Server) postChat(c *gin.Context) {
	var req chat.Request
	if err := decode(c, &req); err != nil {
		s.fail(c, err)
		return
	}
	s.answer(c, req, wantsStream(c.Request))
}

// postChatBytes answers a chat message that was posted to /mcp. Like postStream it takes fields that it does not know.
func (s *Server) postChatBytes(c *gin.Context, body []byte) {
	if !s.permitted(c, NeedsChat) { // /mcp itself needs no such right
		return
	}
	var req chat.Request
	if err := decodeBytes(body, &req, true); err != nil {
		s.fail(c, err)
		return
	}
	// MCP clients accept both types in every request; here JSON is what was always answered, unless only events are wanted.
	s.answer(c, req, wantsStream(c.Request) && !accepts(c.Request, "application/json"))
}

// postStream is the alias that always answers as events. Clients of other products send fields that ours does not know.
func (s *Server) postStream(c *gin.Context) {
	var req chat.Request
	if err := decode(c, &req); err != nil {
		s.fail(c, err)
		return
	}
	s.answer(c, req, true)
}

// answer runs a turn and writes its response or its events.
func (s *Server) answer(c *gin.Context, req chat.Request, events bool) {
	ctx := c.Request.Context()
	req.IdempotencyKey = c.GetHeader("Idempotency-Key")
	if !events {
		resp, err := s.turn(ctx, callerOf(ctx), req)
		s.writeResponse(c, resp, err)
		return
	}
	run, after, err := startOrDecide(ctx, s.opt.Runs, callerOf(ctx), req)
	if err != nil {
		s.fail(c, err)
		return
	}
	runHeaders(c, run, after)
	s.sendEvents(c, run, after)
}

// runHeaders name the run whose events or answer follow, and behind which of its events they come: 0 is all of them. A reader whose connection
// breaks before the first event goes on from there.
func runHeaders(c *gin.Context, run string, after uint64) {
	c.Header("X-Run-Id", run)
	c.Header("X-Run-After", strconv.FormatUint(after, 10))
}

// startOrDecide starts the turn of a message, or has the run go on about whose waiting steps the message only decides: its events continue
// after a number. Who may change nothing decides nothing; such a message is a message.
func startOrDecide(ctx context.Context, runs Runs, caller access.Caller, req chat.Request) (run string, after uint64, err error) {
	if caller.May(access.Edit) {
		if run, after, err = runs.Reply(ctx, caller, req); run != "" || err != nil {
			return run, after, err
		}
	}
	run, err = runs.Start(ctx, caller, req)
	return run, 0, err
}

// writeResponse writes a turn's response, or why there is none.
func (s *Server) writeResponse(c *gin.Context, resp chat.Response, err error) {
	if err != nil {
		s.fail(c, err)
		return
	}
	body, err := resp.JSON()
	if err != nil {
		s.fail(c, fmt.Errorf("the response of run %s does not marshal: %w", resp.RunID, err))
		return
	}
	writeBytes(c, http.StatusOK, body)
}

// turn runs a turn to its end. When ctx ends first, the run is cancelled: nobody is left who could read the answer, unless an
// Idempotency-Key says that the message will be sent again.
func (s *Server) turn(ctx context.Context, caller access.Caller, req chat.Request) (chat.Response, error) {
	run, _, err := startOrDecide(ctx, s.opt.Runs, caller, req)
	if err != nil {
		return chat.Response{}, err
	}
	return s.await(ctx, caller, run, req.IdempotencyKey != "")
}

// await waits for a run's response. When ctx ends first, the run is cancelled, unless somebody will come for it.
func (s *Server) await(ctx context.Context, caller access.Caller, run string, awaited bool) (chat.Response, error) {
	resp, err := s.opt.Runs.Wait(ctx, caller, run)
	switch {
	case err == nil:
		return resp, nil
	case stopping(ctx) || errors.Is(err, chat.ErrClosed):
		return chat.Response{}, closing(run)
	case ctx.Err() != nil:
		if !awaited {
			s.cancelRun(ctx, caller, run)
		}
		return chat.Response{}, ctx.Err()
	}
	return resp, err
}

// cancelRun stops a run whose reader has gone, unless it was the server that went: such a run goes on.
func (s *Server) cancelRun(ctx context.Context, caller access.Caller, run string) {
	if stopping(ctx) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.opt.Runs.Cancel(ctx, caller, run); err != nil {
		s.log.WarnContext(ctx, "a run without a reader could not be cancelled", "run", run, "error", err.Error())
	}
}

// closedEvent is the name of the event, without a number, by which a stream of a run's events says why it ends before the run does.
const closedEvent = "catena.closed"

// sendEvents streams the events of a run. The run goes on when the reader hangs up, and when the reader's key is revoked.
func (s *Server) sendEvents(c *gin.Context, run string, after uint64) {
	st, done := s.openStream(c)
	defer done()
	ctx := c.Request.Context()
	err := s.opt.Runs.Follow(ctx, callerOf(ctx), run, after, func(e chat.Event) error { return st.event(e.Seq, e.Data) })
	if err == nil {
		return
	}
	p := s.brokenOff(c, run, st, err)
	if p == nil {
		return
	}
	if data, err := json.Marshal(map[string]any{"type": chat.Custom, "name": closedEvent, "value": p}); err == nil { // of texts
		_ = st.data(data) // the stream ends in any case
	}
}

func (s *Server) postPlan(c *gin.Context) {
	var req chat.Request
	if err := decode(c, &req); err != nil {
		s.fail(c, err)
		return
	}
	res, err := s.opt.Planner.Plan(c.Request.Context(), callerOf(c.Request.Context()), req)
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, res)
}

// planCheck is what POST /api/v1/plan/check answers.
type planCheck struct {
	Valid    bool          `json:"valid"`
	Plan     *plan.Plan    `json:"plan,omitempty"` // as it would run, with Repairs saying what was mended
	Findings plan.Findings `json:"findings"`       // never null
	// Explanation says what running the plan would do; only for a valid plan with steps.
	Explanation *plan.Explanation `json:"explanation,omitempty"`
}

// postPlanCheck takes a plan itself, or {"plan": {...}}, as text is taken from models: what cannot be parsed is a finding.
func (s *Server) postPlanCheck(c *gin.Context) {
	body, err := readBody(c)
	if err == nil && len(bytes.TrimSpace(body)) == 0 {
		err = checkJSON("The body", body, rules{})
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	var wrapped struct {
		Plan    json.RawMessage `json:"plan"`
		Message string          `json:"message"` // for which the plan is: then the explanation says why
	}
	if json.Unmarshal(body, &wrapped) == nil && len(wrapped.Plan) > 0 {
		body = wrapped.Plan
	}
	known := s.opt.Tools.Planning(callerOf(c.Request.Context()))
	p, err := plan.Parse(string(body), plan.Limits{})
	if err != nil {
		found := plan.FindingsOf(err)
		if found == nil {
			s.fail(c, err)
			return
		}
		writeJSON(c, http.StatusOK, planCheck{Findings: found})
		return
	}
	p, _ = plan.Mend(p, known)
	out := planCheck{Plan: &p, Findings: plan.Validate(p, known, nil, plan.Limits{})}
	if out.Findings == nil {
		out.Findings = plan.Findings{}
	}
	if out.Valid = len(out.Findings) == 0; out.Valid && len(p.Steps) > 0 {
		x, err := s.opt.Planner.Explain(c.Request.Context(), callerOf(c.Request.Context()), wrapped.Message, p)
		if err != nil {
			s.fail(c, err)
			return
		}
		out.Explanation = &x
	}
	writeJSON(c, http.StatusOK, out)
}

// runRunning is the status of a run that has not ended; any other is its outcome.
const runRunning = "running"

// runInfo is what GET /api/v1/runs/{id} answers.
type runInfo struct {
	chat.RunInfo
	Links map[string]any `json:"links"`
}

func (s *Server) getRun(c *gin.Context) {
	id := c.Param("id")
	ctx := c.Request.Context()
	info, err := s.wholeRun(ctx, id)
	if err != nil {
		s.fail(c, err)
		return
	}
	base := "/api/v1/runs/" + id
	links := map[string]any{"events": base + "/events", "cancel": base + "/cancel"}
	if info.Status == chat.OutcomeApproval {
		links["approve"] = base + "/approve"
	}
	writeJSON(c, http.StatusOK, runInfo{info, links})
}

// wholeRun is what is known of a run of the caller's, with all of its response.
func (s *Server) wholeRun(ctx context.Context, id string) (chat.RunInfo, error) {
	info, err := s.opt.Runs.Get(ctx, callerOf(ctx), id)
	if err != nil {
		return info, err
	}
	return s.opt.Runs.Whole(ctx, callerOf(ctx), info)
}

// postRunApprove decides about a step that waits and answers with the turn that goes on from there.
func (s *Server) postRunApprove(c *gin.Context) {
	var a chat.Approval
	if err := decode(c, &a); err != nil {
		s.fail(c, err)
		return
	}
	ctx, id := c.Request.Context(), c.Param("id")
	a.IdempotencyKey = c.GetHeader("Idempotency-Key")
	after, err := s.opt.Runs.Approve(ctx, callerOf(ctx), id, a)
	s.goneOn(c, id, after, a.IdempotencyKey != "", err)
}

// postRunResume goes on with a run that ended with its process.
func (s *Server) postRunResume(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	after, err := s.opt.Runs.Resume(ctx, callerOf(ctx), id)
	s.goneOn(c, id, after, false, err)
}

// goneOn answers with the rest of a run, as answer does with the whole of one. awaited says that somebody comes for the answer who hangs up
// before it.
func (s *Server) goneOn(c *gin.Context, run string, after uint64, awaited bool, err error) {
	ctx := c.Request.Context()
	switch {
	case err != nil:
		s.fail(c, err)
	case wantsStream(c.Request):
		runHeaders(c, run, after)
		s.sendEvents(c, run, after)
	default:
		resp, err := s.await(ctx, callerOf(ctx), run, awaited)
		s.writeResponse(c, resp, err)
	}
}

func (s *Server) getRunEvents(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	after := uint64(numberOf(c, "after"))
	if last := c.GetHeader("Last-Event-ID"); last != "" { // a browser that reconnects keeps the old query and says here how far it came
		n, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			s.fail(c, newProblem(http.StatusBadRequest, "out_of_range", "Last-Event-ID is a sequence number: 0, 1, 2 and so on.", "Send the id of the last event that you have; 0, or none, gives all."))
			return
		}
		after = n
	}
	// A stream that has begun cannot answer 404 any more.
	if _, err := s.opt.Runs.Get(ctx, callerOf(ctx), id); err != nil {
		s.fail(c, err)
		return
	}
	s.sendEvents(c, id, after)
}

func (s *Server) postRunCancel(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	info, err := s.opt.Runs.Get(ctx, callerOf(ctx), id)
	running := info.Status == runRunning
	if err == nil && running {
		err = s.opt.Runs.Cancel(ctx, callerOf(ctx), id)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	// A run that was over stays as it ended: saying "cancelled" of it would be untrue.
	writeJSON(c, http.StatusOK, map[string]any{"run_id": id, "cancelled": running, "status": info.Status})
}
