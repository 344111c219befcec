// Command soak uses catena for a long time at a part of what it can do, and tells whether anything grows.
//
//	go -C bench run ./soak [-for 30m] [-load 0.3 | -rate 4] [-clients 8] [-every 30s] [-binary FILE] [-json]
//
// The program runs as a process of its own. Each of the clients does one thing after another: messages answered at once, streams read to
// their end, streams cut in the middle and resumed, uploads, calls over MCP in a session of its own and without one, sessions listed
// and deleted. How often is -rate, in things a second over all clients, or the part -load of what two clients do without a pause in the
// first seconds. At each sample the process collects its garbage and tells its heap, goroutines, descriptors and resident memory. The
// first third of the time is for warming up: what is kept in memory for later has bounds, 2,000 tables of a caller among them, and is full
// after some ten thousand things. The verdict compares the lower quartiles of the second and the last third; the exit code is 1 when
// one of these grew by more than its tolerance, a thing failed, or the process ended. The store is printed: what is deleted leaves room
// in its file, so it stays as large as it ever was.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"catena/bench/program"
)

// options are the flags.
type options struct {
	length  time.Duration
	load    float64
	rate    float64
	clients int
	every   time.Duration
	binary  string
	asJSON  bool
}

func main() {
	var o options
	flag.DurationVar(&o.length, "for", 30*time.Minute, "how long")
	flag.Float64Var(&o.load, "load", .3, "the part of what it can do")
	flag.Float64Var(&o.rate, "rate", 0, "things a second, in place of -load")
	flag.IntVar(&o.clients, "clients", 8, "clients")
	flag.DurationVar(&o.every, "every", 0, "between samples; 0 is a sixtieth of -for, 1 s at least")
	flag.StringVar(&o.binary, "binary", "", "the program; built when it is not given")
	flag.BoolVar(&o.asJSON, "json", false, "end with one line of JSON")
	flag.Parse()
	if o.every == 0 {
		o.every = max(time.Second, o.length/60)
	}
	well, err := run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || !well {
		os.Exit(1)
	}
}

// run is the whole of it; well is the verdict.
func run(ctx context.Context, o options) (well bool, err error) {
	p, err := program.Start(ctx, program.Options{Binary: o.binary, Env: []string{"CATENA_AUDIT_TO=off"}})
	if err != nil {
		return false, err
	}
	defer func() {
		if serr := p.Stop(); serr != nil {
			well, err = false, serr
		}
	}()
	fmt.Printf("%s, %d CPUs\n", runtime.Version(), runtime.NumCPU())
	if o.rate == 0 {
		most, err := capacity(ctx, p.URL)
		if err != nil {
			return false, err
		}
		o.rate = o.load * most
		fmt.Printf("two clients without a pause do %.1f things a second; %.0f %% of that are %.1f\n", most, 100*o.load, o.rate)
	}
	samples, done, err := soak(ctx, p, o)
	if err != nil {
		return false, err
	}
	v := judge(samples)
	well = v.well && done.failed() == 0 && p.Alive()
	fmt.Print(done, v)
	if o.asJSON {
		return well, json.NewEncoder(os.Stdout).Encode(map[string]any{"well": well, "seconds": o.length.Seconds(), "rate": o.rate, "failed": done.failed(), "grown": v.grown, "middle": v.middle, "last": v.last})
	}
	return well, nil
}

// soak runs the clients and takes the samples.
func soak(ctx context.Context, p *program.Program, o options) ([]program.Sample, *counts, error) {
	done := newCounts()
	using, stop := context.WithTimeout(ctx, o.length)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		use(using, p.URL, o.clients, o.rate, done)
	}()
	var samples []program.Sample
	tick := time.NewTicker(o.every)
	defer tick.Stop()
	begun := time.Now()
	for {
		select {
		case <-ended:
			return samples, done, nil
		case <-tick.C:
		}
		if using.Err() != nil {
			continue // the clients are about to end
		}
		s, err := p.Sample(ctx, true)
		if err != nil {
			stop()
			<-ended
			return samples, done, err
		}
		samples = append(samples, s)
		fmt.Printf("%6.0f s  rss %6.1f MiB  heap %5.1f MiB  %4d goroutines  %3d descriptors  store %6.1f MiB  cpu %5.1f s  %6d things, %d failed\n",
			s.At.Sub(begun).Seconds(), mib(s.RSS), mib(s.Heap), s.Goroutines, s.Descriptors, mib(s.Store), s.CPU.Seconds(), done.total(), done.failed())
	}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }
