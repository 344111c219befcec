package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// modeVariable makes this program an MCP server. The others say how much it writes, and where it listens.
const (
	modeVariable          = "CATENA_BENCH_UPSTREAM"
	gigabytesVariable     = "CATENA_BENCH_GIGABYTES"
	notificationsVariable = "CATENA_BENCH_NOTIFICATIONS"
	addressVariable       = "CATENA_BENCH_ADDRESS"
)

// toolNames are the tools of the servers.
var toolNames = []string{"echo", "pid", "hang", "half", "spew", "lines", "notify"}

// serve is a server over stdio, or over HTTP. Mode "loop" ends soon after its handshake, mode "mute" never says anything.
func serve(mode string) {
	switch mode {
	case "mute":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "http":
		serveHTTP()
	default:
		serveLines(mode)
	}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
}

func serveLines(mode string) {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var r request
		if json.Unmarshal(in.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		if r.Method == "tools/call" {
			misbehave(out, r)
		}
		if result := answer(r); result != "" {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, result)
		}
		if out.Flush() != nil {
			return
		}
		if mode == "loop" && r.Method == "tools/list" {
			time.Sleep(10 * time.Millisecond)
			os.Exit(3)
		}
	}
}

// answer is the result of a request, "" where there is none.
func answer(r request) string {
	switch r.Method {
	case "initialize":
		return `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`
	case "tools/list":
		var list []string
		for _, name := range toolNames {
			list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, name))
		}
		return `{"tools":[` + strings.Join(list, ",") + `]}`
	case "ping":
		return `{}`
	case "tools/call":
		switch r.Params.Name {
		case "hang", "half", "spew", "lines":
			return ""
		}
		return fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, os.Getpid())
	}
	return ""
}

// misbehave writes what a tool writes beside its answer.
func misbehave(out *bufio.Writer, r request) {
	gigabytes, _ := strconv.ParseFloat(os.Getenv(gigabytesVariable), 64)
	notifications, _ := strconv.Atoi(os.Getenv(notificationsVariable))
	junk := strings.Repeat("x", 1<<16-1)
	switch r.Params.Name {
	case "half":
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"ty`+"\n", r.ID)
	case "spew", "lines":
		end := "x"
		if r.Params.Name == "lines" {
			end = "\n"
		}
		for n := 0.0; n < gigabytes*(1<<30); n += 1 << 16 {
			if _, err := out.WriteString(junk + end); err != nil {
				os.Exit(4)
			}
		}
	case "notify":
		for i := range notifications {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d"}}`+"\n", i)
		}
	}
}

// serveHTTP serves Streamable HTTP with sessions, which end with the process.
func serveHTTP() {
	listener, err := net.Listen("tcp", os.Getenv(addressVariable))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var sessions sync.Map
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var r request
		if json.NewDecoder(req.Body).Decode(&r) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == "initialize" {
			id := rand.Text()
			sessions.Store(id, true)
			w.Header().Set("Mcp-Session-Id", id)
		} else if _, ok := sessions.Load(req.Header.Get("Mcp-Session-Id")); !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if r.Method == "tools/call" && r.Params.Name == "hang" {
			<-req.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, answer(r))
	})}
	fmt.Fprintln(os.Stderr, server.Serve(listener))
}
