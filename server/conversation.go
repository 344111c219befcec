package server

import (
	"cmp"
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
	"catena/chat/runs"
	"catena/internal/access"
)

// Conversations finds the sessions of clients that keep the history themselves, and goes on with them. Make it with
// NewConversations. It is safe for concurrent use.
type Conversations struct {
	*Turns
	sessions sessionLooker
	threads  *threads
}

// sessionLooker knows the sessions of a caller: see Sessions.
type sessionLooker interface {
	Session(ctx context.Context, c access.Caller, id string) (chat.SessionInfo, error)
}

// NewConversations makes the conversations of a core. The cache lets them go on in their session after a restart, and
// on another replica; nil is this process's memory.
func NewConversations(core *Core, runs Runs, sessions sessionLooker, cache Cache) *Conversations {
	return &Conversations{Turns: newTurns(core, runs), sessions: sessions, threads: newThreads(cache, core.log)}
}

// Conversation is a message with what was said before it, as clients send it that keep the history themselves.
type Conversation struct {
	Owner    access.Caller
	Messages []Message // up to the message itself
	Name     string    // the client's own for the conversation; "" is none
	Fresh    string    // the name of the session that is begun where none is found; "" is one that the server names
	Whole    bool      // the name is of a program that shows all of the conversation, and sends all of it
	Where    []string  // what else the client said of where its message belongs
	Locate   func(context.Context) error
	Turn     chat.Request
	Found    bool // the turn's session was found here, not named by the client: where it is gone, another is begun
	byWords  bool // it was found by the user's words alone, which another of the same caller may have written, too
	several  bool // several of the caller's conversations have the user's messages, and nothing tells which is meant
	Again    bool // the message was answered before, under its key
	// Remembered is the text of an answer as the client will send it back; nil is the answer's own.
	Remembered func(context.Context, chat.Response) string
	After      uint64 // the number of the event behind which the turn's events come; 0 but for a run that goes on
}

// Read reads a request of OpenAI's protocols: what is asked, and where it belongs. The first that fits counts: a
// session that the client names, the place where exactly this was said before, the client's own name for the
// conversation. Else it is a new session.
func (s *Conversations) Read(c *gin.Context, messages []Message, metadata map[string]any) (*Conversation, error) {
	last := Newest(messages)
	if last < 0 {
		return nil, NewProblem(
			http.StatusBadRequest,
			"no_message",
			"There is no message of the user.",
			`Send one with "role": "user".`,
		)
	}
	ctx := c.Request.Context()
	v := &Conversation{Owner: CallerOf(ctx), Messages: messages[:last+1]}
	var err error
	if v.Turn.Attachments, err = messages[last].Content.files(); err != nil {
		return nil, err
	}
	v.Turn.Message = ownWords(messages[last].Content.Text)
	v.Turn.IdempotencyKey = c.GetHeader("Idempotency-Key")
	v.Turn.SessionID, v.Name, v.Whole = conversationName(c.Request, metadata)
	if err := errors.Join(chat.CheckSession(v.Name), chat.CheckSession(v.Turn.SessionID)); err != nil {
		return nil, err
	}
	v.Fresh = OwnName(v.Name)
	v.Locate = func(ctx context.Context) error {
		if v.Turn.SessionID != "" {
			return nil
		}
		s.Place(ctx, v, v.Whole)
		v.Turn.ContextUnknown = v.Turn.SessionID == "" && Newest(v.Messages[:last]) >= 0
		return nil
	}
	return v, nil
}

// asked is all that the client said of where its message belongs: the session or the conversation that it names, and
// what was said before.
func (v *Conversation) asked() string {
	history := historyKey(v.Owner.ID, v.Messages[:len(v.Messages)-1])
	key := keyOf(append([]string{"asked", v.Turn.SessionID, v.Name, string(history[:])}, v.Where...))
	return hex.EncodeToString(key[:])
}

// conversationName reads what a request says of its conversation: a session of this server, or a name of the client's
// own. ui says that it comes from a program that shows all of the conversation, and sends all of it.
func conversationName(r *http.Request, metadata map[string]any) (session, name string, ui bool) {
	given := func(key string) string {
		text, _ := metadata[key].(string)
		return strings.TrimSpace(text)
	}
	if session = cmp.Or(r.Header.Get("X-Session-Id"), given("session_id")); session != "" {
		return session, "", false
	}
	if name = r.Header.Get("X-OpenWebUI-Chat-Id"); name != "" {
		return "", name, true
	}
	if name = cmp.Or(r.Header.Get("X-Conversation-Id"), r.Header.Get("X-Thread-Id")); name != "" {
		return "", name, false
	}
	for _, key := range []string{"thread_id", "conversation_id", "chat_id"} {
		if name = given(key); name != "" {
			return "", name, false
		}
	}
	return "", "", false
}

// Place finds where a conversation stands.
func (s *Conversations) Place(ctx context.Context, v *Conversation, ui bool) {
	before := v.Messages[:len(v.Messages)-1]
	if Newest(before) >= 0 {
		if p, ok := s.threads.find(ctx, historyKey(v.Owner.ID, before)); ok {
			v.Turn.SessionID, v.Turn.AfterRun, v.Found = p.Session, p.Run, true
			return
		}
	}
	if v.Name == "" {
		if Newest(before) >= 0 {
			s.placeByPart(ctx, v, before)
		}
		return
	}
	p, ok := s.threads.find(ctx, nameKey(v.Owner.ID, v.Name))
	if !ok {
		p.Session, ok = v.Fresh, v.Fresh != "" && s.Owns(ctx, v.Fresh)
	}
	v.Turn.SessionID, v.Found = p.Session, ok
	if ok && ui && Newest(before) < 0 { // the first message, edited or asked again
		v.Turn.AfterRun = chat.AtStart
	}
}

