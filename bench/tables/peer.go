package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed pandas.py
var pandasProgram string

// peer is a process that does one stage again and again when asked to.
type peer struct {
	name  string // catena1, catena, pandas, duckdb
	note  string // what it says of itself
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Scanner
	errs  strings.Builder
	times []time.Duration
	rows  int
}

// bench is where and with what to measure.
type bench struct {
	dir    string
	self   string // this program
	python string // with pandas; "" when there is none
	runs   int
}

// start begins a process for a stage: name is catena1 (one core), catena (all), pandas or duckdb.
func (b *bench) start(ctx context.Context, name, stage, path string) (*peer, error) {
	p := &peer{name: name}
	switch name {
	case "pandas":
		p.cmd = exec.CommandContext(ctx, b.python, "-c", pandasProgram, stage, path)
	case "duckdb":
		p.cmd = exec.CommandContext(ctx, b.self, "-child", "duckdb:"+stage, path)
	default:
		p.cmd = exec.CommandContext(ctx, b.self, "-child", stage, path)
	}
	if name == "catena1" {
		p.cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p.out = bufio.NewScanner(out)
	ready, err := p.line()
	if err == nil && !strings.HasPrefix(ready, "ready") {
		err = fmt.Errorf("it said %q", ready)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s, %s: %w", name, stage, err), p.end())
	}
	p.note = strings.TrimSpace(strings.TrimPrefix(ready, "ready"))
	return p, nil
}

func (p *peer) line() (string, error) {
	if p.out.Scan() {
		return p.out.Text(), nil
	}
	if err := p.out.Err(); err != nil {
		return "", err
	}
	return "", io.ErrUnexpectedEOF
}

// run does the stage once.
func (p *peer) run() (time.Duration, error) {
	if _, err := io.WriteString(p.in, "go\n"); err != nil {
		return 0, err
	}
	line, err := p.line()
	if err != nil {
		return 0, err
	}
	ns, rows, _ := strings.Cut(line, " ")
	took, err := strconv.ParseInt(ns, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s said %q", p.name, line)
	}
	p.rows, err = strconv.Atoi(rows)
	return time.Duration(took), err
}

// end closes the process and gives what it complained of.
func (p *peer) end() error {
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w %s", p.name, err, strings.TrimSpace(p.errs.String()))
	}
	return nil
}

// result is the median time of a stage for each peer, what each says of itself, and the rows that came out.
type result struct {
	median map[string]time.Duration
	note   map[string]string
	rows   map[string]int
}

// race runs a stage in all the processes by turns, so that what else the machine does falls on all alike; the first turn of each warms it up.
func (b *bench) race(ctx context.Context, stage, path string, names ...string) (_ result, err error) {
	res := result{median: map[string]time.Duration{}, note: map[string]string{}, rows: map[string]int{}}
	var peers []*peer
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.end())
		}
	}()
	for _, name := range names {
		if name == "pandas" && b.python == "" || name == "duckdb" && !duckLinked {
			continue
		}
		p, err := b.start(ctx, name, stage, path)
		if err != nil {
			return res, err
		}
		peers = append(peers, p)
	}
	for turn := range b.runs + 1 {
		for _, p := range peers {
			took, err := p.run()
			if err != nil {
				return res, fmt.Errorf("%s, %s: %w", p.name, stage, err)
			}
			if turn > 0 {
				p.times = append(p.times, took)
			}
		}
	}
	for _, p := range peers {
		slices.Sort(p.times)
		res.median[p.name], res.note[p.name], res.rows[p.name] = p.times[len(p.times)/2], p.note, p.rows
	}
	return res, nil
}

// findPython gives the first of the candidates that can import pandas.
func findPython(ctx context.Context, candidates ...string) string {
	for _, python := range candidates {
		if python != "" && exec.CommandContext(ctx, python, "-c", "import pandas").Run() == nil {
			return python
		}
	}
	return ""
}
