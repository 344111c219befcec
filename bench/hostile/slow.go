package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Bounds of what a connection that is slow may hold: the server's times for headers, bodies and readers, and a part for a machine that is busy.
const (
	headersMost = 20 * time.Second
	bodyMost    = 50 * time.Second
	readersMost = 60 * time.Second
)

// slowly are the connections that are slow, so many in all.
func slowly(n int) []*attack {
	return []*attack{
		{tally: tally{Name: "headers a byte at a time", Most: headersMost}, at: n * 2 / 5, do: slowHeaders},
		{tally: tally{Name: "bodies a byte at a time", Most: bodyMost}, at: n * 2 / 5, do: slowBody},
		{tally: tally{Name: "event streams that nobody reads"}, at: n / 10, do: deafStream},
		{tally: tally{Name: "files that nobody reads", Most: readersMost}, at: n / 10, do: deafFile},
	}
}

// drip sends a text a byte at a time, then one letter for ever, and returns what the server did: an answer, or the end of the connection.
func drip(ctx context.Context, t *target, head string) string {
	conn, end, err := t.dial(ctx)
	if err != nil {
		return "no connection: " + err.Error()
	}
	defer end()
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
		case <-tick.C:
		}
		b := byte('a')
		if i < len(head) {
			b = head[i]
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

func slowHeaders(ctx context.Context, t *target, _ int) (string, bool) {
	outcome := drip(ctx, t, "POST /api/v1/chat HTTP/1.1\r\nHost: localhost\r\nX-A: ")
	return outcome, cutOff(outcome)
}

func slowBody(ctx context.Context, t *target, n int) (string, bool) {
	conn, end, err := t.dial(ctx)
	if err != nil {
		return "no connection: " + err.Error(), false
	}
	length := "Content-Length: 100000"
	first := `{"message":"`
	if n%2 == 1 {
		length, first = "Transfer-Encoding: chunked", "f4240\r\n"+first
	}
	fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Type: application/json\r\n\r\n%s", t.routes[n%len(t.routes)], length, first)
	defer end()
	said := make(chan string, 1)
	go func() {
		got, err := answer(conn)
		if err != nil {
			got = "closed"
		}
		said <- got
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case outcome := <-said:
			return outcome, cutOff(outcome) || outcome != "" && outcome[0] == '4'
		case <-ctx.Done():
			return "", false
		case <-tick.C:
			_, _ = conn.Write([]byte("a")) // the reader sees when it is closed
		}
	}
}

// deafStream asks for a stream that stays open and reads nothing of it. Such a stream is one of those that a server has: nothing
// ends it before its buffers are full.
func deafStream(ctx context.Context, t *target, _ int) (string, bool) {
	conn, end, err := t.dial(ctx)
	if err != nil {
		return "no connection: " + err.Error(), false
	}
	defer end()
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

// deafFile asks for a file, reads its status, and then so little that the buffers on the way stay full.
func deafFile(ctx context.Context, t *target, n int) (string, bool) {
	conn, end, err := t.dial(ctx)
	if err != nil {
		return "no connection: " + err.Error(), false
	}
	defer end()
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 << 10) // the less the system takes for us the sooner the server waits
	}
	ending := []string{".csv", ".json"}[n%2]
	if _, err := fmt.Fprintf(conn, "GET /api/v1/tables/%s%s HTTP/1.1\r\nHost: localhost\r\n\r\n", t.table, ending); err != nil {
		return "refused", false
	}
	one := make([]byte, 12)
	if _, err := io.ReadFull(conn, one); err == nil && string(one[9:12]) == "503" {
		return "503 busy", true
	}
	one = one[:1]
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := conn.Read(one); err != nil {
			if ctx.Err() != nil {
				return "", false
			}
			return "closed", true
		}
		select {
		case <-ctx.Done():
			return "", false
		case <-tick.C:
		}
	}
}
