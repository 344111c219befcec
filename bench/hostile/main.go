// Command hostile attacks catena while honest clients use it.
//
//	go -C bench run ./hostile [-for 60s] [-rounds 2] [-slow 5000] [-workers 4] [-rate 20]
//		[-attack 10] [-memory 1536] [-short] [-floor=false] [-binary FILE] [-only TEXT] [-json]
//
// The program runs as a process of its own, on a loopback address, where who has no key has no rate: the attackers are as free as anybody
// may be. They are a process of their own too, and leave the processors to the program and to what is measured (nice 19): in life they
// have machines of their own. Honest messages come at a fixed rate, in turns of -for without and with the attack, and each one's time counts
// from when it was due; once a second a caller with a key has a CSV file sent.
// The attack is all of this at once: connections that send their headers, or a body, a byte at a time, or read nothing of what they asked
// for; bodies of 100 MB, with their length told and in chunks, at every route that takes one; JSON that is 100,000 deep, or has millions
// of members; bodies that are packed; uploads that unpack to gigabytes. Every request has answers that are right, and every connection a
// time after which it must be gone, but for event streams.
//
// With -floor there are turns in which a server is attacked, in place of the program, that does the least that one can do: it reads and holds
// what the program does, and refuses all. What honest messages take then is what no program could do better here: the attackers, and the system
// under them, have the same processors. It is told beside the ratio, and no bar.
//
// The exit code is 1 when an answer was wrong, a connection was held for too long, nothing came of a kind of attack, an honest message or
// download failed, the resident memory went over -memory, or, but with -short, the p99 of honest messages rose by more than a tenth, less
// than half of the attacks were sent, or a turn was too short to hold a connection for too long. With -short the output says so: neither
// is told in so little time, nor the first two on a machine that does something else.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"catena/bench/program"
)

// options are the flags.
type options struct {
	length  time.Duration
	rounds  int
	slow    int
	workers int
	rate    float64
	attack  float64
	memory  int64
	short   bool
	binary  string
	only    string
	floor   bool
	against string
	host    string
	standIn bool
	asJSON  bool
}

func main() {
	var o options
	flag.DurationVar(&o.length, "for", time.Minute, "how long each turn is, without and with the attack")
	flag.IntVar(&o.rounds, "rounds", 2, "turns of both kinds")
	flag.IntVar(&o.slow, "slow", 5000, "connections that are slow")
	flag.IntVar(&o.workers, "workers", 4, "requests of attackers at a time, of each kind of attack")
	flag.Float64Var(&o.rate, "rate", 20, "honest messages a second")
	flag.Float64Var(&o.attack, "attack", 10, "requests of the attackers a second, beside the connections that are slow: what one key may send")
	flag.Int64Var(&o.memory, "memory", 1536, "MiB that the program may take")
	flag.BoolVar(&o.short, "short", false, "one round of 8 s, 1,000 slow connections, and 40 requests of the attackers a second, so that each kind has its turns")
	flag.StringVar(&o.binary, "binary", "", "the program; built when it is not given")
	flag.StringVar(&o.only, "only", "", "only attacks whose name has this text")
	flag.BoolVar(&o.floor, "floor", true, "turns with an attack on a server that does the least, too; not with -short")
	flag.StringVar(&o.against, "against", "", "attack the server at this URL, a turn for each line of standard input: what the program starts itself as")
	flag.StringVar(&o.host, "host", "", "with -against: the address that is attacked, if it is another one")
	flag.BoolVar(&o.standIn, "stand-in", false, "be the server that does the least, until standard input ends: what the program starts itself as")
	flag.BoolVar(&o.asJSON, "json", false, "end with one line of JSON")
	flag.Parse()
	if o.short {
		o.length, o.rounds, o.slow, o.attack, o.floor = 8*time.Second, 1, 1000, 40, false
	}
	var faults []string
	var err error
	switch {
	case o.standIn:
		err = serveStandIn(context.Background(), os.Stdin, os.Stdout)
	case o.against != "":
		err = attackOnly(context.Background(), os.Stdin, os.Stdout, o)
	default:
		faults, err = run(context.Background(), o)
	}
	if err != nil {
		faults = append(faults, err.Error())
	}
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, "hostile:", f)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// run is the whole of it and returns what was not as it must be.
func run(ctx context.Context, o options) (faults []string, err error) {
	if _, err := chosen(o); err != nil {
		return nil, err
	}
	folder, settings, key, err := newKey()
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err != nil {
		return nil, err
	}
	p, err := program.Start(ctx, program.Options{Binary: o.binary, Env: []string{"CATENA_AUDIT_TO=off", "CATENA_CONFIG=" + settings}})
	if err != nil {
		return nil, err
	}
	defer func() {
		if serr := p.Stop(); serr != nil {
			faults = append(faults, serr.Error())
		}
	}()
	fmt.Printf("%s, %d CPUs\n", runtime.Version(), runtime.NumCPU())
	r, err := measure(ctx, p, key, o)
	if err != nil {
		return nil, err
	}
	faults = r.faults()
	fmt.Print(r)
	if o.asJSON {
		err = json.NewEncoder(os.Stdout).Encode(r.figures(faults))
	}
	return faults, err
}

