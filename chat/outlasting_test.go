package chat

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"catena/chat/chattest"
	"catena/planner/plan"
)

func TestOutlasting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	longer, done := outlasting(ctx, time.Millisecond)
	cancel()
	<-longer.Done()
	done()
	longer, done = outlasting(t.Context(), time.Hour)
	if longer.Err() != nil {
		t.Error(longer.Err())
	}
	done()
	if longer.Err() == nil {
		t.Error("it goes on for ever")
	}
}

// An export says a note once.
func TestExportNotes(t *testing.T) {
	w := newWorld(t)
	resp := w.ask(t, "top")
	turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
	if err != nil || len(turns) != 1 {
		t.Fatal(err, turns)
	}
	turns[0].Notes = []string{"First note.", "Second *note*."}
	turns[0].Response = "An answer.\n\n- First note."
	text := ExportMarkdown(SessionInfo{ID: resp.SessionID, Title: "x"}, turns)
	if strings.Count(text, "First note") != 1 || strings.Count(text, "Second") != 1 {
		t.Error(text)
	}
}

// leavingPlanner cancels the turn that asks it for a plan.
type leavingPlanner struct{ leave context.CancelFunc }

func (p leavingPlanner) Plan(ctx context.Context, _ plan.Request) (plan.Response, error) {
	p.leave()
	return plan.Response{}, ctx.Err()
}

// TestPlanCancelled: planning that is cancelled has not failed.
func TestPlanCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.opts.Planner = leavingPlanner{cancel}
	var status string
	_, err := w.engine().Turn(ctx, chattest.Ann, Request{Message: "top"}, func(e Payload) {
		if e.Type == StepFinished && e.StepName == "plan" {
			status = e.Metadata.Catena.Status
		}
	})
	if !errors.Is(err, context.Canceled) || status != "cancelled" {
		t.Errorf("planning ended as %q: %v", status, err)
	}
}
