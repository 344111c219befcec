package main

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// faultyServer is the kind of server that fails one call in ten, and faultsEnv the folder where it keeps what it did: the
// ledger of its posts, which calls it has failed already, and its process id.
const (
	faultyServer = "faulty"
	faultsEnv    = "CATENA_CHAINS_FAULTS"
	ledgerFile   = "ledger"
	failedFile   = "failed"
	pidFile      = "pids"
)

// callTimeout is how long the client waits for one call, and hang how long the server is silent when it fails by that.
const (
	callTimeout = 400 * time.Millisecond
	hang        = callTimeout + 200*time.Millisecond
)

// errGarbage makes the server answer with what is no result of a tool.
var errGarbage = errors.New("garbage")

// faulty is the server's tool: mix, and post, which writes a line into the ledger. Each tenth call fails the first time that it
// is made, in one of three ways; a post fails before its deed or after it.
type faulty struct {
	clock *waits
	dir   string

	mu     sync.Mutex
	failed map[string]bool
}

func newFaulty(clock *waits) (*faulty, error) {
	f := &faulty{clock: clock, dir: os.Getenv(faultsEnv), failed: map[string]bool{}}
	lines, err := readLines(filepath.Join(f.dir, failedFile))
	for _, line := range lines {
		f.failed[line] = true
	}
	if err == nil {
		err = appendLine(filepath.Join(f.dir, pidFile), fmt.Sprint(os.Getpid()))
	}
	return f, err
}

// fault says how a call fails: "" for most.
func (f *faulty) fault(tool string, seed int64) (kind string, after bool) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", filepath.Base(f.dir), tool, seed)
	n := h.Sum64() >> 8
	if n%10 != 0 {
		return "", false
	}
	key := fmt.Sprint(tool, seed)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed[key] {
		return "", false
	}
	f.failed[key] = true
	if appendLine(filepath.Join(f.dir, failedFile), key) != nil {
		return "", false
	}
	return []string{"timeout", "disconnect", "malformed"}[n/10%3], n/30%2 == 0
}

func (f *faulty) call(tool string, a mixArgs) (any, error) {
	f.clock.sleep(a.delay())
	kind, after := f.fault(tool, a.Seed)
	if tool == "post" && (kind == "" || after) {
		if err := appendLine(filepath.Join(f.dir, ledgerFile), fmt.Sprint(a.Seed, " ", a.value())); err != nil {
			return nil, err
		}
	}
	switch kind {
	case "timeout":
		time.Sleep(hang)
	case "disconnect":
		os.Exit(1)
	case "malformed":
		return nil, errGarbage
	}
	return map[string]any{"value": a.value()}, nil
}

// appendLine writes a line at the end of a file in one write.
func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// readLines reads a file of lines; one that is not there has none.
func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	in := bufio.NewScanner(f)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out, in.Err()
}
