package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// StartError says that a server's process could not be started. Use errors.As.
type StartError struct {
	Command string
	Err     error
}

// Error says what to check.
func (e *StartError) Error() string {
	return fmt.Sprintf("It cannot be started: %v; check command %q and PATH.", e.Err, e.Command)
}

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Err }

// process is the wire to a server that is a process of ours: one message on a line of its pipes.
type process struct {
	c      *conn
	cfg    Config
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *lineLimiter
	over   chan struct{} // closed when the process has ended and all that it wrote was read

	writing sync.Mutex
}

// start starts the process with pipes of ours: with those of exec, Wait would not return while a child of the process holds
// one open.
func (p *process) start(ctx context.Context) error {
	if err := p.spawn(ctx); err != nil {
		return &StartError{p.cfg.Command, err}
	}
	return nil
}

func (p *process) spawn(ctx context.Context) error {
	// ctx is for the start only: close ends the process, with its whole group.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), p.cfg.Command, p.cfg.Args...)
	p.cmd.Env, p.cmd.Dir = p.cfg.environ(), p.cfg.Dir
	ownGroup(p.cmd)
	inR, inW, err := os.Pipe()
	if err != nil {
		return err
	}
	outR, outW, oerr := os.Pipe()
	errR, errW, eerr := os.Pipe()
	if err = errors.Join(oerr, eerr); err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
		err = p.cmd.Start()
	}
	closeAll(inR, outW, errW) // the process has its own by now
	if err != nil {
		closeAll(inW, outR, errR)
		return err
	}
	p.stdin, p.over = inW, make(chan struct{})
	p.stdout = &lineLimiter{r: outR, broke: p.kill, ended: make(chan struct{})}
	go drain(errR, p.c)
	go p.read()
	go func() {
		exit := p.cmd.Wait()
		p.kill() // what it left behind in its group
		t := time.NewTimer(lastWords)
		defer t.Stop()
		select {
		case <-p.stdout.ended: // all that it wrote has been read
		case <-t.C:
		}
		closeAll(outR, errR, inW)
		if limit := p.stdout.failure(); limit != nil {
			exit = limit
		}
		p.c.end(exit)
		close(p.over)
	}()
	return nil
}

// read hands on what the process writes, line by line, to its end.
func (p *process) read() {
	defer p.stdout.end()
	lines := bufio.NewReaderSize(p.stdout, 64<<10)
	for {
		line, err := lines.ReadBytes('\n') // p.stdout bounds it
		if p.c.receive(line, 0) == 0 {
			p.c.unasked(len(line))
		}
		if err != nil {
			return
		}
	}
}

// lastWords is how long reading goes on after a process has ended, should something else hold its pipe open.
const lastWords = time.Second

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe's end; there is nothing to lose
		}
	}
}

// send writes a line.
func (p *process) send(_ context.Context, m outgoing) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, err := p.stdin.Write(append(m.body, '\n'))
	if err == nil {
		return nil
	}
	// A process that ends has its reason told in a moment; "broken pipe" says nothing to anybody.
	t := time.NewTimer(lastWords)
	defer t.Stop()
	select {
	case <-p.over:
		return p.c.exitError()
	case <-t.C:
		return err
	}
}

func (p *process) shaken() {}

// close ends the process: its stdin first, as the protocol has it, then its whole group by force. It waits for the end.
func (p *process) close() {
	if p.over == nil {
		return // it never started
	}
	_ = p.stdin.Close() // the process is ours to end
	const polite = time.Second
	t := time.NewTimer(polite)
	defer t.Stop()
	select {
	case <-p.over:
	case <-t.C:
		p.kill()
		<-p.over
	}
}

func (p *process) kill() { killGroup(p.cmd) }

// drain reads the process's stderr to its end, into the log.
func drain(r io.Reader, c *conn) {
	const longest = 4096
	b := bufio.NewReaderSize(r, longest)
	for {
		line, _, err := b.ReadLine()
		if err != nil {
			return
		}
		if text := strings.TrimSpace(string(line)); text != "" {
			c.log.Info("an upstream server writes", "stderr", cut(c.hush(text), 500))
		}
	}
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}
