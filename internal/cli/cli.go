// Package cli is the command line: each command reads its flags and settings, has package app do the work, and prints
// what came of it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/planner/plan"
)

// interruptible is a context that the first Ctrl-C ends. A second ends the program at once, whatever still runs.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Main is the whole program: it runs a command line, without the program's name, and returns the exit code. defaults
// are the settings where nothing else is said, as YAML. The first Ctrl-C (or SIGTERM) ends the command in order, the
// second at once. It is called once a process.
func Main(defaults []byte, args []string) int {
	ctx, stop := interruptible()
	defer stop()
	root := RootCommand(defaults)
	var server started
	ctx = context.WithValue(ctx, startedKey{}, &server)
	for _, limit := range []time.Duration{commandStopTime, stopTime} {
		forget := endWithin(ctx, limit, func() {
			code := app.ExitInterrupted
			if server.Load() {
				code = app.ExitError
			}
			if server.Load() && limit < stopTime {
				return // others use it: it has its time
			}
			fmt.Fprintf(os.Stderr,
				"catena: interrupted; a part did not stop within %s, so the process ends. What was accepted goes on "+
					"at the next start.\n", limit)
			os.Exit(code)
		})
		defer forget() // before stop, which ends ctx too: a command that is over has nothing left to end
	}
	root.SetArgs(args)
	out := &output{to: os.Stdout}
	root.SetOut(out)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && !server.Load() {
		err = out.lost()
	}
	if err == nil {
		return app.ExitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) && !server.Load() {
		err = &app.Exit{Code: app.ExitInterrupted, Err: errors.New("interrupted; nothing was left running")}
	}
	var carried *app.Exit
	if errors.As(err, &carried) {
		if msg := carried.Error(); msg != "" {
			fmt.Fprintln(os.Stderr, "catena:", harmless(plan.Bounded(msg, plan.LongestLines)))
		}
		return carried.Code
	}
	fmt.Fprintln(os.Stderr, "catena:", harmless(plan.Bounded(err.Error(), plan.LongestLines)))
	if isUsage(err) {
		fmt.Fprintln(os.Stderr, seeHelp(cmd))
		return app.ExitUsage
	}
	return app.ExitError
}

// output is the standard output. It remembers a write that failed: what a command printed was its result, and a disk
// that is full must not pass for success. It is safe for concurrent use, as a file is.
type output struct {
	to    *os.File
	fault atomic.Pointer[error]
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil {
		o.fault.CompareAndSwap(nil, &err)
	}
	return n, err
}

// fileOf is the file that a command's output goes to, if it is one.
func fileOf(w io.Writer) (f *os.File, ok bool) {
	if o, ours := w.(*output); ours {
		return o.to, true
	}
	f, ok = w.(*os.File)
	return f, ok
}

// lost is the first failure of a write, nil for none.
func (o *output) lost() error {
	if err := o.fault.Load(); err != nil {
		return fmt.Errorf("what was to be printed is lost: %w", *err)
	}
	return nil
}

// stopTime is how long the program has to stop once it was told to: what starts it commonly kills it after 30 s. Its
// parts have bounds of their own that sum up to less; this one holds also where a disk or a process hangs.
const stopTime = 28 * time.Second

// commandStopTime is the same for a command that somebody waits for, and for a server that still starts, where Ctrl-C
// was pressed: it may be reading a terminal, or waiting for a secret's program. What it had begun is safe as after a
// crash.
const commandStopTime = 900 * time.Millisecond

// started is set once a server is there for others to use. Until then nobody waits for it but who started it, as for
// any command.
type started struct{ atomic.Bool }

// startedKey finds the process's own started in its context.
type startedKey struct{}

// serves notes that the server of this process is there for others. From then on the end of whoever reads its log is
// not its own end: without this, the system ends a process that writes to a pipe which nobody reads. Programs that it
// starts are not told of it.
func serves(ctx context.Context) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if s, ok := ctx.Value(startedKey{}).(*started); ok {
		s.Store(true)
	}
}

// endWithin calls end when the process is still there so long after ctx was done, unless it is told to forget it
// before.
func endWithin(ctx context.Context, limit time.Duration, end func()) (forget func()) {
	over := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		wait := time.NewTimer(limit)
		defer wait.Stop()
		select {
		case <-wait.C:
			end()
		case <-over:
		}
	})
	return func() { unwatch(); close(over) }
}

// seeHelp says where to look after a command that cannot be understood.
func seeHelp(cmd *cobra.Command) string { return "See " + cmd.CommandPath() + " --help." }

// isUsage recognises cobra's own complaints, which have no type.
func isUsage(err error) bool {
	for _, s := range []string{"unknown command", "unknown flag", "unknown shorthand", "flag needs", "invalid argument", "accepts ", "requires "} {
		if strings.HasPrefix(err.Error(), s) {
			return true
		}
	}
	return false
}

// RootCommand is the command line as cobra has it, for Main and for what describes it. defaults are as Main's.
func RootCommand(defaults []byte) *cobra.Command {
	opts := &options{defaults: defaults}
	root := &cobra.Command{
		Use:   "catena",
		Short: "Ask questions about tables; get checked plans and tables you can trust",
		Long: "Catena turns a question into a checked chain of MCP tool calls, runs it, and answers with tables you " +
			"can trust.\n" +
			"Without a command it serves HTTP: a page, a chat API, OpenAI's API and MCP.",
		Example: "  catena                                          serve on http://127.0.0.1:8765\n" +
			"  catena ask \"top 5 USA clients by revenue\"       one question over the demo data\n" +
			"  catena ask --data sales.csv \"revenue by month\"  one question over your file\n" +
			"  catena mcp                                      serve MCP over stdio",
		Version:       app.BuildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          knownCommand,

		PersistentPreRunE: checkFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.stdio {
				return serveStdio(cmd, opts)
			}
			return serve(cmd, opts)
		},
	}
	root.SetVersionTemplate("catena {{.Version}}\n")
	opts.bind(root)
	root.AddCommand(
		serveCommand(opts), askCommand(opts), planCommand(opts), mcpCommand(opts), toolsCommand(opts),
		indexCommand(opts), personaCommand(opts), keysCommand(opts), runsCommand(opts), profileCommand(opts),
		modelCommand(opts), doctorCommand(opts), healthCommand(opts), backupCommand(opts), restoreCommand(opts),
		storeCommand(opts), configCommand(opts), versionCommand(),
	)
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

// knownCommand refuses what is no command, and says which one may be meant.
func knownCommand(cmd *cobra.Command, args []string) error {
	err := cobra.NoArgs(cmd, args)
	if err == nil {
		return nil
	}
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		return fmt.Errorf("%w: did you mean %s?", err, strings.Join(like, " or "))
	}
	return err
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  catena version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "catena", app.BuildVersion()) },
	}
}
