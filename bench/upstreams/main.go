// Command upstreams breaks MCP servers in many ways while another answers calls, and measures what that costs.
//
//	go -C bench run ./upstreams [-rounds 3] [-calm 2s] [-gigabytes 5] [-notifications 1000000] [-only kill,lines] [-json]
//
// The servers are processes of this program's own. Each fault happens to a server of its own: kill -9 in a call, a crash loop, silence
// from the start, a call that is never answered, half a message, gigabytes without a line break and with, a million notifications, and
// over HTTP a server that is started anew without its sessions. Told of each is
//
//   - failed: how long the call that was under way took to fail. For a server that goes, that is from the kill on; for one that stays
//     silent, it is how much longer than the call's own time it took.
//   - back: how long after that a call succeeded again.
//   - others: the 99th percentile of the calls of a server that is well, with the fault over without it. Both are measured in turns, in
//     one run.
//   - zombies, goroutines: that were there afterwards and not before.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"catena/tools"
	"catena/tools/upstream"
)

// settings are how much of each fault there is.
type settings struct {
	rounds        int
	calm          time.Duration // without a fault, before each one
	gigabytes     float64
	notifications int
	only          string
	short         bool // faults are left as they are for a tenth of the time
}

// figures are what is told.
type figures struct {
	Faults     int                `json:"faults"`       // that were made
	Right      int                `json:"faults_right"` // after which all was as it should be
	FailMS     float64            `json:"fail_ms"`      // the slowest failure
	BackMS     float64            `json:"back_ms"`      // the slowest recovery
	CalmP99MS  float64            `json:"calm_p99_ms"`
	Ratio      float64            `json:"p99_ratio"` // of others, the worst of the faults
	Ratios     map[string]float64 `json:"p99_ratios"`
	Zombies    int                `json:"zombies"`
	Goroutines int                `json:"goroutines"`
}

func main() {
	if mode := os.Getenv(modeVariable); mode != "" {
		serve(mode)
		return
	}
	var s settings
	flag.IntVar(&s.rounds, "rounds", 3, "how often each fault is made")
	flag.DurationVar(&s.calm, "calm", 2*time.Second, "time without a fault before each")
	flag.Float64Var(&s.gigabytes, "gigabytes", 5, "what a server writes that does not stop")
	flag.IntVar(&s.notifications, "notifications", 1_000_000, "what a server sends that does not stop")
	flag.StringVar(&s.only, "only", "", "names of faults, with commas")
	asJSON := flag.Bool("json", false, "end with one line of JSON")
	flag.Parse()
	f, err := run(context.Background(), s, os.Stdout.WriteString)
	if err == nil && *asJSON {
		err = json.NewEncoder(os.Stdout).Encode(f)
	}
	if err == nil && f.Right < f.Faults {
		err = fmt.Errorf("%d of %d faults did not end as they should", f.Faults-f.Right, f.Faults)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "upstreams:", err)
		os.Exit(1)
	}
}

// run makes all faults.
func run(ctx context.Context, s settings, say func(string) (int, error)) (figures, error) {
	w, err := newWorld(ctx, s)
	if err != nil {
		return figures{}, err
	}
	defer w.close()
	f := figures{Ratios: map[string]float64{}}
	tell := func(format string, args ...any) { _, _ = say(fmt.Sprintf(format, args...)) }
	tell("%-14s %10s %10s %12s %12s %8s %11s\n", "fault", "failed ms", "back ms", "p99 calm ms", "p99 then ms", "zombies", "goroutines")
	for _, fault := range faults {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), fault.name) {
			continue
		}
		var ratios, calm, then []float64
		var worst outcome
		for range s.rounds {
			o, err := w.make(ctx, fault)
			f.Faults++
			if err != nil {
				tell("%-14s %v\n", fault.name, err)
			} else if o.zombies == 0 && o.goroutines <= 0 {
				f.Right++
			}
			worst.fail, worst.back = max(worst.fail, o.fail), max(worst.back, o.back)
			worst.zombies, worst.goroutines = max(worst.zombies, o.zombies), max(worst.goroutines, o.goroutines)
			ratios, calm, then = append(ratios, o.then/o.calm), append(calm, o.calm), append(then, o.then)
		}
		tell("%-14s %10.1f %10.1f %12.2f %12.2f %8d %11d\n", fault.name, ms(worst.fail), ms(worst.back), median(calm), median(then), worst.zombies, worst.goroutines)
		f.Ratios[fault.name] = median(ratios)
		f.Ratio, f.CalmP99MS = max(f.Ratio, median(ratios)), max(f.CalmP99MS, median(calm))
		f.FailMS, f.BackMS = max(f.FailMS, ms(worst.fail)), max(f.BackMS, ms(worst.back))
		f.Zombies, f.Goroutines = max(f.Zombies, worst.zombies), max(f.Goroutines, worst.goroutines)
	}
	return f, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// quiet is where servers log to.
var quiet = upstream.Options{Log: slog.New(slog.DiscardHandler)}

// succeeded reports whether a call gave what it should.
func succeeded(res tools.Result, err error) bool { return err == nil && !res.IsError }
