package cli

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/server"
)

func serveCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page, the chat API, OpenAI's API and MCP over HTTP (the default)",
		Example: "  catena serve\n" +
			"  catena serve --data ./sales --listen 127.0.0.1:9000\n" +
			"  CATENA_LLM_PROVIDER=openai CATENA_LLM_BASE_URL=http://127.0.0.1:11434/v1 CATENA_LLM_MODEL=qwen3 " +
			"catena serve",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, opts) },
	}
	cmd.Flags().StringVar(&opts.listen, "listen", "",
		"address of the HTTP server; port 0 takes a free one (default 127.0.0.1:8765)")
	return cmd
}

func serve(cmd *cobra.Command, opts *options) (err error) {
	started := time.Now()
	cfg, err := opts.load(cmd.Context(), false)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	// first, so that a port in use is told before anything is opened
	listener, err := server.Listen(ctx, cfg.Listen.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	p, err := app.New(ctx, cfg, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	reportLoading(cmd.ErrOrStderr(), p)
	return p.Serve(ctx, listener, opts.source(false), func() {
		serves(ctx)
		banner(cmd.OutOrStdout(), p, listener.Addr(), time.Since(started))
	})
}

// banner tells a person what is running and what to do next.
func banner(w io.Writer, p *app.App, at net.Addr, took time.Duration) {
	scheme := "http"
	if p.Cfg.Listen.TLSCert != "" {
		scheme = "https"
	}
	fmt.Fprintf(w, "Catena %s: %s://%s\n", app.BuildVersion(), scheme, at)
	fmt.Fprintf(w, "  planner  %s\n", p.PlannerName())
	fmt.Fprintf(w, "  tools    %d", len(p.Registry.List(app.Local)))
	if down := p.Registry.Down(); len(down) > 0 {
		fmt.Fprintf(w, " (%d MCP servers still connecting)", len(down))
	}
	tables := p.Sources.List(app.Local, "")
	fmt.Fprintf(w, "\n  tables   %d", len(tables))
	if p.Cfg.Data.DemoOn() {
		fmt.Fprint(w, " (demo data; load your own with --data FILE)")
	}
	fmt.Fprintf(w, "\n  ready in %d ms; stop with Ctrl-C\n", took.Milliseconds())
}

// noneLoaded is the error of a command over data files where none of them could be read.
func noneLoaded(p *app.App) error {
	if len(p.LoadErrs) > 0 && len(p.Sources.List(app.Local, "")) == 0 {
		return app.UsageError(errors.New("no data file could be loaded"))
	}
	return nil
}

// reportLoading names the data files that could not be read; the others are there.
func reportLoading(w io.Writer, p *app.App) {
	w = p.Secrets.Writer(w)
	for _, err := range p.LoadErrs {
		fmt.Fprintln(w, "catena: not loaded:", err)
	}
}

func mcpCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP over stdio, for hosts that start their servers (also: catena --stdio)",
		Example: "  catena mcp\n" +
			"  claude mcp add catena -- catena mcp --data ./sales",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveStdio(cmd, opts) },
	}
}

// serveStdio serves MCP over stdio.
func serveStdio(cmd *cobra.Command, opts *options) (err error) {
	cfg, err := opts.load(cmd.Context(), true)
	if err != nil {
		return err
	}
	p, err := app.New(cmd.Context(), cfg, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	reportLoading(cmd.ErrOrStderr(), p)
	return p.ServeStdio(cmd.Context(), opts.source(true), os.Stdin, os.Stdout, func() { serves(cmd.Context()) })
}
