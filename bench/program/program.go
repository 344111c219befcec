// Package program runs catena as a process of its own and reads what it takes of its system, for measuring programs. The figures come
// from /proc, so there are none but on Linux.
package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// Options say what to run. The zero value builds the program and serves the demo data without keys on a free port of 127.0.0.1.
type Options struct {
	Binary string   // the program; "" builds it
	Env    []string // settings as environment variables, beside those of Start
}

// Program is catena serve, running. It is safe for concurrent use but for Stop.
type Program struct {
	URL      string // where it serves, without a slash at its end
	Dir      string // of its store
	profiles string // where its profiles are
	work     string // the folder of all of it
	cmd      *exec.Cmd
	said     bytes.Buffer // on standard error; read once it has ended
	ended    chan struct{}
}

var address = regexp.MustCompile(`https?://127\.0\.0\.1:\d+`)

// Start runs the program and returns when it answers. What a person has configured is kept out of it.
func Start(ctx context.Context, opt Options) (*Program, error) {
	work, err := os.MkdirTemp("", "catena-program-")
	if err != nil {
		return nil, err
	}
	p := &Program{work: work, Dir: filepath.Join(work, "store"), ended: make(chan struct{})}
	if err := p.start(ctx, opt); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Program) start(ctx context.Context, opt Options) error {
	binary := opt.Binary
	if binary == "" {
		binary = filepath.Join(p.work, "catena")
		if err := Build(ctx, binary); err != nil {
			return err
		}
	}
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	p.profiles = "http://" + port
	cmd := exec.Command(binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = append([]string{
		"HOME=" + p.work, "PATH=" + os.Getenv("PATH"), "CATENA_STORE_DIR=" + p.Dir, "CATENA_DATA_DEMO=on", "CATENA_LOG_LEVEL=error", "CATENA_TELEMETRY_PPROF=" + port,
	}, opt.Env...)
	cmd.Dir, cmd.Stderr = p.work, &p.said
	out, in := io.Pipe()
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	go func() {
		_ = cmd.Wait() // how it ended shows in what it said
		_ = in.Close()
		close(p.ended)
	}()
	lines := bufio.NewScanner(out)
	for p.URL == "" && lines.Scan() {
		p.URL = address.FindString(lines.Text())
	}
	if p.URL == "" {
		return errors.New("catena serve ended without saying where it listens: " + p.Said())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
	return p.ready(ctx)
}

// ready waits for the parts that load beside the start.
func (p *Program) ready(ctx context.Context) error {
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		said, err := get(ctx, p.URL+"/health")
		if err == nil && bytes.Contains(said, []byte(`"status":"healthy","service"`)) {
			return nil
		}
	}
	return errors.New("catena serve was not healthy within a minute")
}

// freePort is an address that nobody listens at now.
func freePort(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Alive reports whether the process runs.
func (p *Program) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Said waits for the end of the process and returns what it wrote to standard error.
func (p *Program) Said() string {
	<-p.ended
	return p.said.String()
}

// Stop ends the process as an operator would and removes its store. An error is one that did not end within 40 s, or that said
// something about a panic.
func (p *Program) Stop() error {
	var err error
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended
		select {
		case <-p.ended:
		case <-time.After(40 * time.Second):
			err = errors.New("catena serve did not end within 40 s")
			_ = p.cmd.Process.Kill()
		}
		if said := p.Said(); bytes.Contains([]byte(said), []byte("panic")) || bytes.Contains([]byte(said), []byte("fatal error")) {
			err = errors.Join(err, errors.New("catena serve broke: "+said))
		}
	}
	return errors.Join(err, os.RemoveAll(p.work))
}
