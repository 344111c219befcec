package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
	"time"
)

// The two eras of the protocol.
const (
	withSession = "2025-11-25"
	stateless   = "2026-07-28"
)

// client sends calls over one connection, one after the other.
type client struct {
	peer    *peer
	era     string
	conn    net.Conn
	in      *bufio.Reader
	session string
	body    []byte // of the last answer; used again
}

// answerTime bounds one answer.
const answerTime = 30 * time.Second

// dial opens a connection, and a session where the era has them.
func dial(p *peer, era string) (*client, error) {
	conn, err := net.DialTimeout("tcp", p.host, answerTime)
	if err != nil {
		return nil, err
	}
	c := &client{peer: p, era: era, conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	if era != withSession {
		return c, nil
	}
	begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + era + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	if err := c.send(c.message("initialize", "", []byte(begin))); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: initialize: %w", p.name, err), conn.Close())
	}
	if err := c.send(c.message("notifications/initialized", "", []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: initialized: %w", p.name, err), conn.Close())
	}
	return c, nil
}

// message is a request as bytes.
func (c *client) message(method, name string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n", c.peer.host)
	if c.peer.key != "" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", c.peer.key)
	}
	if method != "initialize" {
		fmt.Fprintf(&b, "Mcp-Protocol-Version: %s\r\n", c.era)
	}
	if c.era == stateless {
		fmt.Fprintf(&b, "Mcp-Method: %s\r\nMcp-Name: %s\r\n", method, name)
	}
	if c.session != "" {
		fmt.Fprintf(&b, "Mcp-Session-Id: %s\r\n", c.session)
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return b.Bytes()
}

// send sends a message and reads the answer into c.body. Any status but 200 and 202 is an error.
func (c *client) send(message []byte) error {
	if err := c.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	if _, err := c.conn.Write(message); err != nil {
		return err
	}
	status, length := "", 0
	for i := 0; ; i++ {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimSpace(line)
		if i == 0 {
			status = string(line)
			continue
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := strings.Cut(string(line), ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "content-length":
			if length, err = strconv.Atoi(value); err != nil {
				return err
			}
		case "transfer-encoding":
			length = -1
		case "mcp-session-id":
			c.session = value
		}
	}
	if err := c.read(length); err != nil {
		return err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 200") && !strings.HasPrefix(status, "HTTP/1.1 202") {
		return fmt.Errorf("%s: %s", status, c.body)
	}
	return nil
}

// read reads a body of a known length, or, below 0, one in chunks.
func (c *client) read(length int) error {
	if length >= 0 {
		if cap(c.body) < length {
			c.body = make([]byte, length)
		}
		c.body = c.body[:length]
		_, err := io.ReadFull(c.in, c.body)
		return err
	}
	b := bytes.NewBuffer(c.body[:0])
	if _, err := b.ReadFrom(httputil.NewChunkedReader(c.in)); err != nil {
		return err
	}
	c.body = b.Bytes()
	_, err := c.in.Discard(len("\r\n")) // after the last chunk
	return err
}

// firstNumber is the first number that a call carries; all of them have as many digits.
const firstNumber = 10_000_000

// call is a prepared call that is sent again and again, each time with another number in it.
type call struct {
	message []byte
	at      []int // where the number stands
	tool    tool
}

func (c *client) prepare(t tool) *call {
	number, meta := strconv.Itoa(firstNumber), ""
	if c.era == stateless {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + stateless + `","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`
	}
	body := `{"jsonrpc":"2.0","id":` + number + `,"method":"tools/call","params":{` + meta + `"name":"` + t.name + `","arguments":` + t.arguments + `}}`
	out := &call{message: c.message("tools/call", t.name, []byte(body)), tool: t}
	for from := 0; ; {
		i := bytes.Index(out.message[from:], []byte(number))
		if i < 0 {
			return out
		}
		out.at = append(out.at, from+i)
		from += i + len(number)
	}
}

// do sends the call with a number, and checks the answer.
func (c *client) do(k *call, n int) error {
	number := strconv.AppendInt(nil, int64(firstNumber+n%firstNumber), 10)
	for _, at := range k.at {
		copy(k.message[at:], number)
	}
	if err := c.send(k.message); err != nil {
		return fmt.Errorf("%s, %s: %w", c.peer.name, k.tool.name, err)
	}
	if !bytes.Contains(c.body, append([]byte(`"id":`), number...)) || bytes.Contains(c.body, []byte(`"isError":true`)) || !k.tool.right(c.body, number) {
		return fmt.Errorf("%s, %s, call %s: the answer is wrong: %.2000s", c.peer.name, k.tool.name, number, c.body)
	}
	return nil
}
