package app

// Exit codes. They are part of the command line's contract and documented in docs/guide.md.
const (
	ExitOK          = 0
	ExitError       = 1   // something broke: the answer was not made
	ExitUsage       = 2   // flags, configuration or data files are wrong; nothing was run
	ExitNoAnswer    = 3   // Catena asks back or refuses: the message cannot be answered as it stands
	ExitApproval    = 4   // a step waits for approval
	ExitInterrupted = 130 // Ctrl-C
)

// Exit is an error that knows the exit code of the process. Use errors.As. Without an Err nothing more is printed.
type Exit struct {
	Code int
	Err  error
}

// Error is Err's text, "" where there is none.
func (e *Exit) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap is Err.
func (e *Exit) Unwrap() error { return e.Err }

// UsageError says that err is whoever's started the program: flags, settings or files. It is an *Exit of ExitUsage.
func UsageError(err error) error { return &Exit{Code: ExitUsage, Err: err} }
