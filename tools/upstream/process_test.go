package upstream

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/tools"
)

// A folder that is not there is told as such: the system's own words are those of a missing program.
func TestStartInWrongFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		filepath.Join(dir, "none"):         "does not exist; check cwd",
		file:                               "is no folder; check cwd",
		filepath.Join(file, "none"):        "cannot be opened",
		"relative folder that is not here": "does not exist; check cwd",
	} {
		reg := tools.NewRegistry(tools.Options{})
		s, err := New(reg, quiet, Config{Name: "tiny", Command: os.Args[0], Dir: folder, Env: map[string]string{"CATENA_TEST_SERVER": "plain"}})
		if err != nil {
			t.Fatal(err)
		}
		s.pause = func(int) time.Duration { return time.Hour }
		s.Start(t.Context())
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if why := reg.Down()["tiny"]; !strings.Contains(why, want) || strings.Contains(why, "PATH") || !strings.Contains(why, filepath.Base(folder)) {
			t.Errorf("%s: %s", folder, why)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A program that reads nothing holds its callers up no longer than they wait, and its connection ends.
func TestServerThatReadsNothing(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	p := &process{c: c, cfg: Config{Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": "mute"}}}
	c.wire = p
	if err := p.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.close(errStopped)
	for end := time.Now().Add(20 * time.Second); ; {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		err := p.send(ctx, outgoing{body: make([]byte, 1<<20)}) // more than a pipe holds
		cancel()
		if err == nil || time.Now().After(end) {
			t.Fatal("it is still sent to", err)
		}
		select {
		case <-c.gone:
		default:
			continue // nothing was written in time
		}
		break
	}
	if err := c.exitError(); !errors.Is(err, errReadsNothing) {
		t.Errorf("it ended with %v", err)
	}
}

// A line that was begun is written to its end, though its asker has gone: the next message begins on a line of its own.
func TestLinesAreWhole(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(r, w)
	p := &process{stdin: w, turn: make(chan struct{}, 1), over: make(chan struct{}), grace: time.Minute}
	p.c = newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	ctx, cancel := context.WithCancel(t.Context())
	const size = 1 << 20
	sent := make(chan error, 1)
	go func() { sent <- p.send(ctx, outgoing{body: []byte(strings.Repeat("x", size))}) }()
	lines := bufio.NewReaderSize(r, 4096)
	if _, err := lines.Peek(1); err != nil { // it has begun
		t.Fatal(err)
	}
	cancel()
	if line, err := lines.ReadString('\n'); err != nil || len(line) != size+1 {
		t.Errorf("%d bytes; %v", len(line), err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if err := p.send(t.Context(), outgoing{body: []byte("next")}); err != nil {
		t.Error(err)
	}
	if line, err := lines.ReadString('\n'); err != nil || line != "next\n" {
		t.Errorf("%q; %v", line, err)
	}
}
