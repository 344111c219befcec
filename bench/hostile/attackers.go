package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// attackers are a process that only attacks, so that neither its memory nor its work stands in what is measured.
type attackers struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.Closer
	told *json.Decoder
}

// assaults is what that process tells after each turn, of all turns so far.
type assaults struct {
	Kinds []*tally `json:"kinds"`
	// Late is how long it waited for the processor at the most: what it saw so late is not held against the server.
	Late time.Duration `json:"late"`
}

// newAttackers starts this program again, as one that gives way to all others, and returns when it is ready. They learn from the program at url
// what there is to attack, and attack it, or another server at a host.
func newAttackers(ctx context.Context, url, host string, o options) (*attackers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	//nolint:gosec // it is this program
	cmd := exec.CommandContext(ctx, "nice", "-n", "19", self, "-against", url, "-host", host, "-for", o.length.String(), "-slow", strconv.Itoa(o.slow),
		"-workers", strconv.Itoa(o.workers), "-attack", strconv.FormatFloat(o.attack, 'g', -1, 64), "-only", o.only)
	cmd.Stderr = os.Stderr
	return startAttackers(cmd)
}

// startAttackers starts a process and waits until it tells that it is ready.
func startAttackers(cmd *exec.Cmd) (*attackers, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	a := &attackers{cmd: cmd, in: in, out: out, told: json.NewDecoder(bufio.NewReader(out))}
	if _, err := a.hear(); err != nil {
		return nil, err
	}
	return a, nil
}

// turn attacks while meanwhile runs, and gives what came of all turns so far.
func (a *attackers) turn(meanwhile func()) (assaults, error) {
	if _, err := fmt.Fprintln(a.in); err != nil {
		return assaults{}, a.broken(err)
	}
	meanwhile()
	return a.hear()
}

func (a *attackers) hear() (told assaults, err error) {
	if err := a.told.Decode(&told); err != nil {
		return assaults{}, a.broken(err)
	}
	return told, nil
}

// broken ends a process that is not understood. It waits for its next line, or for somebody to read what it says, as long as those are open.
func (a *attackers) broken(err error) error {
	_, _ = a.in.Close(), a.out.Close() // it may have ended
	return errors.Join(fmt.Errorf("the process that attacks: %w", err), a.cmd.Wait())
}

// end ends the process.
func (a *attackers) end() error {
	return errors.Join(a.in.Close(), a.cmd.Wait())
}

// attackOnly is what that process does: it tells that it is ready, attacks for a turn at each line that it reads, and tells what came.
func attackOnly(ctx context.Context, in io.Reader, out io.Writer, o options) error {
	attacks, err := chosen(o)
	if err != nil {
		return err
	}
	for _, a := range attacks {
		if a.prepare == nil {
			continue
		}
		if err := a.prepare(); err != nil {
			return err
		}
	}
	t, err := newTarget(ctx, o.against)
	if err != nil {
		return err
	}
	if o.host != "" {
		t.host = o.host
	}
	list := make([]*tally, len(attacks))
	for i, a := range attacks {
		list[i] = &a.tally
	}
	late := &lateness{}
	tell := json.NewEncoder(out)
	if err := tell.Encode(assaults{Kinds: list}); err != nil {
		return err
	}
	for turns := bufio.NewScanner(in); turns.Scan(); {
		if err := assault(ctx, t, o, attacks, late); err != nil {
			return err
		}
		if err := tell.Encode(assaults{Kinds: list, Late: late.longest()}); err != nil {
			return err
		}
	}
	return nil
}

// chosen are the kinds of attack that are asked for.
func chosen(o options) ([]*attack, error) {
	all := slices.Concat(slowly(o.slow), bodies(o.workers), manifold(o.workers), []*attack{packed(o.workers)}, uploads(max(1, o.workers/2)), unfolded(max(1, o.workers/2)))
	var names []string
	var list []*attack
	for _, a := range all {
		names = append(names, a.Name)
		if strings.Contains(a.Name, o.only) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no kind of attack has %q in its name; there are:\n  %s", o.only, strings.Join(names, "\n  "))
	}
	return list, nil
}

// assault attacks for a turn.
func assault(ctx context.Context, t *target, o options, attacks []*attack, late *lateness) error {
	ctx, cancel := context.WithTimeout(ctx, o.length)
	defer cancel()
	beating, stop := context.WithCancel(context.WithoutCancel(ctx)) // until the last connection is looked at
	watched := make(chan error, 1)
	go func() { watched <- late.watch(beating) }()
	var all sync.WaitGroup
	var paced []*attack
	for _, a := range attacks {
		if a.send != nil {
			paced = append(paced, a)
			continue
		}
		all.Go(func() { a.keep(ctx, t, late) })
	}
	all.Go(func() { pace(ctx, t, paced, o.attack, o.length) })
	all.Wait()
	stop()
	return <-watched
}
