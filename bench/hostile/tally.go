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
	Came    map[string]int `json:"came"`
	Wrong   map[string]int `json:"wrong"`

	mu sync.Mutex
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

// faults are answers that are wrong, and connections that were held for too long.
func (t *tally) faults() (list []string) {
	for outcome, n := range t.Wrong {
		list = append(list, fmt.Sprintf("%s: %d times %s", t.Name, n, outcome))
	}
	if t.Most > 0 && t.Longest > t.Most {
		list = append(list, fmt.Sprintf("%s: a connection was held for %.0f s, and %.0f are the bound", t.Name, t.Longest.Seconds(), t.Most.Seconds()))
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
	return fmt.Sprintf("%-44s longest %5.1f s: %s\n", t.Name, t.Longest.Seconds(), strings.Join(outcomes, "; "))
}
