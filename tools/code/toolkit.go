package code

// Toolset is the name that these tools are registered under.
const Toolset = "code"

// Toolkit is the tools over repositories, their resources and live tables. Tools is in tools.go.
type Toolkit struct {
	opt        Options
	workspaces *Workspaces
	queries    queryVectors // of searches
}

// New makes a toolkit and opens its indexes. Close must be called at the end.
func New(opt Options) (*Toolkit, error) {
	w, err := NewWorkspaces(opt)
	if err != nil {
		return nil, err
	}
	return &Toolkit{opt: opt, workspaces: w}, nil
}

// Close stops indexing and watching and waits for it.
func (k *Toolkit) Close() error { return k.workspaces.Close() }
