package tools

import (
	"slices"
	"sync"
	"time"
)

// ProgressRate is how many reports a running call may pass on to its asker in a second, and as many at once. What comes faster
// is held at the chokepoint, before it costs anybody else anything: a server that floods must not hold up a run or a client's
// stream.
const ProgressRate = 10

const (
	// stageRise is how many percent progress rises for a report to count as a new stage. Stages pass at once and are never
	// left out: there are at most eleven in a call.
	stageRise = 10
	// maxHeld bounds the reports that wait. One more makes the oldest pass: an update is late or early, never lost.
	maxHeld = 256
)

// reports pass on what a running call tells its asker: progress, and resources that have changed. The order is kept. Of what
// comes too fast, the newest progress and one update of each URI wait for their turn; they pass as the bucket fills, by
// ProgressRate tokens a second, and at the latest when the call ends.
type reports struct {
	progress func(Progress)
	updated  func(uri string)

	mu      sync.Mutex // held while a report is passed on, which keeps the order
	tokens  float64
	filled  time.Time // when tokens was true
	held    []told
	timer   *time.Timer // runs while something is held
	reached float64     // percent, by the last stage that passed
	ended   bool
}

// told is one report: an update of a URI, or progress where there is none.
type told struct {
	uri string
	Progress
}

// throttle puts reports between a call and its asker, who may want neither kind. The returned function passes on what is held
// and ends the reports: what a handler that was left behind says later goes nowhere.
func throttle(call *Call) (end func()) {
	if call.Progress == nil && call.Updated == nil {
		return func() {}
	}
	r := &reports{progress: call.Progress, updated: call.Updated, tokens: ProgressRate, filled: time.Now()}
	if call.Progress != nil {
		call.Progress = func(p Progress) { r.tell(told{Progress: p}) }
	}
	if call.Updated != nil {
		call.Updated = func(uri string) { r.tell(told{uri: uri}) }
	}
	return r.end
}

// tell takes a report.
func (r *reports) tell(x told) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.held = append(slices.DeleteFunc(r.held, func(h told) bool { return h.uri == x.uri }), x)
	switch {
	case r.stage(x):
		r.pass(len(r.held))
	case len(r.held) > maxHeld:
		r.pass(1)
	default:
		r.passDue()
	}
}

// stage reports whether progress has come to a new stage, and remembers it.
func (r *reports) stage(x told) bool {
	if x.uri != "" || !(x.Total > 0) {
		return false
	}
	percent := min(100, 100*x.Done/x.Total)
	if percent-r.reached >= stageRise || percent == 100 && r.reached < 100 {
		r.reached = percent
		return true
	}
	return false
}

// passDue passes on what the bucket allows, and sees to the rest.
func (r *reports) passDue() {
	now := time.Now()
	r.tokens = min(ProgressRate, r.tokens+now.Sub(r.filled).Seconds()*ProgressRate)
	r.filled = now
	r.pass(min(len(r.held), int(r.tokens)))
	if len(r.held) > 0 && r.timer == nil {
		r.timer = time.AfterFunc(time.Second/ProgressRate, r.later)
	}
}

// later is the timer's turn.
func (r *reports) later() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer = nil; !r.ended {
		r.passDue()
	}
}

// pass gives the oldest n reports to the asker.
func (r *reports) pass(n int) {
	for _, x := range r.held[:n] {
		r.tokens = max(0, r.tokens-1)
		if x.uri != "" {
			r.updated(x.uri)
		} else {
			r.progress(x.Progress)
		}
	}
	r.held = slices.Delete(r.held, 0, n)
}

func (r *reports) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.pass(len(r.held))
}
