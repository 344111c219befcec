package agui

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/server"
)

// maxHistory is how many turns of a thread a client is shown that opens it.
const maxHistory = 100

// questionMark ends the ids of the messages that questions are, as answerMark does those of answers.
const questionMark = "-question"

// snapshot is AG-UI's MESSAGES_SNAPSHOT: all messages of a thread.
type snapshot struct {
	Type     string            `json:"type"`
	Messages []json.RawMessage `json:"messages"`
}

// text is a message of a snapshot.
type text struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content string `json:"content"`
}

// history is the snapshot for a client that shows nothing of its thread but what it sends now: what was said in the
// session before a run, on the branch that was gone on with last, and then the client's own messages. nil is none, for
// a client that shows what was said, or a thread that begins.
func (s *handlers) history(
	ctx context.Context, caller access.Caller, session, before string, in runAgentInput,
) ([]byte, error) {
	if session == "" || shows(in.Messages) {
		return nil, nil
	}
	turns, err := s.opt.Sessions.Turns(ctx, caller, session, maxHistory)
	if err != nil {
		return nil, err
	}
	snapshot := snapshot{Type: chat.MessagesSnapshot}
	add := func(m any) error {
		data, err := json.Marshal(m)
		snapshot.Messages = append(snapshot.Messages, data)
		return err
	}
	if own := slices.IndexFunc(turns, func(t chat.StoredTurn) bool { return t.RunID == before }); own >= 0 {
		turns = turns[:own+1] // it is answered again, and others may follow it by now
	}
	for _, t := range chat.Path(turns) {
		if t.RunID == before {
			continue
		}
		err = errors.Join(err, add(text{t.RunID + questionMark, "user", t.Message}),
			add(text{t.RunID + answerMark, "assistant", t.Response}))
	}
	if len(snapshot.Messages) == 0 || err != nil {
		return nil, err
	}
	snapshot.Messages = append(snapshot.Messages, in.raw...)
	return json.Marshal(snapshot)
}

// shows reports whether a client shows an answer of its thread.
func shows(messages []message) bool {
	for _, m := range messages {
		if m.Role == "assistant" {
			return true
		}
	}
	return false
}

// openAGUI answers a client that opens a thread and asks nothing: with what was said there, as a run that is over at
// once.
func (s *handlers) openAGUI(c *gin.Context, in runAgentInput) {
	ctx := c.Request.Context()
	caller := server.CallerOf(ctx)
	session := in.ThreadID
	if !strings.HasPrefix(session, chat.SessionPrefix) {
		p, _ := s.talks.Named(ctx, caller.ID, thread(in.ThreadID))
		session = p.Session
	}
	if session == "" && s.talks.Owns(ctx, in.ThreadID) {
		session = in.ThreadID
	}
	if session == "" {
		s.Fail(c, server.NewProblem(http.StatusNotFound, "no_message",
			"There is no message of the user, and no such thread to open.", `Send one with "role": "user".`))
		return
	}
	snapshot, err := s.history(ctx, caller, session, "", in)
	if errors.Is(err, fs.ErrNotExist) {
		err = server.NewProblem(http.StatusNotFound, "session_not_found", "There is no such thread.",
			"Send a message to begin one.")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	raw, done := s.OpenStream(c)
	defer done()
	for _, p := range []chat.Payload{{Type: chat.RunStarted, ThreadID: in.ThreadID, RunID: in.RunID}, {}, {Type: chat.RunFinished, ThreadID: in.ThreadID, RunID: in.RunID, Outcome: &chat.RunOutcome{Type: "success"}}} {
		data := snapshot
		if p.Type != "" {
			data, err = json.Marshal(p)
		}
		if err != nil || data != nil && raw.Data(data) != nil {
			return // the reader has gone
		}
	}
}
