// Command mcp measures what a call over MCP costs at the server: Catena beside a bare mcp-go server and bare net/http, in one run.
//
//	go -C bench run ./mcp [-calls 1500] [-rounds 5] [-clients 1,8,64] [-only echo,table] [-short] [-json]
//
// Each server is a process of its own. Catena is the program itself, `catena serve` on its settings as they come: an API key that the store
// keeps is asked for, the caller's rate is counted (the limit is set out of reach), arguments are validated, each call is journalled in SQLite
// and audited, each request is logged, to a file. What is not of the program is the tool echo: its toolkits have none, so the program is
// built with one toolkit more (echo.go.txt, by go build -overlay), which is registered as the others are and called through the same
// chokepoint. The table of 1,000 rows comes from query_table over a CSV file. The mcp-go server is what its users write: AddTool, NewToolResultText,
// NewToolResultStructuredOnly over rows that it has in memory; it asks for no key and keeps no record. Bare net/http decodes the call and encodes
// the same answers as mcp-go, and knows no protocol.
//
// The load is raw: prepared bytes on connections that stay open, each answer read to its end and checked. Both eras of the protocol are called:
// 2025-11-25 within a session, 2026-07-28 without. Time is the processor's, user and system, of the server's process as its clock has it
// (clock_gettime, so to the nanosecond and with threads that ended), up to the moment when it rests: what a call leaves to be done later
// counts. The three take turns in short slices, in a new order each round, and a ratio is the median of those of the rounds. Memory is the resident
// set (VmRSS) after each slice, and the largest counts; the peak (VmHWM, the start in it) is printed beside it.
//
// It exits with 1 when a bar is missed: echo 1.5 times and the table 1.15 times the processor time of the mcp-go server, 60 MB; with -short
// only when an answer was wrong or the audit lacks a call.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
)

// options are the flags.
type options struct {
	calls   int // of echo in a slice, at 8 and more clients
	rounds  int
	clients []int
	tools   []string
	binary  string
	pprof   string
	short   bool
	asJSON  bool
}

// serveFlag makes this program one of the two servers that stand beside Catena.
const serveFlag = "serve-peer"

func main() {
	var o options
	clients := flag.String("clients", "1,8,64", "numbers of clients")
	only := flag.String("only", "echo,table", "tools")
	flag.BoolVar(&o.short, "short", false, "fewer calls and rounds, in under 30 s; a missed bar is only printed")
	flag.IntVar(&o.calls, "calls", 1500, "calls of echo in a slice; a tenth of them of the table")
	flag.IntVar(&o.rounds, "rounds", 7, "slices of each server for each row")
	flag.StringVar(&o.binary, "binary", "", "a program that was built before, by this one (-keep)")
	keep := flag.String("keep", "", "only build the program, and keep it at this path")
	flag.StringVar(&o.pprof, "pprof", "", "address where Catena serves its profiles")
	flag.BoolVar(&o.asJSON, "json", false, "end with one line of JSON")
	peer := flag.String(serveFlag, "", "be a server: mcp-go or net/http")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *peer != "":
		err = servePeer(*peer)
	case *keep != "":
		err = build(ctx, *keep)
	default:
		if o.short {
			o.calls, o.rounds = 400, 3
		}
		if o.clients, err = numbers(*clients); err == nil {
			o.tools = strings.Split(*only, ",")
			err = run(ctx, o)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func numbers(list string) (out []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			return nil, fmt.Errorf("-clients: %q is no number from 1 to 1000", text)
		}
		out = append(out, n)
	}
	return out, nil
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "catena-mcp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peers, err := startAll(ctx, o, dir)
	defer func() {
		for _, p := range peers {
			p.stop()
		}
	}()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d CPUs; %d rounds of %d calls of echo and %d of the table\n\n", runtime.Version(), runtime.NumCPU(), o.rounds, o.calls, tableCalls(o.calls))
	m, err := measure(ctx, o, peers)
	if err != nil {
		return err
	}
	for _, p := range peers {
		p.stop()
	}
	missed := m.print()
	if o.short { // so few calls say whether the answers are right, not what they cost to a tenth
		missed = nil
	}
	if err := recorded(dir, m.sent["catena"]); err != nil {
		missed = append(missed, err)
	}
	if o.asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(m.figures()); err != nil {
			return err
		}
	}
	return errors.Join(missed...)
}
