package upstream

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// StartError says that a server's process could not be started. Use errors.As.
type StartError struct {
	Command string
	Err     error
}

// Error says what to check.
func (e *StartError) Error() string {
	return fmt.Sprintf("It cannot be started: %v; check command %q and PATH.", e.Err, e.Command)
}

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Err }

var (
	errMessageTooLong = fmt.Errorf("it sent a message longer than %d MiB", maxMessage>>20)
	errMessageTooDeep = fmt.Errorf("it sent a message nested deeper than %d levels", maxDepth)
)

// conn is one life of a server: its process and the protocol over its pipes. mcp-go's transport carries the messages; its
// client is not used, because it would decode schemas into a struct that drops keywords.
type conn struct {
	wire       *transport.Stdio
	cmd        *exec.Cmd
	stdout     *lineLimiter
	log        *slog.Logger
	serverName string
	offers     capabilities
	ids        atomic.Int64
	gone       chan struct{}    // closed when the process has ended
	changed    chan struct{}    // takes one token when a list has changed; which, says stale
	updated    func(uri string) // a resource that is subscribed to has changed; it must not block
	exit       error            // of the process; read it after gone
	answered   atomic.Bool      // a call came back: the server works

	mu       sync.Mutex
	progress map[string]func(done, total float64, message string)
	stale    lists
	closing  sync.Once
}

// capabilities are what a server said that it has.
type capabilities struct {
	Tools, Prompts, Completions *struct{}
	Resources                   *struct{ Subscribe bool }
}

// lists are lists of a server.
type lists struct{ tools, prompts, resources bool }

// dial starts the process and shakes hands.
func dial(ctx context.Context, cfg Config, log *slog.Logger, updated func(uri string)) (*conn, error) {
	c := &conn{log: log, gone: make(chan struct{}), changed: make(chan struct{}, 1), updated: updated, progress: map[string]func(float64, float64, string){}}
	stdin, err := c.spawn(ctx, cfg)
	if err != nil {
		return nil, &StartError{cfg.Command, err}
	}
	c.wire = transport.NewIO(c.stdout, stdin, io.NopCloser(strings.NewReader("")))
	c.wire.SetNotificationHandler(c.notified)
	if err = c.wire.Start(context.WithoutCancel(ctx)); err == nil {
		err = c.shakeHands(ctx)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// spawn starts the process with pipes of ours: with those of exec, Wait would not return while a child of the process holds
// one open.
func (c *conn) spawn(ctx context.Context, cfg Config) (stdin io.WriteCloser, err error) {
	// ctx is for the start only: close ends the process, with its whole group.
	c.cmd = exec.CommandContext(context.WithoutCancel(ctx), cfg.Command, cfg.Args...)
	c.cmd.Env, c.cmd.Dir = cfg.environ(), cfg.Dir
	ownGroup(c.cmd)
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, oerr := os.Pipe()
	errR, errW, eerr := os.Pipe()
	if err = errors.Join(oerr, eerr); err == nil {
		c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inR, outW, errW
		err = c.cmd.Start()
	}
	closeAll(inR, outW, errW) // the process has its own by now
	if err != nil {
		closeAll(inW, outR, errR)
		return nil, err
	}
	c.stdout = &lineLimiter{r: outR, broke: c.kill, ended: make(chan struct{})}
	go drain(errR, c.log)
	go func() {
		c.exit = c.cmd.Wait()
		c.kill() // what it left behind in its group
		t := time.NewTimer(lastWords)
		defer t.Stop()
		select {
		case <-c.stdout.ended: // all that it wrote has been read
		case <-t.C:
		}
		closeAll(outR, errR)
		close(c.gone)
	}()
	return inW, nil
}

// lastWords is how long reading goes on after a process has ended, should something else hold its pipe open.
const lastWords = time.Second

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe's end; there is nothing to lose
		}
	}
}

