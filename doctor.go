package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"catena/internal/store"
	"catena/planner"
)

// check is one line of doctor's report.
type check struct {
	name string
	bad  bool
	say  string // what is, and when bad what to do
}

// checks looks at everything that can be wrong. It sends the model one short prompt where one is configured.
func (p *parts) checks(ctx context.Context) []check {
	out := append([]check{{name: "settings", say: "read and valid"}}, p.checkStore(ctx)...)
	out = append(out, p.checkSizes(ctx)...)
	out = append(out, p.checkReplicas(ctx)...)
	out = append(out, p.checkClock())
	out = append(out, p.checkListen(ctx)...)
	out = append(out, p.checkAccess(ctx))
	out = append(out, check{name: "data", bad: len(p.loadErrs) > 0, say: fmt.Sprintf("%d tables", len(p.sources.List(local, "")))})
	for _, err := range p.loadErrs {
		out = append(out, check{name: "data", bad: true, say: err.Error()})
	}
	out = append(out, p.checkModel(ctx), p.checkEmbeddings(ctx))
	if p.personas != nil {
		out = append(out, p.checkPersonas(ctx))
	}
	p.awaitServers(ctx, 15*time.Second, io.Discard)
	down := p.registry.Down()
	for name, why := range down {
		out = append(out, check{name: "mcp", bad: true, say: name + ": " + why})
	}
	for _, s := range p.registry.Servers() {
		if down[s.Name] == "" {
			out = append(out, check{name: "mcp", say: fmt.Sprintf("%s: %s over %s, %d tools", s.Name, s.Phase, s.Transport, s.Tools)})
		}
	}
	return append(out, check{name: "tools", say: fmt.Sprintf("%d tools", len(p.registry.List(local)))})
}

func (p *parts) checkStore(ctx context.Context) []check {
	var out []check
	note := func(name string, s store.Store) {
		c := check{name: name, say: s.String() + " answers"}
		err := s.Ping(ctx)
		if file, ok := s.(*store.SQLite); ok && err == nil {
			c.say = s.String() + " answers, and is whole"
			err = file.Check(ctx)
		}
		if err != nil {
			c.bad, c.say = true, err.Error()
		}
		out = append(out, c)
	}
	if p.shared == nil {
		note("store", p.folder)
		return out
	}
	note("store", p.shared)
	note("folder", p.folder)
	advice, err := p.shared.Advice(ctx)
	for _, say := range advice {
		out = append(out, check{name: "store", bad: true, say: say})
	}
	if err != nil {
		out = append(out, check{name: "store", bad: true, say: err.Error()})
	}
	return out
}

// clockApart is how far clocks may be from each other; leases of runs last longer.
const clockApart = 5 * time.Second

// checkClock compares the clock with the last write of the store in this machine's folder. Replicas' clocks are compared with Redis's.
func (p *parts) checkClock() check {
	path, err := storePath(p.cfg.Store.Dir)
	var written time.Time
	if err == nil {
		if file, serr := os.Stat(path); serr == nil { // none in memory
			written = file.ModTime()
		}
	}
	return clockOf(time.Now(), written)
}

func clockOf(now, written time.Time) check {
	c := check{name: "clock", say: now.UTC().Format("2006-01-02 15:04:05 MST")}
	if ahead := written.Sub(now); !written.IsZero() && ahead > clockApart {
		c.bad = true
		c.say += fmt.Sprintf(", but the store was written %v later than that: set the clock by NTP", ahead.Round(time.Second))
	}
	return c
}

// checkAccess says who is answered at the address that serve would take.
func (p *parts) checkAccess(ctx context.Context) check {
	at, err := net.ResolveTCPAddr("tcp", p.cfg.Listen.Addr)
	if err == nil {
		_, err = p.callers(ctx, at)
	}
	if err != nil {
		return check{name: "access", bad: true, say: err.Error()}
	}
	list, err := p.keys.List(ctx)
	if err != nil {
		return check{name: "access", bad: true, say: err.Error()}
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
	case p.cfg.Access.Require == "proxy":
		say += "; nobody is asked for one (access.require is proxy)"
	case p.cfg.Access.Require != "always" && at.IP.IsLoopback():
		say += "; this machine's user needs none"
	}
	if p.tokens != nil {
		say += "; tokens of " + p.tokens.Issuer() + " are taken"
	}
	return check{name: "access", say: say}
}

func (p *parts) checkModel(ctx context.Context) check {
	if p.model == nil {
		return check{name: "model", say: "none configured: plans are made offline (llm.provider sets one)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	_, err := p.model.Complete(ctx, planner.Prompt{Messages: []planner.Message{{Role: "user", Text: "Answer with the word ok."}}, MaxTokens: 16})
	if err != nil {
		return check{name: "model", bad: true, say: err.Error() + "; plans are made offline until it answers"}
	}
	return check{name: "model", say: p.model.String() + " answers"}
}

func (p *parts) checkEmbeddings(ctx context.Context) check {
	if p.embedder == nil {
		return check{name: "embeddings", say: "none configured: memories and code are found by words (embeddings.provider sets one)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if _, err := p.embedder.Embed(ctx, []string{"ok"}); err != nil {
		return check{name: "embeddings", bad: true, say: err.Error() + "; memories and code are found by words until it answers"}
	}
	return check{name: "embeddings", say: p.embedder.String() + " answers"}
}

func (p *parts) checkPersonas(ctx context.Context) check {
	if err := p.personas.Healthy(ctx); err != nil {
		return check{name: "personas", bad: true, say: err.Error() + "; check persona.neo4j_uri and that the server runs"}
	}
	return check{name: "personas", say: "kept in the " + map[string]string{"neo4j": "Neo4j server, which answers", "embedded": "store"}[p.personas.Kind()]}
}
