package agui

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/runs"
	"catena/server"
	"catena/tools"
)

// runAgentInput is the part of AG-UI's RunAgentInput that has a meaning here. State, tools and context are the client's
// own; they are taken and ignored: Catena runs its own tools.
type runAgentInput struct {
	ThreadID string    `json:"threadId"`
	RunID    string    `json:"runId"`
	Messages []message `json:"messages"`
	Resume   []resume  `json:"resume"`

	raw []json.RawMessage // the messages as they came
}

// UnmarshalJSON keeps the messages as they came, too.
func (in *runAgentInput) UnmarshalJSON(b []byte) error {
	type plain runAgentInput
	var own struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(b, (*plain)(in)); err != nil {
		return err
	}
	err := json.Unmarshal(b, &own)
	in.raw = own.Messages
	return err
}

// message is a message as AG-UI has them, whose parts have the shape of OpenAI's where they are texts.
type message struct {
	ID string `json:"id"`
	server.Message
}

// resume is what a person decided about one interrupt: a step that waits.
type resume struct {
	InterruptID string `json:"interruptId"`
	Status      string `json:"status"` // resolved or cancelled
	Payload     any    `json:"payload"`
}

// decision reads what was decided: {"decision": "run" | "skip" | "done"}, {"approved": true}, or true; nothing more
// than resolved is a yes.
func (r resume) decision() string {
	if r.Status == "cancelled" {
		return string(tools.ChooseSkip)
	}
	yes := true
	switch p := r.Payload.(type) {
	case bool:
		yes = p
	case map[string]any:
		if said, ok := p["decision"].(string); ok {
			return said
		}
		for _, key := range []string{"approved", "accepted"} {
			if said, ok := p[key].(bool); ok {
				yes = said
			}
		}
	}
	if yes {
		return string(tools.ChooseRun)
	}
	return string(tools.ChooseSkip)
}

// stream gives a run's events to a client of AG-UI: as the log has them, but for the names that the client itself gave
// to thread and run.
type stream struct {
	*server.Stream
	thread, run string
	history     []byte // a MESSAGES_SNAPSHOT for behind RUN_STARTED; nil is none
}

func (st stream) take(e chat.Event) error {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(e.Data, &kind); err != nil {
		return err
	}
	data := []byte(e.Data)
	if kind.Type == chat.RunStarted || kind.Type == chat.RunFinished {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return err
		}
		for name, own := range map[string]string{"threadId": st.thread, "runId": st.run} {
			text, err := json.Marshal(own)
			if err != nil {
				return err
			}
			fields[name] = text
		}
		var err error
		if data, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	if err := st.Event(e.Seq, data); err != nil || kind.Type != chat.RunStarted || st.history == nil {
		return err
	}
	return st.Data(st.history) // it has no number: it is not on the log
}

// answerMark ends the ids of the messages that answers are; before it stands the run's id.
const answerMark = "-answer"

// lastRun is the run that gave the newest answer among messages, "" for none.
func lastRun(messages []message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if run, ok := strings.CutSuffix(messages[i].ID, answerMark); ok && messages[i].Role == "assistant" {
			return run
		}
	}
	return ""
}

