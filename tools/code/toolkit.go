package code

import (
	"context"

	"catena/tools/code/workspace"
)

// Toolset is the name that these tools are registered under.
const Toolset = "code"

// Options are what the toolkit is made of. Roots must be set; the zero value of the rest is usable.
type Options struct {
	workspace.Options
	// Write gives what writes prose now (ask_index): one call of a model without tools. Where it is nil or gives nil,
	// answers quote alone.
	Write func() model
}

// Toolkit is the tools over repositories, their resources and live tables. Tools is in tools.go.
type Toolkit struct {
	opt        Options
	workspaces *workspace.Workspaces
	queries    queryVectors // of searches
}

// New makes a toolkit and opens its indexes. Close must be called at the end.
func New(opt Options) (*Toolkit, error) {
	w, err := workspace.New(opt.Options)
	if err != nil {
		return nil, err
	}
	return &Toolkit{opt: opt, workspaces: w}, nil
}

// Close stops indexing and watching and waits for it.
func (k *Toolkit) Close() error { return k.workspaces.Close() }

// Indexes gives the status of every index of an owner, the newest first.
func (k *Toolkit) Indexes(owner string) []workspace.Status { return k.workspaces.List(owner) }

// Drop forgets an owner's index of a folder or with an id, as Workspaces.Drop does.
func (k *Toolkit) Drop(ctx context.Context, owner, name string) ([]workspace.Status, error) {
	return k.workspaces.Drop(ctx, owner, name)
}
