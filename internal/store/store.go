package store

import (
	"context"
	"time"
)

// Store is what every store keeps: sessions, runs with their events and journal, leases, tables by handle, and a cache.
// *sqlite.Store and
//
// for Redis what its server is set to (docs/store.md). All methods are safe for concurrent use.
//
// Whoever opened a store is the owner of the runs that it starts: see AcquireLease. Each write to an open run's log and journal
// carries the epoch of the owner's lease, and is refused with a *LeaseError when that is not the newest.
type Store interface {
	// CreateSession makes an empty session, which is durable with whatever is written for it next and awaited. A taken
	// id gives fs.ErrExist, whoever owns it.
	CreateSession(ctx context.Context, owner, id, title string, at time.Time) error
	// AppendTurn adds a turn at the session's end, durably. The one of an open run of this store's may wait for EndRun,
	// whose error is then the turn's, too.
	AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// ReplaceTurn writes a turn in place of the one that the same run left in the session, where it stands; where there is none it is
	// AppendTurn, and as durable.
	ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// Turns returns the last n turns, oldest first; none for a session without turns or n below 1.
	Turns(ctx context.Context, owner, session string, n int) ([][]byte, error)
	// SetTitle renames a session.
	SetTitle(ctx context.Context, owner, session, title string) error
	// DeleteSession removes a session and all that belongs to it: turns, runs, events, the journal of its calls, its tables.
	DeleteSession(ctx context.Context, owner, session string) error
	// ListSessions returns the owner's sessions, the last updated first: id, title, turns (int64), created and updated (time.Time, UTC). With
	// a time they are those that come after the session of that time and id in the list, for the next page of it.
	ListSessions(
		ctx context.Context,
		owner string,
		before time.Time,
		beforeID string,
		limit int,
	) ([]map[string]any, error)
	// Session returns one session as ListSessions has it.
	Session(ctx context.Context, owner, id string) (map[string]any, error)

	// StartRun makes an accepted message durable: its run exists, with status "running", when it returns, and is leased to this
	// store with epoch 1. state is what SaveState would keep, in the same commit: nothing of an accepted message is there without the rest. nil is
	// no state.
	StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error
	// StartKeyedRun is StartRun for a run whose id a client's key decides: the digest of its request stays for KeyLife when the run is deleted with its
	// session, and the id is taken meanwhile.
	StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error
	// StartFirstRun is StartRun, or StartKeyedRun where there is a digest, for a run that begins its session, which is
	// made too, or neither. A session of the owner's that is there stays as it is; another's gives fs.ErrNotExist.
	StartFirstRun(
		ctx context.Context,
		owner, run, session, title, digest string,
		request, state []byte,
		at time.Time,
	) error
	// GoneRun returns the digest of such a run that was deleted; fs.ErrNotExist for any other.
	GoneRun(ctx context.Context, run string) (digest string, err error)
	// StartCall is StartRun for a run that is one call of a tool and belongs to no session. Whatever becomes of it, it is gone when it
	// expires. It reports false, and starts nothing, while the owner has as many as limit that have not expired.
	StartCall(
		ctx context.Context,
		owner, run string,
		request []byte,
		at, expires time.Time,
		limit int,
	) (started bool, err error)
	// AppendEvents appends events, at most MaxAppend, with the sequence numbers first, first+1 ... All or none are written, and they are durable when
	// it returns. A gap or an overlap gives a *SequenceError.
	AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error
	// Events returns the events after a sequence number, in order, at most limit.
	Events(ctx context.Context, owner, run string, after uint64, limit int) (seqs []uint64, events [][]byte, err error)
	// LastEvent returns the end of a run's log whoever owns it, for the program's own use: 0 and nil for an empty one.
	LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error)
	// EndRun is AppendEvents, unless there are no events, and FinishRun. All is done or nothing, but on Redis, where
	// what a failure of the server leaves may be the events without the end. A run that is already finished takes
	// neither: fs.ErrExist.
	EndRun(
		ctx context.Context,
		run string,
		first uint64,
		events [][]byte,
		status string,
		response []byte,
		at time.Time,
	) error
	// FinishRun records a run's end, durably, and ends its lease. A run that is already finished keeps its first end: fs.ErrExist.
	FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error
	// Run returns what is known of a run: status is "running", and response nil, until it finished.
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
	RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error)
	// Accepted returns what StartRun was given, whoever owns the run, for the program's own use.
	Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error)
	// CancelRun asks whoever runs an open run of the owner's to cancel it, durably. For a run that is finished it does nothing.
	CancelRun(ctx context.Context, owner, run string) error
	// CancelledRuns returns those of the runs that CancelRun was called for since they were started or reopened.
	CancelledRuns(ctx context.Context, runs []string) ([]string, error)
	// SaveState keeps where an open run of this store's stands, in place of what was kept before. It returns at once: the state is kept
	// before whatever is written after it and awaited, so before any call that changes something.
	SaveState(ctx context.Context, run string, state []byte) error
	// State returns what SaveState kept, whoever owns the run, for the program's own use: nil where nothing was.
	State(ctx context.Context, run string) (state []byte, err error)
	// ReopenRun makes a run of the owner's that ended with a status and a last event go on, durably: it is "running" again without a
	// response, and leased to this store with a new epoch. Of several that try at once one succeeds; to the others, and where the run
	// stands otherwise, the error wraps fs.ErrExist.
	ReopenRun(ctx context.Context, owner, run, status string, last uint64) error

	// ExpiredRuns lists runs that never finished and whose owner is gone, oldest first, at most limit.
	ExpiredRuns(ctx context.Context, limit int) (runs []string, err error)
	// OpenRuns takes over the first of the runs that ExpiredRuns lists, by AcquireLease, at most limit, and returns those that it got:
	// they are this store's to go on with.
	OpenRuns(ctx context.Context, limit int) (runs []string, err error)
	// AcquireLease makes an open run this store's, with an epoch larger than all before, which the store remembers and sends along
	// with what it writes to the run. While somebody else's lease lasts, or this store still works on the run, the error wraps
	// ErrLeased; for a finished run it wraps fs.ErrExist. Leases are renewed in the background until FinishRun or ReleaseLease.
	AcquireLease(ctx context.Context, run string) (epoch uint64, err error)
	// RenewLease makes the lease of a run last Options.LeaseTTL from now. It works on one that ran out and that nobody took since;
	// otherwise the error is a *LeaseError.
	RenewLease(ctx context.Context, run string) error
	// ReleaseLease gives a run up, so that another may acquire it at once, and forgets it, also where it cannot tell anybody: the lease
	// runs out then. A lease that was lost is forgotten too, without an error.
	ReleaseLease(ctx context.Context, run string) error

	// Begin journals that a tool is about to be called. For a call that changes something it is durable when it returns. A step
	// that is begun again counts one more attempt.
	Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error
	// End journals that a call returned, or could not, with what it gave (nil: nothing is kept). One without a Begin gives
	// fs.ErrNotExist.
	End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error
	// Calls gives each step of a run that was called, with its last call and how often it was begun: the status is started while
	// that is under way, or was when the process ended. An error of each ends it and is returned.
	Calls(
		ctx context.Context,
		run string,
		each func(step, tool, argsHash, status string, attempts int, result []byte) error,
	) error
	// Unfinished lists the tools of a run that were called, may have changed something, and never reported back: their outcome is
	// unknown.
	Unfinished(ctx context.Context, run string) ([]string, error)

	// PutHandle records a handle and its content until expires. It can be read back at once. A taken handle gives fs.ErrExist. One of a session that
	// is not the owner's, or was deleted, is not kept: no table outlives the deletion of its session.
	// Beyond Options.OwnerBytes the owner's oldest tables go; one that is larger than that is a *QuotaError.
	PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error
	// HandleStored returns when a table of a session that was put is durable. The error wraps fs.ErrNotExist where it is not kept, because its
	// session is not there; of a table that has gone from a session that is, it is another.
	HandleStored(ctx context.Context, owner, session, handle string) error
	// OwnsSession is nil for a session of the owner's that is there; else the error wraps fs.ErrNotExist.
	OwnsSession(ctx context.Context, owner, session string) error
	// GetHandle returns what PutHandle was given, to its owner only and until it expires.
	GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error)
	// ListHandles returns the newest handles of an owner with their meta, newest first, at most limit; session narrows them to one
	// session unless it is "".
	ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error)
	// DeleteHandle removes a table of the owner's.
	DeleteHandle(ctx context.Context, owner, handle string) error
	// DeleteHandles is DeleteHandle for several tables; what is not there, or is another's, is no error.
	DeleteHandles(ctx context.Context, owner string, handles ...string) error

	// Get returns a cached value, and whether there is one that has not expired. Keys carry their owner.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	// Put caches a value for ttl, in place of an earlier one. A cache promises nothing.
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error

	// PutRecord keeps a small thing that lasts, an API key for one, in place of an earlier one with its kind and id, durably.
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	// AddRecord is PutRecord within a limit: it reports false, and keeps nothing, where most records of the kind have
	// data that counted reports true of, the one with the id left out. Counting and writing are one step for all
	// processes on the store. counted may be called again for the same data.
	AddRecord(
		ctx context.Context, kind, id string, data []byte, most int, counted func(data []byte) bool,
	) (added bool, err error)
	// DeleteRecord removes a record, durably; one that is not there gives fs.ErrNotExist.
	DeleteRecord(ctx context.Context, kind, id string) error
	// Record is what PutRecord was given last for a kind and id; one that is not there gives fs.ErrNotExist.
	Record(ctx context.Context, kind, id string) (data []byte, err error)
	// Records gives the records of a kind, by id. An error of each ends it and is returned.
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error

	// Lock takes a lock by its name for ttl, so that one of all processes on the store works on something: it reports false, and does not
	// wait, while another's lasts. token is its holder's alone; under it a lock that is held is taken anew, for ttl from now.
	Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error)
	// Unlock gives a lock up. One that ran out, or is another's by now, is no error.
	Unlock(ctx context.Context, name, token string) error

	// Sweep removes what has expired and returns how many tables, cached values and old sessions went. It runs by itself.
	Sweep(ctx context.Context) (removed int, err error)
	// Ping says whether the store can be read and written, for health checks.
	Ping(ctx context.Context) error
	// String names the store for people, without a password: its file, or its servers.
	String() string
	// Close ends the background work and closes the store. Further calls return ErrClosed; a second Close does nothing.
	Close() error
}

// KeyLife is how long the digest of a run that was started under a key outlives the session that the run was deleted
// with.
const KeyLife = 24 * time.Hour

// MaxAppend bounds the events of one AppendEvents: so many values a script of Redis can give to one command.
const MaxAppend = 7000
