package chat

import (
	"context"
	"maps"
	"slices"
	"testing"

	"catena/chat/chattest"
)

// TestEventOrder holds every kind of turn to what clients of AG-UI check: RUN_STARTED first, each step, message and tool call begun once and
// ended before RUN_FINISHED.
func TestEventOrder(t *testing.T) {
	w := newWorld(t)
	for _, message := range slices.Sorted(maps.Keys(chattest.Answers())) {
		if message == "waits" {
			continue // for ever
		}
		open := map[string]bool{}
		seen := 0
		begin := func(what string) {
			if open[what] {
				t.Errorf("%s: %s begins twice", message, what)
			}
			open[what] = true
		}
		end := func(what string) {
			if !open[what] {
				t.Errorf("%s: %s ends without a beginning", message, what)
			}
			delete(open, what)
		}
		_, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: message}, func(p Payload) {
			if seen++; (seen == 1) != (p.Type == RunStarted) {
				t.Errorf("%s: event %d is %s", message, seen, p.Type)
			}
			switch p.Type {
			case StepStarted:
				begin("step " + p.StepName)
			case StepFinished:
				end("step " + p.StepName)
			case ToolCallStart:
				begin("call " + p.ToolCallID)
			case ToolCallEnd:
				end("call " + p.ToolCallID)
			case TextMessageStart:
				begin("text " + p.MessageID)
			case TextMessageEnd:
				end("text " + p.MessageID)
			case RunFinished:
				for what := range open {
					t.Errorf("%s: %s is open at the end", message, what)
				}
			}
		})
		if err != nil {
			t.Errorf("%s: %v", message, err)
		}
	}
}
