package openai

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/planner/plan"
	"catena/server"
)

// completionStream writes an answer as OpenAI's chunks: one with the role, then texts, then one with the reason why it
// ended, then one with the usage where that is asked for. What is written after the reader has gone is lost; the
// stream's own error says so.
type completionStream struct {
	*server.Stream
	id      string
	created int64
	usage   bool
	steps   string

	lines []string // of steps, until the details block is sent
}

func newCompletionStream(raw *server.Stream, id string, usage bool, steps string) *completionStream {
	return &completionStream{Stream: raw, id: id, created: time.Now().Unix(), usage: usage, steps: steps}
}

func (st *completionStream) chunk(choices []any, usage any) { st.json(st.object(choices, usage)) }

// object is a chunk.
func (st *completionStream) object(choices []any, usage any) map[string]any {
	m := map[string]any{"id": st.id, "object": "chat.completion.chunk", "created": st.created, "model": modelName,
		"choices": choices}
	if st.usage {
		m["usage"] = usage // null in all but the last
	}
	return m
}

func (st *completionStream) delta(delta map[string]any, finish any) {
	st.chunk(choice(delta, finish), nil)
}

// choice is the one choice of a chunk.
func choice(delta map[string]any, finish any) []any {
	return []any{map[string]any{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}
}

func (st *completionStream) json(v any) {
	if b, err := json.Marshal(v); err == nil { // of texts and numbers
		_ = st.Data(b) // remembered in err
	}
}

func (st *completionStream) start() {
	st.delta(map[string]any{"role": "assistant", "content": ""}, nil)
}

// content sends the text of the answer, behind the details of its steps.
func (st *completionStream) content(text string) {
	if text == "" {
		return
	}
	if block := detailsBlock(st.lines); block != "" {
		st.lines = nil
		st.delta(map[string]any{"content": block}, nil)
	}
	for _, part := range pieces(text) {
		if st.Failed() != nil {
			return
		}
		st.delta(map[string]any{"content": part}, nil)
	}
}

// finish ends the stream, and says why it ends there.
func (st *completionStream) finish(out told, used plan.Usage) {
	last := st.object(choice(map[string]any{}, finishReason(out.cut)), nil)
	out.aside(last)
	st.json(last)
	if st.usage {
		st.chunk([]any{}, usageOf(used))
	}
	_ = st.Data([]byte("[DONE]"))
}

// take passes on a step of the run. The events' text is passed over: it is short where the answer is large, and begins
// again where another process went on with the run. The answer's own follows it within moments. The error is the
// stream's.
func (st *completionStream) take(e chat.Event) error {
	m, err := readEvent(e)
	if err != nil {
		return err
	}
	line := m.line()
	switch {
	case line != "" && st.steps == StepsReasoning:
		st.delta(map[string]any{"reasoning_content": line + "\n"}, nil)
	case line != "" && st.steps == StepsDetails:
		st.lines = append(st.lines, line)
	}
	return st.Failed()
}

// maxChunk is how much text one event of a stream has, in bytes.
const maxChunk = 16 << 10

// pieces cuts a text between characters.
func pieces(text string) []string {
	var out []string
	for len(text) > maxChunk {
		n := maxChunk
		for n > maxChunk-utf8.UTFMax && !utf8.RuneStart(text[n]) {
			n--
		}
		out, text = append(out, text[:n]), text[n:]
	}
	return append(out, text)
}

// streamCompletion answers as chunks. A client that hangs up cancels the run.
func (s *handlers) streamCompletion(c *gin.Context, req completionRequest, v *conversation) {
	ctx := c.Request.Context()
	run, err := s.talks.Begin(ctx, v.Conversation)
	if err != nil {
		s.Fail(c, err)
		return
	}
	server.RunHeaders(c, run, v.After)
	raw, closeStream := s.OpenStream(c)
	defer closeStream()
	steps := s.opt.Steps
	if steps == StepsDetails && !v.read() {
		steps = StepsOff // the text is read by a program
	}
	st := newCompletionStream(raw, "chatcmpl-"+run, req.StreamOptions.IncludeUsage, steps)
	st.start()
	resp, err := s.followed(c, v, run, raw, st.take)
	if err != nil {
		if p := s.BrokenOff(c, run, raw, err); p != nil {
			st.json(openAIError(p))
		}
		return
	}
	out := v.answerText(ctx, resp)
	st.content(out.text)
	if out.refusal != "" {
		st.delta(map[string]any{"refusal": out.refusal}, nil)
	}
	s.talks.Answered(ctx, v.Conversation, resp, v.remembered(resp, out))
	st.finish(out, resp.Usage)
}

// followed gives take the events of a run, and returns its response. A reader who hangs up cancels the run, unless an
// Idempotency-Key says that the message will be sent again.
func (s *handlers) followed(
	c *gin.Context, v *conversation, run string, raw *server.Stream, take func(chat.Event) error,
) (chat.Response, error) {
	ctx := c.Request.Context()
	err := s.opt.Runs.Follow(ctx, v.Owner, run, v.After, take)
	if ctx.Err() == nil && raw.Failed() == nil && err == nil {
		return s.finished(ctx, v, run)
	}
	if v.Turn.IdempotencyKey == "" {
		s.talks.Cancel(ctx, v.Owner, run)
	}
	if err == nil {
		err = ctx.Err()
	}
	return chat.Response{}, err
}
