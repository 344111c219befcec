package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/tools"
	"catena/tools/upstream"
)

func serversCommand(opts *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "servers", Short: "List the configured MCP servers and where they stand", Args: cobra.NoArgs,
		Long: "Starts the configured MCP servers and says of each where it stands, how many tools it offers, and " +
			"what is the matter where\n" +
			"something is. The state is that of this command's own start; a running server's is at /api/v1/tools and " +
			"/readyz.",
		Example: "  catena tools servers\n  catena tools servers --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withParts(cmd, opts, func(p *app.App) error {
				p.AwaitServers(cmd.Context(), app.ServerWait, cmd.ErrOrStderr())
				list := p.Registry.Servers()
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
				}
				return writeServers(cmd.OutOrStdout(), list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func writeServers(out io.Writer, list []tools.ServerStatus) error {
	if len(list) == 0 {
		fmt.Fprintln(out, "No MCP server is configured; docs/upstreams.md says how.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d tools\t%s\n", s.Name, s.Phase, s.Transport, s.Tools, harmless(s.Detail))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range list {
		for _, name := range s.Quarantined {
			fmt.Fprintf(out, "  - %s is quarantined; see catena tools review\n", name)
		}
		for _, note := range s.Notes {
			fmt.Fprintf(out, "  - %s: %s\n", s.Name, harmless(note))
		}
	}
	return nil
}

func reviewCommand(opts *options) *cobra.Command {
	var accept, dismiss, asJSON bool
	cmd := &cobra.Command{
		Use:   "review [TOOL...]",
		Short: "Show tools of MCP servers that changed since they were approved, and accept them",
		Long: "A tool of an MCP server is approved when it is seen for the first time (mcp.approve). One that its " +
			"server later describes\n" +
			"otherwise is quarantined: it is not offered until it is accepted here. Shown is what changed, with " +
			"every character that\n" +
			"cannot be seen written as its number. A server that runs offers what was accepted within some seconds. " +
			"What no server says\n" +
			"any more is taken from the list with --dismiss: the tool stays approved as it was.\n" +
			"Exit code 3 says that tools wait.",
		Example: "  catena tools review\n  catena tools review --accept files__write_file\n  catena tools review " +
			"--accept",
		RunE: func(cmd *cobra.Command, names []string) error {
			return withParts(cmd, opts, func(p *app.App) error {
				p.AwaitServers(cmd.Context(), app.ServerWait, cmd.ErrOrStderr())
				decide, said := p.Upstream.Accept, "accepted"
				switch {
				case dismiss:
					decide, said = p.Upstream.Dismiss, "dismissed"
				case !accept:
					decide = nil
				}
				return review(cmd, p, names, decide, said, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&accept, "accept", false, "accept the tools that are shown")
	cmd.Flags().BoolVar(&dismiss, "dismiss", false,
		"take the tools that are shown from the list, without accepting what was said of them")
	cmd.MarkFlagsMutuallyExclusive("accept", "dismiss")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

// review shows the tools that wait, those of names if there are any, and decides each if it has been told how.
func review(
	cmd *cobra.Command, p *app.App, names []string, decide func(context.Context, upstream.Review) error,
	said string, asJSON bool,
) error {
	list, err := p.Upstream.Reviews(cmd.Context())
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(r upstream.Review) bool { return r.Name == name }) {
			return app.UsageError(fmt.Errorf("no tool %q waits for review", name))
		}
	}
	if len(names) > 0 {
		list = slices.DeleteFunc(list, func(r upstream.Review) bool { return !slices.Contains(names, r.Name) })
	}
	out := cmd.OutOrStdout()
	if asJSON {
		if err := json.NewEncoder(out).Encode(list); err != nil {
			return err
		}
	}
	for _, r := range list {
		if !asJSON {
			writeReview(out, r)
		}
		if decide == nil {
			continue
		}
		if err := decide(cmd.Context(), r); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", said, r.Name)
	}
	switch {
	case len(list) == 0 && !asJSON:
		fmt.Fprintln(out, "No tool waits for review.")
	case len(list) > 0 && decide == nil:
		return &app.Exit{Code: app.ExitNoAnswer,
			Err: errors.New("these tools are not offered; accept what you trust with --accept")}
	}
	return nil
}

// writeReview shows one tool as a diff of what was approved and what is said now.
func writeReview(out io.Writer, r upstream.Review) {
	r.Approved, r.Pending = tools.SeenJSON(r.Approved), tools.SeenJSON(r.Pending)
	since := r.Since.Local().Format("2006-01-02 15:04")
	if r.Approved == "" {
		fmt.Fprintf(out, "%s: new since %s\n%s\n", r.Name, since, r.Pending)
		return
	}
	text := string(diff.Diff("approved", []byte(r.Approved), "now", []byte(r.Pending)))
	_, text, _ = strings.Cut(text, "\n") // a line that names both again
	fmt.Fprintf(out, "%s: changed since %s\n%s\n", r.Name, since, text)
}
