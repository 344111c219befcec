package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// worldServer is a server of DIR/typing/servers.json: how it is started, what it is called with, and what its answers
// hold.
type worldServer struct {
	Name    string            `json:"name"`
	Command []string          `json:"command"`
	Env     map[string]string `json:"env"`
	HeldOut bool              `json:"held_out"` // nobody looked at its answers while the reader was mended
	Calls   []worldCall       `json:"calls"`
}

// worldCall is one call, with what a person wrote down of the data behind it.
type worldCall struct {
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"`
	Quiet bool            `json:"quiet"` // it only prepares the next ones
	Rows  int             `json:"rows"`
	Cells []string        `json:"cells"` // texts that are cells of the table, as they are written there
}

func readServers(dir string) (list []worldServer, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, "servers.json"))
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	return list, err
}

func recordedPath(dir string, s worldServer, n int) string {
	return filepath.Join(dir, "recorded", fmt.Sprintf("%s.%d.%s.json", s.Name, n, s.Calls[n].Tool))
}

// record calls every server and keeps its answers. One that fails is told and left out.
func record(dir, only string) error {
	list, err := readServers(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "recorded"), 0o755); err != nil {
		return err
	}
	for _, s := range list {
		if only != "" && s.Name != only {
			continue
		}
		if err := s.record(dir); err != nil {
			fmt.Fprintf(os.Stderr, "typing: %s: %v\n", s.Name, err)
		}
	}
	return nil
}

func (s worldServer) record(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
	cmd.Env = os.Environ()
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close(); cancel(); _ = cmd.Wait() }()
	w := wire{in: in, out: bufio.NewReader(out)}
	client := map[string]any{"name": "typing", "version": "1"}
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": client}
	if _, err = w.ask("initialize", hello); err == nil {
		err = w.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		return err
	}
	if len(s.Calls) == 0 {
		listed, err := w.ask("tools/list", map[string]any{})
		fmt.Println(s.Name, string(listed))
		return err
	}
	for n, c := range s.Calls {
		answer, err := w.ask("tools/call", map[string]any{"name": c.Tool, "arguments": c.Args})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Tool, err)
		}
		if err := os.WriteFile(recordedPath(dir, s, n), answer, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// wire speaks JSON-RPC over lines.
type wire struct {
	in  io.Writer
	out *bufio.Reader
	id  int
}

func (w *wire) send(message map[string]any) error {
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = w.in.Write(append(raw, '\n'))
	}
	return err
}

func (w *wire) ask(method string, params any) (json.RawMessage, error) {
	w.id++
	if err := w.send(map[string]any{"jsonrpc": "2.0", "id": w.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := w.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID            json.RawMessage
			Method        string
			Result, Error json.RawMessage
		}
		switch {
		case json.Unmarshal(line, &m) != nil: // a line of a log
		case m.Method != "" && len(m.ID) > 0:
			unknown := map[string]any{"code": -32601, "message": "there is no such method"}
			err = w.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": unknown})
		case string(m.ID) == fmt.Sprint(w.id) && m.Error != nil:
			return nil, fmt.Errorf("%s", m.Error)
		case string(m.ID) == fmt.Sprint(w.id):
			return m.Result, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
