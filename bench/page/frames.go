package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// number is the value of an expression.
func (b *browser) number(expression string) (float64, error) {
	text, err := b.js(expression)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[min(len(values)-1, int(q*float64(len(values))))]
}

// traceEvent is an event of Chromium's tracing.
type traceEvent struct {
	Name  string  `json:"name"`
	Phase string  `json:"ph"`
	PID   int     `json:"pid"`
	TID   int     `json:"tid"`
	At    float64 `json:"ts"`   // µs
	Took  float64 `json:"dur"`  // µs
	CPU   float64 `json:"tdur"` // µs that the thread has computed
}

// begins reports whether a frame begins.
func (e traceEvent) begins() bool { return e.Name == "AnimationFrame" && e.Phase == "b" }

// trace collects the browser's trace.
type trace struct {
	mu     sync.Mutex
	events []traceEvent
	done   chan struct{}
}

func (t *trace) take(ev any) {
	switch e := ev.(type) {
	case *tracing.EventDataCollected:
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, raw := range e.Value {
			var one traceEvent
			if json.Unmarshal(raw, &one) == nil {
				t.events = append(t.events, one)
			}
		}
	case *tracing.EventTracingComplete:
		close(t.done)
	}
}

// isTask reports whether it is a piece of work of a thread.
func (e traceEvent) isTask() bool { return e.Name == "ThreadControllerImpl::RunTask" && e.Phase == "X" }

// frames browses a large table while the browser traces itself.
func frames(ctx context.Context, url string, r *result) error {
	b, end, err := open(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := b.visit(url + "/"); err != nil {
		return err
	}
	if err := b.ask("list all rows of orders"); err != nil {
		return err
	}
	if err := b.await(ranged("1–50 of 5,000")); err != nil {
		return err
	}
	t := &trace{done: make(chan struct{})}
	if err := b.begin(t); err != nil {
		return err
	}
	if err := b.browse(r); err != nil {
		return err
	}
	if err := b.do(chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		_, err := cdp.Call(ctx, page, tracing.End, cdp.Empty{})
		return err
	})); err != nil {
		return err
	}
	select {
	case <-t.done:
	case <-time.After(patience):
		return fmt.Errorf("the trace never came")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	work, cpu := perFrame(t.events)
	r.FrameP95, r.FrameMax, r.FrameCPU = quantile(work, .95), quantile(work, 1), quantile(cpu, .95)
	return nil
}

// ranged is true where the table shows these rows.
func ranged(text string) string {
	return fmt.Sprintf(`document.querySelector(".table .range")?.textContent.startsWith(%q)`, text)
}

// browse pages, sorts, filters and scrolls.
func (b *browser) browse(r *result) error {
	var steps [][]string
	for page := range 19 {
		steps = append(steps, []string{`document.querySelector('.table [aria-label="Next page"]').click()`,
			"? " + ranged(strconv.Itoa(51+50*page)+"–"),
			`document.querySelector(".table .scroll").scrollTo({ top: 2000, behavior: "smooth" })`})
	}
	for _, column := range []int{1, 2, 3, 7, 8} {
		steps = append(steps, []string{fmt.Sprintf(`document.querySelectorAll(".table .sort")[%d].click()`, column-1),
			fmt.Sprintf(`? document.querySelectorAll(".table thead th")[%d].hasAttribute("aria-sort")`, column-1)})
	}
	const filter = `document.querySelector(".column-card .filter")`
	steps = append(steps, []string{`document.querySelectorAll(".table .about")[3].click()`, `? ` + filter + ` !== null`,
		`void (` + filter + `.querySelector("input").value = "fra")`, filter + `.requestSubmit()`,
		"? " + ranged("1–50 of 1,666")})
	for _, step := range steps {
		if err := b.script(step...); err != nil {
			return err
		}
		n, err := b.number(`document.querySelectorAll("*").length`)
		if err != nil {
			return err
		}
		r.Nodes = max(r.Nodes, int(n))
	}
	return nil
}

// begin has the browser trace itself.
func (b *browser) begin(t *trace) error {
	if err := chromedp.Listen(b.ctx, t.take); err != nil {
		return err
	}
	start := tracing.StartParams{TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline"}}}
	return b.do(chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		_, err := cdp.Call(ctx, page, tracing.Start, start)
		return err
	}))
}

// perFrame is how long the page's main thread works between the beginnings of frames, in ms, of frames with any; cpu is
// without the times at which others had the processor.
func perFrame(events []traceEvent) (wall, cpu []float64) {
	type thread struct{ pid, tid int }
	mains := map[thread]bool{}
	for _, e := range events {
		if e.Name == "UpdateLayoutTree" { // it is the main thread of a page that does so
			mains[thread{e.PID, e.TID}] = true
		}
	}
	byThread := map[thread][]traceEvent{}
	for _, e := range events {
		at := thread{e.PID, e.TID}
		if mains[at] && (e.begins() || e.isTask()) {
			byThread[at] = append(byThread[at], e)
		}
	}
	for _, list := range byThread {
		slices.SortFunc(list, func(a, b traceEvent) int { return int(a.At - b.At) })
		work, computed, until := 0.0, 0.0, 0.0
		for _, e := range list {
			if e.begins() {
				if work > 0 {
					wall, cpu = append(wall, work/1000), append(cpu, computed/1000)
				}
				work, computed = 0, 0
			} else if e.At >= until { // not within another task
				work, computed, until = work+e.Took, computed+e.CPU, e.At+e.Took
			}
		}
	}
	return wall, cpu
}
