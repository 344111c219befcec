package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/planner/plan"
)

func (s *Core) postChat(c *gin.Context) {
	var req chat.Request
	if err := Decode(c, &req); err != nil {
		s.Fail(c, err)
		return
	}
	s.answer(c, req, WantsStream(c.Request))
}

// PostChatBytes answers a chat message that was posted to /mcp. Like postStream it takes fields that it does not know.
func (s *Core) PostChatBytes(c *gin.Context, body []byte) {
	if !s.permitted(c, NeedsChat) { // /mcp itself needs no such right
		return
	}
	var req chat.Request
	if err := decodeBytes(body, &req, true); err != nil {
		s.Fail(c, err)
		return
	}
	// MCP clients accept both types in every request; here JSON is what was always answered, unless only events are
	// wanted.
	s.answer(c, req, WantsStream(c.Request) && !accepts(c.Request, "application/json"))
}

// postStream is the alias that always answers as events. Clients of other products send fields that ours does not know.
func (s *Core) postStream(c *gin.Context) {
	var req chat.Request
	if err := Decode(c, &req); err != nil {
		s.Fail(c, err)
		return
	}
	s.answer(c, req, true)
}

// answer runs a turn and writes its response or its events.
func (s *Core) answer(c *gin.Context, req chat.Request, events bool) {
	ctx := c.Request.Context()
	req.IdempotencyKey = c.GetHeader("Idempotency-Key")
	if !events {
		resp, err := s.turn(ctx, CallerOf(ctx), req)
		s.writeResponse(c, resp, err)
		return
	}
	run, after, err := StartOrDecide(ctx, s.opt.Runs, CallerOf(ctx), req)
	if err != nil {
		s.Fail(c, err)
		return
	}
	RunHeaders(c, run, after)
	s.sendEvents(c, run, after)
}

// writeResponse writes a turn's response, or why there is none.
func (s *Core) writeResponse(c *gin.Context, resp chat.Response, err error) {
	if err != nil {
		s.Fail(c, err)
		return
	}
	body, err := resp.JSON()
	if err != nil {
		s.Fail(c, fmt.Errorf("the response of run %s does not marshal: %w", resp.RunID, err))
		return
	}
	writeBytes(c, http.StatusOK, body)
}

// turn runs a turn to its end. When ctx ends first, the run is cancelled: nobody is left who could read the answer,
// unless an Idempotency-Key says that the message will be sent again.
func (s *Core) turn(ctx context.Context, caller access.Caller, req chat.Request) (chat.Response, error) {
	run, _, err := StartOrDecide(ctx, s.opt.Runs, caller, req)
	if err != nil {
		return chat.Response{}, err
	}
	return s.turns.Await(ctx, caller, run, req.IdempotencyKey != "")
}

// closedEvent is the name of the event, without a number, by which a stream of a run's events says why it ends before
// the run does.
const closedEvent = "catena.closed"

// sendEvents streams the events of a run. The run goes on when the reader hangs up, and when the reader's key is
// revoked.
func (s *Core) sendEvents(c *gin.Context, run string, after uint64) {
	st, done := s.OpenStream(c)
	defer done()
	ctx := c.Request.Context()
	err := s.opt.Runs.Follow(
		ctx,
		CallerOf(ctx),
		run,
		after,
		func(e chat.Event) error { return st.Event(e.Seq, e.Data) },
	)
	if err == nil {
		return
	}
	p := s.BrokenOff(c, run, st, err)
	if p == nil {
		return
	}
	if data, err := json.Marshal(
		map[string]any{"type": chat.Custom, "name": closedEvent, "value": p},
	); err == nil { // of texts
		_ = st.Data(data) // the stream ends in any case
	}
}

func (s *Core) postPlan(c *gin.Context) {
	var req chat.Request
	if err := Decode(c, &req); err != nil {
		s.Fail(c, err)
		return
	}
	res, err := s.opt.Planner.Plan(c.Request.Context(), CallerOf(c.Request.Context()), req)
	if err != nil {
		s.Fail(c, err)
		return
	}
	WriteJSON(c, http.StatusOK, res)
}

// planCheck is what POST /api/v1/plan/check answers.
type planCheck struct {
	Valid    bool          `json:"valid"`
	Plan     *plan.Plan    `json:"plan,omitempty"` // as it would run, with Repairs saying what was mended
	Findings plan.Findings `json:"findings"`       // never null
	// Explanation says what running the plan would do; only for a valid plan with steps.
	Explanation *plan.Explanation `json:"explanation,omitempty"`
}

