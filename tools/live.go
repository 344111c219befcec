package tools

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"catena/internal/access"
	"catena/table"
	"catena/tools/handle"
)

// Live is a table that a toolkit makes when it is asked for: a caller's memories, the functions of an index. Questions can be
// asked about it like about any source; it goes through the same gate as a tool.
type Live struct {
	Toolset string
	Name    string         // unique among them; how plans and people name it
	Title   string         // a heading
	Columns []table.Column // those of the table, in order; at least one
	// Values are, by column, all values that a column of text may hold where they are a closed set that the toolkit declares, such as
	// attachment styles. Questions may name them. Never values that were read from anybody's data.
	Values  map[string][]string
	Timeout time.Duration // of Open; 0 means the registry's
	// Version changes whenever the rows do, for this caller. "" says that there is nothing yet: the table is then not listed.
	// It must be quick: it is asked in every turn.
	Version func(ctx context.Context, c access.Caller) (string, error)
	// Open makes the table. Table must be set; Title, Hide, Signed, Notes, AsOf and Untrusted are read too.
	Open func(ctx context.Context, c access.Caller) (Result, error)
}

// RegisterLive adds live tables, all of them or none. Each needs a toolset, a name that is free, columns, Version and Open.
func (r *Registry) RegisterLive(list ...Live) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.snap.Load()
	next.live = slices.Clone(next.live)
	for _, l := range list {
		taken := slices.ContainsFunc(next.live, func(x Live) bool { return x.Name == l.Name })
		if l.Toolset == "" || taken || !toolName.MatchString(l.Name) || len(l.Columns) == 0 || l.Version == nil || l.Open == nil {
			return fmt.Errorf("live table %q: a toolset, a name that is free, columns, Version and Open are needed", l.Name)
		}
		next.live = append(next.live, l)
	}
	r.snap.Store(&next)
	return nil
}

// Live returns the live tables that a caller may see, in the order of registration.
func (r *Registry) Live(c access.Caller) []Live {
	return slices.DeleteFunc(slices.Clone(r.snap.Load().live), func(l Live) bool {
		return !r.offers(c, reading(l.Toolset, l.Name))
	})
}

// OpenLive makes a live table through the gate: policy, timeout, a maker that may break, hooks. A name that is not there gives
// an error that wraps fs.ErrNotExist.
func (r *Registry) OpenLive(ctx context.Context, c access.Caller, name string) (Result, error) {
	list := r.snap.Load().live
	i := slices.IndexFunc(list, func(l Live) bool { return l.Name == name })
	if i < 0 {
		return Result{}, fmt.Errorf("there is no table of this name: %w", fs.ErrNotExist)
	}
	var res Result
	err := r.read(ctx, Call{Caller: c, Tool: name}, list[i].Toolset, list[i].Timeout, func(ctx context.Context) error {
		got, err := list[i].Open(ctx, c)
		if err == nil && got.Table == nil {
			err = fmt.Errorf("the toolkit made no table")
		}
		res = got
		return err
	})
	if err != nil {
		return Result{}, err
	}
	handle.ReadFrom(ctx, list[i].Toolset)
	if res.Untrusted {
		handle.ReadUntrusted(ctx, handle.Origin{Toolset: list[i].Toolset, Table: name})
	}
	return res, nil
}
