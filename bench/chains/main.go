// Program chains runs chains of tool calls with known ends through parser, validator and executor, and prints how many end as
// they should, what the executor adds to the time that their tools take, and whether faults change an answer or double a deed.
//
//	go -C bench run ./chains -data DIR [-split dev] [-only math,mock,dags,faults] [-v] [-json]
//
// DIR holds nestful: math_chains and mock_chains (plans with their answers; some break their tools' own schemas and must be
// refused), scheduler_dags (plans whose steps wait a given time), tools_math and tools_mock.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"catena/bench/sets"
)

// figures are what the last line reports; -1 stands for what was not measured.
type figures struct {
	MathOK        int     `json:"math_ok"`
	MathTotal     int     `json:"math_total"`
	MockOK        int     `json:"mock_ok"`
	MockTotal     int     `json:"mock_total"`
	Refused       int     `json:"refused"`
	InvalidTotal  int     `json:"invalid_total"`
	MakespanRatio float64 `json:"makespan_ratio"`
	MakespanShort float64 `json:"makespan_short_ms"`
	Bound8Ratio   float64 `json:"bound8_ratio"`
	FaultsSame    int     `json:"faults_same"`
	FaultsDoubled int     `json:"faults_doubled"`
}

// parts are the measurements, in their order.
var parts = []struct {
	name string
	run  func(ctx context.Context, o *sets.Options, f *figures) error
}{
	{"math", mathChains},
	{"mock", mockChains},
	{"dags", dags},
	{"faults", faults},
}

var repeat = flag.Int("repeat", 3, "how often each DAG runs; its fastest run counts")

var serverKind = flag.String("server", "lean", "who serves the DAGs' tool: lean, which costs next to nothing, or mcp-go")

func main() {
	if kind := os.Getenv(serverEnv); kind != "" {
		if err := serve(kind); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(runnerEnv); path != "" {
		if err := runOne(context.Background(), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	o := sets.Flags("chains", "nestful")
	only := flag.String("only", "", "only these parts, separated by commas: math, mock, dags, faults")
	o.Parse()
	var f figures
	var err error
	for _, p := range parts {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		if err = p.run(context.Background(), o, &f); err != nil {
			err = fmt.Errorf("%s: %w", p.name, err)
			break
		}
	}
	o.End(f, err)
}
