// Command faults kills processes in the middle of their work and counts what is lost and what is done twice.
//
//	go -C bench run ./faults [-chains 500] [-kills 60] [-every 10s] [-sqlite 500]
//		[-streams 1000] [-outages LIST] [-replay 300] [-json]
//
// Three replicas on one redis-server answer chains of five steps. Two of the steps note something in a ledger, an MCP server
// of this program whose tool may not be called twice. A replica at random is killed (kill -9) every -every, and started again. Readers
// follow the events, from another replica wherever a stream breaks. Where the outcome of a call is not known the program decides as a
// person would who has looked into the ledger. A chain whose process was killed twice in the same step is set aside; it is released, as an
// operator would, and must be answered then. Then streams are cut at random and taken up at another replica, and last one process
// over SQLite is killed at random points. A part whose number is 0 is left out.
//
// -outages goes on with what replicas share: Redis is away for 30 s, its master dies and Sentinel makes another one, it is out of memory, it is
// emptied, a replica is paused (SIGSTOP) for 60 s with its runs, and clocks of replicas are wrong by 5 s, for which the program is built with
// another time.Now. recovery is how long after the end of that each replica has answered a new message. Where Redis forgets (a
// failover, FLUSHALL) runs that are not there any more, and answered ones from before whose log has lost its end, are counted as gone; a chain that ends otherwise than with its answer, and says
// why, as refused. Neither is a miss; a wrong answer is.
//
// -replay records all that SQLite writes, syncs and deletes while a store takes that many messages, and cuts the record before each sync: the
// files are made as a power cut could have left them (with what was synced and nothing else; with all that was written; and, -torn times each,
// with some sectors of what was not synced, in no order), opened by the store, checked, and held against all that it had promised by then.
//
// lost are accepted messages without an answer, doubled effects that were had twice, missing those that an answer claims and the
// ledger does not have; gaps are events out of order, differing streams that are not, byte for byte, the log. The exit code is 1 when any
// of them is not 0, or a takeover took more than 20 s.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// options are the flags.
type options struct {
	binary   string
	replicas int
	chains   int
	kills    int
	every    time.Duration
	atOnce   int
	pause    time.Duration
	sqlite   int
	streams  int
	replay   int
	outages  string
	before   time.Duration
	away     time.Duration
	paused   time.Duration
	torn     int
	patience time.Duration
	asJSON   bool
}

func main() {
	var o options
	flag.StringVar(&o.binary, "catena", "", "the program to kill; made anew when it is not given")
	flag.IntVar(&o.replicas, "replicas", 3, "processes on Redis")
	flag.IntVar(&o.chains, "chains", 500, "chains on Redis at least; more are sent until the last kill")
	flag.IntVar(&o.kills, "kills", 60, "kills of processes on Redis; 0 leaves Redis out")
	flag.DurationVar(&o.every, "every", 10*time.Second, "pause between them")
	flag.IntVar(&o.atOnce, "at-once", 24, "chains under way at a time")
	flag.DurationVar(&o.pause, "pause", 200*time.Millisecond, "what a tool call takes")
	flag.IntVar(&o.sqlite, "sqlite", 500, "kills of the process on SQLite")
	flag.IntVar(&o.streams, "streams", 1000, "streams to cut, of chains on Redis")
	flag.IntVar(&o.replay, "replay", 300, "messages of the store whose write log is cut")
	flag.IntVar(&o.torn, "torn", 3, "ways in which what was not synced is torn, at each cut")
	flag.StringVar(&o.outages, "outages", "away,failover,memory,flush,pause,clock", "what goes wrong with Redis and its users, in this order; none is \"\"")
	flag.DurationVar(&o.before, "before", 10*time.Second, "time before each of them, and after it")
	flag.DurationVar(&o.away, "away", 30*time.Second, "how long Redis is away; it is out of memory for half of that")
	flag.DurationVar(&o.paused, "paused", time.Minute, "how long a replica is paused")
	flag.DurationVar(&o.patience, "patience", 5*time.Minute, "how long a chain may take once nothing is killed any more")
	flag.BoolVar(&o.asJSON, "json", false, "end with one line of JSON")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	figures, err := run(ctx, o)
	if err == nil && o.asJSON {
		err = json.NewEncoder(os.Stdout).Encode(figures)
	}
	if err == nil {
		err = figures.check()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		stop()
		os.Exit(1)
	}
}

// run does the parts that are asked for.
func run(ctx context.Context, o options) (figures, error) {
	f := figures{}
	dir, err := os.MkdirTemp("", "catena-faults-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	if o.binary == "" && (o.kills+o.sqlite > 0 || o.outages != "") {
		if o.binary, err = build(ctx, dir); err != nil {
			return f, err
		}
	}
	fmt.Printf("%s, %d CPUs\n", runtime.Version(), runtime.NumCPU())
	if o.kills > 0 {
		if err := onRedis(ctx, o, dir, f); err != nil {
			return f, fmt.Errorf("redis: %w", err)
		}
	}
	if o.outages != "" {
		if err := onOutages(ctx, o, dir, f); err != nil {
			return f, err
		}
	}
	if o.sqlite > 0 {
		if err := onSQLite(ctx, o, dir, f); err != nil {
			return f, fmt.Errorf("sqlite: %w", err)
		}
	}
	if o.replay > 0 {
		if err := replay(ctx, dir, o.replay, o.torn, f); err != nil {
			return f, fmt.Errorf("replay: %w", err)
		}
	}
	return f, nil
}
