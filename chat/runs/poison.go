package runs

import (
	"catena/chat"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A run that kills its process kills the next one that takes it over. Its log tells: the steps under way when an
// owner's process died are closed there with stoppedText, and a takeover event ends the owner's part. From the second
// owner on the beginning of a step is in the log before the step begins (Runs.recordSteps).

// The names of CUSTOM events between the owners of a run.
const (
	// another process, or the next start, goes on with the run; its value is a takeover
	takeoverEvent = "catena.takeover"
	handoverEvent = "catena.handover" // the process that had the run leaves it to others in good order
)

// stoppedText is the error of a step that was under way when its process died.
const stoppedText = "the program stopped while this was running"

// takeover is the value of a takeoverEvent.
type takeover struct {
	Times int  `json:"times"`          // how often the run was taken over
	Left  bool `json:"left,omitempty"` // the former owner lives, and gave the run up: its log could not be written
}

// deaths are the steps that the owners of a run died in.
type deaths struct {
	began bool                // the owner began a step
	left  bool                // it gave the run up in good order
	open  []chat.StepMetadata // the steps that it died in, as the next owner closed them
	stale []string            // steps of an owner before it that nobody has closed

	// before are the steps that the last owner before it died in, of those that had begun any. beforeAny stands for any
	// step: the first owner died before its first events were in the log.
	before    []chat.StepMetadata
	beforeAny bool
}

// readOwner follows the owners of a run by one CUSTOM event.
func (k *taken) readOwner(p chat.Payload) {
	switch p.Name {
	case handoverEvent:
		k.deaths.left = true
	case takeoverEvent:
		var t takeover
		if raw, err := json.Marshal(p.Value); err == nil {
			_ = json.Unmarshal(raw, &t) // an older version wrote less
		}
		k.deaths.left = k.deaths.left || t.Left
		k.deaths = k.nextOwner()
		k.times++
	}
}

// beginStep notes that the owner began a step.
func (k *taken) beginStep(m chat.StepMetadata) {
	k.steps = append(k.steps, m)
	k.deaths.began = true
	k.deaths.stale = slices.DeleteFunc(k.deaths.stale, func(id string) bool { return id == m.StepID })
}

// diedIn are the steps that the owner was in when its process died.
func (k *taken) diedIn() []chat.StepMetadata {
	return slices.DeleteFunc(slices.Concat(k.deaths.open, k.steps), func(m chat.StepMetadata) bool {
		return slices.Contains(k.deaths.stale, m.StepID)
	})
}

// nextOwner is what the next owner of the run finds.
func (k *taken) nextOwner() deaths {
	next := deaths{before: k.deaths.before, beforeAny: k.deaths.beforeAny}
	for _, m := range k.steps {
		next.stale = append(next.stale, m.StepID)
	}
	died := k.diedIn()
	switch {
	case k.deaths.left:
		next.before, next.beforeAny = nil, false
	case len(died) > 0:
		next.before, next.beforeAny = died, false
	case k.times == 0 && !k.deaths.began:
		next.beforeAny = true
	}
	return next // an owner that died between two steps says nothing of either
}

// poison gives the steps that both of the last two owners died in; none for a run that may go on.
func (k *taken) poison() []chat.StepMetadata {
	if k.deaths.left {
		return nil
	}
	died := k.diedIn()
	if k.deaths.beforeAny {
		return died
	}
	return slices.DeleteFunc(died, func(m chat.StepMetadata) bool {
		return !slices.ContainsFunc(k.deaths.before, func(b chat.StepMetadata) bool {
			return b.StepID == m.StepID && b.Tool == m.Tool
		})
	})
}

// stepKinds are the names of steps that call no tool, for people.
var stepKinds = map[string]string{"plan": "planning", "load": "reading the attached files",
	"format": "making the tables of the answer", "llm": "writing the summary"}

// stepNames names steps for people, each once.
func stepNames(steps []chat.StepMetadata) []string {
	var names []string
	for _, m := range steps {
		name := m.StepID
		if m.Tool != "" {
			name = fmt.Sprintf("%s (%s)", m.StepID, m.Tool)
		} else if kind := stepKinds[m.Kind]; kind != "" {
			name = kind
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// poisoned is the problem that the asker is told. The steps are named as stepNames does.
func poisoned(run string, steps []string) *chat.Problem {
	return &chat.Problem{
		Code: codePoisoned,
		Detail: fmt.Sprintf("The program ended twice while it worked on this message, both times in the same step: "+
			"%s. The message was set aside and is not tried again by itself.", strings.Join(steps, ", ")),
		Hint: fmt.Sprintf("Ask in another way, or for less. Whoever runs this server can look into it and have it "+
			"tried again: catena runs release %s.", run),
	}
}
