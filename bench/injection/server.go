package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// serveFlag makes the program an MCP server over stdio: its own child.
const serveFlag = "-serve"

// Files in the server's folder.
const (
	toolsFile   = "tools.json"   // what it lists
	answersFile = "answers.json" // what its tools give, by name; read at each call
	callsFile   = "calls.jsonl"  // what was called
)

// toolRow is a tool as the sets write it.
type toolRow struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	ReadOnly    bool            `json:"readOnly,omitempty"`
}

// reply is what a tool gives: a text, or structured content.
type reply struct {
	Text       string          `json:"text,omitempty"`
	Structured json.RawMessage `json:"structured,omitempty"`
}

// called is one call that came.
type called struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

func serve(dir string) error {
	var list []toolRow
	if err := readJSON(filepath.Join(dir, toolsFile), &list); err != nil {
		return err
	}
	s := server.NewMCPServer("suite", "1")
	for _, row := range list {
		tool := mcp.NewToolWithRawSchema(row.Name, row.Description, row.InputSchema)
		if row.ReadOnly {
			yes := true
			tool.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes, IdempotentHint: &yes}
		}
		s.AddTool(tool, func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answer(dir, called{row.Name, req.GetArguments()})
		})
	}
	return server.ServeStdio(s)
}

// answer notes a call and gives what the case says.
func answer(dir string, c called) (*mcp.CallToolResult, error) {
	f, err := os.OpenFile(filepath.Join(dir, callsFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.NewEncoder(f).Encode(c), f.Close()); err != nil {
		return nil, err
	}
	answers := map[string]reply{}
	if err := readJSON(filepath.Join(dir, answersFile), &answers); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	r, ok := answers[c.Tool]
	if !ok {
		if raw, err := json.Marshal(c.Args); err == nil && c.Tool == echoTool {
			return mcp.NewToolResultStructured(json.RawMessage(raw), string(raw)), nil
		}
		return mcp.NewToolResultText("Done."), nil
	}
	if len(r.Structured) > 0 {
		return mcp.NewToolResultStructured(r.Structured, string(r.Structured)), nil
	}
	return mcp.NewToolResultText(r.Text), nil
}

func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

func writeJSON(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o600)
}

// calls returns what was called since the last time, and forgets it.
func calls(dir string) ([]called, error) {
	raw, err := os.ReadFile(filepath.Join(dir, callsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []called
	for line := range strings.Lines(string(raw)) {
		var c called
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, os.Remove(filepath.Join(dir, callsFile))
}
