package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// StartError says that a server's process could not be started. Use errors.As.
type StartError struct {
	Command string
	Err     error
}

// Error says what to check.
func (e *StartError) Error() string {
	var folder *folderError
	if errors.As(e.Err, &folder) {
		return fmt.Sprintf("It cannot be started: its folder %q %s; check cwd.", folder.path, folder.why)
	}
	return fmt.Sprintf("It cannot be started: %v; check command %q and PATH.", e.Err, e.Command)
}

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Err }

// folderError says that the folder to start in is not one.
type folderError struct{ path, why string }

func (e *folderError) Error() string { return e.path + " " + e.why }

// checkFolder looks at the folder before the start: of one that is not there the system says only "no such file or
// directory", as it does of a missing program.
func checkFolder(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &folderError{path, "does not exist"}
	case errors.Is(err, fs.ErrPermission):
		return &folderError{path, "may not be opened"}
	case err != nil:
		return &folderError{path, "cannot be opened: " + err.Error()}
	case !info.IsDir():
		return &folderError{path, "is no folder"}
	}
	return nil
}

// process is the wire to a server that is a process of ours: one message on a line of its pipes.
type process struct {
	c      *conn
	cfg    Config
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *lineLimiter
	over   chan struct{} // closed when the process has ended and all that it wrote was read
	said   chan struct{} // closed when its stderr has been read
	wrote  atomic.Bool   // something to its stderr

	turn  chan struct{} // has a token while a line is written
	grace time.Duration // writeGrace, shorter in tests
}

// start starts the process with pipes of ours: with those of exec, Wait would not return while a child of the process
// holds one open.
func (p *process) start(ctx context.Context) error {
	if err := p.spawn(ctx); err != nil {
		return &StartError{p.cfg.Command, err}
	}
	return nil
}

func (p *process) spawn(ctx context.Context) error {
	if err := checkFolder(p.cfg.Dir); err != nil {
		return err
	}
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
	p.stdin, p.over, p.turn = inW, make(chan struct{}), make(chan struct{}, 1)
	p.stdout = p.c.unowned(outR, p.kill)
	p.said = make(chan struct{})
	go func() {
		defer close(p.said)
		p.drain(errR)
	}()
	go p.read()
	go func() {
		exit := p.cmd.Wait()
		p.kill() // what it left behind in its group
		t := time.NewTimer(lastWords)
		defer t.Stop()
		for _, read := range []chan struct{}{p.stdout.ended, p.said} { // all that it wrote
			select {
			case <-read:
			case <-t.C:
				t.Reset(0)
			}
		}
		closeAll(outR, errR, inW)
		if limit := p.stdout.failure(); limit != nil {
			exit = limit
		} else if exit != nil && p.wrote.Load() {
			exit = fmt.Errorf("%w; what it wrote before is in Catena's log", exit)
		}
		p.c.end(exit)
		close(p.over)
	}()
	return nil
}

// read hands on what the process writes, line by line, to its end.
func (p *process) read() {
	lines := bufio.NewReaderSize(p.stdout, 64<<10)
	for {
		line, err := lines.ReadBytes('\n') // p.stdout bounds it
		p.stdout.whole()
		if len(line) > 0 {
			p.c.receive(line, 0)
		}
		p.stdout.free()
		if err != nil {
			break
		}
	}
	p.stdout.end()
	// It has ended, and how is told in a moment, or it goes on and says nothing any more, which is no use.
	t := time.NewTimer(lastWords)
	defer t.Stop()
	select {
	case <-p.over:
	case <-t.C:
		p.c.end(errSaysNothing)
	}
}

var errSaysNothing = errors.New("it closed its output")

// lastWords is how long reading goes on after a process has ended, should something else hold its pipe open.
const lastWords = time.Second

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe's end; there is nothing to lose
		}
	}
}

// send writes a line. A server that does not read is waited for until ctx ends.
func (p *process) send(ctx context.Context, m outgoing) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.over:
		return p.c.exitError()
	}
	defer func() { <-p.turn }()
	err := p.write(ctx, append(m.body, '\n'))
	if err == nil || ctx.Err() != nil {
		return err
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

// writeGrace is how long the rest of a line may take when nobody waits for it any more.
const writeGrace = noticeTime

var errReadsNothing = errors.New("it does not read what it is sent")

// write writes a line while ctx lasts. Of a line that has been begun by then the rest is written, as half a line would
// spoil the next message; where that is not taken soon either, the connection is over.
func (p *process) write(ctx context.Context, line []byte) error {
	if err := p.stdin.SetWriteDeadline(time.Time{}); err != nil {
		return err
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = p.stdin.SetWriteDeadline(time.Unix(1, 0)) // it worked a moment ago
	})
	n, err := p.stdin.Write(line)
	if !stop() {
		<-stopped
	}
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case n == 0:
		return ctx.Err()
	}
	if err = p.stdin.SetWriteDeadline(time.Now().Add(p.grace)); err == nil {
		_, err = p.stdin.Write(line[n:])
	}
	if err != nil {
		p.c.end(errReadsNothing)
	}
	return err
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
