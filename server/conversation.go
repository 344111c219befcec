package server

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/form"
	"catena/internal/access"
)

// conversation is a message with what was said before it, as clients send it that keep the history themselves.
type conversation struct {
	owner    access.Caller
	messages []openAIMessage // up to the message itself
	name     string          // the client's own for the conversation; "" is none
	fresh    string          // the name of the session that is begun where none is found; "" is one that the server names
	ui       bool            // the name is of a program that shows all of the conversation, and sends all of it
	where    []string        // what else the client said of where its message belongs
	locate   func(context.Context) error
	turn     chat.Request
	found    bool         // the turn's session was found here, not named by the client: where it is gone, another is begun
	byWords  bool         // it was found by the user's words alone, which another of the same caller may have written, too
	again    bool         // the message was answered before, under its key
	schema   *form.Schema // the form of the answer; nil is the turn's OutputFormat
	most     int          // tokens that the answer may have; 0 is any number
	after    uint64       // the number of the event behind which the turn's events come; 0 but for a run that goes on
}

// conversation reads a request of OpenAI's protocols: what is asked, and where it belongs. The first that fits counts: a session that the
// client names, the place where exactly this was said before, the client's own name for the conversation. Else it is a new session.
func (s *Server) conversation(c *gin.Context, messages []openAIMessage, metadata map[string]any) (*conversation, error) {
	last := newest(messages)
	if last < 0 {
		return nil, newProblem(http.StatusBadRequest, "no_message", "There is no message of the user.", `Send one with "role": "user".`)
	}
	ctx := c.Request.Context()
	v := &conversation{owner: callerOf(ctx), messages: messages[:last+1]}
	var err error
	if v.turn.Attachments, err = messages[last].Content.files(); err != nil {
		return nil, err
	}
	v.turn.Message = ownWords(messages[last].Content.text)
	v.turn.IdempotencyKey = c.GetHeader("Idempotency-Key")
	v.turn.SessionID, v.name, v.ui = conversationName(c.Request, metadata)
	if err := errors.Join(chat.CheckSession(v.name), chat.CheckSession(v.turn.SessionID)); err != nil {
		return nil, err
	}
	v.fresh = ownName(v.name)
	v.locate = func(ctx context.Context) error {
		if v.turn.SessionID != "" {
			return nil
		}
		s.place(ctx, v, v.ui)
		v.turn.ContextUnknown = v.turn.SessionID == "" && newest(v.messages[:last]) >= 0
		return nil
	}
	return v, nil
}

// asked is all that the client said of where its message belongs: the session or the conversation that it names, and what was said before.
func (v *conversation) asked() string {
	history := historyKey(v.owner.ID, v.messages[:len(v.messages)-1])
	key := keyOf(append([]string{"asked", v.turn.SessionID, v.name, string(history[:])}, v.where...))
	return hex.EncodeToString(key[:])
}

// conversationName reads what a request says of its conversation: a session of this server, or a name of the client's own. ui says that it
// comes from a program that shows all of the conversation, and sends all of it.
func conversationName(r *http.Request, metadata map[string]any) (session, name string, ui bool) {
	given := func(key string) string {
		text, _ := metadata[key].(string)
		return strings.TrimSpace(text)
	}
	if session = orElse(r.Header.Get("X-Session-Id"), given("session_id")); session != "" {
		return session, "", false
	}
	if name = r.Header.Get("X-OpenWebUI-Chat-Id"); name != "" {
		return "", name, true
	}
	if name = orElse(r.Header.Get("X-Conversation-Id"), r.Header.Get("X-Thread-Id")); name != "" {
		return "", name, false
	}
	for _, key := range []string{"thread_id", "conversation_id", "chat_id"} {
		if name = given(key); name != "" {
			return "", name, false
		}
	}
	return "", "", false
}

// place finds where a conversation stands.
func (s *Server) place(ctx context.Context, v *conversation, ui bool) {
	before := v.messages[:len(v.messages)-1]
	if newest(before) >= 0 {
		if p, ok := s.threads.find(ctx, historyKey(v.owner.ID, before)); ok {
			v.turn.SessionID, v.turn.AfterRun, v.found = p.Session, p.Run, true
			return
		}
	}
	if v.name == "" {
		if p, ok := s.threads.find(ctx, usersKey(v.owner.ID, before)); ok && p.Session != "" && newest(before) >= 0 {
			v.turn.SessionID, v.turn.AfterRun, v.found, v.byWords = p.Session, p.Run, true, true
		}
		return
	}
	p, ok := s.threads.find(ctx, nameKey(v.owner.ID, v.name))
	if !ok {
		p.Session, ok = v.fresh, v.fresh != "" && s.ownSession(ctx, v.fresh) == nil
	}
	v.turn.SessionID, v.found = p.Session, ok
	if ok && ui && newest(before) < 0 { // the first message, edited or asked again
		v.turn.AfterRun = chat.AtStart
	}
}

// ownName is the name of the session for a conversation that a client names; "" where that is an id of the server's form.
func ownName(name string) string {
	if strings.HasPrefix(name, chat.SessionPrefix) {
		return ""
	}
	return name
}

