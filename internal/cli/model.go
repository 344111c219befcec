package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/internal/text"
	"catena/query/semantic"
	"catena/table"
	"catena/tools/data"
)

func modelCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "model", Short: "Say what the loaded tables mean: entities, keys, how they are related",
		Args:    cobra.NoArgs,
		Example: "  catena model show data/",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelShowCommand(opts), modelInitCommand(opts), modelCheckCommand(opts))
	return cmd
}

func modelInitCommand(opts *options) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "init [FILE|FOLDER ...]", Short: "Write the model of the tables as a file, for a person to correct",
		Long: "Writes what was found of the tables as a model file (Apache Ossie's core specification). Correct it " +
			"and keep it beside the data as " +
			"NAME" + semantic.FileEnding + ": what it says then takes the place of what is found.",
		Example: "  catena model init data/ > data/shop.semantic.yaml\n  catena model init data/ --output " +
			"data/shop.semantic.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withModel(cmd, opts, args, func(p *app.App, m *semantic.Model) error {
				return initModel(cmd.OutOrStdout(), p, m, to)
			})
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "write to this new file in place of the output")
	return cmd
}

// initModel writes a model to a file that is not there yet, or to the output.
func initModel(out io.Writer, p *app.App, m *semantic.Model, to string) error {
	types := func(name, column string) table.Type {
		for _, t := range p.Sources.List(app.Local, "") {
			if at := t.Table.Index(column); t.Name == name && at >= 0 {
				return t.Table.Column(at).Type
			}
		}
		return table.Null
	}
	text, err := semantic.DocumentOf(m, types).Write()
	if err != nil {
		return err
	}
	if to == "" {
		_, err = out.Write(text)
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return app.UsageError(fmt.Errorf("%s is there already: name another file, or remove it", to))
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func modelCheckCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "check FILE [FILE|FOLDER ...]", Short: "Test a model file, by itself and against tables",
		Args:    cobra.MinimumNArgs(1),
		Example: "  catena model check data/shop.semantic.yaml data/",
		RunE: func(cmd *cobra.Command, args []string) error {
			d, notes, err := data.ReadModel(args[0])
			if err != nil {
				return app.UsageError(err)
			}
			return withModel(cmd, opts, args[1:], func(p *app.App, m *semantic.Model) error {
				if len(m.Entities) == 0 {
					return checkModel(cmd.OutOrStdout(), notes, d.Check(nil), nil)
				}
				return checkModel(cmd.OutOrStdout(), notes, d.Check(m), p.Sources.MetricFaults(m.With(d, nil)))
			})
		},
	}
}

// checkModel prints what is wrong with a model file; that is an error.
func checkModel(out io.Writer, notes []string, found []semantic.Finding, metrics []string) error {
	for _, n := range notes {
		fmt.Fprintln(out, "note:", harmless(n))
	}
	for _, f := range found {
		fmt.Fprintln(out, harmless(f.String()))
	}
	for _, f := range metrics {
		fmt.Fprintln(out, harmless(f))
	}
	if n := len(found) + len(metrics); n > 0 {
		return &app.Exit{Code: app.ExitError, Err: fmt.Errorf("%s in the model file", text.Count(n, "fault"))}
	}
	fmt.Fprintln(out, "No faults.")
	return nil
}

func modelShowCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "show [FILE|FOLDER ...]", Short: "Print the model of the tables",
		Example: "  catena model show data/\n  catena model show --data shop.sqlite",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withModel(cmd, opts, args, func(_ *app.App, m *semantic.Model) error {
				return writeModel(cmd.OutOrStdout(), m)
			})
		},
	}
}

// withModel runs f over the model of the files and of what is configured.
func withModel(cmd *cobra.Command, opts *options, files []string, f func(p *app.App, m *semantic.Model) error) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return app.UsageError(fmt.Errorf("there is no file or folder %q", name))
		}
	}
	opts.data = append(opts.data, files...)
	return withParts(cmd, opts, func(p *app.App) error {
		if err := noneLoaded(p); err != nil {
			return err
		}
		m, err := p.Sources.Meaning(cmd.Context())
		if err != nil {
			return err
		}
		return f(p, m)
	})
}

func writeModel(out io.Writer, m *semantic.Model) error {
	for i, e := range m.Entities {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s: a row is one %s; %s\n", e.Table, e.Singular, entityFacts(e))
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
		fmt.Fprintf(out, "%s (%s, %s)\n", harmless(r.String()),
			strings.ReplaceAll(string(r.Cardinality), "_", " "), known)
	}
	if len(m.Relationships) == 0 {
		fmt.Fprintln(out, "No table refers to another.")
	}
	for _, x := range m.Metrics {
		fmt.Fprintf(out, "metric %s: %s\n", harmless(x.Name), harmless(x.Expression))
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
