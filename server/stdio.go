package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
)

// maxLine is how long a message over stdio may be.
const maxLine = DefaultUploadLimit

// ErrLineTooLong is returned by ServeStdio when the client sends a message that is longer than 25 MiB: where it ends cannot
// be known any more.
var ErrLineTooLong = errors.New("a message of the client is longer than 25 MiB")

// ServeStdio serves MCP on in and out until in ends, or ctx does. Nothing but MCP goes to out, so logs must go elsewhere. The
// caller of every request is access.Local("stdio"). Only one ServeStdio may run in a process at a time.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callerKey, access.Local("stdio")))
	defer cancel()
	lines := &lineLimiter{r: bufio.NewReaderSize(in, 64<<10)}
	st := mcpserver.NewStdioServer(s.mcp.core)
	st.SetErrorLogger(slog.NewLogLogger(s.log.Handler(), slog.LevelWarn))
	err := st.Listen(ctx, lines, out)
	switch {
	case lines.err != nil:
		return lines.err
	case ctx.Err() != nil || errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return fmt.Errorf("server: stdio: %w", err)
	}
	return nil
}

// lineLimiter passes bytes on and fails when a line gets too long; mcp-go would read it into memory whatever its length.
type lineLimiter struct {
	r   *bufio.Reader
	n   int
	err error
}

// Read gives bytes up to the end of one line at most.
func (l *lineLimiter) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.r.Read(p)
	for i := range n {
		if p[i] == '\n' {
			l.n = 0
		} else if l.n++; l.n > maxLine {
			l.err = ErrLineTooLong
			return 0, l.err
		}
	}
	return n, err
}
