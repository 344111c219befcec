// Command page measures the page in a real browser against the real program, on 127.0.0.1 alone.
//
//	go -C bench run ./page [-binary FILE] [-only NAME] [-json]
//
// It needs Chromium. tasks_done counts the twelve tasks of a new user that a script gets done by the page
// (tasks.txt). findings counts what checks of accessibility find in the states of the page (states.txt) at three
// widths, light and dark: names, labels, landmarks, headings, contrast, size of targets (checks.js); they are our own
// and fewer than those of axe. first_visit_kb and second_visit_kb are bytes over the wire until the page is quiet,
// the second time with what the browser kept. interactive_ms is from the start of the navigation until the field
// takes a question, first_step_ms from Enter to the first step. frame_p95_ms and frame_max_ms are the work of the
// main thread between frames while 5,000 rows by ten columns are paged, sorted, filtered and scrolled, by the
// browser's own tracing, and frame_cpu_p95_ms the same without the times at which other programs had the processor;
// nodes is the most elements meanwhile. xss is how many of 1,000 vectors in names of columns,
// titles, cells, text of models, notes and errors did anything, with the page's policy in force and without it; a
// control that does act shows that it would be seen. The figures of time are of the machine that it runs on.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"catena/bench/program"
)

// result is what is measured; the names are those of -json.
type result struct {
	TasksDone   int      `json:"tasks_done"`
	NotDone     []string `json:"not_done"`
	Findings    int      `json:"findings"`
	Found       []string `json:"found"`
	FirstVisit  float64  `json:"first_visit_kb"`
	SecondVisit float64  `json:"second_visit_kb"`
	Interactive float64  `json:"interactive_ms"`
	FirstStep   float64  `json:"first_step_ms"`
	FrameP95    float64  `json:"frame_p95_ms"`
	FrameMax    float64  `json:"frame_max_ms"`
	FrameCPU    float64  `json:"frame_cpu_p95_ms"`
	Nodes       int      `json:"nodes"`
	XSS         int      `json:"xss"`
	Vectors     int      `json:"xss_vectors"`
}

// part is one measurement.
type part struct {
	name string
	run  func(ctx context.Context, url string, r *result) error
}

var parts = []part{{"visits", visits}, {"steps", firstStep}, {"frames", frames}, {"xss", injections},
	{"access", access}, {"tasks", tasks}}

func main() {
	binary := flag.String("binary", "", "the program; built when it is not given")
	only := flag.String("only", "", "one part: visits, steps, frames, xss, access or tasks")
	asJSON := flag.Bool("json", false, "end with one line of JSON")
	flag.Parse()
	r, err := measure(context.Background(), *binary, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	r.print()
	if *asJSON {
		line, err := json.Marshal(r)
		if err != nil {
			fmt.Fprintln(os.Stderr, "page:", err)
			os.Exit(1)
		}
		fmt.Println(string(line))
	}
}

// measure runs the parts one after the other over one program with the demo data and a table of orders.
func measure(ctx context.Context, binary, only string) (*result, error) {
	dir, err := os.MkdirTemp("", "catena-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "orders.csv"), []byte(orders(5000)), 0o600); err != nil {
		return nil, err
	}
	p, err := program.Start(ctx, program.Options{Binary: binary,
		Env: []string{"CATENA_DATA_SOURCES=" + filepath.Join(dir, "orders.csv"), "CATENA_DATA_DEMO=on"}})
	if err != nil {
		return nil, err
	}
	r := &result{NotDone: []string{}, Found: []string{}}
	for _, part := range parts {
		if only != "" && only != part.name {
			continue
		}
		if err = part.run(ctx, p.URL, r); err != nil {
			err = fmt.Errorf("%s: %w", part.name, err)
			break
		}
	}
	if stopped := p.Stop(); err == nil {
		err = stopped
	}
	return r, err
}

func (r *result) print() {
	fmt.Printf("tasks done %d of 12; not done: %s\n", r.TasksDone, strings.Join(r.NotDone, "; "))
	fmt.Printf("accessibility: %d findings\n", r.Findings)
	for _, f := range r.Found {
		fmt.Println("  " + f)
	}
	fmt.Printf("first visit %.1f KB, second %.1f KB; interactive in %.0f ms; first step in %.0f ms\n",
		r.FirstVisit, r.SecondVisit, r.Interactive, r.FirstStep)
	fmt.Printf("frames: p95 %.1f ms (%.1f ms computed), longest %.1f ms; %d elements at most\n", r.FrameP95, r.FrameCPU,
		r.FrameMax, r.Nodes)
	fmt.Printf("xss: %d of %d vectors did anything\n", r.XSS, r.Vectors)
}

// orders is a table of so many rows and ten columns.
func orders(rows int) string {
	var b strings.Builder
	b.WriteString("order_id,order_date,customer,country,product,category,quantity,unit_price_usd,discount_pct," +
		"shipped\n")
	countries := []string{"USA", "Germany", "France"}
	for i := range rows {
		fmt.Fprintf(&b, "ORD-%d,2026-%02d-%02d,Client %d,%s,Desk,Office,%d,%d.25,5,true\n", 10000+i, 1+i%12, 1+i%28,
			i%40, countries[i%3], 1+(i*7)%60, 4+i%900)
	}
	return b.String()
}