// postPlanCheck takes a plan itself, or {"plan": {...}}, as text is taken from models: what cannot be parsed is a
// finding.
func (s *Core) postPlanCheck(c *gin.Context) {
	body, err := readBody(c)
	if err == nil && len(bytes.TrimSpace(body)) == 0 {
		err = CheckJSON("The body", body, rules{})
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	done, err := checkTurn(c, planWork*len(body))
	if err != nil {
		s.Fail(c, err)
		return
	}
	defer done()
	var wrapped struct {
		Plan    json.RawMessage `json:"plan"`
		Message string          `json:"message"` // for which the plan is: then the explanation says why
	}
	if json.Unmarshal(body, &wrapped) == nil && len(wrapped.Plan) > 0 {
		body = wrapped.Plan
	}
	known := s.opt.Tools.Planning(CallerOf(c.Request.Context()))
	p, err := plan.Parse(string(body), plan.Limits{})
	if err != nil {
		found := plan.FindingsOf(err)
		if found == nil {
			s.Fail(c, err)
			return
		}
		WriteJSON(c, http.StatusOK, planCheck{Findings: boundedFindings(found)})
		return
	}
	p, _ = plan.Mend(p, known)
	out := planCheck{Plan: &p, Findings: plan.Validate(p, known, nil, plan.Limits{}.WithContext(c.Request.Context()))}
	if out.Findings == nil {
		out.Findings = plan.Findings{}
	}
	if out.Valid = len(out.Findings) == 0; out.Valid && len(p.Steps) > 0 {
		x, err := s.opt.Planner.Explain(c.Request.Context(), CallerOf(c.Request.Context()), wrapped.Message, p)
		if err != nil {
			s.Fail(c, err)
			return
		}
		out.Explanation = &x
	}
	out.Findings = boundedFindings(out.Findings)
	WriteJSON(c, http.StatusOK, out)
}

// boundedFindings are findings that quote little of what was sent.
func boundedFindings(found plan.Findings) plan.Findings {
	out := make(plan.Findings, len(found))
	for i, f := range found {
		f.Path, f.Step, f.Message = plan.Bounded(
			f.Path,
			plan.LongestError,
		), plan.Bounded(
			f.Step,
			plan.LongestError,
		), plan.Bounded(
			f.Message,
			plan.LongestError,
		)
		out[i] = f
	}
	return out
}

// runInfo is what GET /api/v1/runs/{id} answers.
type runInfo struct {
	runs.Info
	Links map[string]any `json:"links"`
}

func (s *Core) getRun(c *gin.Context) {
	id := c.Param("id")
	ctx := c.Request.Context()
	info, err := s.wholeRun(ctx, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	base := "/api/v1/runs/" + id
	links := map[string]any{"events": base + "/events", "cancel": base + "/cancel"}
	if info.Status == chat.OutcomeApproval {
		links["approve"] = base + "/approve"
	}
	WriteJSON(c, http.StatusOK, runInfo{info, links})
}

// wholeRun is what is known of a run of the caller's, with all of its response.
func (s *Core) wholeRun(ctx context.Context, id string) (runs.Info, error) {
	info, err := s.opt.Runs.Get(ctx, CallerOf(ctx), id)
	if err != nil {
		return info, err
	}
	return s.opt.Runs.Whole(ctx, CallerOf(ctx), info)
}

// postRunApprove decides about a step that waits and answers with the turn that goes on from there.
func (s *Core) postRunApprove(c *gin.Context) {
	var a runs.Approval
	if err := Decode(c, &a); err != nil {
		s.Fail(c, err)
		return
	}
	ctx, id := c.Request.Context(), c.Param("id")
	a.IdempotencyKey = c.GetHeader("Idempotency-Key")
	after, err := s.opt.Runs.Approve(ctx, CallerOf(ctx), id, a)
	s.goneOn(c, id, after, a.IdempotencyKey != "", err)
}

// postRunResume goes on with a run that ended with its process.
func (s *Core) postRunResume(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	after, err := s.opt.Runs.Resume(ctx, CallerOf(ctx), id)
	s.goneOn(c, id, after, false, err)
}

// goneOn answers with the rest of a run, as answer does with the whole of one. awaited says that somebody comes for the
// answer who hangs up before it.
func (s *Core) goneOn(c *gin.Context, run string, after uint64, awaited bool, err error) {
	ctx := c.Request.Context()
	switch {
	case err != nil:
		s.Fail(c, err)
	case WantsStream(c.Request):
		RunHeaders(c, run, after)
		s.sendEvents(c, run, after)
	default:
		resp, err := s.turns.Await(ctx, CallerOf(ctx), run, awaited)
		s.writeResponse(c, resp, err)
	}
}

func (s *Core) getRunEvents(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	after := uint64(numberOf(c, "after"))
	if last := c.GetHeader(
		"Last-Event-ID",
	); last != "" { // a browser that reconnects keeps the old query and says here how far it came
		n, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			s.Fail(
				c,
				NewProblem(
					http.StatusBadRequest,
					"out_of_range",
					"Last-Event-ID is a sequence number: 0, 1, 2 and so on.",
					"Send the id of the last event that you have; 0, or none, gives all.",
				),
			)
			return
		}
		after = n
	}
	// A stream that has begun cannot answer 404 any more.
	if _, err := s.opt.Runs.Get(ctx, CallerOf(ctx), id); err != nil {
		s.Fail(c, err)
		return
	}
	s.sendEvents(c, id, after)
}

func (s *Core) postRunCancel(c *gin.Context) {
	ctx, id := c.Request.Context(), c.Param("id")
	info, err := s.opt.Runs.Get(ctx, CallerOf(ctx), id)
	running := info.Status == RunRunning
	if err == nil && running {
		err = s.opt.Runs.Cancel(ctx, CallerOf(ctx), id)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	// A run that was over stays as it ended: saying "cancelled" of it would be untrue.
	WriteJSON(c, http.StatusOK, map[string]any{"run_id": id, "cancelled": running, "status": info.Status})
}
