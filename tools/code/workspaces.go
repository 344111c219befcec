package code

import "context"

// Workspaces are the folders and revisions that are indexed, each owner's ids over them, and the work on them. It is safe for
// concurrent use.
type Workspaces struct{ opt Options }

// NewWorkspaces opens the indexes of Options.Dir. What ran when the process ended is failed from then on, with its former
// index. Close must be called at the end.
func NewWorkspaces(opt Options) (*Workspaces, error) { return &Workspaces{opt: opt}, nil }

// Close stops all work and waits for it.
func (w *Workspaces) Close() error { return nil }

// Ensure makes the index of a folder or revision, or finds that the one there is still true, and blocks until the end. Two calls
// for the same thing share one run and, for one owner, one id. The Status is set whenever there is an id, also beside an error:
// *PathError before there is one, ErrCancelled, or what went wrong.
func (w *Workspaces) Ensure(ctx context.Context, req Request) (Status, error) {
	return Status{}, ErrClosed
}

// Find gives the workspace of an index id. An id that is unknown, or another owner's, gives an error that wraps ErrNotFound.
func (w *Workspaces) Find(owner, indexID string) (*Workspace, error) { return nil, ErrNotFound }

// Current gives the workspace that the owner works on: the one at path, or, when that is "", the one that was ensured last, else
// the first root. With AutoIndex a folder without an index is indexed, and Current waits for it for up to 20 s; after that the
// view's state is Indexing. Without it the view's state is NeverIndexed.
func (w *Workspaces) Current(ctx context.Context, owner, path string) (*Workspace, error) {
	return nil, ErrNotFound
}

// List gives the status of every index id of an owner, the newest first.
func (w *Workspaces) List(owner string) []Status { return nil }

// Cancel stops the work on an index. One that has ended already stays as it is. Unknown ids give ErrNotFound.
func (w *Workspaces) Cancel(owner, indexID string) error { return ErrNotFound }

// Workspace is one owner's index of a folder or revision. It is safe for concurrent use.
type Workspace struct{}

// View is the workspace at this moment. It looks whether the files have changed, at most every 2 s, and loads the index when it
// is not in memory.
func (x *Workspace) View() View { return View{} }

// Root is the folder, absolute and with symlinks resolved.
func (x *Workspace) Root() string { return "" }
