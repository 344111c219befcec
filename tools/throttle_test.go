package tools

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestThrottleNobody(t *testing.T) {
	call := Call{}
	if end := throttle(&call); call.Progress != nil || call.Updated != nil || end == nil {
		t.Error("reports that nobody wants are made")
	}
	call.Updated = func(string) {}
	if end := throttle(&call); call.Progress != nil || end == nil {
		t.Error("progress that nobody wants is reported")
	}
}

// heard runs a call that reports, in a time that stands still unless the call sleeps, and returns what its asker heard.
func heard(t *testing.T, run func(call Call)) []string {
	t.Helper()
	var got []string
	synctest.Test(t, func(*testing.T) {
		start := time.Now()
		note := func(what string) { got = append(got, fmt.Sprintf("%s at %s", what, time.Since(start))) }
		call := Call{Progress: func(p Progress) { note(fmt.Sprint(p.Done)) }, Updated: func(uri string) { note(uri) }}
		end := throttle(&call)
		run(call)
		end()
		end()
		call.Progress(Progress{Done: 1e6})
		call.Updated("late")
		time.Sleep(time.Hour)
	})
	return got
}

func TestThrottle(t *testing.T) {
	count := func(call Call, from, to int) {
		for i := from; i <= to; i++ {
			call.Progress(Progress{Done: float64(i)})
		}
	}
	for name, c := range map[string]struct {
		run  func(call Call)
		want []string
	}{
		"few": {func(call Call) { count(call, 1, 3) }, []string{"1 at 0s", "2 at 0s", "3 at 0s"}},
		"the newest is held until the end": {func(call Call) { count(call, 1, 1000) },
			[]string{"1 at 0s", "2 at 0s", "3 at 0s", "4 at 0s", "5 at 0s", "6 at 0s", "7 at 0s", "8 at 0s", "9 at 0s", "10 at 0s", "1000 at 0s"}},
		"or until the bucket fills": {func(call Call) { count(call, 1, 500); time.Sleep(time.Second); count(call, 501, 501) },
			[]string{"1 at 0s", "2 at 0s", "3 at 0s", "4 at 0s", "5 at 0s", "6 at 0s", "7 at 0s", "8 at 0s", "9 at 0s", "10 at 0s", "500 at 100ms", "501 at 1s"}},
		"stages pass": {func(call Call) {
			count(call, 1, 10)
			for i, p := range []float64{16, 17, 33, 50, 51, 66, 83, 99, 100, 100} {
				call.Progress(Progress{Done: p, Total: 100})
				if i%2 == 0 {
					call.Updated("status")
				}
			}
		}, []string{"1 at 0s", "2 at 0s", "3 at 0s", "4 at 0s", "5 at 0s", "6 at 0s", "7 at 0s", "8 at 0s", "9 at 0s", "10 at 0s",
			"16 at 0s", "status at 0s", "33 at 0s", "status at 0s", "50 at 0s", "status at 0s", "66 at 0s", "83 at 0s", "status at 0s", "99 at 0s", "100 at 0s", "status at 0s", "100 at 0s"}},
		"one update of each URI is held": {func(call Call) {
			count(call, 1, 10)
			for range 100 {
				call.Updated("a")
				call.Updated("b")
			}
			call.Progress(Progress{Done: 11})
			call.Updated("a")
			time.Sleep(150 * time.Millisecond)
		}, []string{"1 at 0s", "2 at 0s", "3 at 0s", "4 at 0s", "5 at 0s", "6 at 0s", "7 at 0s", "8 at 0s", "9 at 0s", "10 at 0s",
			"b at 100ms", "11 at 150ms", "a at 150ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, heard(t, c.run)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// However a call reports, the rate holds, but for a few stages and a bounded number of updates.
func TestThrottleFlood(t *testing.T) {
	for name, report := range map[string]func(call Call, i int){
		"percent":      func(call Call, i int) { call.Progress(Progress{Done: float64(i), Total: float64(i + 1)}) },
		"over":         func(call Call, i int) { call.Progress(Progress{Done: float64(2 * i), Total: float64(i)}) },
		"no numbers":   func(call Call, _ int) { call.Progress(Progress{Done: math.NaN(), Total: math.NaN()}) },
		"infinite":     func(call Call, _ int) { call.Progress(Progress{Done: math.Inf(1), Total: math.Inf(1)}) },
		"negative":     func(call Call, i int) { call.Progress(Progress{Done: float64(-i), Total: -1}) },
		"updates of 3": func(call Call, i int) { call.Updated(fmt.Sprint(i % 3)) },
	} {
		got := heard(t, func(call Call) {
			for i := range 10_000 {
				report(call, i)
			}
			time.Sleep(time.Second)
		})
		if most := 2*ProgressRate + 100/stageRise + 1; len(got) > most {
			t.Errorf("%s: %d reports passed in a second, want %d at most", name, len(got), most)
		}
	}
	seen := heard(t, func(call Call) {
		for i := range 1000 {
			call.Updated(fmt.Sprint("u", i))
		}
	})
	if len(seen) != 1000 {
		t.Errorf("%d of 1000 resources were told of", len(seen))
	}
}

// Reports from several goroutines come one at a time, and none of the stages is lost.
func TestThrottleParallel(t *testing.T) {
	var done []float64
	call := Call{Progress: func(p Progress) { done = append(done, p.Done) }}
	end := throttle(&call)
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() { call.Progress(Progress{Done: float64(10 * (i + 1)), Total: 100}) })
	}
	all.Wait()
	end()
	if !slices.Contains(done, 100) {
		t.Errorf("heard %v", done)
	}
}