// postAGUI answers a client of AG-UI with the events of a run. The run goes on when the client hangs up, as every run
// that was started as a stream; X-Run-Id names it, to follow or cancel.
func (s *handlers) postAGUI(c *gin.Context) {
	var in runAgentInput
	if err := server.Decode(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	if threadField.Text(in.ThreadID) != nil || runField.Text(in.RunID) != nil {
		s.Fail(c, server.NewProblem(http.StatusBadRequest, "bad_run_input",
			"threadId and runId are needed, of 256 characters at most, those of threadId printable.",
			"Send AG-UI's RunAgentInput."))
		return
	}
	if len(in.Resume) > 0 {
		s.resumeAGUI(c, in)
		return
	}
	if len(in.Messages) == 0 {
		s.openAGUI(c, in)
		return
	}
	var messages []server.Message
	for _, m := range in.Messages {
		messages = append(messages, m.Message)
	}
	v, err := s.talks.Read(c, messages, nil)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if err := chat.CheckSession(in.ThreadID); err != nil {
		s.Fail(c, err)
		return
	}
	ctx := c.Request.Context()
	byName := v.Locate
	v.Where = []string{thread(in.ThreadID), lastRun(in.Messages[:len(v.Messages)-1])}
	v.Locate = func(ctx context.Context) error {
		if err := byName(ctx); err != nil {
			return err
		}
		s.placeAGUI(ctx, v, in)
		v.Turn.ContextUnknown = false // a thread has a session of its own
		return nil
	}
	run, err := s.talks.Begin(ctx, v)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if info, err := s.opt.Runs.Get(ctx, v.Owner, run); err == nil { // also for who comes back while it runs
		s.talks.Remember(ctx, v, thread(in.ThreadID), server.Place{Session: info.SessionID, Run: run})
		if v.Again {
			v.Turn.SessionID = info.SessionID
		}
	}
	var before []byte
	if v.Turn.AfterRun != chat.AtStart {
		if before, err = s.history(ctx, v.Owner, v.Turn.SessionID, run, in); err != nil {
			// the answer comes all the same
			s.log.WarnContext(ctx, "what was said in a thread could not be read", "session", v.Turn.SessionID,
				"error", err.Error())
		}
	}
	s.sendAGUI(c, in, run, v.After, before)
}

// thread keeps AG-UI's names for conversations apart from those of other protocols.
func thread(id string) string { return "agui " + id }

// placeAGUI finds where a message belongs: after the newest answer that the client shows, else in the thread's session,
// from its start where the client shows nothing before the message.
func (s *handlers) placeAGUI(ctx context.Context, v *server.Conversation, in runAgentInput) {
	at := len(v.Messages) - 1
	if run := lastRun(in.Messages[:at]); run != "" {
		if info, err := s.opt.Runs.Get(ctx, v.Owner, run); err == nil {
			v.Turn.SessionID, v.Turn.AfterRun, v.Found = info.SessionID, run, true
			return
		}
	}
	if v.Turn.SessionID != "" {
		return
	}
	v.Name, v.Fresh = thread(in.ThreadID), server.OwnName(in.ThreadID)
	s.talks.Place(ctx, v, true)
	if v.Turn.SessionID == "" { // one that the page, or another surface, began
		v.Turn.SessionID, v.Found = in.ThreadID, true
	}
}

// resumeAGUI decides about steps that wait, one after the other, and answers with the events that follow.
func (s *handlers) resumeAGUI(c *gin.Context, in runAgentInput) {
	ctx := c.Request.Context()
	caller := server.CallerOf(ctx)
	run := lastRun(in.Messages)
	if run == "" {
		p, _ := s.talks.Named(ctx, caller.ID, thread(in.ThreadID))
		run = p.Run
	}
	var after uint64
	for i, r := range in.Resume {
		if i > 0 { // the run stands still again only at its end
			if _, err := s.opt.Runs.Wait(ctx, caller, run); err != nil {
				s.Fail(c, err)
				return
			}
		}
		step, hash := chat.ReadInterruptID(r.InterruptID)
		a := runs.Approval{Step: step, ArgsHash: hash, Decision: r.decision(),
			IdempotencyKey: partKey(c.GetHeader("Idempotency-Key"), i)}
		var err error
		after, err = s.opt.Runs.Approve(ctx, caller, run, a)
		if err != nil {
			s.Fail(c, err)
			return
		}
	}
	s.sendAGUI(c, in, run, after, nil)
}

// partKey is the Idempotency-Key of one of several decisions that come in one request; "" where that has none.
func partKey(key string, i int) string {
	if key == "" || i == 0 || chat.CheckKey(key) != nil {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:]) + " " + strconv.Itoa(i)
}

func (s *handlers) sendAGUI(c *gin.Context, in runAgentInput, run string, after uint64, history []byte) {
	server.RunHeaders(c, run, after)
	raw, done := s.OpenStream(c)
	defer done()
	ctx := c.Request.Context()
	err := s.opt.Runs.Follow(ctx, server.CallerOf(ctx), run, after, stream{raw, in.ThreadID, in.RunID, history}.take)
	if err == nil {
		return
	}
	if p := s.BrokenOff(c, run, raw, err); p != nil { // the log could not be read to its end
		if data, err := json.Marshal(chat.Payload{Type: chat.RunError, RunID: in.RunID, Code: p.Code, Message: p.Detail}); err == nil {
			_ = raw.Data(data) // the stream ends in any case
		}
	}
}
