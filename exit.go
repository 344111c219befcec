package main

// Exit codes. They are part of the command line's contract and documented in docs/guide.md.
const (
	exitOK          = 0
	exitError       = 1   // something broke: the answer was not made
	exitUsage       = 2   // flags, configuration or data files are wrong; nothing was run
	exitNoAnswer    = 3   // Catena asks back or refuses: the message cannot be answered as it stands
	exitApproval    = 4   // a step waits for approval
	exitInterrupted = 130 // Ctrl-C
)

// exitError carries an exit code through cobra. An empty message prints nothing more.
type exitCode struct {
	code int
	err  error
}

func (e *exitCode) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitCode) Unwrap() error { return e.err }

func usageError(err error) error { return &exitCode{code: exitUsage, err: err} }
