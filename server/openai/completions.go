package openai

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/form"
	"catena/planner/plan"
	"catena/server"
)

// modelName is the one model that Catena is to OpenAI's clients.
const modelName = "catena"

// completionRequest is the part of OpenAI's request that has a meaning here. Fields like temperature are for models;
// they are taken and ignored, and so are the client's tools: Catena runs its own.
type completionRequest struct {
	Messages      []server.Message `json:"messages"`
	Stream        bool             `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Metadata       map[string]any  `json:"metadata"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	ResponseFormat answerFormat    `json:"response_format"`
	Approve        chat.Approve    `json:"approve"` // of chat.Request; no field of OpenAI's
	modelParams

	schema *form.Schema // of ResponseFormat, once check has read it; nil is none
}

// check refuses what cannot be done, where to pass it over in silence would break the client.
func (r *completionRequest) check(mapped bool) error {
	if err := errors.Join(checkToolChoice(r.ToolChoice), r.modelParams.check()); err != nil {
		return err
	}
	var err error
	r.schema, err = r.ResponseFormat.schemaOf("response_format", mapped)
	return err
}

// checkToolChoice refuses a choice that demands a call of a tool of the client's.
func checkToolChoice(choice json.RawMessage) error {
	switch strings.TrimSpace(string(choice)) {
	case "", "null", `"auto"`, `"none"`:
		return nil
	}
	return unsupported("tool_choice",
		"A tool of the client's cannot be demanded: tools run inside this server, and are not returned as tool calls.",
		"Leave tool_choice out.")
}

// unsupported is the problem of a parameter that asks for what there is not.
func unsupported(param, detail, hint string) *server.Problem {
	p := server.NewProblem(http.StatusBadRequest, "unsupported_parameter", detail, hint)
	p.Param = param
	return p
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

// Errors are the errors at the addresses of OpenAI's protocols.
func Errors() server.ErrorShape {
	return server.ErrorShape{
		Name: "OpenAIError",
		Schema: map[string]any{"type": "object", "required": []string{"error"},
			"properties": map[string]any{"error": map[string]any{"type": "object"}}},
		Owns: func(path string) bool { return strings.HasPrefix(path, "/v1/") },
		Only: true,
		Write: func(c *gin.Context, p server.Problem) bool {
			server.WriteJSON(c, p.Status, openAIError(&p))
			return true
		},
	}
}

// openAIError is OpenAI's shape of an error.
func openAIError(p *server.Problem) map[string]any {
	kind := "invalid_request_error"
	switch {
	case p.Status == http.StatusUnauthorized:
		kind = "authentication_error"
	case p.Status == http.StatusForbidden:
		kind = "permission_error"
	case p.Status == http.StatusNotFound:
		kind = "not_found_error"
	case p.Status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case p.Status >= 500:
		kind = "server_error"
	}
	message := p.Detail
	if p.Hint != "" {
		message += " " + p.Hint
	}
	var param any
	if p.Param != "" {
		param = p.Param
	}
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": param, "code": p.Code,
		"request_id": p.RequestID}}
}

func modelInfo(created time.Time) map[string]any {
	return map[string]any{"id": modelName, "object": "model", "created": created.Unix(), "owned_by": "catena"}
}

func (s *handlers) getModels(c *gin.Context) {
	server.WriteJSON(c, http.StatusOK, map[string]any{"object": "list", "data": []any{modelInfo(s.started)}})
}

func (s *handlers) getModel(c *gin.Context) {
	if c.Param("id") != modelName {
		s.Fail(c, server.NewProblem(http.StatusNotFound, "model_not_found", "There is no such model.",
			"The model is named catena."))
		return
	}
	server.WriteJSON(c, http.StatusOK, modelInfo(s.started))
}

// postCompletions answers the newest message of the user. What came before is found again as a chat session when the
// conversation is one that this server answered; tools run here and are never handed to the client as tool calls.
func (s *handlers) postCompletions(c *gin.Context) {
	var req completionRequest
	if err := server.Decode(c, &req); err != nil {
		s.Fail(c, err)
		return
	}
	if s.inBackground(c, req) {
		return
	}
	err := req.check(s.opt.Mapped != nil && s.opt.Mapped())
	var v *conversation
	if err == nil {
		v, err = s.readConversation(c, req.Messages, req.Metadata)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	v.Turn.Approve = req.Approve
	v.takeFormat(req.ResponseFormat, req.schema, req.most())
	if req.Stream {
		s.streamCompletion(c, req, v)
		return
	}
	ctx := c.Request.Context()
	run, err := s.talks.Begin(ctx, v.Conversation)
	if err != nil {
		s.Fail(c, err)
		return
	}
	server.RunHeaders(c, run, v.After)
	resp, err := s.finished(ctx, v, run)
	if err != nil {
		c.Header("X-Should-Retry", "false") // to SDKs: what was run is not to be run again by itself
		s.Fail(c, err)
		return
	}
	out := v.answerText(ctx, resp)
	message := map[string]any{"role": "assistant", "content": out.text, "refusal": nil}
	lines := stepLines(resp)
	switch {
	case s.opt.Steps == StepsReasoning && len(lines) > 0:
		message["reasoning_content"] = strings.Join(lines, "\n")
	case s.opt.Steps == StepsDetails && v.read():
		message["content"] = detailsBlock(lines) + out.text
	}
	if out.refusal != "" {
		message["content"], message["refusal"] = nil, out.refusal
	}
	s.talks.Answered(ctx, v.Conversation, resp, v.remembered(resp, out))
	server.WriteJSON(c, http.StatusOK, completion("chatcmpl-"+run, message, out, resp.Usage))
}

// finishReason says why an answer ends where it does.
func finishReason(cut bool) string {
	if cut {
		return "length"
	}
	return "stop"
}

// completion is a whole answer in OpenAI's shape.
func completion(id string, message map[string]any, out told, used plan.Usage) map[string]any {
	object := map[string]any{
		"id": id, "object": "chat.completion", "created": time.Now().Unix(), "model": modelName,
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil,
			"finish_reason": finishReason(out.cut)}},
		"usage": usageOf(used),
	}
	out.aside(object)
	return object
}

// inBackground answers what a chat program asks on its own account, and reports whether the request was that.
func (s *handlers) inBackground(c *gin.Context, req completionRequest) bool {
	task := taskOf(req.Messages, req.ResponseFormat)
	if task == nil {
		return false
	}
	ctx := c.Request.Context()
	text, used := s.background(ctx, server.CallerOf(ctx), task)
	var out told
	out.text, out.cut = withinTokens(text, req.most())
	id := "chatcmpl-" + strings.ToLower(rand.Text())
	if !req.Stream {
		server.WriteJSON(c, http.StatusOK, completion(id,
			map[string]any{"role": "assistant", "content": out.text, "refusal": nil}, out, used))
		return true
	}
	raw, closeStream := s.OpenStream(c)
	defer closeStream()
	st := newCompletionStream(raw, id, req.StreamOptions.IncludeUsage, StepsOff)
	st.start()
	st.content(out.text)
	st.finish(out, used)
	return true
}

// taskOf is the task that the newest message of a request is; nil is a message of a person.
func taskOf(messages []server.Message, format answerFormat) *backgroundTask {
	last := server.Newest(messages)
	if last < 0 {
		return nil
	}
	instructions := ""
	if last > 0 && messages[0].Role == "system" {
		instructions = messages[0].Content.Text
	}
	return backgroundTaskOf(instructions, messages[last].Content.Text, format)
}
