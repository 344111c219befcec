package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"catena/bench/program"
)

// peer is a server in a process of its own.
type peer struct {
	name string
	host string // and port
	key  string // of Catena
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

//go:embed echo.go.txt
var echoSource []byte

// build makes the program with the toolkit echo.
func build(ctx context.Context, path string) error {
	root, err := program.Root(ctx)
	if err != nil {
		return err
	}
	room := filepath.Join(root, "internal", "app")
	toolkits := filepath.Join(room, "toolkits.go")
	source, err := os.ReadFile(toolkits)
	if err != nil {
		return err
	}
	const first = "error{ts.addData,"
	if bytes.Count(source, []byte(first)) != 1 {
		return fmt.Errorf("%s does not have %q once: the list of toolkits is another one; change bench/mcp", toolkits, first)
	}
	dir, err := os.MkdirTemp("", "catena-mcp-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	replaced, added := filepath.Join(dir, "toolkits.go"), filepath.Join(dir, "echo.go")
	overlay := filepath.Join(dir, "overlay.json")
	files := map[string]string{toolkits: replaced, filepath.Join(room, "bench_echo.go"): added}
	list, err := json.Marshal(map[string]any{"Replace": files})
	err = errors.Join(err,
		os.WriteFile(replaced, bytes.Replace(source, []byte(first), []byte("error{ts.addEcho, ts.addData,"), 1), 0o600),
		os.WriteFile(added, echoSource, 0o600), os.WriteFile(overlay, list, 0o600))
	if err != nil {
		return err
	}
	return program.Build(ctx, path, "-ldflags", "-s -w", "-overlay", overlay)
}

// startAll starts Catena and the two servers beside it.
func startAll(ctx context.Context, o options, dir string) (peers []*peer, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"net/http", "mcp-go"} {
		p := &peer{name: name}
		if err := p.start(dir, exec.Command(self, "-"+serveFlag, name)); err != nil {
			return peers, err
		}
		peers = append(peers, p)
	}
	p, err := startCatena(ctx, o, dir)
	if err != nil {
		return peers, err
	}
	return append(peers, p), nil
}

// logFile takes what Catena logs, the audit in it.
const logFile = "catena.log"

func startCatena(ctx context.Context, o options, dir string) (*peer, error) {
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return nil, err
	}
	if o.binary == "" {
		binary = filepath.Join(dir, "catena")
		if err := build(ctx, binary); err != nil {
			return nil, err
		}
	}
	table, err := ordersCSV()
	if err != nil {
		return nil, err
	}
	settings := "access: {require: always, limits: {requests_per_minute: 6000000, burst: 1000000}}\n" +
		"data: {sources: [orders.csv]}\n" + fmt.Sprintf("telemetry: {pprof: %q}\n", o.pprof)
	err = os.WriteFile(filepath.Join(dir, "orders.csv"), table, 0o600)
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "catena.yaml"), []byte(settings), 0o600))
	if err != nil {
		return nil, err
	}
	p := &peer{name: "catena"}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, append(args, "--config", "catena.yaml", "--store", filepath.Join(dir, "store"))...)
		cmd.Env, cmd.Dir = []string{"HOME=" + dir}, dir
		return cmd
	}
	made := command("keys", "create", "bench", "--scope", "tools:echo", "--scope", "tools:data")
	var said bytes.Buffer
	made.Stderr = &said
	out, err := made.Output()
	if p.key = regexp.MustCompile(`cat_\S+`).FindString(string(out)); err != nil || p.key == "" {
		return nil, fmt.Errorf("catena keys create gave no key: %w\n%s%s", err, out, said.String())
	}
	return p, p.start(dir, command("serve", "--listen", "127.0.0.1:0"))
}

var urlLine = regexp.MustCompile(`http://(127\.0\.0\.1:\d+)`)

// start starts a server and returns when it has told its address.
func (p *peer) start(dir string, cmd *exec.Cmd) error {
	log, err := os.Create(filepath.Join(dir, strings.ReplaceAll(p.name, "/", "-")+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd, p.done = cmd, make(chan struct{})
	cmd.Stderr = log // a file of its own: no work of this process's
	out, in := io.Pipe()
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait() // it is ended by a signal
		_ = in.Close()
		close(p.done)
	}()
	lines := bufio.NewReader(out)
	for err == nil && p.host == "" {
		var line string
		line, err = lines.ReadString('\n')
		if found := urlLine.FindStringSubmatch(line); found != nil {
			p.host = found[1]
		}
	}
	if p.host == "" {
		p.stop()
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s gave no address; it said:\n%s", p.name, said)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the program
	return nil
}

// stop ends a server, which may write what it still has. It may have ended.
func (p *peer) stop() {
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}
