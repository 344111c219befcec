package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"catena/chat"
	"catena/internal/app"
	"catena/internal/config"
	"catena/planner/plan"
	"catena/tools"
)

// askFlags are ask's own flags.
type askFlags struct {
	asJSON  bool
	plan    bool
	text    bool // of plan: for people
	session string
	files   []string // uploaded with the message
	clash   string   // what becomes of a file whose name another table of the session has
	format  string
	maxRows int
	approve bool
	explain bool // say on stderr why the plan is as it is
	now     string
	timeout time.Duration
}

func askCommand(opts *options) *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask MESSAGE",
		Short: "Ask one question and print the answer",
		Long: "Asks one question. Each step is shown on stderr as it runs; the answer goes to stdout, as Markdown " +
			"when that is not a terminal.\n" +
			"In a terminal a step that changes or deletes things is asked about; elsewhere it waits.\n\n" +
			"Exit codes: 0 answered, 1 failed, 2 wrong flags, settings or files, 3 asked back or refused, 4 waits " +
			"for approval, 130 interrupted.",
		Example: "  catena ask \"Show me the top 5 USA clients and analyze their revenue trends\"\n" +
			"  catena ask --data sales.csv \"total revenue by region in 2025\"\n" +
			"  catena ask --data 'logs/*.jsonl' --json \"errors per day\" | jq .tables[0].rows\n" +
			"  catena ask --session ses_... \"and for Germany?\"\n" +
			"  catena ask --file march.csv \"total amount by region\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.files) > 0 {
				return nil // files alone can be sent
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return ask(cmd, opts, f, strings.Join(args, " ")) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.asJSON, "json", false, "print the whole ChatResponse as JSON")
	fl.BoolVar(&f.explain, "explain", false,
		"say on stderr what the plan does and why: the words of the question behind each tool and argument")
	fl.BoolVar(&f.plan, "plan", false, "print the plan as JSON; run nothing")
	fl.StringVar(&f.session, "session", "", "continue a session (its id is in --json and on stderr)")
	fl.StringArrayVar(&f.files, "file", nil,
		"send a file with the message; its table stays with the session, as an upload does (repeatable)")
	fl.StringVar(&f.clash, "on-conflict", "",
		"of a file whose name another table of the session has: ask, replace or keep_both (default ask)")
	fl.StringVar(&f.format, "format", "", "markdown, json, bullets or csv")
	fl.IntVar(&f.maxRows, "max-rows", 0, "rows a table shows at most (default 50)")
	fl.BoolVar(&f.approve, "approve", false, "allow tools that change or delete things")
	fl.StringVar(&f.now, "now", "", "as-of date, RFC 3339 or 2006-01-02 (default: the clock, or the data's own date)")
	fl.DurationVar(&f.timeout, "timeout", 0, "give up after this long, e.g. 30s (default: no limit)")
	return cmd
}

func planCommand(opts *options) *cobra.Command {
	f := askFlags{plan: true}
	cmd := &cobra.Command{
		Use:   "plan MESSAGE",
		Short: "Print the plan for a question as JSON; run nothing",
		Long: `Print the plan for a question as JSON: its steps, and under explanation which of them run at the same time, which change
things, how long they should take by the calls measured so far, and what data goes where. Nothing is run.`,
		Example: "  catena plan \"top 5 USA clients\" | jq .plan.steps\n  catena plan --text \"top 5 USA clients and " +
			"their revenue\"",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd, opts, f, strings.Join(args, " "))
		},
	}
	cmd.Flags().BoolVar(&f.text, "text", false, "print the explanation for people instead of JSON")
	return cmd
}

// request makes a request of a message and the flags. Its errors are mistakes in the flags.
func (f askFlags) request(message string) (chat.Request, error) {
	req := chat.Request{
		Message: message, SessionID: f.session, OutputFormat: f.format, MaxRows: chat.Count(f.maxRows),
		OnConflict: tools.OnConflict(f.clash),
	}
	if known := []string{"", "markdown", "json", "bullets", "csv"}; !slices.Contains(known, f.format) {
		return req, fmt.Errorf("--format is %q; it is one of %s", f.format, strings.Join(known[1:], ", "))
	}
	if f.approve {
		req.Approve = "auto"
	}
	if f.now != "" {
		now, err := parseNow(f.now)
		if err != nil {
			return req, err
		}
		req.Now = &now
	}
	var err error
	req.Attachments, err = attached(f.files)
	return req, err
}

