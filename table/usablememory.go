package table

import (
	"bytes"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// UsableMemory is how many bytes the process may use: the least of GOMEMLIMIT, the limits of its control groups and the
// machine's memory. Where nothing is known of them it is math.MaxInt64.
func UsableMemory() int64 {
	least := min(debug.SetMemoryLimit(-1), machineMemory())
	for _, file := range controlFiles() {
		least = min(least, numberIn(file))
	}
	return least
}

// controlFiles are the files that may hold a limit of the process's control groups, in both versions of them. A group's
// limit holds for those within it, so all above it count.
func controlFiles() []string {
	files := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	list, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return files
	}
	for line := range strings.Lines(string(list)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		root, name := "/sys/fs/cgroup", "memory.max"
		if parts[1] != "" { // version 1 names its controllers
			root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for group := path.Clean("/" + parts[2]); group != "/"; group = path.Dir(group) {
			files = append(files, path.Join(root, group, name))
		}
	}
	return files
}

// numberIn is the number that a file holds, math.MaxInt64 where it holds none.
func numberIn(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// machineMemory is the machine's memory where the system tells it in Linux's way.
func machineMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return math.MaxInt64
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "MemTotal:" {
			continue
		}
		if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			return kib << 10
		}
	}
	return math.MaxInt64
}
