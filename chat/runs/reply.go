package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"catena/chat"
	"catena/internal/access"
	"catena/tools"
)

// replyWords are what decides about what waits, folded to small letters and without marks: a message is one of them, or
// several that decide the same.
var replyWords = map[tools.Choice][]string{
	tools.ChooseRun: {
		"yes", "y", "yep", "yeah", "ok", "okay", "sure", "approve", "approved", "i approve", "approve it", "confirm",
		"confirmed", "i confirm",
		"go ahead", "do it", "proceed", "allow", "allow it", "ja", "mach das", "genehmigt", "genehmigen", "bestätigt",
		"run", "run it", "run it again", "run again", "ausführen", "nochmals ausführen",
	},
	tools.ChooseSkip: {
		"no", "n", "nope", "cancel", "cancel it", "skip", "skip it", "stop", "dont do it", "do not do it",
		"dont run it", "do not run it",
		"keep it", "keep them", "leave it", "leave it alone", "not now", "never mind", "reject", "rejected", "refuse",
		"decline", "deny", "abort",
		"nein", "abbrechen", "ablehnen", "nicht ausführen", "dont", "do not",
	},
	tools.ChooseDone: {"done", "it was done", "it is done", "already done", "it took effect", "erledigt"},
}

// turning are words that turn what follows into its opposite, so they decide at the end alone.
var turning = []string{"dont", "do not"}

// runAgain matches what says to run a step, also one that may have been run before.
var runAgain = regexp.MustCompile(`\b(?:run|ausführen)\b`)

// decides reports whether words are made of replies of one list.
func decides(words string, list []string) bool {
	return slices.ContainsFunc(list, func(part string) bool {
		rest, found := strings.CutPrefix(words, part)
		switch {
		case !found:
			return false
		case rest == "":
			return true
		}
		return rest[0] == ' ' && !slices.Contains(turning, part) && decides(rest[1:], list)
	})
}

var (
	replyMarks  = regexp.MustCompile("[.,;:!\"“”`]+")
	replyApos   = regexp.MustCompile(`['’]`)
	replyPolite = regexp.MustCompile(`\b(?:please|thanks|thank you|bitte|danke)\b`)
	replyStep   = regexp.MustCompile(`^(.*?)(?: (?:the |this )?step)?(?: (s\d+(?:_\d+)?))?$`)
)

// maxReply is how long a message that only decides may be, in bytes.
const maxReply = 80

// reply is what a message decides.
type reply struct {
	choice tools.Choice
	step   string // the one that it names; "" is all that wait
	plain  bool   // it is a yes, which does not say whether to run again what may have run
}

// key tells replies apart; "" is none.
func (a reply) key() string { return strings.TrimSpace(string(a.choice) + " " + a.step) }

// repliedBefore reports whether the run went on by the same reply before. It may be that reply, sent again: what waits
// now was not shown to who sent it.
func repliedBefore(k *chat.Checkpoint, said reply) bool {
	return k != nil && slices.ContainsFunc(k.Decided, func(d chat.Decision) bool { return d.Reply == said.key() })
}

// IsReply reports whether a message does nothing but decide, so that Reply may take it.
func IsReply(message string) bool {
	_, ok := readReply(message)
	return ok
}

// readReply reads a message that does nothing but decide.
func readReply(message string) (reply, bool) {
	if len(message) > maxReply || strings.ContainsAny(message, "?？") { // a question decides nothing
		return reply{}, false
	}
	text := replyPolite.ReplaceAllString(strings.ToLower(replyApos.ReplaceAllString(message, "")), " ")
	text = strings.Join(strings.Fields(replyMarks.ReplaceAllString(text, " ")), " ")
	m := replyStep.FindStringSubmatch(text)
	if m == nil {
		return reply{}, false
	}
	words, r := strings.TrimSpace(m[1]), reply{step: m[2]}
	for choice, list := range replyWords {
		if decides(words, list) {
			r.choice, r.plain = choice, choice == tools.ChooseRun && !runAgain.MatchString(words)
			return r, true
		}
	}
	return reply{}, false
}

