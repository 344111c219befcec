package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"catena/profiler"
	"catena/server"
)

func serveCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page, the chat API, OpenAI's API and MCP over HTTP (the default)",
		Example: "  catena serve\n" +
			"  catena serve --data ./sales --listen 127.0.0.1:9000\n" +
			"  CATENA_LLM_PROVIDER=openai CATENA_LLM_BASE_URL=http://127.0.0.1:11434/v1 CATENA_LLM_MODEL=qwen3 catena serve",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, opts) },
	}
	cmd.Flags().StringVar(&opts.listen, "listen", "", "address of the HTTP server; port 0 takes a free one (default 127.0.0.1:8765)")
	return cmd
}

func serve(cmd *cobra.Command, opts *options) (err error) {
	started := time.Now()
	cfg, err := opts.load(false)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	listener, err := server.Listen(ctx, cfg.Listen.Addr) // first, so that a port in use is told before anything is opened
	if err != nil {
		return err
	}
	defer listener.Close()
	p, err := build(ctx, cfg, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	p.reportLoading(cmd.ErrOrStderr())
	if err := p.serveProfiles(ctx); err != nil {
		return err
	}
	caller, err := p.callers(ctx, listener.Addr())
	if err != nil {
		return err
	}
	secure, err := p.tls()
	if err != nil {
		return err
	}
	p.limiter = p.newLimiter(p.cfg.Access.Limits)
	s, err := p.server(server.Options{Caller: caller, Refused: p.refused, Limiter: p.limiter, TLS: secure, Issuer: p.cfg.Access.OIDC.Issuer, Resource: p.cfg.Access.OIDC.Resource,
		Addresses: !server.Loopback(listener.Addr().String())})
	if err != nil {
		return err
	}
	serves(ctx)
	p.banner(cmd.OutOrStdout(), listener, time.Since(started))
	watch, stop := context.WithCancel(ctx)
	defer stop()
	p.watchSettings(watch, opts, false, true)
	go func() {
		profiler.Warm() // before what the start needed is released
		p.idle.run(watch)
	}()
	go p.takeOver(watch)
	told := make(chan struct{})
	go func() { defer close(told); p.beat(watch) }()
	defer func() { stop(); <-told }()
	return s.Serve(ctx, listener)
}

// server is the HTTP and MCP front over the parts. opt says who calls.
func (p *parts) server(opt server.Options) (*server.Server, error) {
	opt.Version, opt.Logger, opt.Info = buildVersion(), p.log, p.info
	opt.Runs, opt.Planner, opt.Tools, opt.Sessions, opt.Data, opt.Tables = p.runs, p.engine, p.registry, p.engine, p.data, p.tables
	opt.Hide = p.secrets.Hide
	opt.Health, opt.Metrics, opt.Request = p.health, p.metrics.Handler(), p.requested
	opt.Message, opt.Tasks = p.metrics.Message, p.tasks
	opt.Hosts, opt.Origins = p.cfg.Listen.AllowedHosts, p.cfg.Listen.AllowedOrigins
	opt.Steps, opt.Cache, opt.Replies = p.cfg.OpenAI.Steps, p.store, p.store
	if key := p.cfg.Access.Signing.Reveal(); key != "" {
		opt.SigningKey = []byte(key)
	}
	opt.UploadLimit = int64(p.cfg.Listen.MaxUploadMB) << 20
	s, err := server.New(opt)
	p.served.Store(s)
	return s, err
}

// health reports the parts that may fail while the process serves.
func (p *parts) health(ctx context.Context) []server.Component {
	db := server.Component{Name: "store", Status: "healthy", Required: true}
	if err := p.store.Ping(ctx); err != nil {
		db.Status, db.Detail = "down", "the store does not answer; see the log, or run catena doctor"
		if why, ok := errors.AsType[interface {
			error
			Unavailable() string
		}](err); ok {
			db.Detail = "the store " + why.Unavailable() + "; see the log, or run catena doctor"
		}
		p.log.WarnContext(ctx, "the store does not answer", "error", err)
	}
	model := server.Component{Name: "planner", Status: "healthy", Detail: p.plannerName()}
	list := append([]server.Component{db, model}, p.modelComponents()...)
	if p.cfg.Store.URL != "" {
		folder := server.Component{Name: "folder", Status: "healthy"}
		if err := p.folder.Ping(ctx); err != nil {
			folder.Status, folder.Detail = "down", "the file in store.dir does not answer, so memories and personas fail; see the log"
			p.log.WarnContext(ctx, "the file in store.dir does not answer", "error", err)
		}
		list = append(list, folder)
	}
	if p.personas != nil && p.personas.Kind() == "neo4j" {
		graph := server.Component{Name: "neo4j", Status: "healthy"}
		if err := p.personas.Healthy(ctx); err != nil {
			graph.Status, graph.Detail = "down", "Neo4j does not answer, so the persona tools fail; check persona.neo4j_uri and the server"
			p.log.WarnContext(ctx, "Neo4j does not answer", "error", err)
		}
		list = append(list, graph)
	}
	if p.audit != nil && p.cfg.Audit.To != "log" {
		record := server.Component{Name: "audit", Status: "healthy"}
		if p.audit.Healthy() != nil { // why is in the log
			record.Status, record.Detail = "down", "calls are made and not recorded; make room for the file of audit.to, or let Catena write it"
		}
		list = append(list, record)
	}
	return append(list, p.reloads.component()...)
}

func (p *parts) plannerName() string {
	if p.model == nil {
		return "offline (no language model is configured)"
	}
	return p.modelNames + ", then offline"
}

func (p *parts) info() map[string]any {
	return map[string]any{"planner": p.plannerName(), "tools": len(p.registry.List(local)), "tables": len(p.sources.List(local, ""))}
}

// banner tells a person what is running and what to do next.
func (p *parts) banner(w io.Writer, l net.Listener, took time.Duration) {
	scheme := "http"
	if p.cfg.Listen.TLSCert != "" {
		scheme = "https"
	}
	fmt.Fprintf(w, "Catena %s: %s://%s\n", buildVersion(), scheme, l.Addr())
	fmt.Fprintf(w, "  planner  %s\n", p.plannerName())
	fmt.Fprintf(w, "  tools    %d", len(p.registry.List(local)))
	if down := p.registry.Down(); len(down) > 0 {
		fmt.Fprintf(w, " (%d MCP servers still connecting)", len(down))
	}
	tables := p.sources.List(local, "")
	fmt.Fprintf(w, "\n  tables   %d", len(tables))
	if p.cfg.Data.DemoOn() {
		fmt.Fprint(w, " (demo data; load your own with --data FILE)")
	}
	fmt.Fprintf(w, "\n  ready in %d ms; stop with Ctrl-C\n", took.Milliseconds())
}

// reportLoading names the data files that could not be read; the others are there.
func (p *parts) reportLoading(w io.Writer) {
	w = p.secrets.Writer(w)
	for _, err := range p.loadErrs {
		fmt.Fprintln(w, "catena: not loaded:", err)
	}
	for _, warning := range p.cfg.Warnings {
		fmt.Fprintln(w, "catena: note:", warning)
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
	cfg, err := opts.load(true)
	if err != nil {
		return err
	}
	p, err := build(cmd.Context(), cfg, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	p.reportLoading(cmd.ErrOrStderr())
	who, err := p.stdioCaller(cmd.Context())
	if err != nil {
		return err
	}
	s, err := p.server(server.Options{Stdio: who})
	if err != nil {
		return err
	}
	watch, stop := context.WithCancel(cmd.Context())
	defer stop()
	p.watchSettings(watch, opts, true, false)
	serves(cmd.Context())
	return s.ServeStdio(cmd.Context(), os.Stdin, os.Stdout)
}
