package openai

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/form"
	"catena/chat/runs"
	"catena/planner/plan"
	"catena/server"
)

// A response's id is its run's with another beginning.
const (
	responsePrefix = "resp_"
	runPrefix      = "run_"
)

func responseID(run string) string { return responsePrefix + strings.TrimPrefix(run, runPrefix) }

// runOfResponse is the run of a response's id; "" where it is none.
func runOfResponse(id string) string {
	if rest, ok := strings.CutPrefix(id, responsePrefix); ok && rest != "" {
		return runPrefix + rest
	}
	return ""
}

// postResponses answers in the form of Open Responses, with the events of one where the client wants a stream.
func (s *handlers) postResponses(c *gin.Context) {
	var req responseRequest
	if err := server.Decode(c, &req); err != nil {
		s.Fail(c, err)
		return
	}
	if s.inBackgroundResponse(c, &req) {
		return
	}
	err := req.check(s.opt.Mapped != nil && s.opt.Mapped())
	var v *conversation
	if err == nil {
		v, err = s.readConversation(c, req.Input, req.named())
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	if v.Where = []string{req.Previous, strconv.FormatBool(req.unkept())}; req.Previous != "" {
		v.Locate = func(ctx context.Context) error { return s.follows(ctx, v, req.Previous) }
	}
	v.Turn.Client, v.Turn.Approve = req.asked(), req.Approve
	v.takeFormat(req.Text.Format, req.schema, req.most())
	ctx := c.Request.Context()
	run, err := s.talks.Begin(ctx, v.Conversation)
	if err != nil {
		s.Fail(c, err)
		return
	}
	server.RunHeaders(c, run, v.After)
	r := newResponse(&req, run)
	kept := func(resp chat.Response) {
		if req.unkept() && s.alone(ctx, v, resp) {
			s.forget(ctx, v.Owner, resp.SessionID)
			return
		}
		s.talks.Answered(ctx, v.Conversation, resp, v.remembered(resp, v.answerText(ctx, resp)))
	}
	if req.Stream {
		s.streamResponse(c, v, r, kept)
		return
	}
	resp, err := s.finished(ctx, v, run)
	if err != nil {
		c.Header("X-Should-Retry", "false") // to SDKs: what was run is not to be run again by itself
		s.Fail(c, err)
		return
	}
	kept(resp)
	server.WriteJSON(c, http.StatusOK, r.done(ctx, s, resp))
}

// inBackgroundResponse is inBackground for a response, which is kept nowhere.
func (s *handlers) inBackgroundResponse(c *gin.Context, req *responseRequest) bool {
	task := taskOf(req.withInstructions(), req.Text.Format)
	if task == nil {
		return false
	}
	ctx := c.Request.Context()
	text, used := s.background(ctx, server.CallerOf(ctx), task)
	no := false
	req.Store = &no
	r := newResponse(req, runPrefix+strings.ToLower(rand.Text()))
	resp := chat.Response{Response: text, Usage: used}
	if !req.Stream {
		out := r.shown(ctx, resp)
		server.WriteJSON(c, http.StatusOK, r.complete(resp, out, []any{r.answer(out)}))
		return true
	}
	raw, closeStream := s.OpenStream(c)
	defer closeStream()
	st := &responseStream{Stream: raw, r: r, steps: StepsOff}
	st.start()
	st.finish(ctx, resp)
	return true
}

// follows has the turn go on after a response that the request names, which must be the caller's.
func (s *handlers) follows(ctx context.Context, v *conversation, previous string) error {
	run := runOfResponse(previous)
	info, err := s.opt.Runs.Get(ctx, v.Owner, run)
	if run == "" || errors.Is(err, fs.ErrNotExist) {
		p := server.NewProblem(http.StatusNotFound, "previous_response_not_found",
			fmt.Sprintf("There is no response %q of yours.", previous), "Leave previous_response_id out to begin anew.")
		p.Param = "previous_response_id"
		return p
	}
	if err != nil {
		return err
	}
	v.Turn.SessionID, v.Turn.AfterRun, v.Found = info.SessionID, run, false
	return nil
}

// responseObject is a response as clients read it. The fields that ours never has are there as Open Responses wants
// them.
type responseObject struct {
	fields map[string]any
	run    string
	schema *form.Schema // the form of the answer; nil is as text.format says
	most   int          // tokens that the answer may have; 0 is any number
}

func newResponse(req *responseRequest, run string) *responseObject {
	var previous, instructions any
	if req.Previous != "" {
		previous = req.Previous
	}
	if req.Instructions != nil {
		instructions = *req.Instructions
	}
	metadata := req.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	var most any
	if n := req.most(); n > 0 {
		most = n
	}
	return &responseObject{run: run, schema: req.schema, most: req.most(), fields: map[string]any{
		"id": responseID(run), "object": "response", "created_at": time.Now().Unix(), "completed_at": nil,
		"status": "in_progress",
		"error":  nil, "incomplete_details": nil, "instructions": instructions, "max_output_tokens": most,
		"max_tool_calls": nil, "model": modelName,
		"output": []any{}, "parallel_tool_calls": true, "previous_response_id": previous,
		"store":     req.Store == nil || *req.Store,
		"reasoning": map[string]any{"effort": nil, "summary": nil}, "temperature": 1, "top_p": 1, "presence_penalty": 0,
		"frequency_penalty": 0,
		"top_logprobs":      0, "text": map[string]any{"format": map[string]any{"type": cmp.Or(req.Text.Format.Type,
			"text")}}, "tool_choice": "auto",
		"tools": []any{}, "truncation": "disabled", "usage": nil, "user": nil, "metadata": metadata,
		"background":   false,
		"service_tier": "default", "safety_identifier": nil, "prompt_cache_key": nil,
	}}
}

// done completes the response with its whole answer.
func (r *responseObject) done(ctx context.Context, s *handlers, resp chat.Response) map[string]any {
	var output []any
	if lines := stepLines(resp); len(lines) > 0 && s.opt.Steps == StepsReasoning {
		output = append(output, r.reasoning(lines))
	}
	out := r.shown(ctx, resp)
	if s.opt.Steps == StepsDetails && r.plain() {
		out.text = detailsBlock(stepLines(resp)) + out.text
	}
	return r.complete(resp, out, append(output, r.answer(out)))
}

// complete completes the response with its output, which may have been cut.
func (r *responseObject) complete(resp chat.Response, out told, output []any) map[string]any {
	r.fields["status"], r.fields["completed_at"] = outcomeOf(out.cut), time.Now().Unix()
	out.aside(r.fields)
	if out.cut {
		r.fields["incomplete_details"] = map[string]any{"reason": "max_output_tokens"}
	}
	r.fields["output"], r.fields["usage"] = output, responseUsage(resp.Usage)
	return r.fields
}

// outcomeOf is the status of what has ended.
func outcomeOf(cut bool) string {
	if cut {
		return "incomplete"
	}
	return "completed"
}

// plain reports whether people read the text, not a program.
func (r *responseObject) plain() bool {
	format, _ := r.fields["text"].(map[string]any)["format"].(map[string]any)
	return format["type"] == "text"
}

// shown is what the client is told, with its charts where people read it.
func (r *responseObject) shown(ctx context.Context, resp chat.Response) told {
	v := conversation{Conversation: &server.Conversation{}, schema: r.schema, most: r.most}
	if !r.plain() {
		v.Turn.OutputFormat = "json"
	}
	return v.answerText(ctx, resp)
}

// answer is the finished item of the answer, or of why there is none.
func (r *responseObject) answer(out told) map[string]any {
	item := r.message(outcomeOf(out.cut), out.text)
	if out.refusal != "" {
		item["content"] = []any{map[string]any{"type": "refusal", "refusal": out.refusal}}
	}
	return item
}

func responseUsage(u plan.Usage) map[string]any {
	return map[string]any{
		"input_tokens": u.PromptTokens, "input_tokens_details": map[string]any{"cached_tokens": 0},
		"output_tokens":         u.CompletionTokens,
		"output_tokens_details": map[string]any{"reasoning_tokens": 0},
		"total_tokens":          u.PromptTokens + u.CompletionTokens,
	}
}

func (r *responseObject) messageID() string { return "msg_" + strings.TrimPrefix(r.run, runPrefix) }

// message is the item of the answer; in progress it has no part yet.
func (r *responseObject) message(status, text string) map[string]any {
	parts := []any{}
	if status != "in_progress" {
		parts = append(parts, textPart(text))
	}
	return map[string]any{"id": r.messageID(), "type": "message", "status": status, "role": "assistant",
		"content": parts}
}

func textPart(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// reasoning is the item of the steps.
func (r *responseObject) reasoning(lines []string) map[string]any {
	summary := []any{}
	if len(lines) > 0 {
		summary = append(summary, map[string]any{"type": "summary_text", "text": strings.Join(lines, "\n")})
	}
	return map[string]any{"id": "rs_" + strings.TrimPrefix(r.run, runPrefix), "type": "reasoning", "summary": summary}
}

// getResponse gives a stored response again.
func (s *handlers) getResponse(c *gin.Context) {
	info, err := s.storedResponse(c)
	if err == nil {
		info, err = s.opt.Runs.Whole(c.Request.Context(), server.CallerOf(c.Request.Context()), info)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	r := newResponse(requestOf(info), info.RunID)
	if !info.At.IsZero() {
		r.fields["created_at"] = info.At.Unix()
	}
	if info.Status == server.RunRunning {
		server.WriteJSON(c, http.StatusOK, r.fields)
		return
	}
	var resp chat.Response
	if err := json.Unmarshal(info.Response, &resp); err != nil {
		s.Fail(c, fmt.Errorf("the response of run %s does not unmarshal: %w", info.RunID, err))
		return
	}
	fields := r.done(c.Request.Context(), s, resp)
	fields["completed_at"] = lastStep(info.At, resp).Unix()
	if resp.Outcome == chat.OutcomeError {
		p := server.ProblemOf(answerProblem(resp))
		fields["status"], fields["output"] = "failed", []any{}
		fields["error"] = map[string]any{"code": p.Code, "message": p.Detail}
	}
	server.WriteJSON(c, http.StatusOK, fields)
}

// getResponseInput lists what a stored response answers.
func (s *handlers) getResponseInput(c *gin.Context) {
	info, err := s.storedResponse(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	var req chat.Request
	if err := json.Unmarshal(info.Request, &req); err != nil {
		s.Fail(c, fmt.Errorf("the request of run %s does not unmarshal: %w", info.RunID, err))
		return
	}
	id := "msg_in_" + strings.TrimPrefix(info.RunID, runPrefix)
	item := map[string]any{"id": id, "type": "message", "status": "completed", "role": "user",
		"content": []any{map[string]any{"type": "input_text", "text": req.Message}}}
	server.WriteJSON(c, http.StatusOK, map[string]any{"object": "list", "data": []any{item}, "first_id": id,
		"last_id": id, "has_more": false})
}

func (s *handlers) storedResponse(c *gin.Context) (runs.Info, error) {
	ctx := c.Request.Context()
	run := runOfResponse(c.Param("id"))
	if run == "" {
		return runs.Info{}, server.NewProblem(http.StatusNotFound, "response_not_found",
			"There is no such response of yours.", "It may have been deleted with its session.")
	}
	return s.opt.Runs.Get(ctx, server.CallerOf(ctx), run)
}

// deleteResponse deletes a response with its session, where nothing else belongs to that: a response that others
// follow, or that follows others, is a part of what was said, and goes with all of it.
func (s *handlers) deleteResponse(c *gin.Context) {
	ctx := c.Request.Context()
	caller := server.CallerOf(ctx)
	info, err := s.storedResponse(c)
	var turns []chat.StoredTurn
	if err == nil {
		turns, err = s.opt.Sessions.Turns(ctx, caller, info.SessionID, 2)
	}
	switch {
	case err != nil:
	case info.Status == server.RunRunning:
		err = server.NewProblem(http.StatusConflict, "response_in_progress", "The response is not finished.",
			"Cancel it first, or wait for its end.")
	case len(turns) > 1 || len(turns) == 1 && turns[0].RunID != info.RunID:
		err = server.NewProblem(http.StatusConflict, "response_in_conversation",
			"The response belongs to a conversation with others.",
			"DELETE /api/v1/sessions/"+info.SessionID+" deletes all of it.")
	default:
		err = s.opt.Runs.DeleteSession(ctx, caller, info.SessionID)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	server.WriteJSON(c, http.StatusOK, map[string]any{"id": c.Param("id"), "object": "response", "deleted": true})
}
