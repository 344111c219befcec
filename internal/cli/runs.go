package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"catena/chat/runs"
	"catena/internal/app"
)

func runsCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "runs", Short: "List the runs that were set aside, and have them tried again",
		Long: "A run that was in the same step when two processes ended, one after the other, without a word, is set " +
			"aside: it does not go on by itself,\n" +
			"so that it cannot end the next process too. Whoever asked is told. Look into the step first; then " +
			"release the run. That works while a\n" +
			"server runs on the same store. See docs/operations.md.",
		Example: "  catena runs list\n  catena runs release run_abc", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(listRunsCommand(opts), releaseRunCommand(opts))
	return cmd
}

func listRunsCommand(opts *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the runs that were set aside, the oldest first", Args: cobra.NoArgs,
		Example: "  catena runs list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				list, err := runs.ListSetAside(cmd.Context(), p.Store)
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
				}
				return writeRuns(cmd.OutOrStdout(), list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func writeRuns(out io.Writer, list []runs.SetAside) error {
	if len(list) == 0 {
		fmt.Fprintln(out, "No run is set aside.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tOWNER\tSESSION\tSET ASIDE\tBOTH TIMES IN")
	for _, a := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", a.Run, printable(a.Owner), printable(a.Session), day(a.At, "-"),
			printable(strings.Join(a.Steps, ", ")))
	}
	return w.Flush()
}

func releaseRunCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "release RUN...", Short: "Have runs tried again that were set aside", Args: cobra.MinimumNArgs(1),
		Example: "  catena runs release run_abc",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				for _, run := range args {
					err := runs.ReleaseRun(cmd.Context(), p.Store, run, time.Now())
					if errors.Is(err, fs.ErrNotExist) {
						return app.UsageError(fmt.Errorf("the run %q is not set aside; catena runs list shows those "+
							"that are", run))
					}
					if err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(),
						"The run %s is released. A server on this store goes on with it in a few seconds, or the "+
							"next one that starts within an hour.\n", run)
				}
				return nil
			})
		},
	}
}
