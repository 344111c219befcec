package tools

import "encoding/json"

// Unanswered are the calls of a turn that had no answer in time and only read, or may be made twice. The same call is not made again in that turn, by
// another plan either: it would take as long, and the server may still be at work on the first. The zero value is ready; it is for runs that
// follow each other.
type Unanswered struct{ calls map[string]bool }

func (u *Unanswered) add(tool, hash string) {
	if u.calls == nil {
		u.calls = map[string]bool{}
	}
	u.calls[tool+"\x00"+hash] = true
}

// note remembers a call that had no answer in time.
func (u *Unanswered) note(rep report) {
	if rep.err != nil || rep.res.Code != CodeTimeout || !rep.task.again {
		return
	}
	if hash, err := ArgsHash(rep.task.call.Args); err == nil {
		u.add(rep.task.name, hash)
	}
}

// learn remembers what the journal of a run that is resumed says of such calls.
func (u *Unanswered) learn(ledger map[string]past) {
	for _, was := range ledger {
		var kept struct {
			Code string `json:"code"`
		}
		if was.status == string(StepFailed) && json.Unmarshal(was.result, &kept) == nil && kept.Code == CodeTimeout {
			u.add(was.tool, was.hash)
		}
	}
}

// repeats gives the end of a task that would make such a call again.
func (u *Unanswered) repeats(t task) (rep report, yes bool) {
	if len(u.calls) == 0 || !t.again {
		return report{}, false
	}
	hash, err := ArgsHash(t.call.Args)
	if err != nil || !u.calls[t.name+"\x00"+hash] {
		return report{}, false
	}
	res := Failed(CodeTimeout, t.name+" had no answer in time to the same call before, so it was not made again in this run.")
	res.NotCalled = true
	return report{task: t, res: res, adopted: true}, true
}
