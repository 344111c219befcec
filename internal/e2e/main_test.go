package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"catena/internal/cli"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
)

// TestMain lets the test binary stand in for the program, so that scripts run the real main, and for an MCP server to attach.
func TestMain(m *testing.M) {
	testscript.Main(withSettings{m}, map[string]func(){
		"catena":   func() { os.Exit(cli.Main(besideProgram("config.yaml"), os.Args[1:])) },
		"shredder": shredder,
	})
}

// withSettings runs tests with the settings that are built into the program beside the binary that stands in for it: that runs in any folder,
// and cannot embed what is above its package.
type withSettings struct{ *testing.M }

// Run implements testscript.TestingM.
func (m withSettings) Run() int {
	path, err := exec.LookPath("catena")
	if err == nil {
		err = os.WriteFile(filepath.Join(filepath.Dir(path), "config.yaml"), e2etest.Settings(), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.M.Run()
}

// besideProgram reads a file in the folder of the program, which is the first of that name on the PATH.
func besideProgram(name string) []byte {
	path, err := exec.LookPath("catena")
	var text []byte
	if err == nil {
		text, err = os.ReadFile(filepath.Join(filepath.Dir(path), name))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return text
}

// TestScripts replays testdata/script/*.txtar against the real program. Commands beside testscript's own:
//
//	serve [args]               start `catena serve` on a free port; sets $URL and $ADDR; it is stopped by SIGTERM at the script's end
//	shutdown                   stop it now; what it logged is in server.log
//	crash                      kill it
//	insist                     stop it by one SIGTERM after the other until it has ended, 5 s at most
//	http METHOD PATH [FILE] [Header:value ...]
//	                           request $URL+PATH with FILE (- for none) as body; the answer is stdout, its status line and MCP session stderr;
//	                           it fails on a status of 400 and more, and `! http` on one below
//	await METHOD PATH TEXT     request $URL+PATH until the answer contains TEXT, 10 s at most
//	until TEXT METHOD PATH [FILE] [Header:value ...]
//	                           read an answer until TEXT has come, then hang up; what came is stdout
//	events FILE                check the event stream in FILE: ids 1, 2, 3 ..., one terminal event, the last; its types are stdout
//	json FILE PATH [VALUE]     print what is at a PATH like tables.0.rows.len; with a VALUE compare it
//	json FILE PATH > NAME      set $NAME to what is at PATH
//	field FILE REGEXP > NAME   set $NAME to the first match in FILE
//	text NAME TEXT [TIMES]     set $NAME to TEXT, in which \xff and the like are Go's escapes, repeated
//	bytes FILE TEXT [TIMES]    write it to FILE
//	sqlite FILE SQLFILE        make a SQLite database of the statements in SQLFILE
//	model FILE                 start a scripted model server (see modelScript); sets $MODEL; what it was sent is in wire.txt
func TestScripts(t *testing.T) {
	p := scriptParams(nil)
	p.Dir = e2etest.Testdata("script")
	testscript.Run(t, p)
}

// scriptParams are what scripts run with; setup may set more for each.
func scriptParams(setup func(env *testscript.Env)) testscript.Params {
	return testscript.Params{
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("CATENA_STORE_DIR", filepath.Join(env.WorkDir, ".catena"))
			// doctor tries the address of the settings, and scripts run side by side.
			env.Setenv("CATENA_LISTEN_ADDR", "127.0.0.1:0")
			env.Setenv("NO_COLOR", "1")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each program of a race build waits a second at its end
			env.Values[servedKey{}] = &served{}
			if setup != nil {
				setup(env)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"serve": cmdServe, "shutdown": cmdShutdown, "crash": cmdCrash, "insist": cmdInsist, "http": cmdHTTP, "await": cmdAwait, "until": cmdUntil, "events": cmdEvents,
			"json": cmdJSON, "field": cmdField, "text": cmdText, "bytes": cmdBytes, "sqlite": cmdSQLite, "model": cmdModel,
		},
	}
}

// servedKey finds the served of a script.
type servedKey struct{}

// served is the running program of one script. Its zero value is none.
type served struct {
	cmd  *exec.Cmd
	done chan error
	log  *e2etest.LogBuffer
}

var urlLine = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// startProgram starts `catena serve` in dir and returns when it has printed its address.
func startProgram(dir string, env []string, args ...string) (*served, string, error) {
	path, err := exec.LookPath("catena") // testscript.Main has put it there
	if err != nil {
		return nil, "", err
	}
	s := &served{cmd: exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), done: make(chan error, 1), log: &e2etest.LogBuffer{}}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = dir, env, s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, "", err
	}
	lines, url := bufio.NewReader(out), ""
	for err == nil && url == "" {
		var line string
		line, err = lines.ReadString('\n')
		url = urlLine.FindString(line)
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines) // ends with the program
		s.done <- s.cmd.Wait()
	}()
	if url == "" {
		ended := "without an error"
		if err := <-s.done; err != nil {
			ended = "with " + err.Error()
		}
		return nil, "", fmt.Errorf("serve printed no address and ended %s; it said:\n%s", ended, s.log)
	}
	return s, url, nil
}

