package program

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Sample is what the process takes of its system at one moment. Memory is in bytes.
type Sample struct {
	At          time.Time
	RSS         int64 // resident memory
	Peak        int64 // the most that RSS was since the start
	Heap        int64 // after a collection; 0 where none was asked for
	Goroutines  int64 // 0 as above
	Descriptors int64
	Store       int64 // of the folder of the store
	CPU         time.Duration
}

// Sample reads the figures. With collect the process collects its garbage first, for a heap that tells what is held.
func (p *Program) Sample(ctx context.Context, collect bool) (Sample, error) {
	s := Sample{At: time.Now()}
	if collect {
		if err := p.collected(ctx, &s); err != nil {
			return s, err
		}
	}
	proc := fmt.Sprintf("/proc/%d", p.cmd.Process.Pid)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		return s, fmt.Errorf("figures of a process are read on Linux: %w", err)
	}
	s.RSS, s.Peak = kilobytes(status, "VmRSS:"), kilobytes(status, "VmHWM:")
	open, err := os.ReadDir(proc + "/fd")
	if err != nil {
		return s, err
	}
	s.Descriptors = int64(len(open))
	stat, err := os.ReadFile(proc + "/stat")
	if err != nil {
		return s, err
	}
	s.CPU = ticks(string(stat))
	s.Store = sizeOf(p.Dir)
	return s, nil
}

// collected has the process collect and reads what is left.
func (p *Program) collected(ctx context.Context, s *Sample) error {
	for range 2 { // what the first leaves in pools goes with the second
		heap, err := get(ctx, p.profiles+"/debug/pprof/heap?gc=1&debug=1")
		if err != nil {
			return err
		}
		s.Heap = number(heap, "# HeapAlloc = ")
	}
	routines, err := get(ctx, p.profiles+"/debug/pprof/goroutine?debug=1")
	if err != nil {
		return err
	}
	s.Goroutines = number(routines, "goroutine profile: total ")
	return nil
}

// Profile reads a profile of the process, such as heap or "profile?seconds=10", in the form of go tool pprof.
func (p *Program) Profile(ctx context.Context, name string) ([]byte, error) {
	return get(ctx, p.profiles+"/debug/pprof/"+name)
}

// number is what stands after a word at the beginning of a line.
func number(text []byte, word string) int64 {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), word); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64) // 0 shows
			return n
		}
	}
	return 0
}

func kilobytes(status []byte, word string) int64 {
	_, rest, _ := bytes.Cut(status, []byte(word))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10
}

// ticks is the processor time of a line of /proc/PID/stat, whose clock has a hundred ticks a second on every Linux that Go runs on.
func ticks(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

func sizeOf(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // files come and go
		if err == nil && !d.IsDir() {
			if info, ierr := d.Info(); ierr == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}
