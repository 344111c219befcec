package chat

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
)

// What no index answers, and what was read of files that have changed since, is said.
func TestCompletenessOfIndexes(t *testing.T) {
	none := table.NewBuilder(table.Column{Name: "path", Type: table.Text}).Table()
	now := time.Date(2026, 11, 21, 12, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		step tools.StepResult
		want Completeness
	}{
		"never indexed": {tools.StepResult{Status: tools.StepFailed, Code: "INDEX_NOT_FOUND", Error: "the folder has never been indexed"}, Completeness{State: "not_indexed", Detail: "The folder has never been indexed"}},
		"first index":   {tools.StepResult{Status: tools.StepFailed, Code: "INDEX_NOT_READY", Error: "the first index is being made; it is at 40 %"}, Completeness{State: "not_indexed", Detail: "The first index is being made; it is at 40 %"}},
		"stale":         {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, Untrusted: true, AsOf: now}}, Completeness{State: "stale", Detail: "The data are of 21 November 2026 12:30 UTC, and what they were made of has changed since."}},
		"fresh":         {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, Untrusted: true}}, Completeness{State: "complete", Detail: ""}},
		"of today":      {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, AsOf: now}}, Completeness{State: "complete", Detail: ""}},
	} {
		engine := newWorld(t).engine()
		turn := turn{Engine: engine, opts: &engine.opts}
		turn.resp.Outcome, turn.ask.Now = OutcomeAnswer, now.Add(time.Minute)
		if diff := cmp.Diff(c.want, turn.completeness([]tools.StepResult{c.step})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What an owner must know of what is kept stands beside its answer, and changes nothing of its state.
func TestCompletenessWarns(t *testing.T) {
	engine := newWorld(t).engine()
	engine.opts.Warnings = func(owner string) []string { return []string{"Your tables, " + owner + ", are many."} }
	turn := turn{Engine: engine, opts: &engine.opts, caller: access.Caller{ID: "ann"}}
	turn.resp.Outcome = OutcomeAnswer
	done := tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: table.NewBuilder().Table()}}
	got := turn.completeness([]tools.StepResult{done})
	if got.State != "complete" || !strings.Contains(got.Detail, "Your tables, ann, are many.") {
		t.Errorf("%+v", got)
	}
}

// A server that is down makes an answer partial where the message names it, or one of its tools; beside other answers it is told.
func TestCompletenessWithoutServers(t *testing.T) {
	w := newWorld(t)
	w.Registry.SetServer(tools.ServerStatus{Name: "git-hub", Phase: tools.PhaseResting, Detail: "it exited with status 3."})
	w.Registry.SetServer(tools.ServerStatus{Name: "tickets", Phase: tools.PhaseStarting})
	w.Registry.SetServer(tools.ServerStatus{Name: "ready", Phase: tools.PhaseReady})
	const said = "The server git-hub is down (it exited with status 3), so its tools could not be used."
	for message, state := range map[string]string{
		"top clients, and what Git-Hub says of them": "partial",
		"call git-hub__issues":                       "partial",
		"top clients of the hub":                     "complete",
		"are the tickets ready?":                     "complete", // a table of that name answers
	} {
		engine := w.engine()
		turn := turn{Engine: engine, opts: &engine.opts, caller: access.Local("test"), req: Request{Message: message}}
		turn.resp.Outcome, turn.ask.Tables = OutcomeAnswer, []plan.TableInfo{{Name: "tickets"}}
		got := turn.completeness([]tools.StepResult{{Status: tools.StepDone}})
		parts := []string{said, "tickets is down (it is being started)"}
		if state == "complete" {
			parts = []string{"2 servers are down, so their tools could not be used: git-hub, tickets."}
		}
		if got.State != state || slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(got.Detail, s) }) || !slices.Equal(got.Down, []string{"git-hub", "tickets"}) {
			t.Errorf("%s: %+v", message, got)
		}
		if lacks := slices.Contains(turn.missing, said); lacks != (state == "partial") {
			t.Errorf("%s: the text lacks %q", message, turn.missing)
		}
	}
}

// Why a server is down is told to those who may use it. The others learn that it is.
func TestCompletenessHidesReasons(t *testing.T) {
	w := newWorld(t)
	granted := tools.NewRegistry(tools.Options{Policy: access.Granted{}})
	w.opts.Catalogue = granted
	granted.SetServer(tools.ServerStatus{Name: "far", Phase: tools.PhaseRestarting, Detail: "it cannot start /opt/secret/bin"})
	rights, err := access.ParseRights([]string{"chat", "tools:crm"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	engine := w.engine()
	turn := turn{Engine: engine, opts: &engine.opts, caller: access.Caller{ID: "few", Rights: rights}, req: Request{Message: "top clients"}}
	turn.resp.Outcome = OutcomeAnswer
	got := turn.completeness([]tools.StepResult{{Status: tools.StepDone}})
	if want := "The server far is down (restarting), so its tools could not be used."; got.Detail != want || !slices.Equal(got.Down, []string{"far"}) {
		t.Errorf("%+v", got)
	}
}
