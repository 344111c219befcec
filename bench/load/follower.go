package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// follower is a process that only reads the streams of a run: one process often may not have descriptors enough for both ends of all.
type follower struct {
	cmd *exec.Cmd
	out *json.Decoder
}

// followed is what a follower tells: once when all streams are open, and once when all have ended.
type followed struct {
	Open   int64  `json:"open"`
	Heap   uint64 `json:"heap"` // bytes more than before the streams
	Events int64  `json:"events"`
	Gaps   int64  `json:"gaps"`
	Ended  int64  `json:"ended"`
}

// newFollower starts this program again, with n streams to open, and returns when they are.
func newFollower(ctx context.Context, url string, n int, limit time.Duration) (*follower, followed, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, followed{}, err
	}
	cmd := exec.CommandContext(ctx, self, "-follow", url, "-streams", strconv.Itoa(n), "-length", limit.String()) //nolint:gosec // it is this program
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, followed{}, err
	}
	if err := cmd.Start(); err != nil {
		return nil, followed{}, err
	}
	f := &follower{cmd: cmd, out: json.NewDecoder(bufio.NewReader(out))}
	var told followed
	if err := f.out.Decode(&told); err != nil {
		return nil, followed{}, errors.Join(fmt.Errorf("the process that reads: %w", err), cmd.Wait())
	}
	return f, told, nil
}

// end waits for the streams to end and gives what came over them.
func (f *follower) end() (told followed, err error) {
	err = f.out.Decode(&told)
	return told, errors.Join(err, f.cmd.Wait())
}

// follow is what a follower does.
func follow(ctx context.Context, out io.Writer, o options) error {
	host, path, _ := strings.Cut(strings.TrimPrefix(o.follow, "http://"), "/")
	before := memory()
	r := &readers{host: host, limit: o.ticking}
	for range o.streams {
		r.read(ctx, http.MethodGet, "/"+path, "", false)
	}
	for r.open.Load()+r.broken.Load() < int64(o.streams) {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(time.Second)
	told := followed{Open: r.open.Load(), Heap: memory() - before}
	if err := json.NewEncoder(out).Encode(told); err != nil {
		return err
	}
	r.all.Wait()
	told.Events, told.Gaps, told.Ended = r.events.Load(), r.gaps.Load(), r.ended.Load()
	return json.NewEncoder(out).Encode(told)
}
