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
)

// attackers are a process that only attacks, so that neither its memory nor its work stands in what is measured.
type attackers struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	told *json.Decoder
}

// newAttackers starts this program again, as one that gives way to all others, and returns when it is ready.
func newAttackers(ctx context.Context, url string, o options) (*attackers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	//nolint:gosec // it is this program
	cmd := exec.CommandContext(ctx, "nice", "-n", "19", self, "-against", url, "-for", o.length.String(), "-slow", strconv.Itoa(o.slow),
		"-workers", strconv.Itoa(o.workers), "-attack", strconv.FormatFloat(o.attack, 'g', -1, 64), "-only", o.only)
	cmd.Stderr = os.Stderr
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
	a := &attackers{cmd: cmd, in: in, told: json.NewDecoder(bufio.NewReader(out))}
	if _, err := a.tallies(); err != nil {
		return nil, err
	}
	return a, nil
}

// turn attacks while meanwhile runs, and gives what came of all turns so far.
func (a *attackers) turn(meanwhile func()) ([]*tally, error) {
	if _, err := fmt.Fprintln(a.in); err != nil {
		return nil, errors.Join(fmt.Errorf("the process that attacks: %w", err), a.cmd.Wait())
	}
	meanwhile()
	return a.tallies()
}

func (a *attackers) tallies() (list []*tally, err error) {
	if err := a.told.Decode(&list); err != nil {
		return nil, errors.Join(fmt.Errorf("the process that attacks: %w", err), a.cmd.Wait())
	}
	return list, nil
}

// end ends the process.
func (a *attackers) end() error {
	return errors.Join(a.in.Close(), a.cmd.Wait())
}

// attackOnly is what that process does: it tells that it is ready, attacks for a turn at each line that it reads, and tells what came.
func attackOnly(ctx context.Context, in io.Reader, out io.Writer, o options) error {
	t, err := newTarget(ctx, o.against)
	if err != nil {
		return err
	}
	attacks, err := allAttacks(o)
	if err != nil {
		return err
	}
	attacks = slices.DeleteFunc(attacks, func(a *attack) bool { return !strings.Contains(a.Name, o.only) })
	list := make([]*tally, len(attacks))
	for i, a := range attacks {
		list[i] = &a.tally
	}
	tell := json.NewEncoder(out)
	if err := tell.Encode(list); err != nil {
		return err
	}
	for turns := bufio.NewScanner(in); turns.Scan(); {
		assault(ctx, t, o, attacks)
		if err := tell.Encode(list); err != nil {
			return err
		}
	}
	return nil
}

// assault attacks for a turn.
func assault(ctx context.Context, t *target, o options, attacks []*attack) {
	ctx, cancel := context.WithTimeout(ctx, o.length)
	defer cancel()
	var all sync.WaitGroup
	var paced []*attack
	for _, a := range attacks {
		if a.paced {
			paced = append(paced, a)
			continue
		}
		all.Go(func() { a.hold(ctx, t) })
	}
	all.Go(func() { send(ctx, t, paced, o.attack) })
	all.Wait()
}
