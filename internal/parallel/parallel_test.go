package parallel

import (
	"errors"
	"testing"
)

// Work beside the caller's is done when the call returns, and what it panics with is the caller's.
func TestAside(t *testing.T) {
	done := false
	Aside(func() { done = true })
	if !done {
		t.Error("it returned before the work was done")
	}
	cause := errors.New("broken")
	for name, work := range map[string]func(do func()){
		"aside":   Aside,
		"columns": func(do func()) { Columns(4, 20_000, func(int) { do() }) },
	} {
		func() {
			defer func() {
				p, _ := recover().(*Panic)
				if p == nil || !errors.Is(p, cause) {
					t.Errorf("%s: panicked with %v", name, p)
				}
			}()
			work(func() { panic(cause) })
		}()
	}
}