// measure has the program used, and attacked, in turns.
func measure(ctx context.Context, p *program.Program, key string, o options) (result, error) {
	r := result{o: o, quiet: newUse(), attacked: newUse(), least: newUse()}
	enemies, err := newAttackers(ctx, p.URL, "", o)
	if err != nil {
		return r, err
	}
	f, err := newFiles(ctx, p.URL, key)
	if err != nil {
		return r, err
	}
	if err := warm(ctx, p.URL); err != nil {
		return r, err
	}
	if r.before, err = p.Sample(ctx, true); err != nil {
		return r, err
	}
	memory := watch(ctx, p)
	for range o.rounds {
		turn(ctx, f, o, r.quiet)
		if r.attacks, err = enemies.turn(func() { turn(ctx, f, o, r.attacked) }); err != nil {
			return r, err
		}
	}
	if err := enemies.end(); err != nil {
		return r, err
	}
	r.peak = memory()
	if r.after, err = settled(ctx, p, r.before); err != nil {
		return r, fmt.Errorf("the program is gone: %w", err)
	}
	if o.floor {
		err = floor(ctx, p, f, r)
	}
	return r, err
}

// floor has the program used while the attackers attack another server.
func floor(ctx context.Context, p *program.Program, f *files, r result) (err error) {
	s, err := newStandIn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	enemies, err := newAttackers(ctx, p.URL, s.host, r.o)
	if err != nil {
		return err
	}
	for range r.o.rounds {
		if _, err := enemies.turn(func() { turn(ctx, f, r.o, r.least) }); err != nil {
			return err
		}
	}
	return enemies.end()
}

// turn sends honest messages, and has files sent, for a while.
func turn(ctx context.Context, f *files, o options, u use) {
	ctx, cancel := context.WithTimeout(ctx, o.length)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() { u.downloads.at(ctx, downloadRate, f.download) })
	both.Go(func() {
		u.messages.at(ctx, o.rate, func(ctx context.Context, client *http.Client) error { return ask(ctx, client, f.url) })
	})
	both.Wait()
}

// watch looks at the memory of the program until the function is called that it returns, which gives the most there was.
func watch(ctx context.Context, p *program.Program) (end func() int64) {
	ctx, cancel := context.WithCancel(ctx)
	most := make(chan int64, 1)
	go func() {
		var peak int64
		for ctx.Err() == nil {
			if s, err := p.Sample(ctx, false); err == nil {
				peak = max(peak, s.RSS, s.Peak)
			}
			time.Sleep(200 * time.Millisecond)
		}
		most <- peak
	}()
	return func() int64 { cancel(); return <-most }
}

// settled is a sample once the connections of the attack are gone, or after a while.
func settled(ctx context.Context, p *program.Program, before program.Sample) (s program.Sample, err error) {
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(500 * time.Millisecond) {
		if s, err = p.Sample(ctx, true); err != nil || s.Descriptors <= before.Descriptors+10 {
			break
		}
	}
	return s, err
}
