package runs

import (
	"context"
	"time"
)

// Log keeps runs and their events. *sqlite.Store satisfies it. Errors for a run that is not there, or is another's,
// wrap fs.ErrNotExist.
type Log interface {
	// StartRun makes an accepted message durable, with the state that the run begins in, as SaveState has it, in one
	// commit; nil is none.
	StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error
	// StartKeyedRun is StartRun for a run whose id an IdempotencyKey decides. An id that is taken, or was until its
	// session was deleted, gives fs.ErrExist.
	StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error
	// StartFirstRun is StartRun, or StartKeyedRun where there is a digest, for a run that begins its session: that is
	// made with the run or not at all. One of the owner's that was made since is as good.
	StartFirstRun(
		ctx context.Context,
		owner, run, session, title, digest string,
		request, state []byte,
		at time.Time,
	) error
	// GoneRun returns the digest of such a run, for a day after it was deleted with its session.
	GoneRun(ctx context.Context, run string) (digest string, err error)
	// AppendEvents appends events with the sequence numbers first, first+1 ...; a gap or an overlap is an error. Once
	// another process has taken the run over the error has a method Lost() bool that gives true.
	AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error
	// Events returns the events after a sequence number, in order, at most limit.
	Events(ctx context.Context, owner, run string, after uint64, limit int) (seqs []uint64, events [][]byte, err error)
	// EndRun records the end with the last events, if there are any, as AppendEvents has them: status is an Outcome*
	// and response the Response's JSON.
	EndRun(
		ctx context.Context,
		run string,
		first uint64,
		events [][]byte,
		status string,
		response []byte,
		at time.Time,
	) error
	// Run returns what is known of a run: status "running" until it finished.
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
	RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error)
	// Accepted returns what StartRun was given, whoever owns the run.
	Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error)
	// CancelRun asks whoever runs an open run of the owner's to cancel it, be it another process; a finished run stays
	// as it is.
	CancelRun(ctx context.Context, owner, run string) error
	// CancelledRuns returns those of the runs that CancelRun was called for.
	CancelledRuns(ctx context.Context, runs []string) ([]string, error)
	// SaveState keeps where a run stands: on disk before whatever is written after it and awaited.
	SaveState(ctx context.Context, run string, state []byte) error
	// State returns what SaveState kept, nil for nothing.
	State(ctx context.Context, run string) ([]byte, error)
	// ReopenRun makes a run that ended with a status and a last event "running" again. It fails with fs.ErrExist where
	// it stands otherwise.
	ReopenRun(ctx context.Context, owner, run, status string, last uint64) error
	// Calls gives what the journal has of a run's calls.
	Calls(
		ctx context.Context,
		run string,
		each func(step, tool, argsHash, status string, attempts int, result []byte) error,
	) error
	// OpenRuns takes over runs that never finished and whose process is gone, at most limit.
	OpenRuns(ctx context.Context, limit int) (runs []string, err error)
	// ReleaseLease gives a run that this process took over to whoever comes first, and forgets one that was taken from
	// it.
	ReleaseLease(ctx context.Context, run string) error
	// LastEvent returns the end of a run's log whoever owns it: 0 and nil for an empty one.
	LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error)
	// Unfinished lists the tools of a run that were called, may have changed something, and never reported back.
	Unfinished(ctx context.Context, run string) (tools []string, err error)
	// PutRecord keeps a small thing that lasts, in place of an earlier one with its kind and id, durably.
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	// DeleteRecord removes a record, durably; one that is not there gives fs.ErrNotExist.
	DeleteRecord(ctx context.Context, kind, id string) error
	// Records gives the records of a kind, by id. An error of each ends it and is returned.
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}
