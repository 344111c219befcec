package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"catena/bench/sets"
	"catena/tools"
)

const (
	// kills is how often the process that runs a plan is killed before it may go on to its end.
	kills = 2
	// rounds bounds how often a plan is resumed.
	rounds = 100
)

// faults runs each DAG over a server that fails one call in ten, in a process that is killed twice and resumed from its journal.
// Where the outcome of a post is unknown a person would look what the server has; here its ledger is looked at. The answers must
// be those without faults, and no post may stand in the ledger twice.
func faults(ctx context.Context, o *sets.Options, f *figures) error {
	rows, err := sets.Lines[row](o.Path("nestful", "SPLIT", "scheduler_dags.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	asked, resumed := 0, 0
	for i, r := range rows {
		dir, err := os.MkdirTemp("", "chains")
		if err != nil {
			return err
		}
		c := &crashing{row: r, dir: dir, rng: rand.New(rand.NewPCG(1, uint64(i)))}
		err = c.run(ctx)
		doubled, lerr := c.doubled()
		if err = errors.Join(err, lerr, os.RemoveAll(dir)); err == nil {
			f.FaultsSame++
		} else {
			o.Missf("faults %s: %v", r.ID, err)
		}
		if f.FaultsDoubled += doubled; doubled > 0 {
			o.Missf("faults %s: %d posts were made twice", r.ID, doubled)
		}
		asked, resumed = asked+c.asked, resumed+c.rounds
	}
	fmt.Printf("faults         %d of %d DAGs end as without, %d posts twice (%d runs, %d unknown outcomes decided by the ledger)\n",
		f.FaultsSame, len(rows), f.FaultsDoubled, resumed, asked)
	return nil
}

// crashing is a DAG that is run by processes that are killed.
type crashing struct {
	row    row
	dir    string
	rng    *rand.Rand
	rounds int
	asked  int
}

// run runs the DAG until nothing waits and nothing has failed, and compares.
func (c *crashing) run(ctx context.Context) error {
	decisions := map[string]tools.Decision{}
	var last *ending
	for ; c.rounds < rounds; c.rounds++ {
		end, err := c.process(ctx, decisions, c.rounds < kills)
		if err != nil {
			return err
		}
		if err := c.serversGone(); err != nil {
			return err
		}
		if end == nil {
			continue
		}
		if len(end.Waiting) == 0 && len(end.Failed) == 0 {
			return c.same(end)
		}
		last = end
		if err := c.decide(end, decisions); err != nil {
			return err
		}
	}
	if last == nil {
		last = &ending{}
	}
	return fmt.Errorf("it did not end in %d rounds: %d wait, %q", rounds, len(last.Waiting), last.Failed[:min(3, len(last.Failed))])
}

// process runs the DAG in a process of its own; one that was killed gives nothing.
func (c *crashing) process(ctx context.Context, decisions map[string]tools.Decision, kill bool) (*ending, error) {
	raw, err := json.Marshal(order{c.row, c.dir, decisions})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(c.dir, "order.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), runnerEnv+"="+path)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var killed atomic.Bool
	if kill {
		starting := 100 * time.Millisecond
		after := starting + time.Duration(c.rng.Float64()*c.row.Bound8MS*float64(time.Millisecond))
		timer := time.AfterFunc(after, func() {
			killed.Store(true)     // before it is: else Wait may tell of it first
			_ = cmd.Process.Kill() // one that has ended by itself has no more to lose
		})
		defer timer.Stop()
	}
	if err := cmd.Wait(); err != nil {
		if killed.Load() {
			return nil, nil
		}
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	var end ending
	return &end, json.Unmarshal(out.Bytes(), &end)
}

// serversGone waits until the servers of the process have ended: what they still do is done before anybody looks.
func (c *crashing) serversGone() error {
	pids, err := readLines(filepath.Join(c.dir, pidFile))
	if err != nil {
		return err
	}
	for _, line := range pids {
		pid, err := strconv.Atoi(line)
		if err != nil {
			return err
		}
		for range 1000 {
			if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	return nil
}

// ledger is what the server has done: the values of its posts, by seed.
func (c *crashing) ledger() (map[int64][]json.Number, error) {
	lines, err := readLines(filepath.Join(c.dir, ledgerFile))
	if err != nil {
		return nil, err
	}
	out := map[int64][]json.Number{}
	for _, line := range lines {
		seed, value, _ := strings.Cut(line, " ")
		n, err := strconv.ParseInt(seed, 10, 64)
		if err != nil {
			return nil, err
		}
		out[n] = append(out[n], json.Number(value))
	}
	return out, nil
}

// decide says of each step that waits whether it was done.
func (c *crashing) decide(end *ending, decisions map[string]tools.Decision) error {
	done, err := c.ledger()
	if err != nil {
		return err
	}
	for id, w := range end.Waiting {
		c.asked++
		d := tools.Decision{ArgsHash: w.Hash, Attempt: w.Attempt, Choice: tools.ChooseRun}
		if values := done[w.Seed]; len(values) > 0 {
			d.Choice, d.Result = tools.ChooseDone, map[string]any{"value": values[0]}
		}
		decisions[id] = d
	}
	return nil
}

func (c *crashing) doubled() (int, error) {
	done, err := c.ledger()
	n := 0
	for _, values := range done {
		if len(values) > 1 {
			n++
		}
	}
	return n, err
}

// same compares the values that the row expects, and that each post stands in the ledger.
func (c *crashing) same(end *ending) error {
	var want map[string]json.Number
	if err := json.Unmarshal(c.row.Expected, &want); err != nil {
		return err
	}
	for id, v := range want {
		if end.Values[id] != v {
			return fmt.Errorf("%s gave %q instead of %s", id, end.Values[id], v)
		}
	}
	done, err := c.ledger()
	if err != nil {
		return err
	}
	posts := 0
	for _, s := range c.row.Steps {
		if posted(s) == "post" {
			posts++
		}
	}
	if len(done) != posts {
		return fmt.Errorf("the ledger has %d posts of %d", len(done), posts)
	}
	return nil
}
