//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// hanging takes connections and requests and answers none, but what an MCP server says before its tools are called.
type hanging struct {
	web   *httptest.Server
	plain net.Listener // whatever speaks no HTTP
	met   func()       // told of the first that hangs
}

func newHanging(t *testing.T) (h *hanging, met chan struct{}) {
	t.Helper()
	met = make(chan struct{})
	h = &hanging{met: sync.OnceFunc(func() { close(met) })}
	h.web = httptest.NewServer(h)
	t.Cleanup(func() { h.web.CloseClientConnections(); h.web.Close() })
	var err error
	if h.plain, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.plain.Close() })
	go func() {
		for {
			c, err := h.plain.Accept()
			if err != nil {
				return
			}
			h.met()
			t.Cleanup(func() { _ = c.Close() })
		}
	}()
	return h, met
}

// ServeHTTP answers as an MCP server until one of its tools is called.
func (h *hanging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"params"`
	}
	err := json.NewDecoder(r.Body).Decode(&req)
	var result string
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case strings.HasPrefix(r.URL.Path, "/mcp") && err == nil && req.Method == "initialize":
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}`
	case strings.HasPrefix(r.URL.Path, "/mcp") && err == nil && req.Method == "tools/list":
		result = `{"tools":[{"name":"wait_long","description":"Waits.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]}`
	case strings.HasPrefix(r.URL.Path, "/mcp") && err == nil && strings.HasPrefix(req.Method, "notifications/"):
		w.WriteHeader(http.StatusAccepted)
		return
	case strings.HasPrefix(r.URL.Path, "/mcp") && req.Method != "tools/call":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"there is no such method"}}`, req.ID)
		return
	default:
		h.met()
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result)
}

// TestInterrupts: Ctrl-C ends each command, and a server that still starts, whatever it waits for. Each case says by what it is known that it waits.
func TestInterrupts(t *testing.T) {
	const model = "llm: {provider: openai, model: m, api_key: k, base_url: WEB/v1, timeout: 1h}\n"
	const embeddings = "embeddings: {provider: openai, model: m, api_key: k, base_url: WEB/v1, timeout: 1h}\n"
	const program = "mcpServers: {slow: {command: DIR/hangs}}\n"
	const secret = "llm: {provider: openai, model: m, api_key: \"command:DIR/hangs\", base_url: WEB/v1}\n"
	for name, c := range map[string]struct{ settings, args string }{
		"reading standard input":     {"", "persona import -"},
		"a model":                    {model, "ask how are you"},
		"doctor's model":             {model, "doctor"},
		"an MCP server that starts":  {program, "ask call slow__x"},
		"a list of MCP servers":      {program, "tools servers"},
		"an MCP server's call":       {"mcpServers: {slow: {url: WEB/mcp}}\n", "ask call slow__wait_long"},
		"the embeddings of an index": {embeddings, "index DIR/repo"},
		"a secret's program":         {secret, "ask how are you"},
		"serve's secret":             {secret, "serve --listen 127.0.0.1:0"},
		"mcp's secret":               {secret, "mcp"},
		"config's secret":            {secret, "config"},
		"serve's store":              {"store: {url: \"redis://PLAIN\"}\n", "serve --listen 127.0.0.1:0"},
		"restore's secret":           {secret, "restore DIR/copy"},
		"backup's store":             {"store: {url: \"redis://PLAIN\"}\n", "backup DIR/new"},
		"the store of keys":          {"store: {url: \"redis://PLAIN\"}\n", "keys list"},
	} {
		t.Run(strings.ReplaceAll(name, "'", ""), func(t *testing.T) { interrupt(t, c.settings, c.args) })
	}
}

// interrupt starts the program, waits until it waits, and sends SIGINT.
func interrupt(t *testing.T, settings, args string) {
	h, met := newHanging(t)
	dir := t.TempDir()
	fill := strings.NewReplacer("WEB", h.web.URL, "PLAIN", h.plain.Addr().String(), "DIR", dir)
	begun := filepath.Join(dir, "begun")
	for file, text := range map[string]string{
		"settings.yaml": fill.Replace(settings), "hangs": "#!/bin/sh\n: > " + begun + "\nexec sleep 1000\n",
		"repo/a.go": "package a\n\n// Charge takes money.\nfunc Charge() {}\n",
	} {
		name := filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	words := strings.Fields(fill.Replace(args))
	cmd := exec.Command("catena", append(words, "--config", filepath.Join(dir, "settings.yaml"), "--store", filepath.Join(dir, "store"), "--demo", "off")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	read := make(chan struct{})
	go func() { // what is more than a pipe holds is written once somebody reads
		if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<17)); err == nil {
			close(read)
		}
	}()
	deadline := time.After(60 * time.Second)
	for waits := false; !waits; {
		select {
		case <-met:
			waits = true
		case <-read:
			waits = true
		case err := <-ended:
			t.Fatalf("it ended before it waited: %v\n%s", err, &said)
		case <-deadline:
			_ = cmd.Process.Kill()
			t.Fatalf("it does not wait for anything\n%s", &said)
		case <-time.After(20 * time.Millisecond):
			_, err := os.Stat(begun)
			waits = err == nil
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		var code *exec.ExitError
		if !errors.As(err, &code) || code.ExitCode() < 0 || strings.Contains(said.String(), "goroutine ") {
			t.Errorf("it ended with %v\n%s", err, &said)
		}
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
		t.Errorf("it goes on after Ctrl-C\n%s", &said)
	}
	_, _ = io.WriteString(in, "") // keeps the pipe open to the end
}
