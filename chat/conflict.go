package chat

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"catena/planner/plan"
	"catena/tools"
)

// conflictQuestion ends the question about files whose names other tables have; the reply to it is a choice.
const conflictQuestion = "Answer “replace” or “keep both”."

// conflictReplies are what people answer to the question.
var conflictReplies = map[string]tools.OnConflict{
	"replace": tools.Replace, "replace it": tools.Replace, "replace the old one": tools.Replace,
	"overwrite": tools.Replace,
	"keep both": tools.KeepBoth, "keep_both": tools.KeepBoth, "both": tools.KeepBoth, "keep them both": tools.KeepBoth,
}

// Bounds of the files that are kept for the reply.
const (
	heldBytes = 64 << 20 // of all callers
	heldTime  = 30 * time.Minute
)

// heldTurn is a message whose files wait for the reply to the question about their names.
type heldTurn struct {
	caller, session string
	message         string
	files           []Attachment
	size            int
	until           time.Time
}

// heldTurns are bounded by heldBytes: the oldest leaves. The zero value is ready; it is safe for concurrent use. What
// another process holds, or none any more, is to be sent again.
type heldTurns struct {
	mu   sync.Mutex
	list []heldTurn // oldest first
	size int
}

// put keeps a turn in place of an earlier one of the session.
func (h *heldTurns) put(t heldTurn, now time.Time) {
	for _, f := range t.files {
		t.size += len(f.Data)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(func(old heldTurn) bool {
		return now.After(old.until) || old.caller == t.caller && old.session == t.session
	})
	h.list, h.size = append(h.list, t), h.size+t.size
	for h.size > heldBytes {
		h.size -= h.list[0].size
		h.list = h.list[1:]
	}
}

// take gives the turn of a session, once.
func (h *heldTurns) take(caller, session string, now time.Time) (found heldTurn, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(func(t heldTurn) bool {
		mine := t.caller == caller && t.session == session
		if mine && !now.After(t.until) {
			found, ok = t, true
		}
		return mine
	})
	return found, ok
}

// drop removes turns; the caller has the lock.
func (h *heldTurns) drop(gone func(heldTurn) bool) {
	left := make([]heldTurn, 0, len(h.list))
	h.size = 0
	for _, t := range h.list {
		if !gone(t) {
			left, h.size = append(left, t), h.size+t.size
		}
	}
	h.list = left
}

// takeReply takes the message for the reply to the question about files, where that was the last turn: the files and
// the message that they came with are then this turn's.
func (t *turn) takeReply(turns []StoredTurn) {
	choice := conflictReplies[strings.ToLower(strings.Trim(t.req.Message, " \t\r\n.!“”\"'"))]
	if choice == "" || len(turns) == 0 || t.From != nil {
		return
	}
	last := turns[len(turns)-1]
	if last.Outcome != OutcomeClarify || !strings.HasSuffix(strings.TrimSpace(last.Response), conflictQuestion) {
		return
	}
	held, ok := t.waiting.take(t.caller.ID, t.req.SessionID, t.opts.Now())
	if !ok {
		t.note("The files of the message before are not here any more: send them again, with on_conflict.")
		return
	}
	t.req.Message, t.req.Attachments, t.req.OnConflict = held.message, held.files, choice
}

// askTaken asks what to do about files whose names other tables of the session have. Nothing is planned before that.
func (t *turn) askTaken() bool {
	if len(t.nameTaken) == 0 {
		return false
	}
	var parts []string
	for _, e := range t.nameTaken {
		parts = append(parts, fmt.Sprintf("This session has another table called %s, with other content than %s.",
			JoinNames(e.Tables), e.File))
	}
	question := strings.Join(parts, " ") + " Should the new one replace it, or should both be kept? " + conflictQuestion
	t.resp.Choices = []string{"replace", "keep both"}
	t.waiting.put(heldTurn{caller: t.caller.ID, session: t.req.SessionID, message: t.req.Message,
		files: t.req.Attachments,
		until: t.opts.Now().Add(heldTime)}, t.opts.Now())
	return t.settle(plan.Response{Plan: plan.Plan{Clarify: question}, By: "offline"})
}