// begin starts the turn where it belongs, or finds the run that its key started. A session that was found, and is gone, or lacks the turn to go on
// from, is no reason to refuse a message.
func (s *Server) begin(ctx context.Context, v *conversation) (run string, err error) {
	v.turn.Asked = v.asked()
	if run, err = s.opt.Runs.Started(ctx, v.owner, v.turn); run != "" || err != nil {
		v.again = true
		return run, err
	}
	if err = v.locate(ctx); err != nil {
		return "", err
	}
	if err = s.mayReply(ctx, v); err != nil {
		return "", err
	}
	run, v.after, err = startOrDecide(ctx, s.opt.Runs, v.owner, v.turn)
	if v.found && errors.Is(err, fs.ErrNotExist) {
		v.found, v.turn.SessionID, v.turn.AfterRun = false, v.fresh, ""
		v.turn.ContextUnknown = newest(v.messages[:len(v.messages)-1]) >= 0
		run, err = s.opt.Runs.Start(ctx, v.owner, v.turn)
	}
	return run, err
}

// mayReply looks at what a message that only decides comes after, and notes whether the client shows the answer of that run as it now is: one that
// went on by a decision has another answer than the one by which it asked. Where the conversation was found by the user's words alone, it may be
// that of somebody else with the same key: who sent the message has not seen what waits, and decides nothing.
func (s *Server) mayReply(ctx context.Context, v *conversation) error {
	before := v.messages[:len(v.messages)-1]
	placed := v.turn.AfterRun != "" && v.turn.AfterRun != chat.AtStart
	if !placed || len(before) == 0 || !chat.IsReply(v.turn.Message) {
		return nil
	}
	info, err := s.opt.Runs.Get(ctx, v.owner, v.turn.AfterRun)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Status != chat.OutcomeApproval {
		return nil
	}
	var resp chat.Response
	if err == nil {
		err = json.Unmarshal(info.Response, &resp)
	}
	if err != nil {
		return err
	}
	if v.byWords {
		return newProblem(http.StatusConflict, "reply_unplaced", "A step waits in a conversation with these messages, but the answer that asked about it is not the one that was sent, so nothing was decided.",
			"Send the history with the answer as it was, or name the conversation: metadata.conversation_id, or X-Conversation-Id.")
	}
	current := append(slices.Clone(before[:len(before)-1]), said("assistant", v.remembered(resp, v.answerText(resp))))
	v.turn.Shown = historyKey(v.owner.ID, current) == historyKey(v.owner.ID, before)
	return nil
}

// answered remembers where the conversation stands now.
func (s *Server) answered(ctx context.Context, v *conversation, resp chat.Response, text string) {
	if resp.SessionID == "" {
		return
	}
	p := place{resp.SessionID, resp.RunID}
	said := append(v.messages[:len(v.messages):len(v.messages)], said("assistant", text))
	s.threads.remember(ctx, historyKey(v.owner.ID, said), p)
	s.rememberUsers(ctx, usersKey(v.owner.ID, v.messages), p)
	if v.name != "" {
		s.rememberName(ctx, v, v.name, p)
	}
}

// rememberUsers remembers where a conversation stands by the user's messages. Where two sessions have the same ones it is remembered that nobody
// knows which is meant.
func (s *Server) rememberUsers(ctx context.Context, key threadKey, p place) {
	if before, known := s.threads.find(ctx, key); known && before.Session != p.Session {
		p = place{}
	}
	s.threads.remember(ctx, key, p)
}

// rememberName remembers where a conversation with a name stands: not where an answer is given again, behind which it may have gone on.
func (s *Server) rememberName(ctx context.Context, v *conversation, name string, p place) {
	key := nameKey(v.owner.ID, name)
	if _, known := s.threads.find(ctx, key); v.again && known {
		return
	}
	s.threads.remember(ctx, key, p)
}

// finished waits for the response of a run that ctx may end. An answer that is an error is returned as one.
func (s *Server) finished(ctx context.Context, v *conversation, run string) (chat.Response, error) {
	resp, err := s.await(ctx, v.owner, run, v.turn.IdempotencyKey != "")
	if err == nil && resp.Outcome == chat.OutcomeError {
		err = answerProblem(resp)
	}
	return resp, err
}

// answerProblem words the error of a turn.
func answerProblem(resp chat.Response) error {
	if resp.Error == nil {
		return newProblem(http.StatusInternalServerError, "failed", orElse(resp.Response, "The message could not be answered."), "")
	}
	return newProblem(http.StatusInternalServerError, resp.Error.Code, resp.Error.Detail, resp.Error.Hint)
}

// takeFormat has the turn answer in the form that the client demands. schema is the format's own, nil for none; most is how many tokens the
// answer may have, 0 for any number.
func (v *conversation) takeFormat(f answerFormat, schema *form.Schema, most int) {
	v.most = most
	switch {
	case schema != nil:
		v.schema, v.turn.Form, v.turn.MaxRows, v.turn.Summarize = schema, f.Schema, form.MaxRows, "off"
	case f.Type == "json_object":
		v.turn.OutputFormat = "json"
	}
}

// read reports whether people read the answer, not a program.
func (v *conversation) read() bool { return v.turn.OutputFormat == "" && v.schema == nil }

// told is what a client is told.
type told struct {
	text    string // the answer in its form; "" where refusal is set
	refusal string // why the answer does not fit the form
	cut     bool   // it has more tokens than the client takes
}

// answerText is what the client is told: the answer in its form, or a refusal where it does not fit that.
func (v *conversation) answerText(resp chat.Response) (out told) {
	switch {
	case v.schema != nil:
		out.text, out.refusal = fill(v.schema, resp)
	case v.turn.OutputFormat == "":
		out.text = withPictures(resp)
	default:
		out.text = resp.Response
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
