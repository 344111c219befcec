package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"catena/bench/program"
)

// nowIn is a line of time.Now in Go's library, and nowOff what stands there in a program whose clock is wrong.
const (
	nowIn  = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {\n\t\treturn Time{uint64(nsec), sec + unixToInternal, Local}"
	nowOff = "\tsec, nsec, mono := runtimeNow()\n\tsec += off\n\tif mono == 0 {\n\t\treturn Time{uint64(nsec), sec + unixToInternal, Local}"
	offIn  = `

var ahead, behind string // set by the linker: as long as the clock is off, in seconds

var off = int64(len(ahead) - len(behind))
`
)

// skewed makes the program with clocks that are 5 s ahead and 5 s behind, for the first two replicas. A program in Go asks the kernel itself
// for the time, and so cannot be told another from outside: the library's own time.Now is replaced while it is built.
func skewed(ctx context.Context, dir string) (map[int]string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(string(bytes.TrimSpace(root)), "src", "time", "time.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if bytes.Count(text, []byte(nowIn)) != 1 {
		return nil, errors.New("time.Now of this Go is not known; see nowIn")
	}
	own, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	changed := append(bytes.Replace(text, []byte(nowIn), []byte(nowOff), 1), offIn...)
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{file: own}})
	if err := errors.Join(err, os.WriteFile(own, changed, 0o600), os.WriteFile(overlay, list, 0o600)); err != nil {
		return nil, err
	}
	programs := map[int]string{}
	for n, which := range []string{"ahead", "behind"} {
		programs[n] = filepath.Join(dir, "catena-"+which)
		flags := "-X time." + which + "=" + strings.Repeat("s", wrongBy)
		if err := program.Build(ctx, programs[n], "-overlay", overlay, "-ldflags", flags); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

// wrongBy is how far clocks are off, in seconds.
const wrongBy = 5

// checkClocks wants the first two replicas to tell another time than this program.
func (f *fleet) checkClocks() error {
	for n, want := range []float64{wrongBy, -wrongBy} {
		res, err := http.Get(f.serving()[n] + "/livez")
		if err != nil {
			return err
		}
		_ = res.Body.Close()
		told, err := http.ParseTime(res.Header.Get("Date"))
		if err != nil {
			return err
		}
		if off := time.Until(told).Seconds(); math.Abs(off-want) > 3 { // the header has no parts of a second, and the answer takes its time
			return fmt.Errorf("the clock of replica %d is off by %.1f s", n, off)
		}
	}
	return nil
}
