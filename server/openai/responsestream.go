package openai

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/server"
)

// responseStream writes a response as the events of Open Responses, numbered from 0.
type responseStream struct {
	*server.Stream
	r     *responseObject
	steps string

	seq    int
	index  int      // of the output item that is open, or comes next
	output []any    // items that are done
	lines  []string // of steps
	open   string   // the kind of item that is open: "reasoning", "message" or none
}

// event sends one event of a type.
func (st *responseStream) event(kind string, fields map[string]any) {
	fields["type"], fields["sequence_number"] = kind, st.seq
	st.seq++
	if b, err := json.Marshal(fields); err == nil { // of texts and numbers
		_ = st.Write(slices.Concat([]byte("event: "+kind+"\ndata: "), b, []byte("\n\n"))) // remembered
	}
}

// start sends what comes before any output.
func (st *responseStream) start() {
	st.event("response.created", map[string]any{"response": st.r.fields})
	st.event("response.in_progress", map[string]any{"response": st.r.fields})
}

// take passes on a step of the run; see completionStream.take. The error is the stream's.
func (st *responseStream) take(e chat.Event) error {
	m, err := readEvent(e)
	if err != nil {
		return err
	}
	line := m.line()
	switch {
	case line != "" && st.steps == StepsReasoning:
		st.step(line)
	case line != "" && st.steps == StepsDetails:
		st.lines = append(st.lines, line)
	}
	return st.Failed()
}

// step adds a line to the reasoning item.
func (st *responseStream) step(line string) {
	item := st.r.reasoning(nil)
	at := map[string]any{"item_id": item["id"], "output_index": st.index, "summary_index": 0}
	if st.open == "" {
		st.open = "reasoning"
		st.event("response.output_item.added", map[string]any{"output_index": st.index, "item": item})
		st.event("response.reasoning_summary_part.added",
			with(at, "part", map[string]any{"type": "summary_text", "text": ""}))
	} else {
		line = "\n" + line
	}
	st.lines = append(st.lines, strings.TrimPrefix(line, "\n"))
	st.event("response.reasoning_summary_text.delta", with(at, "delta", line))
}

// endSteps closes the reasoning item.
func (st *responseStream) endSteps() {
	item := st.r.reasoning(st.lines)
	text := strings.Join(st.lines, "\n")
	at := map[string]any{"item_id": item["id"], "output_index": st.index, "summary_index": 0}
	st.event("response.reasoning_summary_text.done", with(at, "text", text))
	st.event("response.reasoning_summary_part.done",
		with(at, "part", map[string]any{"type": "summary_text", "text": text}))
	st.end(item)
}

// end closes an item.
func (st *responseStream) end(item map[string]any) {
	st.event("response.output_item.done", map[string]any{"output_index": st.index, "item": item})
	st.output = append(st.output, item)
	st.index++
	st.open, st.lines = "", nil
}

func (st *responseStream) place() map[string]any {
	return map[string]any{"item_id": st.r.messageID(), "output_index": st.index, "content_index": 0}
}

// text sends the message's text.
func (st *responseStream) text(text string) {
	if st.open == "reasoning" {
		st.endSteps()
	}
	st.open = "message"
	st.event("response.output_item.added",
		map[string]any{"output_index": st.index, "item": st.r.message("in_progress", "")})
	st.event("response.content_part.added", with(st.place(), "part", textPart("")))
	if text == "" {
		return
	}
	for _, part := range pieces(text) {
		if st.Failed() != nil {
			return
		}
		st.event("response.output_text.delta", with(with(st.place(), "delta", part), "logprobs", []any{}))
	}
}

// finish sends the answer, and the end.
func (st *responseStream) finish(ctx context.Context, resp chat.Response) {
	out := st.r.shown(ctx, resp)
	if out.refusal != "" {
		st.refuse(out)
	} else {
		st.answer(out)
	}
	st.event("response."+outcomeOf(out.cut), map[string]any{"response": st.r.complete(resp, out, st.output)})
	_ = st.Data([]byte("[DONE]"))
}

// refuse sends why the answer does not fit the form that the client demands.
func (st *responseStream) refuse(out told) {
	if st.open == "reasoning" {
		st.endSteps()
	}
	part := map[string]any{"type": "refusal", "refusal": out.refusal}
	item := st.r.answer(out)
	st.event("response.output_item.added",
		map[string]any{"output_index": st.index, "item": st.r.message("in_progress", "")})
	st.event("response.content_part.added", with(st.place(), "part", map[string]any{"type": "refusal", "refusal": ""}))
	st.event("response.refusal.delta", with(st.place(), "delta", out.refusal))
	st.event("response.refusal.done", with(st.place(), "refusal", out.refusal))
	st.event("response.content_part.done", with(st.place(), "part", part))
	st.end(item)
}

// answer sends the answer itself.
func (st *responseStream) answer(out told) {
	whole := out.text
	if st.steps == StepsDetails {
		whole = detailsBlock(st.lines) + whole
	}
	st.text(whole)
	st.event("response.output_text.done", with(with(st.place(), "text", whole), "logprobs", []any{}))
	st.event("response.content_part.done", with(st.place(), "part", textPart(whole)))
	st.end(st.r.message(outcomeOf(out.cut), whole))
}

// fail ends a response that has begun and cannot be finished.
func (st *responseStream) fail(p *server.Problem) {
	st.r.fields["status"] = "failed"
	st.r.fields["error"] = map[string]any{"code": p.Code, "message": p.Detail}
	st.event("response.failed", map[string]any{"response": st.r.fields})
	_ = st.Data([]byte("[DONE]"))
}

// with adds a field to an event.
func with(fields map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for k, v := range fields {
		out[k] = v
	}
	return out
}

// streamResponse answers as events, and tells kept before the last. A client that hangs up cancels the run.
func (s *handlers) streamResponse(c *gin.Context, v *conversation, r *responseObject, kept func(chat.Response)) {
	raw, closeStream := s.OpenStream(c)
	defer closeStream()
	steps := s.opt.Steps
	if steps == StepsDetails && !v.read() {
		steps = StepsOff // the text is read by a program
	}
	st := &responseStream{Stream: raw, r: r, steps: steps}
	st.start()
	resp, err := s.followed(c, v, r.run, raw, st.take)
	if err == nil {
		kept(resp)
		st.finish(c.Request.Context(), resp)
	} else if p := s.BrokenOff(c, r.run, raw, err); p != nil {
		st.fail(p)
	}
}

// alone reports whether the session of a turn has no other.
func (s *handlers) alone(ctx context.Context, v *conversation, resp chat.Response) bool {
	if !v.Again {
		return v.Turn.SessionID == ""
	}
	turns, err := s.opt.Sessions.Turns(ctx, v.Owner, resp.SessionID, 2) // where it belonged was not looked for
	return err == nil && len(turns) == 1 && turns[0].RunID == resp.RunID
}

// forget deletes a session that its client did not want kept.
func (s *handlers) forget(ctx context.Context, caller access.Caller, session string) {
	ctx = context.WithoutCancel(ctx)
	if err := s.opt.Runs.DeleteSession(ctx, caller, session); err != nil {
		s.log.WarnContext(ctx, "a session that was not to be kept could not be deleted", "session", session,
			"error", err.Error())
	}
}
