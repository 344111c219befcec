package store

import "time"

// Options tune a store. The zero value is right for a program; tests set Now.
type Options struct {
	// Now is the clock for expiry; nil means time.Now. Redis's leases go by its server's clock.
	Now func() time.Time
	// Report is told of background work that failed, and of a write that failed after its caller had gone on (see
	// sqlite.Store.PutHandle and sqlite.Store.Begin). It must not block. Nil drops the report.
	Report func(error)
	// BusyTimeout is how long to wait for another process that writes, or for a server that is away; 0 means 5 s.
	BusyTimeout time.Duration
	// SweepEvery is the pause between removals of what has expired; 0 means 10 minutes, negative never.
	SweepEvery time.Duration
	// KeepCalls is how long the journal of calls that belong to no run is kept; 0 means 30 days. A run's journal lives as long
	// as the run.
	KeepCalls time.Duration
	// KeepSessions is how long a session is kept after its last turn, with its runs, events and tables; 0 means for ever.
	KeepSessions time.Duration
	// KeepRuns is how long a run's log is kept after its end: its events, journal, request and answer. The turn of its session stays. 0 means for
	// as long as the session. A store that held runs before is given ageGrace first: see Retention.
	KeepRuns time.Duration
	// OwnerRunBytes bounds the logs of one owner's runs that have ended, in bytes; the oldest go, at the next sweep. 0 means no bound. For SQLite alone:
	// a server has maxmemory.
	OwnerRunBytes int64
	// CacheBytes bounds what is cached, in bytes; what ends first goes, at the next sweep. 0 means no bound. For SQLite alone.
	CacheBytes int64
	// LeaseTTL is how long a lease lasts after it was renewed: so late is a run taken over whose owner died. 0 means 12 s.
	LeaseTTL time.Duration
	// RenewEvery is the pause between renewals of the leases that are held; 0 means a third of LeaseTTL, negative never.
	RenewEvery time.Duration
	// NearQuota is told, in a sweep and once a day, of each owner that uses 80 % and more of OwnerBytes or OwnerRunBytes; of several processes on
	// one server, the one that sweeps is told. It must not block. Nil drops that.
	NearQuota func(owner string, use QuotaUse)
	// OwnerBytes bounds the tables of one owner, their content in bytes; 0 means 1 GiB.
	OwnerBytes int64
	// ReserveBytes is how much room on the disk SQLite's store holds for deletions, in a file beside it (catena.reserve); 0 means none.
	ReserveBytes int64
	// LogBytes is how long SQLite's write-ahead log grows before it is moved into the database, beside further
	// commits; 0 means 16 MiB. Pages that are written again and again, as those of runs under way are, are moved
	// once each time. A log four times as long, which a reader or a slow disk has left, is moved by who commits.
	LogBytes int64
}

// WithDefaults fills in what is zero.
func (o Options) WithDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 5 * time.Second
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = 10 * time.Minute
	}
	if o.KeepCalls <= 0 {
		o.KeepCalls = 30 * 24 * time.Hour
	}
	if o.LeaseTTL <= 0 {
		o.LeaseTTL = 12 * time.Second
	}
	if o.RenewEvery == 0 {
		o.RenewEvery = o.LeaseTTL / 3
	}
	if o.OwnerBytes <= 0 {
		o.OwnerBytes = 1 << 30
	}
	if o.LogBytes <= 0 {
		o.LogBytes = 16 << 20
	}
	return o
}

// ReportError tells of a failure in the background; a store that is being closed fails for no other reason.
func (o Options) ReportError(err error) {
	if err != nil && o.Report != nil {
		o.Report(err)
	}
}

// QuotaUse is how much of a quota an owner uses, from 80 % on.
type QuotaUse struct {
	Kind    string // for people: "tables"
	Setting string // that sets the quota
	Bytes   int64
	Limit   int64 // bytes; beyond it the oldest go
}

// Retention is what is deleted without being asked for.
type Retention struct {
	KeepRuns time.Duration // 0 is for ever
	From     time.Time     // before it no run's log is deleted
}
