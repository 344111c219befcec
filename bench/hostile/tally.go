package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// tally is what came of one kind of attack. It is safe for concurrent use; what is exported goes from the attackers to the measuring
// process, once a turn is over.
type tally struct {
	Name string `json:"name"`
	// Most is how long a connection may be held at the most; 0 where that is not what the attack is about.
	Most    time.Duration  `json:"most"`
	Longest time.Duration  `json:"longest"`
	Wanted  int            `json:"wanted"` // were due by the rate of the attack; 0 for connections that are held
	Sent    int            `json:"sent"`   // of those; the others came too late, or while too many were under way
	Places  int            `json:"places"` // for connections that are held
	Held    int            `json:"held"`   // the most of those that were open at once
	Came    map[string]int `json:"came"`
	Wrong   map[string]int `json:"wrong"`

	mu   sync.Mutex
	open int
}

func (t *tally) add(outcome string, right bool, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Came == nil {
		t.Came, t.Wrong = map[string]int{}, map[string]int{}
	}
	t.Came[outcome]++
	if !right {
		t.Wrong[outcome]++
	}
	t.Longest = max(t.Longest, took)
}

func (t *tally) due() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Wanted++
}

func (t *tally) sent() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Sent++
}

func (t *tally) places(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Places = n
}

func (t *tally) opened() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open++
	t.Held = max(t.Held, t.open)
}

func (t *tally) closed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
}

// faults are answers that are wrong, connections that were held for too long, and that nothing came of the attack at all.
func (t *tally) faults() (list []string) {
	if len(t.Came) == 0 {
		list = append(list, fmt.Sprintf("%s: nothing came of it, %d were sent", t.Name, t.Sent))
	}
	for outcome, n := range t.Wrong {
		list = append(list, fmt.Sprintf("%s: %d times %s", t.Name, n, outcome))
	}
	if t.Most > 0 && t.Longest > t.Most {
		list = append(list, fmt.Sprintf("%s: a connection was held for %.1f s, and %.0f are the bound", t.Name, t.Longest.Seconds(), t.Most.Seconds()))
	}
	return list
}

// String is a line.
func (t *tally) String() string {
	outcomes := make([]string, 0, len(t.Came))
	for outcome, n := range t.Came {
		outcomes = append(outcomes, fmt.Sprintf("%d × %s", n, outcome))
	}
	slices.Sort(outcomes)
	sent := ""
	if t.Wanted > 0 {
		sent = fmt.Sprintf("%d of %d sent", t.Sent, t.Wanted)
	}
	if t.Places > 0 {
		sent = fmt.Sprintf("%d of %d held", t.Held, t.Places)
	}
	return fmt.Sprintf("%-38s %17s, longest %5.1f s: %s\n", t.Name, sent, t.Longest.Seconds(), strings.Join(outcomes, "; "))
}