// shakeHands is MCP's initialize.
func (c *conn) shakeHands(ctx context.Context) error {
	raw, err := c.request(ctx, "initialize", map[string]any{
		"protocolVersion": mcp.LATEST_PROTOCOL_VERSION,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "catena", "version": "1"},
	})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	var res struct {
		Capabilities capabilities `json:"capabilities"`
		ServerInfo   struct {
			Name string `json:"name"`
		} `json:"serverInfo"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return fmt.Errorf("initialize: the answer is not MCP's: %w", err)
	}
	c.serverName, c.offers = res.ServerInfo.Name, res.Capabilities
	return c.notify(ctx, "notifications/initialized", nil)
}

// request sends a request and returns the result as it was written. When the context ends, the server is told to stop.
func (c *conn) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	type answer struct {
		resp *transport.JSONRPCResponse
		err  error
	}
	id := c.ids.Add(1)
	got := make(chan answer, 1)
	// In a goroutine of its own: a server that does not read its stdin blocks the write, and no context reaches that. It ends
	// with the connection at the latest.
	go func() {
		resp, err := c.wire.SendRequest(ctx, transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Method: method, Params: params})
		if ctx.Err() != nil {
			// A server that is gone needs no notice.
			_ = c.notify(context.WithoutCancel(ctx), "notifications/cancelled", map[string]any{"requestId": id, "reason": "the caller no longer waits"})
		}
		got <- answer{resp, err}
	}()
	var a answer
	select {
	case a = <-got:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch limit := c.stdout.failure(); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case a.err != nil && limit != nil:
		return nil, limit
	case a.err != nil:
		return nil, a.err
	case a.resp.Error != nil:
		return nil, &protocolError{a.resp.Error.Code, a.resp.Error.Message}
	}
	return a.resp.Result, nil
}

// protocolError is a JSON-RPC error of the server.
type protocolError struct {
	code    int
	message string
}

// Error gives the server's words and the code.
func (e *protocolError) Error() string { return fmt.Sprintf("%s (%d)", e.message, e.code) }

func (c *conn) notify(ctx context.Context, method string, params map[string]any) error {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method, n.Params.AdditionalFields = method, params
	return c.wire.SendNotification(ctx, n)
}

// notified takes what the server says unasked.
func (c *conn) notified(n mcp.JSONRPCNotification) {
	switch n.Method {
	case "notifications/tools/list_changed":
		c.outdated(func(l *lists) { l.tools = true })
	case "notifications/prompts/list_changed":
		c.outdated(func(l *lists) { l.prompts = true })
	case "notifications/resources/list_changed":
		c.outdated(func(l *lists) { l.resources = true })
	case "notifications/resources/updated":
		if uri, ok := n.Params.AdditionalFields["uri"].(string); ok {
			c.updated(uri)
		}
	case "notifications/progress":
		f := n.Params.AdditionalFields
		token := fmt.Sprint(f["progressToken"])
		c.mu.Lock()
		report := c.progress[token]
		c.mu.Unlock()
		if report != nil {
			done, _ := f["progress"].(float64)
			total, _ := f["total"].(float64)
			message, _ := f["message"].(string)
			report(done, total, message)
		}
	case "notifications/message":
		c.log.Debug("an upstream server logs", "message", cut(fmt.Sprint(n.Params.AdditionalFields["data"]), 500))
	}
}

// outdated notes that a list has changed.
func (c *conn) outdated(mark func(*lists)) {
	c.mu.Lock()
	mark(&c.stale)
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default: // there is one waiting already
	}
}

// takeStale gives the lists that have changed since it was asked last.
func (c *conn) takeStale() lists {
	c.mu.Lock()
	defer c.mu.Unlock()
	stale := c.stale
	c.stale = lists{}
	return stale
}

// onProgress sends the progress of a token to report until the returned function is called.
func (c *conn) onProgress(token string, report func(done, total float64, message string)) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress[token] = report
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.progress, token)
	}
}

// exitError says how the process ended. Call it after gone.
func (c *conn) exitError() error {
	if limit := c.stdout.failure(); limit != nil {
		return limit
	}
	if c.exit != nil {
		return c.exit
	}
	return errors.New("exit status 0")
}

// close ends the process: its stdin first, as the protocol has it, then its whole group by force. It waits for the end.
func (c *conn) close() {
	c.closing.Do(func() {
		_ = c.wire.Close() // closes stdin; the process is ours to end
		c.stdout.end()     // the transport may have stopped reading before the end: nobody is left to wait for
		const polite = time.Second
		t := time.NewTimer(polite)
		defer t.Stop()
		select {
		case <-c.gone:
		case <-t.C:
			c.kill()
			<-c.gone
		}
	})
}

func (c *conn) kill() { killGroup(c.cmd) }

// drain reads the process's stderr to its end, into the log.
func drain(r io.Reader, log *slog.Logger) {
	const longest = 4096
	b := bufio.NewReaderSize(r, longest)
	for {
		line, _, err := b.ReadLine()
		if err != nil {
			return
		}
		if text := strings.TrimSpace(string(line)); text != "" {
			log.Info("an upstream server writes", "stderr", cut(text, 500))
		}
	}
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// lineLimiter passes a stream on and breaks it when a line gets too long, which the transport would read into memory whatever its
// length, or is JSON nested too deep, which the transport would drop without a word: the call would wait for its time to be over.
type lineLimiter struct {
	r     io.Reader
	broke func()
	ended chan struct{} // closed at the first error

	n      int // bytes of the line
	depth  int // of brackets
	quoted bool
	escape bool

	mu   sync.Mutex
	err  error
	once sync.Once
}

// Read passes on.
func (l *lineLimiter) Read(p []byte) (int, error) {
	if l.failure() != nil {
		return 0, io.EOF
	}
	n, err := l.r.Read(p)
	for i := range n {
		if limit := l.next(p[i]); limit != nil {
			l.mu.Lock()
			l.err = limit
			l.mu.Unlock()
			l.broke()
			l.end()
			return 0, io.EOF // what happened is told by failure
		}
	}
	if err != nil {
		l.end()
	}
	return n, err
}

// next takes in one byte and says which limit it breaks.
func (l *lineLimiter) next(c byte) error {
	if c == '\n' {
		l.n, l.depth, l.quoted, l.escape = 0, 0, false, false
		return nil
	}
	if l.n++; l.n > maxMessage {
		return errMessageTooLong
	}
	switch {
	case l.escape:
		l.escape = false
	case l.quoted:
		l.escape, l.quoted = c == '\\', c != '"'
	case c == '"':
		l.quoted = true
	case c == '[' || c == '{':
		if l.depth++; l.depth > maxDepth {
			return errMessageTooDeep
		}
	case c == ']' || c == '}':
		l.depth--
	}
	return nil
}

func (l *lineLimiter) end() { l.once.Do(func() { close(l.ended) }) }

func (l *lineLimiter) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
