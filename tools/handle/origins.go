package handle

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Reads collects, while a call runs, the toolsets whose tables it reads: a result shows what they said, whatever its
// own tool is. It is safe for concurrent use, also by a handler that was left behind.
type Reads struct {
	mu        sync.Mutex
	toolsets  []string
	untrusted []Origin
}

type originsKey struct{}

// WithReads makes a context under which tables that are read are noted.
func WithReads(ctx context.Context, toolsets ...string) (context.Context, *Reads) {
	o := &Reads{}
	o.add(toolsets)
	return context.WithValue(ctx, originsKey{}, o), o
}

// ReadFrom notes that the call of ctx, where there is one, has read what came from the toolsets.
func ReadFrom(ctx context.Context, toolsets ...string) {
	if o, ok := ctx.Value(originsKey{}).(*Reads); ok {
		o.add(toolsets)
	}
}

// readMeta notes that the call of ctx has read a table.
func readMeta(ctx context.Context, m Meta) {
	ReadFrom(ctx, m.From...)
	ReadUntrusted(ctx, m.Sources()...)
}

// ReadUntrusted notes that the call of ctx, where there is one, has read what came from untrusted sources.
func ReadUntrusted(ctx context.Context, from ...Origin) {
	if o, ok := ctx.Value(originsKey{}).(*Reads); ok && len(from) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.untrusted = AddOrigins(o.untrusted, from...)
	}
}

// Untrusted are the sources that were noted so far.
func (o *Reads) Untrusted() []Origin {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.untrusted
}

func (o *Reads) add(toolsets []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range toolsets {
		if t != "" && !slices.Contains(o.toolsets, t) {
			o.toolsets = append(o.toolsets, t)
		}
	}
}

// Toolsets are what was noted so far, sorted.
func (o *Reads) Toolsets() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(slices.Values(o.toolsets))
}

// Origin is an untrusted source that a value came from, or was made of.
type Origin struct {
	Step    string `json:"step,omitempty"` // "" for a table of an earlier run, or an upload
	Tool    string `json:"tool,omitempty"`
	Toolset string `json:"toolset,omitempty"`
	Table   string `json:"table,omitempty"` // the name of a table that no step of the run made
}

// String names the source for a person: "s1 (mail__read)".
func (o Origin) String() string {
	switch {
	case o.Step != "" && o.Tool != "":
		return o.Step + " (" + o.Tool + ")"
	case o.Table != "":
		return "the table " + o.Table
	}
	return cmp.Or(o.Tool, o.Step, o.Toolset, "a table")
}

// maxOrigins bounds the sources that are remembered of one result; that there are some is what counts.
const maxOrigins = 16

// AddOrigins adds the sources that a list lacks, up to the number that is remembered.
func AddOrigins(list []Origin, more ...Origin) []Origin {
	for _, o := range more {
		if len(list) < maxOrigins && !slices.Contains(list, o) {
			list = append(slices.Clip(list), o)
		}
	}
	return list
}

// Sources are the untrusted sources that a table was made of.
func (m Meta) Sources() []Origin {
	if len(m.Origins) > 0 {
		return m.Origins
	}
	if !m.Untrusted {
		return nil
	}
	toolset := ""
	if len(m.From) > 0 {
		toolset = m.From[0]
	}
	return []Origin{{Tool: m.Tool, Toolset: toolset, Table: cmp.Or(m.Name, m.Handle)}}
}
