package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Bounds of what a connection that is slow may hold: the server's times for headers, bodies and readers (10, 30 and 30 s; a file also waits twice for
// up to 10 s before it is sent), and a part for a server that is busy. What the attackers themselves come late is taken off before (lateness).
const (
	headersMost = 20 * time.Second
	bodyMost    = 50 * time.Second
	readersMost = 58 * time.Second
)

// slowly are the connections that are slow, so many in all.
func slowly(n int) []*attack {
	return []*attack{
		{tally: tally{Name: "headers a byte at a time", Most: headersMost}, at: max(1, n*2/5), hold: slowHeaders},
		{tally: tally{Name: "bodies a byte at a time", Most: bodyMost}, at: max(1, n*2/5), hold: slowBody},
		{tally: tally{Name: "event streams that nobody reads"}, at: max(1, n/10), hold: deafStream},
		{tally: tally{Name: "files that nobody reads", Most: readersMost}, at: max(1, n/10), hold: deafFile},
	}
}

// drip sends a text a byte a second, then one letter for ever, and returns what the server did: an answer, or the end of the connection.
func drip(ctx context.Context, conn net.Conn, text string) string {
	said := make(chan string, 1)
	go func() {
		got, err := answer(conn)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			got = "closed"
		case errors.Is(err, net.ErrClosed):
			got = "" // by us
		default:
			got = "reset"
		}
		said <- got
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case got := <-said:
			return got
		case <-ctx.Done():
			return ""
		case <-tick.C:
		}
		b := byte('a')
		if i < len(text) {
			b = text[i]
		}
		_, _ = conn.Write([]byte{b}) // the reader sees when it is closed
	}
}

// cutOff are the ways of a server to let a slow client go.
func cutOff(outcome string) bool {
	switch outcome {
	case "closed", "reset", "400", "408", "408 body_too_slow": // net/http says 400 to half a header
		return true
	}
	return false
}

func slowHeaders(ctx context.Context, conn net.Conn, _ *target, _ int) (string, bool) {
	outcome := drip(ctx, conn, "POST /api/v1/chat HTTP/1.1\r\nHost: localhost\r\nX-A: ")
	return outcome, cutOff(outcome)
}

func slowBody(ctx context.Context, conn net.Conn, t *target, n int) (string, bool) {
	length := "Content-Length: 100000"
	first := `{"message":"`
	if n%2 == 1 {
		length, first = "Transfer-Encoding: chunked", "f4240\r\n"+first
	}
	fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Type: application/json\r\n\r\n%s", t.routes[n%len(t.routes)], length, first)
	outcome := drip(ctx, conn, "")
	return outcome, cutOff(outcome) || strings.HasPrefix(outcome, "4")
}

// deafStream asks for a stream that stays open and reads nothing of it. Such a stream is one of those that a server has: nothing
// ends it before its buffers are full.
func deafStream(ctx context.Context, conn net.Conn, _ *target, _ int) (string, bool) {
	if _, err := fmt.Fprint(conn, "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"); err != nil {
		return "refused", false
	}
	status, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	if err != nil || len(status) < 12 {
		return "no answer", false
	}
	<-ctx.Done()
	return status[9:12] + " and open", status[9:12] == "200"
}

// deafFile asks for a file, reads its status and then nothing. It sends a blank line a second: what comes for a connection that the server
// has closed is answered by a reset, also while the system still has to bring us what was written before; to read would take hours.
func deafFile(ctx context.Context, conn net.Conn, t *target, n int) (string, bool) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 << 10) // the less the system takes for us the sooner the server waits
	}
	ending := []string{".csv", ".json"}[n%2]
	if _, err := fmt.Fprintf(conn, "GET /api/v1/tables/%s%s HTTP/1.1\r\nHost: localhost\r\n\r\n", t.table, ending); err != nil {
		return "refused", false
	}
	status := make([]byte, 12)
	if _, err := io.ReadFull(conn, status); err != nil {
		return "no answer", false
	}
	switch string(status[9:]) {
	case "503":
		return "503 busy", true
	case "200":
	default:
		return string(status[9:]), false
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", false
		case <-tick.C:
		}
		if _, err := conn.Write([]byte("\r\n")); err != nil {
			if ctx.Err() != nil { // by us
				return "", false
			}
			return "closed", true
		}
	}
}
