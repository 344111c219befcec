package openai

import (
	"cmp"
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/form"
	"catena/server"
)

// conversation is a conversation, and what the client demands of its answer.
type conversation struct {
	*server.Conversation
	schema *form.Schema // the form of the answer; nil is the turn's OutputFormat
	most   int          // tokens that the answer may have; 0 is any number
}

// readConversation reads what is asked, and where it belongs.
func (s *handlers) readConversation(
	c *gin.Context, messages []server.Message, metadata map[string]any,
) (*conversation, error) {
	base, err := s.talks.Read(c, messages, metadata)
	if err != nil {
		return nil, err
	}
	v := &conversation{Conversation: base}
	base.Remembered = func(ctx context.Context, resp chat.Response) string {
		return v.remembered(resp, v.answerText(ctx, resp))
	}
	return v, nil
}

// finished waits for the response of a run that ctx may end. An answer that is an error is returned as one.
func (s *handlers) finished(ctx context.Context, v *conversation, run string) (chat.Response, error) {
	resp, err := s.talks.Await(ctx, v.Owner, run, v.Turn.IdempotencyKey != "")
	if err == nil && resp.Outcome == chat.OutcomeError {
		err = answerProblem(resp)
	}
	return resp, err
}

// answerProblem words the error of a turn.
func answerProblem(resp chat.Response) error {
	if resp.Error == nil {
		return server.NewProblem(http.StatusInternalServerError, "failed",
			cmp.Or(resp.Response, "The message could not be answered."), "")
	}
	return server.NewProblem(http.StatusInternalServerError, resp.Error.Code, resp.Error.Detail, resp.Error.Hint)
}

// takeFormat has the turn answer in the form that the client demands. schema is the format's own, nil for none; most is
// how many tokens the answer may have, 0 for any number.
func (v *conversation) takeFormat(f answerFormat, schema *form.Schema, most int) {
	v.most = most
	switch {
	case schema != nil:
		v.schema, v.Turn.Form, v.Turn.MaxRows, v.Turn.Summarize = schema, f.Schema, form.MaxRows, "off"
	case f.Type == "json_object":
		v.Turn.OutputFormat = "json"
	}
}

// read reports whether people read the answer, not a program.
func (v *conversation) read() bool { return v.Turn.OutputFormat == "" && v.schema == nil }

// told is what a client is told.
type told struct {
	text    string   // the answer in its form; "" where refusal is set
	refusal string   // why the answer does not fit the form
	cut     bool     // it has more tokens than the client takes
	notes   []string // what a reader must know, where the text has no room for it
}

// aside adds to an object of the protocol what its text has no room for: a field of ours, that clients which do not
// know it pass over.
func (o told) aside(object map[string]any) {
	if len(o.notes) > 0 {
		object["catena"] = map[string]any{"notes": o.notes}
	}
}

// answerText is what the client is told: the answer in its form, or a refusal where it does not fit that.
func (v *conversation) answerText(ctx context.Context, resp chat.Response) (out told) {
	switch {
	case v.schema != nil:
		out.text, out.refusal = fill(ctx, v.schema, resp)
	case v.Turn.OutputFormat == "":
		out.text = withPictures(resp)
	default:
		out.text = resp.Response
	}
	if !v.read() {
		out.notes = resp.Notes
	}
	out.text, out.cut = withinTokens(out.text, v.most)
	return out
}

// remembered is the text of the answer as the client will send it back, without pictures.
func (v *conversation) remembered(resp chat.Response, out told) string {
	if v.schema != nil || out.cut {
		return out.text
	}
	return resp.Response
}
