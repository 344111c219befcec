package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/query/semantic"
)

func modelCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "model", Short: "Say what the loaded tables mean: entities, keys, how they are related", Args: cobra.NoArgs,
		Example: "  catena model show data/",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelShowCommand(opts))
	return cmd
}

func modelShowCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "show [FILE|FOLDER ...]", Short: "Print the model of the tables",
		Example: "  catena model show data/\n  catena model show --data shop.sqlite",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withModel(cmd, opts, args, func(m *semantic.Model) error { return writeModel(cmd.OutOrStdout(), m) })
		},
	}
}

// withModel runs f over the model of the files and of what is configured.
func withModel(cmd *cobra.Command, opts *options, files []string, f func(m *semantic.Model) error) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return app.UsageError(fmt.Errorf("there is no file or folder %q", name))
		}
	}
	opts.data = append(opts.data, files...)
	return withParts(cmd, opts, func(p *app.App) error {
		m, err := p.Sources.Meaning(cmd.Context())
		if err != nil {
			return err
		}
		return f(m)
	})
}

func writeModel(out io.Writer, m *semantic.Model) error {
	for i, e := range m.Entities {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s: a row is a %s; %s\n", e.Table, e.Singular, entityFacts(e))
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "  column\tname\trole\tadds\tunit")
		for _, f := range e.Fields {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", harmless(f.Name), harmless(f.Label), f.Role, f.Adds, f.Unit)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintln(out)
	for _, r := range m.Relationships {
		known := string(r.Known)
		if r.Known == semantic.Inferred {
			known = fmt.Sprintf("%s, %.2f", known, r.Score)
		}
		if !r.Usable() {
			known += ", not used"
		}
		if r.Role != "" {
			known += ", as " + r.Role
		}
		fmt.Fprintf(out, "%s (%s, %s)\n", harmless(r.String()), strings.ReplaceAll(string(r.Cardinality), "_", " "), known)
	}
	if len(m.Relationships) == 0 {
		fmt.Fprintln(out, "No table refers to another.")
	}
	return nil
}

// entityFacts says the key, the name and the time of an entity in a line.
func entityFacts(e semantic.Entity) string {
	facts := []string{"key " + cmp.Or(strings.Join(e.Key, " and "), "unknown")}
	if e.Name != "" {
		facts = append(facts, "called by "+e.Name)
	}
	if e.Time != "" {
		facts = append(facts, "of "+e.Time)
	}
	return harmless(strings.Join(facts, "; "))
}
