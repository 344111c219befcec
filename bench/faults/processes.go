package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// process is a program that this one started.
type process struct {
	cmd  *exec.Cmd
	said bytes.Buffer // on standard error; read after it has ended
	done chan struct{}
}

// start starts a program and returns what it writes.
func start(path string, env []string, args ...string) (*process, io.Reader, error) {
	p := &process{cmd: exec.Command(path, args...), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Stderr = env, &p.said
	out, in := io.Pipe()
	p.cmd.Stdout = in
	if err := p.cmd.Start(); err != nil {
		return nil, nil, err
	}
	go func() {
		_ = p.cmd.Wait() // most are killed
		_ = in.Close()
		close(p.done)
	}()
	return p, out, nil
}

// kill ends a program at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// fleet are the replicas of one store.
type fleet struct {
	binary string
	// binaries are programs of single replicas in place of binary.
	binaries map[int]string
	env      []string
	args     []string
	dir      string

	mu       sync.Mutex
	replicas []*replica
	kills    []time.Time
	paused   string // the address of the replica that is paused
}

// replica is one catena serve, which is started anew when it was killed.
type replica struct {
	n   int
	p   *process
	url string // "" while it is down
}

var urlLine = regexp.MustCompile(`https?://127\.0\.0\.1:\d+`)

// up starts a replica and returns when it serves.
func (f *fleet) up(n int) error {
	own := filepath.Join(f.dir, fmt.Sprint("replica", n))
	env := append([]string{"CATENA_STORE_DIR=" + own, "HOME=" + own}, f.env...)
	p, out, err := start(cmp.Or(f.binaries[n], f.binary), env, append([]string{"serve", "--listen", "127.0.0.1:0"}, f.args...)...)
	if err != nil {
		return err
	}
	lines, url := bufio.NewReader(out), ""
	for err == nil && url == "" {
		var line string
		line, err = lines.ReadString('\n')
		url = urlLine.FindString(line)
	}
	if url == "" {
		p.kill()
		return fmt.Errorf("catena serve gave no address; it said:\n%s", p.said.String())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the program
	if err := whole(url); err != nil {
		p.kill()
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.replicas) <= n {
		f.replicas = append(f.replicas, &replica{n: len(f.replicas)})
	}
	f.replicas[n].p, f.replicas[n].url = p, url
	return nil
}

// allUp starts so many replicas.
func (f *fleet) allUp(n int) error {
	for i := range n {
		if err := f.up(i); err != nil {
			return err
		}
	}
	return nil
}

// command runs a command of the program on the first replica's store, whether that replica is up or not, and returns what it printed.
func (f *fleet) command(ctx context.Context, args ...string) (string, error) {
	own := filepath.Join(f.dir, "replica0")
	cmd := exec.CommandContext(ctx, f.binary, append(args, f.args...)...)
	cmd.Env = append([]string{"CATENA_STORE_DIR=" + own, "HOME=" + own}, f.env...)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// whole returns when a replica has all its tools: a proxy that asks /health would not send it anything before.
func whole(url string) error {
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		res, err := http.Get(url + "/health")
		if err != nil {
			return err
		}
		said, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err == nil && bytes.Contains(said, []byte(`"status":"healthy","service"`)) {
			return nil
		}
	}
	return errors.New("a replica has not found its tools within 20 s")
}

// pick is the address of a replica that serves, another than one where that is possible.
func (f *fleet) pick(ctx context.Context, not string) (string, error) {
	for ctx.Err() == nil {
		f.mu.Lock()
		var up []string
		for _, r := range f.replicas {
			if r.url != "" && (r.url != not || len(f.replicas) == 1) {
				up = append(up, r.url)
			}
		}
		f.mu.Unlock()
		if len(up) > 0 {
			return up[rand.N(len(up))], nil
		}
		wait(ctx, 20*time.Millisecond)
	}
	return "", ctx.Err()
}

// strike kills a replica at random and starts it again after a pause.
func (f *fleet) strike(ctx context.Context, pause time.Duration) error {
	f.mu.Lock()
	r := f.replicas[rand.N(len(f.replicas))]
	r.url = ""
	f.mu.Unlock()
	_ = r.p.cmd.Process.Kill() // it may have ended, which is found out below
	f.mu.Lock()
	f.kills = append(f.kills, time.Now())
	f.mu.Unlock()
	<-r.p.done
	if said := r.p.said.String(); strings.Contains(said, "panic:") {
		return errors.New("a replica had broken:\n" + said)
	}
	wait(ctx, pause)
	return f.up(r.n)
}

// stop ends all replicas as an operator would, and returns what went wrong.
func (f *fleet) stop() error {
	var errs []error
	for _, r := range f.replicas {
		if r.p == nil {
			continue
		}
		_ = r.p.cmd.Process.Signal(os.Interrupt) // it may have ended
		select {
		case <-r.p.done:
		case <-time.After(30 * time.Second):
			errs = append(errs, errors.New("a replica did not stop within 30 s"))
			r.p.kill()
		}
	}
	return errors.Join(errs...)
}

// took is how long after a kill something happened that a run waited for since a time: of the kills in between the first counts, as nobody
// else knows which process had the run.
func (f *fleet) took(since, at time.Time) (time.Duration, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, kill := range f.kills {
		if kill.After(since.Add(-100*time.Millisecond)) && kill.Before(at) {
			return at.Sub(kill), true
		}
	}
	return 0, false
}
