package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	product "catena/bench/program"
	"github.com/mark3labs/mcp-go/client/transport"
)

// program is catena, running.
type program struct {
	bin, dir, url string
	repo          string // a folder that may be indexed
	cmd           *exec.Cmd
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start builds catena, unless bin names it, and serves on a free port.
func start(ctx context.Context, bin string) (*program, error) {
	dir, err := os.MkdirTemp("", "surface")
	if err != nil {
		return nil, err
	}
	p := &program{bin: bin, dir: dir}
	if err := p.sample(); err != nil {
		p.close()
		return nil, err
	}
	if err := p.serve(ctx); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// sample writes a small repository to index.
func (p *program) sample() error {
	p.repo = filepath.Join(p.dir, "sample")
	if err := os.Mkdir(p.repo, 0o700); err != nil {
		return err
	}
	const code = "export function add(a: number, b: number): number {\n  return a + b;\n}\n"
	return os.WriteFile(filepath.Join(p.repo, "add.ts"), []byte(code), 0o600)
}

func (p *program) serve(ctx context.Context) error {
	if p.bin == "" {
		p.bin = filepath.Join(p.dir, "catena")
		if err := product.Build(ctx, p.bin); err != nil {
			return err
		}
	}
	p.cmd = exec.CommandContext(ctx, p.bin, "serve", "--listen", "127.0.0.1:0")
	p.cmd.Env, p.cmd.Stderr, p.cmd.WaitDelay = p.environ(), os.Stderr, time.Second
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if p.url = address.FindString(lines.Text()); p.url != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
			return nil
		}
	}
	return errors.New("catena ended without saying where it listens")
}

// environ keeps what a person has configured, and their data, out of the check.
func (p *program) environ() []string {
	return append(os.Environ(), "CATENA_STORE_DIR="+p.dir, "CATENA_CONFIG=", "CATENA_LLM_PROVIDER=", "CATENA_DATA_DEMO=on", "CATENA_LOG_LEVEL=warn",
		"CATENA_EMBEDDINGS_PROVIDER=", "CATENA_PERSONA_NEO4J_URI=", "NEO4J_URI=", "CATENA_CODE_ROOTS="+p.repo)
}

func (p *program) close() {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended already
		_ = p.cmd.Wait()
	}
	_ = os.RemoveAll(p.dir)
}

// ask reads the lists of tools, prompts and resources over each transport.
func (p *program) ask(ctx context.Context) (map[string]*surface, error) {
	sse, err := transport.NewSSE(p.url + "/sse")
	if err != nil {
		return nil, err
	}
	old, err := transport.NewSSE(p.url + "/mcp")
	if err != nil {
		return nil, err
	}
	streamable, err := transport.NewStreamableHTTP(p.url + "/mcp")
	if err != nil {
		return nil, err
	}
	env := append(p.environ(), "CATENA_STORE_DIR="+filepath.Join(p.dir, "stdio"))
	stdio := transport.NewStdio(p.bin, env, "mcp")
	stateless, err := transport.NewStreamableHTTP(p.url + "/mcp")
	if err != nil {
		return nil, err
	}
	out := map[string]*surface{}
	for way, t := range map[string]transport.Interface{"stdio": stdio, "legacy SSE": sse, "legacy SSE at /mcp": old, "Streamable HTTP": streamable, "Streamable HTTP of 2026-07-28": stateless} {
		s, err := list(ctx, t, t == transport.Interface(stateless), p.repo)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way, err)
		}
		out[way] = s
	}
	return out, nil
}