// stop ends the program as an operator would, and waits.
func (s *served) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("serve had ended before it was stopped: %w; it said:\n%s", err, s.log)
	}
	select {
	case err := <-s.done:
		if err != nil {
			return fmt.Errorf("serve ended with %w; it said:\n%s", err, s.log)
		}
		return nil
	case <-time.After(20 * time.Second):
		_ = s.cmd.Process.Kill() // it is being reported as stuck
		return fmt.Errorf("serve did not stop within 20 s of SIGTERM; it said:\n%s", s.log)
	}
}

func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	env := []string{}
	names := []string{"PATH", "HOME", "NO_COLOR", "GORACE", "CATENA_CONFIG", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY",
		"NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"}
	for _, k := range config.Keys() {
		names = append(names, k.Env, k.Env+"_FILE")
	}
	for _, name := range names {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	s, url, err := startProgram(ts.MkAbs("."), env, args...)
	if neg {
		if err == nil {
			_ = s.stop() // the script fails in any case
			ts.Fatalf("serve started, but should not have")
		}
		return
	}
	ts.Check(err)
	ts.Setenv("URL", url)
	ts.Setenv("ADDR", strings.TrimPrefix(url, "http://"))
	*ts.Value(servedKey{}).(*served) = *s
	ts.Defer(func() { stopServed(ts) })
}

func cmdShutdown(ts *testscript.TestScript, _ bool, _ []string) { stopServed(ts) }

func cmdCrash(ts *testscript.TestScript, _ bool, _ []string) {
	held := ts.Value(servedKey{}).(*served)
	ts.Check(held.cmd.Process.Kill())
	<-held.done // that it was killed
	*held = served{}
}

func cmdInsist(ts *testscript.TestScript, _ bool, _ []string) {
	held := ts.Value(servedKey{}).(*served)
	s := *held
	*held = served{}
	for range 50 {
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // an error means that it has ended
		select {
		case <-s.done: // by a signal, which is an error
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	_ = s.cmd.Process.Kill()
	ts.Fatalf("serve did not end within 5 s of SIGTERM after SIGTERM; it said:\n%s", s.log)
}

func stopServed(ts *testscript.TestScript) {
	held := ts.Value(servedKey{}).(*served)
	if held.cmd == nil {
		return
	}
	s := *held
	*held = served{}
	err := s.stop()
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "server.log"), []byte(s.log.String()), 0o600))
	ts.Check(err)
}

// shredder is an MCP server over stdio with one tool, which deletes a file; SHREDDER_SAYS is added to what it says of it. Of a file named slow.txt it never says that it did.
func shredder() {
	in := json.NewDecoder(os.Stdin)
	for {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Arguments struct {
					Path string `json:"path"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if in.Decode(&req) != nil {
			return // the client is gone
		}
		var result string
		switch req.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shredder","version":"1"}}`
		case "tools/list":
			said := os.Getenv("SHREDDER_SAYS")
			result = `{"tools":[{"name":"delete_file","description":"Deletes a file.` + said + `","annotations":{"destructiveHint":true},` +
				`"inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}`
		case "tools/call":
			result = `{"content":[{"type":"text","text":"deleted"}]}`
			if err := os.Remove(req.Params.Arguments.Path); err != nil {
				result = `{"isError":true,"content":[{"type":"text","text":"it is not there"}]}`
			} else if req.Params.Arguments.Path == "slow.txt" {
				continue
			}
		default:
			continue // a notification
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result)
	}
}

// requestContext bounds everything that a script asks for over HTTP.
func requestContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 30*time.Second)
}
