package app

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner"
	"catena/tools/declared"
)

// Check is one line of doctor's report.
type Check struct {
	Name string
	Bad  bool
	Say  string // what is, and when bad what to do
}

// Checks looks at everything that can be wrong. It sends the model one short prompt where one is configured.
func (p *App) Checks(ctx context.Context) []Check {
	out := append([]Check{{Name: "settings", Say: "read and valid"}}, p.checkStore(ctx)...)
	out = append(out, p.checkSizes(ctx)...)
	out = append(out, p.checkReplicas(ctx)...)
	out = append(out, p.checkClock())
	out = append(out, p.checkListen(ctx)...)
	out = append(out, p.checkAccess(ctx))
	out = append(out, Check{Name: "data", Bad: len(p.LoadErrs) > 0,
		Say: fmt.Sprintf("%d tables", len(p.Sources.List(Local, "")))})
	for _, err := range p.LoadErrs {
		out = append(out, Check{Name: "data", Bad: true, Say: err.Error()})
	}
	out = append(out, p.checkModel(ctx), p.checkEmbeddings(ctx))
	if p.Personas != nil {
		out = append(out, p.checkPersonas(ctx))
	}
	p.AwaitServers(ctx, 15*time.Second, io.Discard)
	down := p.Registry.Down()
	for name, why := range down {
		out = append(out, Check{Name: "mcp", Bad: true, Say: name + ": " + why})
	}
	for _, s := range p.Registry.Servers() {
		if down[s.Name] == "" {
			out = append(out, Check{Name: "mcp",
				Say: fmt.Sprintf("%s: %s over %s, %d tools", s.Name, s.Phase, s.Transport, s.Tools)})
		}
	}
	if custom := p.declaredNames(); len(custom) > 0 {
		say := fmt.Sprintf("%d of the settings: %s", len(custom), strings.Join(custom, ", "))
		out = append(out, Check{Name: declared.Toolset, Say: say})
	}
	return append(out, Check{Name: "tools", Say: fmt.Sprintf("%d tools", len(p.Registry.List(Local)))})
}

func (s *stores) checkStore(ctx context.Context) []Check {
	var out []Check
	note := func(name string, s store.Store) {
		c := Check{Name: name, Say: s.String() + " answers"}
		err := s.Ping(ctx)
		if file, ok := s.(*sqlite.Store); ok && err == nil {
			c.Say = s.String() + " answers, and is whole"
			err = file.Check(ctx)
		}
		if err != nil {
			c.Bad, c.Say = true, err.Error()
		}
		out = append(out, c)
	}
	if s.shared == nil {
		note("store", s.folder)
		return out
	}
	note("store", s.shared)
	note("folder", s.folder)
	advice, err := s.shared.Advice(ctx)
	for _, say := range advice {
		out = append(out, Check{Name: "store", Bad: true, Say: say})
	}
	if err != nil {
		out = append(out, Check{Name: "store", Bad: true, Say: err.Error()})
	}
	return out
}

// clockApart is how far clocks may be from each other; leases of runs last longer.
const clockApart = 5 * time.Second

// checkClock compares the clock with the last write of the store in this machine's folder. Replicas' clocks are
// compared with Redis's.
func (p *App) checkClock() Check {
	path, err := storePath(p.Cfg.Store.Dir)
	var written time.Time
	if err == nil {
		if file, serr := os.Stat(path); serr == nil { // none in memory
			written = file.ModTime()
		}
	}
	return clockOf(time.Now(), written)
}

func clockOf(now, written time.Time) Check {
	c := Check{Name: "clock", Say: now.UTC().Format("2006-01-02 15:04:05 MST")}
	if ahead := written.Sub(now); !written.IsZero() && ahead > clockApart {
		c.Bad = true
		c.Say += fmt.Sprintf(", but the store was written %v later than that: set the clock by NTP",
			ahead.Round(time.Second))
	}
	return c
}

// checkAccess says who is answered at the address that serve would take.
func (g *gate) checkAccess(ctx context.Context) Check {
	at, err := net.ResolveTCPAddr("tcp", g.Cfg.Listen.Addr)
	if err == nil {
		_, err = g.callers(ctx, at)
	}
	if err != nil {
		return Check{Name: "access", Bad: true, Say: err.Error()}
	}
	list, err := g.Keys.List(ctx)
	if err != nil {
		return Check{Name: "access", Bad: true, Say: err.Error()}
	}
	say, over := fmt.Sprintf("%d keys", len(list)), 0
	for _, k := range list {
		if !k.Expires.IsZero() && !k.Expires.After(time.Now()) {
			over++
		}
	}
	if over > 0 {
		say += fmt.Sprintf(", of which %d expired (catena keys list)", over)
	}
	switch {
	case g.Cfg.Access.Require == "proxy":
		say += "; nobody is asked for one (access.require is proxy)"
	case g.Cfg.Access.Require != "always" && at.IP.IsLoopback():
		say += "; this machine's user needs none"
	}
	if g.tokens != nil {
		say += "; tokens of " + g.tokens.Issuer() + " are taken"
	}
	return Check{Name: "access", Say: say}
}

func (m *models) checkModel(ctx context.Context) Check {
	use := m.inUse()
	if use.model == nil {
		return Check{Name: "model", Say: "none configured: plans are made offline (llm.provider sets one)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	_, err := use.model.Complete(ctx, planner.ProbePrompt())
	if err != nil {
		return Check{Name: "model", Bad: true, Say: err.Error() + "; plans are made offline until it answers"}
	}
	return Check{Name: "model", Say: use.model.String() + " answers, and " + use.model.Accepts()}
}

func (m *models) checkEmbeddings(ctx context.Context) Check {
	if m.embedder == nil {
		return Check{Name: "embeddings",
			Say: "none configured: memories and code are found by words (embeddings.provider sets one)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if _, err := m.embedder.Embed(ctx, []string{"ok"}); err != nil {
		return Check{Name: "embeddings", Bad: true,
			Say: err.Error() + "; memories and code are found by words until it answers"}
	}
	return Check{Name: "embeddings", Say: m.embedder.String() + " answers"}
}

func (ts *toolkits) checkPersonas(ctx context.Context) Check {
	if err := ts.Personas.Healthy(ctx); err != nil {
		return Check{Name: "personas", Bad: true,
			Say: err.Error() + "; check persona.neo4j_uri and that the server runs"}
	}
	return Check{Name: "personas", Say: "kept in the " +
		map[string]string{"neo4j": "Neo4j server, which answers", "embedded": "store"}[ts.Personas.Kind()]}
}
