package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/planner/plan"
)

// modelName is the one model that Catena is to OpenAI's clients.
const modelName = "catena"

// completionRequest is the part of OpenAI's request that has a meaning here. Fields like temperature are for models; they
// are taken and ignored.
type completionRequest struct {
	Model         string          `json:"model"`
	Messages      []openAIMessage `json:"messages"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// openAIMessage is a message whose content is a text, or a list of parts of which the texts count.
type openAIMessage struct {
	Role    string `json:"role"`
	Content text   `json:"content"`
}

// text is a message's content.
type text string

// UnmarshalJSON takes a string, null, or a list of parts.
func (t *text) UnmarshalJSON(b []byte) error {
	var plain *string
	if json.Unmarshal(b, &plain) == nil {
		if plain != nil {
			*t = text(*plain)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return errors.New("content must be a string or a list of parts")
	}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	*t = text(strings.Join(texts, "\n"))
	return nil
}

// openAIUsage counts tokens the way OpenAI does.
type openAIUsage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func usageOf(u plan.Usage) openAIUsage {
	return openAIUsage{u.PromptTokens, u.CompletionTokens, u.PromptTokens + u.CompletionTokens}
}

// openAIError is OpenAI's shape of an error.
func openAIError(p *problem) map[string]any {
	kind := "invalid_request_error"
	switch {
	case p.Status == http.StatusUnauthorized:
		kind = "authentication_error"
	case p.Status == http.StatusForbidden:
		kind = "permission_error"
	case p.Status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case p.Status >= 500:
		kind = "server_error"
	}
	message := p.Detail
	if p.Hint != "" {
		message += " " + p.Hint
	}
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": p.Code, "request_id": p.RequestID}}
}

func modelInfo(created time.Time) map[string]any {
	return map[string]any{"id": modelName, "object": "model", "created": created.Unix(), "owned_by": "catena"}
}

func (s *Server) getModels(c *gin.Context) {
	writeJSON(c, http.StatusOK, map[string]any{"object": "list", "data": []any{modelInfo(s.started)}})
}

func (s *Server) getModel(c *gin.Context) {
	if c.Param("id") != modelName {
		s.fail(c, newProblem(http.StatusNotFound, "model_not_found", "There is no such model.", "The model is named catena."))
		return
	}
	writeJSON(c, http.StatusOK, modelInfo(s.started))
}

// postCompletions answers the last user message. What came before is found again as a chat session when the conversation is
// one that this server answered; tools run here and are never handed to the client as tool calls.
func (s *Server) postCompletions(c *gin.Context) {
	var req completionRequest
	if err := decode(c, &req, true); err != nil {
		s.fail(c, err)
		return
	}
	last := len(req.Messages) - 1
	for last >= 0 && req.Messages[last].Role != "user" {
		last--
	}
	if last < 0 {
		s.fail(c, newProblem(http.StatusBadRequest, "no_message", "messages holds no message of the user.", `Send {"messages": [{"role": "user", "content": "..."}]}.`))
		return
	}
	ctx := c.Request.Context()
	history := req.Messages[:last+1]
	turn := chat.Request{Message: string(history[last].Content), SessionID: s.threads.find(callerOf(ctx).ID, history[:last])}
	done := func(resp chat.Response) {
		answered := append(history[:last+1:last+1], openAIMessage{"assistant", text(resp.Response)})
		s.threads.remember(callerOf(ctx).ID, answered, resp.SessionID)
	}
	if req.Stream {
		s.streamCompletion(c, req, turn, done)
		return
	}
	resp, err := s.turn(ctx, callerOf(ctx), turn)
	if err == nil && resp.Outcome == chat.OutcomeError {
		err = answerProblem(resp)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	done(resp)
	writeJSON(c, http.StatusOK, map[string]any{
		"id": "chatcmpl-" + resp.RunID, "object": "chat.completion", "created": time.Now().Unix(), "model": modelName,
		"choices": []any{map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": resp.Response}, "logprobs": nil, "finish_reason": "stop"}},
		"usage":   usageOf(resp.Usage),
	})
}

// answerProblem words the error of a turn.
func answerProblem(resp chat.Response) error {
	if resp.Error == nil {
		return newProblem(http.StatusInternalServerError, "failed", orElse(resp.Response, "The message could not be answered."), "")
	}
	return newProblem(http.StatusInternalServerError, resp.Error.Code, resp.Error.Detail, resp.Error.Hint)
}

// completionStream writes OpenAI's chunks.
type completionStream struct {
	*stream
	id      string
	created int64
	usage   bool
	sent    strings.Builder
}

func (st *completionStream) chunk(delta map[string]any, finish any) error {
	m := map[string]any{"id": st.id, "object": "chat.completion.chunk", "created": st.created, "model": modelName,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}}
	if st.usage {
		m["usage"] = nil
	}
	return st.json(m)
}

func (st *completionStream) json(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return st.data(b)
}

// textOf passes on the text of a turn as it comes.
func (st *completionStream) textOf(e chat.Event) error {
	var m struct {
		Type  string `json:"type"`
		Delta string `json:"delta"`
	}
	if err := json.Unmarshal(e.Data, &m); err != nil {
		return fmt.Errorf("server: event %d cannot be read: %w", e.Seq, err)
	}
	if m.Type != chat.TextMessageContent || m.Delta == "" {
		return nil
	}
	st.sent.WriteString(m.Delta)
	return st.chunk(map[string]any{"content": m.Delta}, nil)
}

// streamCompletion answers as chunks. A client that hangs up cancels the run.
func (s *Server) streamCompletion(c *gin.Context, req completionRequest, turn chat.Request, done func(chat.Response)) {
	ctx := c.Request.Context()
	caller := callerOf(ctx)
	run, err := s.opt.Runs.Start(ctx, caller, turn)
	if err != nil {
		s.fail(c, err)
		return
	}
	raw, closeStream := s.openStream(c)
	defer closeStream()
	st := &completionStream{stream: raw, id: "chatcmpl-" + run, created: time.Now().Unix(), usage: req.StreamOptions.IncludeUsage}
	err = st.chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	if err == nil {
		err = s.opt.Runs.Follow(ctx, caller, run, 0, st.textOf)
	}
	var resp chat.Response
	if err == nil {
		resp, err = s.opt.Runs.Wait(ctx, caller, run)
	}
	if ctx.Err() != nil || raw.err != nil {
		s.cancelRun(ctx, caller, run)
		return
	}
	if err == nil && resp.Outcome == chat.OutcomeError {
		err = answerProblem(resp)
	}
	if err != nil {
		p := *problemOf(err)
		p.RequestID = RequestID(ctx)
		s.log.WarnContext(ctx, "a completion failed", "run", run, "error", err.Error())
		_ = st.json(openAIError(&p)) // a failed write ends the stream in any case
		return
	}
	done(resp)
	s.finishCompletion(ctx, st, resp)
}

// finishCompletion sends what the stream has not had of the answer, and the end.
func (s *Server) finishCompletion(ctx context.Context, st *completionStream, resp chat.Response) {
	var err error
	if rest, ok := strings.CutPrefix(resp.Response, st.sent.String()); ok && rest != "" {
		err = st.chunk(map[string]any{"content": rest}, nil)
	}
	if err == nil {
		err = st.chunk(map[string]any{}, "stop")
	}
	if err == nil && st.usage {
		err = st.json(map[string]any{"id": st.id, "object": "chat.completion.chunk", "created": st.created, "model": modelName, "choices": []any{}, "usage": usageOf(resp.Usage)})
	}
	if err == nil {
		err = st.data([]byte("[DONE]"))
	}
	if err != nil && ctx.Err() == nil {
		s.log.DebugContext(ctx, "a completion's reader went away at its end", "error", err.Error())
	}
}