// Reply takes a message for the decision about the steps that wait where it comes after them and says nothing else:
// yes, approve, run it, no, cancel, done, with or without the step's id. The run of those steps goes on as with
// Approve, and its events continue after the number that is returned. run is "" where the message is none, and Start is
// what takes it. It is safe for concurrent use.
//
// A request whose IdempotencyKey has started a run gives that run to Start, and one that plans only decides nothing. A
// reply with a new key is refused where it would decide: sent again, it would decide about the next steps, which nobody
// has seen. So is one that the run went on by before, unless the request shows what waits.
//
// Errors are those of Request.Check and Approve: one that wraps fs.ErrExist where the reply does not say what to do,
// and nothing was done then.
func (r *Runs) Reply(ctx context.Context, c access.Caller, req chat.Request) (run string, after uint64, err error) {
	said, ok := readReply(req.Message)
	if !ok || !mayDecide(req) {
		return "", 0, nil
	}
	if err = req.Check(); err != nil {
		return "", 0, err
	}
	if before, err := r.Started(ctx, c, req); before != "" || err != nil {
		return "", 0, err
	}
	if run, err = r.lastBefore(ctx, c, req); run == "" || err != nil {
		return "", 0, err
	}
	w, err := r.stopped(ctx, c, run)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil // nothing waits there
	}
	if err != nil {
		return "", 0, err
	}
	if w.resp.Outcome != chat.OutcomeApproval {
		return "", 0, overturns(w, said)
	}
	if req.IdempotencyKey != "" {
		return "", 0, conflict("reply_with_key",
			"A step waits, and a reply with an Idempotency-Key does not decide about it: sent again, it would decide "+
				"about the next.",
			"Send it without the key, or decide with /approve.")
	}
	if !req.Shown && repliedBefore(w.state, said) {
		return "", 0, conflict("reply_repeated",
			"This was replied before, and the run went on by it. Something else waits now, and nothing was done "+
				"about it.",
			fmt.Sprintf("What waits: %s. Name the step in the reply, as in \"yes %s\", or decide with /approve.",
				stepIDs(w.resp.Pending), w.resp.Pending[0].Step))
	}
	list, err := said.about(w.resp.Pending)
	if err != nil {
		return "", 0, err
	}
	after, err = r.decide(ctx, c, w, list, said)
	return run, after, err
}

// overturns tells what was decided before where a reply wants the opposite about steps of which none waits any more;
// nil for another reply, which may answer what the run asked.
func overturns(w *stoppedRun, said reply) error {
	if w.state == nil || w.resp.Outcome == chat.OutcomeClarify {
		return nil
	}
	for _, d := range slices.Backward(w.state.Decided) {
		if said.step != "" && d.Step != said.step || d.Decision == string(said.choice) {
			continue
		}
		return conflict("reply_late",
			fmt.Sprintf("Nothing waits any more: it was decided before about the step %s (%s), and nothing was done "+
				"now.", d.Step, d.Decision),
			"To decide anew, send the message again that asked for it.")
	}
	return nil
}

// mayDecide reports whether a request goes on in a session as it stands, with nothing but its message.
func mayDecide(r chat.Request) bool {
	alone := len(r.Attachments) == 0 && r.Mode != "plan"
	return alone && r.SessionID != "" && r.EditRun == "" && r.AfterRun != chat.AtStart
}

// lastBefore is the run of the turn that a request follows; "" where there is none.
func (r *Runs) lastBefore(ctx context.Context, c access.Caller, req chat.Request) (string, error) {
	if req.AfterRun != "" {
		return req.AfterRun, nil
	}
	turns, err := r.engine.Turns(ctx, c, req.SessionID, 1)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(turns) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return turns[0].RunID, nil
}

// about makes the decisions of a reply about what waits.
func (a reply) about(pending []chat.Pending) ([]Approval, error) {
	var list []Approval
	for _, p := range pending {
		if a.step != "" && p.Step != a.step {
			continue
		}
		unknown := p.Reason == tools.CodeOutcomeUnknown
		if unknown && a.plain || !unknown && a.choice == tools.ChooseDone {
			return nil, conflict("reply_unclear",
				fmt.Sprintf("%q does not say what to do about the step %s (%s), so nothing was done.", a.choice,
					p.Step, p.Tool),
				replyHint(p))
		}
		list = append(list, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: string(a.choice)})
	}
	if len(list) == 0 {
		return nil, conflict("step_not_waiting", fmt.Sprintf("The step %s does not wait for a decision.", a.step),
			"Those that do: "+stepIDs(pending)+".")
	}
	return list, nil
}

// replyHint says what can be replied about a step.
func replyHint(p chat.Pending) string {
	if p.Reason == tools.CodeOutcomeUnknown {
		return `Reply "run it again", "skip", or "done" (it took effect).`
	}
	return `Reply "yes" to run it, or "no" to skip it.`
}

func stepIDs(pending []chat.Pending) string {
	var ids []string
	for _, p := range pending {
		ids = append(ids, p.Step)
	}
	return chat.JoinNames(ids)
}