// placeByPart finds a conversation whose history is not as it was sent: by the user's messages, where the client cut or
// rewrote the answers, or by its end, where it sends no more of a long one.
func (s *Conversations) placeByPart(ctx context.Context, v *Conversation, before []Message) {
	p, ok := s.threads.find(ctx, usersKey(v.Owner.ID, before))
	v.byWords = ok
	if tail, long := tailKey(v.Owner.ID, before); !ok && long {
		p, ok = s.threads.find(ctx, tail)
	}
	if v.several = ok && p.Session == ""; ok && !v.several {
		v.Turn.SessionID, v.Turn.AfterRun, v.Found = p.Session, p.Run, true
	}
}

// OwnName is the name of the session for a conversation that a client names; "" where that is an id of the server's
// form.
func OwnName(name string) string {
	if strings.HasPrefix(name, chat.SessionPrefix) {
		return ""
	}
	return name
}

// Begin starts the turn where it belongs, or finds the run that its key started. A session that was found, and is gone,
// or lacks the turn to go on from, is no reason to refuse a message.
func (s *Conversations) Begin(ctx context.Context, v *Conversation) (run string, err error) {
	v.Turn.Asked = v.asked()
	if run, err = s.runs.Started(ctx, v.Owner, v.Turn); run != "" || err != nil {
		v.Again = true
		return run, err
	}
	if err = v.Locate(ctx); err != nil {
		return "", err
	}
	if err = s.mayReply(ctx, v); err != nil {
		return "", err
	}
	run, v.After, err = StartOrDecide(ctx, s.runs, v.Owner, v.Turn)
	if v.Found && errors.Is(err, fs.ErrNotExist) {
		v.Found, v.Turn.SessionID, v.Turn.AfterRun = false, v.Fresh, ""
		v.Turn.ContextUnknown = Newest(v.Messages[:len(v.Messages)-1]) >= 0
		run, err = s.runs.Start(ctx, v.Owner, v.Turn)
	}
	return run, err
}

// mayReply looks at what a message that only decides comes after, and notes whether the client shows the answer of that
// run as it now is: one that went on by a decision has another answer than the one by which it asked. Where the
// conversation was found by the user's words alone, it may be that of somebody else with the same key: who sent the
// message has not seen what waits, and decides nothing. Nor is such a message a question of its own where it may be for
// several conversations.
func (s *Conversations) mayReply(ctx context.Context, v *Conversation) error {
	if v.several && runs.IsReply(v.Turn.Message) {
		return unplaced(
			"Several conversations have these messages, and which of them the reply is for cannot be told, so " +
				"nothing was decided.",
		)
	}
	before := v.Messages[:len(v.Messages)-1]
	placed := v.Turn.AfterRun != "" && v.Turn.AfterRun != chat.AtStart
	if !placed || len(before) == 0 || !runs.IsReply(v.Turn.Message) {
		return nil
	}
	info, err := s.runs.Get(ctx, v.Owner, v.Turn.AfterRun)
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
		return unplaced(
			"A step waits in a conversation with these messages, but the answer that asked about it is not the one " +
				"that was sent, so nothing was decided.",
		)
	}
	text := resp.Response
	if v.Remembered != nil {
		text = v.Remembered(ctx, resp)
	}
	current := append(slices.Clone(before[:len(before)-1]), Said("assistant", text))
	v.Turn.Shown = historyKey(v.Owner.ID, current) == historyKey(v.Owner.ID, before)
	return nil
}

// unplaced is the problem of a reply of which it is not known what it decides.
func unplaced(detail string) error {
	return NewProblem(
		http.StatusConflict,
		"reply_unplaced",
		detail,
		"Send the history with the answer as it was, or name the conversation: metadata.conversation_id, or "+
			"X-Conversation-Id.",
	)
}

// Answered remembers where the conversation stands now.
func (s *Conversations) Answered(ctx context.Context, v *Conversation, resp chat.Response, text string) {
	if resp.SessionID == "" {
		return
	}
	p := Place{resp.SessionID, resp.RunID}
	said := append(v.Messages[:len(v.Messages):len(v.Messages)], Said("assistant", text))
	s.threads.remember(ctx, historyKey(v.Owner.ID, said), p)
	s.rememberPart(ctx, usersKey(v.Owner.ID, v.Messages), p)
	if tail, long := tailKey(v.Owner.ID, said); long {
		s.rememberPart(ctx, tail, p)
	}
	if v.Name != "" {
		s.Remember(ctx, v, v.Name, p)
	}
}

// rememberPart remembers where a conversation stands by a part of what was said. Where two sessions have the same it is
// remembered that nobody knows which is meant.
func (s *Conversations) rememberPart(ctx context.Context, key threadKey, p Place) {
	if before, known := s.threads.find(ctx, key); known && before.Session != p.Session {
		p = Place{}
	}
	s.threads.remember(ctx, key, p)
}

// Remember remembers where a conversation with a name stands: not where an answer is given again, behind which it may
// have gone on.
func (s *Conversations) Remember(ctx context.Context, v *Conversation, name string, p Place) {
	key := nameKey(v.Owner.ID, name)
	if _, known := s.threads.find(ctx, key); v.Again && known {
		return
	}
	s.threads.remember(ctx, key, p)
}

// Named finds where the conversation stands that a client has a name for.
func (s *Conversations) Named(ctx context.Context, owner, name string) (Place, bool) {
	return s.threads.find(ctx, nameKey(owner, name))
}

// Owns reports whether a session is the caller's.
func (s *Conversations) Owns(ctx context.Context, id string) bool {
	_, err := s.sessions.Session(ctx, CallerOf(ctx), id)
	return err == nil
}
