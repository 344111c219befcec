package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for the program, so that scripts run the real main.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"catena": func() { os.Exit(run(os.Args[1:])) }})
}

// TestScripts replays testdata/script/*.txtar against the real program. Commands beside testscript's own:
//
//	serve [args]              start `catena serve` on a free port; sets $URL; it is stopped by SIGTERM at the script's end
//	stop                      stop it now and wait
//	http METHOD PATH [FILE] [Header:value ...]   request $URL+PATH with FILE (- for none) as body; the answer is stdout, its status line stderr
//	model FILE                start a scripted model server (see modelScript); sets $MODEL; what it was sent is in wire.txt
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("CATENA_STORE_DIR", filepath.Join(env.WorkDir, ".catena"))
			env.Setenv("NO_COLOR", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"serve": cmdServe,
			"stop":  cmdStop,
			"http":  cmdHTTP,
			"model": cmdModel,
		},
	})
}

// server is the running program of one script.
type served struct {
	cmd  *exec.Cmd
	done chan error
	log  *bytes.Buffer
}

var urlLine = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	exe, err := os.Executable()
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, exe, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Args[0] = "catena"
	// testscript.Main dispatches on the name that the program was called by.
	link := filepath.Join(ts.MkAbs("."), "catena")
	if _, err := os.Lstat(link); err != nil {
		ts.Check(os.Symlink(exe, link))
	}
	cmd.Path = link
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "CATENA_STORE_DIR="+ts.Getenv("CATENA_STORE_DIR"), "NO_COLOR=1")
	for _, kv := range []string{"CATENA_LLM_PROVIDER", "CATENA_LLM_BASE_URL", "CATENA_LLM_MODEL", "CATENA_LLM_API_KEY", "CATENA_LLM_TIMEOUT"} {
		if v := ts.Getenv(kv); v != "" {
			cmd.Env = append(cmd.Env, kv+"="+v)
		}
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	s := &served{cmd: cmd, done: make(chan error, 1), log: &log}
	lines := bufio.NewScanner(out)
	url := ""
	for url == "" && lines.Scan() {
		url = urlLine.FindString(lines.Text())
	}
	go func() {
		_, _ = io.Copy(io.Discard, out)
		s.done <- cmd.Wait()
	}()
	if url == "" {
		cancel()
		<-s.done
		ts.Fatalf("serve printed no URL; it said:\n%s", log.String())
	}
	ts.Setenv("URL", url)
	running[ts.MkAbs(".")] = s
	ts.Defer(func() { stopServed(ts); cancel() })
}

// running holds the program of each script by its work directory. Scripts in one directory run one after another.
var running = map[string]*served{}

func cmdStop(ts *testscript.TestScript, neg bool, args []string) { stopServed(ts) }

func stopServed(ts *testscript.TestScript) {
	s := running[ts.MkAbs(".")]
	if s == nil {
		return
	}
	delete(running, ts.MkAbs("."))
	ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-s.done:
		ts.Check(os.WriteFile(ts.MkAbs("server.log"), s.log.Bytes(), 0o600))
		if err != nil {
			ts.Fatalf("serve ended with %v:\n%s", err, s.log.String())
		}
	case <-time.After(20 * time.Second):
		ts.Fatalf("serve did not stop within 20 s of SIGTERM")
	}
}

func cmdHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: http METHOD PATH [FILE] [Header:value ...]")
	}
	body := ""
	if len(args) > 2 && args[2] != "-" {
		body = ts.ReadFile(args[2])
		body = strings.TrimSuffix(body, "\n")
	}
	req, err := http.NewRequestWithContext(context.Background(), args[0], ts.Getenv("URL")+args[1], strings.NewReader(body))
	ts.Check(err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range args[min(3, len(args)):] {
		name, value, _ := strings.Cut(h, ":")
		if strings.EqualFold(name, "Host") {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	client := &http.Client{Timeout: 30 * time.Second}
	res, err := client.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		ts.Check(err)
	}
	_, _ = fmt.Fprint(ts.Stdout(), string(data))
	_, _ = fmt.Fprintln(ts.Stderr(), res.Status, res.Header.Get("Content-Type"))
	if bad := res.StatusCode >= 400; bad != neg {
		ts.Fatalf("%s %s: %s\n%s", args[0], args[1], res.Status, data)
	}
}