func ask(cmd *cobra.Command, opts *options, f askFlags, message string) (err error) {
	req, err := f.request(message)
	if err != nil {
		return app.UsageError(err)
	}
	cfg, err := opts.load(cmd.Context(), true)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	p, err := app.New(ctx, cfg, cmd.ErrOrStderr())
	if err != nil {
		return askError(ctx, err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if ctx.Err() != nil { // files that were not loaded in time are not broken
		return askError(ctx, ctx.Err())
	}
	reportLoading(cmd.ErrOrStderr(), p)
	if err := noneLoaded(p); err != nil {
		return err
	}
	p.AwaitServers(ctx, app.ServerWait, cmd.ErrOrStderr())
	down := p.Registry.Down()
	for _, name := range slices.Sorted(maps.Keys(down)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "Without MCP server %s: %s\n", name, down[name])
	}
	if f.plan {
		return printPlan(ctx, cmd.OutOrStdout(), p, req, f.text)
	}
	show := newProgress(cmd.ErrOrStderr(), f.asJSON)
	resp, err := runTurn(ctx, p, req, show)
	in, ok := cmd.InOrStdin().(*os.File)
	if byPerson := ok && isTerminal(in); byPerson && err == nil && !f.asJSON {
		resp, err = askPending(ctx, p, resp, show, bufio.NewReader(in), cmd.ErrOrStderr())
	}
	if err != nil {
		return askError(ctx, err)
	}
	if f.explain && resp.Plan != nil && len(resp.Plan.Steps) > 0 {
		if err := printExplanation(ctx, cmd.ErrOrStderr(), p, message, *resp.Plan); err != nil {
			return err
		}
	}
	return printAnswer(cmd.OutOrStdout(), cmd.ErrOrStderr(), resp, f)
}

// printExplanation says for people what a plan does.
func printExplanation(ctx context.Context, w io.Writer, p *app.App, message string, made plan.Plan) error {
	x, err := p.Engine.Explain(ctx, app.Local, message, made)
	if err != nil {
		return askError(ctx, err)
	}
	_, err = x.WriteTo(w)
	return err
}

// attached reads the files that go with a message, under their own names.
func attached(files []string) ([]chat.Attachment, error) {
	var out []chat.Attachment
	left := int64(chat.MaxAttachments)
	for _, name := range files {
		data, err := readAtMost(name, left)
		if err != nil {
			return nil, fmt.Errorf("--file: %w", err)
		}
		left -= int64(len(data))
		out = append(out, chat.Attachment{Name: filepath.Base(name), Data: data})
	}
	return out, nil
}

// readAtMost reads a file of at most some bytes.
func readAtMost(name string, most int64) ([]byte, error) {
	file, err := config.OpenRegular(name, math.MaxInt64) // too large is said below
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: the files of a message have at most %d bytes together; load larger ones with --data",
			name, chat.MaxAttachments)
	}
	return data, err
}

// parseNow reads an as-of date.
func parseNow(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--now %q is no date; write it as 2026-11-15 or 2026-11-15T09:00:00Z", s)
}

// runTurn starts a run and follows it to its end. When ctx ends the run is cancelled, and its log says so.
func runTurn(ctx context.Context, p *app.App, req chat.Request, show *progress) (chat.Response, error) {
	run, err := p.Runs.Start(ctx, app.Local, req)
	if err != nil {
		return chat.Response{}, err
	}
	return followRun(ctx, p, run, 0, show)
}

// followRun shows the events of a run after a number, and gives its response.
func followRun(ctx context.Context, p *app.App, run string, after uint64, show *progress) (chat.Response, error) {
	err := p.Runs.Follow(ctx, app.Local, run, after, func(ev chat.Event) error {
		var pl chat.Payload
		if err := json.Unmarshal(ev.Data, &pl); err != nil {
			return err
		}
		show.event(pl)
		return nil
	})
	show.clear()
	if ctx.Err() != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		return chat.Response{}, errors.Join(ctx.Err(), p.Runs.Cancel(stop, app.Local, run))
	}
	if err != nil {
		return chat.Response{}, err
	}
	return p.Runs.Wait(ctx, app.Local, run)
}

// askError words the end of a turn that gave no response.
func askError(ctx context.Context, err error) error {
	var input *chat.InputError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("no answer within the time that --timeout gave; nothing was left running")
	case ctx.Err() != nil:
		return &app.Exit{Code: app.ExitInterrupted, Err: errors.New("interrupted; nothing was left running")}
	case errors.As(err, &input):
		return app.UsageError(fmt.Errorf("%w %s", input, input.Hint))
	}
	return err
}

func printPlan(ctx context.Context, w io.Writer, p *app.App, req chat.Request, text bool) error {
	routing, err := p.Engine.Plan(ctx, app.Local, req)
	if err != nil {
		return askError(ctx, err)
	}
	if text && routing.Explanation != nil {
		_, err := routing.Explanation.WriteTo(w)
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(routing); err != nil {
		return err
	}
	if len(routing.Plan.Steps) == 0 {
		return &app.Exit{Code: app.ExitNoAnswer}
	}
	return nil
}

// printAnswer writes the answer to out, what is not part of it to errOut, and gives the exit code.
func printAnswer(out, errOut io.Writer, resp chat.Response, f askFlags) error {
	if f.asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(resp); err != nil {
			return err
		}
	} else {
		if err := writeAnswer(out, resp.Response); err != nil {
			return err
		}
		fmt.Fprintf(errOut, "\n session %s; go on with: catena ask --session %s \"...\"\n", resp.SessionID,
			resp.SessionID)
	}
	switch resp.Outcome {
	case chat.OutcomeClarify, chat.OutcomeRefuse:
		return &app.Exit{Code: app.ExitNoAnswer}
	case chat.OutcomeApproval:
		if !f.asJSON {
			fmt.Fprintln(errOut, " a step waits for your approval; run it with --approve")
		}
		return &app.Exit{Code: app.ExitApproval}
	case chat.OutcomeError:
		return &app.Exit{Code: app.ExitError}
	}
	return nil
}

// writeAnswer prints Markdown: laid out for a terminal when out is one, as it is otherwise.
func writeAnswer(out io.Writer, markdown string) error {
	if !strings.HasSuffix(markdown, "\n") {
		markdown += "\n"
	}
	if file, ok := fileOf(out); ok && isTerminal(file) {
		markdown = terminal{width: terminalWidth(file), color: wantsColor()}.render(markdown)
	}
	_, err := io.WriteString(out, markdown)
	return err
}
