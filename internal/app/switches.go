package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/planner"
	"catena/planner/plan"
	"catena/server"
	"catena/server/mcp"
	"catena/server/settings"
	"catena/tools"
)

// The records of what is switched off for everybody: their kind, and what their ids begin with.
const (
	offKind    = "switched_off"
	offTool    = "tool:"
	offToolset = "toolset:"
)

// Switches keep what is switched off. A store.Store satisfies it.
type Switches interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	// DeleteRecord wraps fs.ErrNotExist where there is none.
	DeleteRecord(ctx context.Context, kind, id string) error
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// switches bring the registry to what the store says is switched off.
type switches struct {
	reading sync.Mutex // what was read first is not applied last
	failing bool       // the store did not answer the last time
}

// switchesEvery is how often other processes' changes are looked for.
const switchesEvery = 2 * time.Second

// readSwitches brings the registry to what is kept, and tells clients where that changed something.
func (ts *toolkits) readSwitches(ctx context.Context, kept Switches) error {
	ts.switches.reading.Lock()
	defer ts.switches.reading.Unlock()
	var off tools.Off
	err := kept.Records(ctx, offKind, func(id string, _ []byte) error {
		if name, ok := strings.CutPrefix(id, offTool); ok {
			off.Tools = append(off.Tools, name)
		}
		if name, ok := strings.CutPrefix(id, offToolset); ok {
			off.Toolsets = append(off.Toolsets, name)
		}
		return nil
	})
	if err != nil || reflect.DeepEqual(off, ts.Registry.Off()) {
		return err
	}
	ts.Registry.SwitchOff(off)
	ts.listsChanged((*mcp.Server).ToolsChanged, (*mcp.Server).PromptsChanged, (*mcp.Server).ResourcesChanged)
	return nil
}

// watchSwitches follows what other processes switch, until ctx ends.
func (ts *toolkits) watchSwitches(ctx context.Context) {
	tick := time.NewTicker(switchesEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := ts.readSwitches(ctx, ts.Store)
		if err != nil && !ts.switches.failing && ctx.Err() == nil {
			ts.log.WarnContext(ctx, "which tools are switched off could not be looked up; it stays as it was", "error", err)
		}
		ts.switches.failing = err != nil
	}
}

// SwitchedOff implements settings.Tools.
func (ts *toolkits) SwitchedOff() tools.Off { return ts.Registry.Off() }

// SwitchTool implements settings.Tools.
func (ts *toolkits) SwitchTool(ctx context.Context, by access.Caller, s settings.Switch) error {
	id := offTool + s.Name
	if s.Kind == settings.KindToolset {
		id = offToolset + s.Name
	}
	if s.Off && !ts.has(s) {
		return server.NewProblem(http.StatusNotFound, "unknown_tool", "There is no such tool or toolset.",
			"GET /api/v1/tools lists the tools with their toolsets.")
	}
	var err error
	if s.Off {
		err = ts.Store.PutRecord(ctx, offKind, id, []byte(by.ID))
	} else if err = ts.Store.DeleteRecord(ctx, offKind, id); errors.Is(err, fs.ErrNotExist) {
		err = nil // it is on
	}
	if err == nil {
		err = ts.readSwitches(ctx, ts.Store)
	}
	if err != nil {
		return err
	}
	what := []slog.Attr{slog.String("caller", by.ID), slog.String("via", by.Via), slog.String("what", id),
		slog.Bool("off", s.Off)}
	ts.log.LogAttrs(ctx, slog.LevelInfo, "a tool was switched for everybody", what...)
	if ts.audit != nil {
		ts.audit.Record(ctx, "switch", what...)
	}
	return nil
}

// has reports whether there is such a tool, toolset or server.
func (ts *toolkits) has(s settings.Switch) bool {
	if s.Kind == settings.KindTool {
		t, ok := ts.Registry.Lookup(s.Name)
		return ok && t.Def.Name == s.Name
	}
	_, configured := ts.Cfg.MCPServers[s.Name]
	return configured || slices.Contains(ts.Registry.Toolsets(), s.Name)
}

// offered refuses the plans that need a tool which the asker is not offered, and says so: readers of questions know the
// tools that they plan with, and not whether somebody has switched one off.
type offered struct{ planner.Planner }

// Plan asks the planner.
func (p offered) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := p.Planner.Plan(ctx, req)
	for _, step := range res.Plan.Steps {
		there := slices.ContainsFunc(req.Tools, func(t plan.Tool) bool { return t.Name == step.Tool })
		if err == nil && !there {
			res.Plan = plan.Plan{Confidence: res.Plan.Confidence, Refuse: "Answering that takes the tool " + step.Tool +
				", which is switched off in this chat or by the administrator, or not permitted to you."}
			return res, nil
		}
	}
	return res, err
}
