package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"catena/internal/app"
	"catena/internal/config"
	"catena/profiler"
	"catena/tools/data"
)

// withParts runs f over parts that log errors only.
func withParts(cmd *cobra.Command, opts *options, f func(p *app.App) error) (err error) {
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
	return f(p)
}

func toolsCommand(opts *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tools", Short: "List the tools, those of configured MCP servers included", Args: cobra.NoArgs,
		Example: "  catena tools\n  catena tools --json | jq '.[].name'",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withParts(cmd, opts, func(p *app.App) error { return listTools(cmd, p, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print names, descriptions, schemas and annotations as JSON")
	cmd.AddCommand(serversCommand(opts), reviewCommand(opts), loginCommand(opts), logoutCommand(opts))
	return cmd
}

func listTools(cmd *cobra.Command, p *app.App, asJSON bool) error {
	p.AwaitServers(cmd.Context(), app.ServerWait, cmd.ErrOrStderr())
	list := p.Registry.List(app.Local)
	out := cmd.OutOrStdout()
	if asJSON {
		var defs []any
		for _, t := range list {
			defs = append(defs, t.Def)
		}
		return json.NewEncoder(out).Encode(defs)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Def.Name, t.Toolset, harmless(firstSentence(t.Def.Description, 90)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range p.Registry.Servers() {
		if !s.Usable() {
			fmt.Fprintf(cmd.ErrOrStderr(), "catena: the MCP server %s is not there: %s\n", s.Name, harmless(s.Detail))
		}
		for _, name := range s.Quarantined {
			fmt.Fprintf(cmd.ErrOrStderr(), "catena: %s is quarantined; see catena tools review\n", name)
		}
	}
	return nil
}

// firstSentence cuts a description for a list.
func firstSentence(s string, most int) string {
	for i, r := range s {
		if r == '.' && (i+1 == len(s) || strings.IndexByte(" \n", s[i+1]) >= 0) {
			s = s[:i+1]
			break
		}
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

func profileCommand(opts *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "profile [TABLE|FILE ...]", Short: "Say what the columns of the loaded tables mean",
		Example: "  catena profile sales.xlsx\n  catena profile --data sales.csv\n  catena profile clients --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			args = takeFiles(opts, args)
			return withParts(cmd, opts, func(p *app.App) error { return profile(cmd, p, args, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false,
		"print all column metadata as JSON, and under $notes what loading changed")
	return cmd
}

// takeFiles moves the arguments that are files to --data and gives the others, which name tables.
func takeFiles(opts *options, args []string) []string {
	return slices.DeleteFunc(args, func(arg string) bool {
		info, err := os.Stat(arg)
		isFile := err == nil && !info.IsDir()
		if isFile {
			opts.data = append(opts.data, arg)
		}
		return isFile
	})
}

func profile(cmd *cobra.Command, p *app.App, names []string, asJSON bool) error {
	all, notes := map[string]any{}, map[string][]string{}
	var order []data.SourceTable
	var have []string
	for _, t := range p.Sources.List(app.Local, "") {
		have = append(have, t.Name)
		if len(names) > 0 && !slices.Contains(names, t.Name) {
			continue
		}
		all[t.Name] = profiler.ProfileWith(cmd.Context(), t.Table, profiler.Options{Title: t.Name})
		order = append(order, t)
		if len(t.Notes) > 0 {
			notes[t.Name] = t.Notes
		}
	}
	if err := noneLoaded(p); err != nil {
		return err
	}
	for _, n := range names {
		if !slices.Contains(have, n) && strings.ContainsAny(n, `./\`) {
			return app.UsageError(fmt.Errorf("there is no file %q; tables here: %s", n, strings.Join(have, ", ")))
		}
		if !slices.Contains(have, n) {
			return app.UsageError(fmt.Errorf("there is no table %q; tables here: %s", n, strings.Join(have, ", ")))
		}
	}
	if asJSON {
		if len(notes) > 0 {
			all["$notes"] = notes // no table can be called so
		}
		return json.NewEncoder(cmd.OutOrStdout()).Encode(all)
	}
	for i, t := range order {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := writeProfile(cmd.OutOrStdout(), t, all[t.Name].([]profiler.ColumnMetadata)); err != nil {
			return err
		}
	}
	return nil
}

func writeProfile(out io.Writer, t data.SourceTable, cols []profiler.ColumnMetadata) error {
	fmt.Fprintln(out, t.Name)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  column\tname\tmeaning\tunit\trole\tnulls\tdistinct\tshown as")
	for i := range cols {
		c := &cols[i]
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", c.OriginalName, c.CleanedName, c.Meaning(), c.Units,
			c.Role, c.NullCount, c.DistinctCount, c.FormattingSuggestion)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range t.LoadNotes("--json has all") {
		fmt.Fprintln(out, "  -", n)
	}
	return nil
}

func configCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Print the settings in force, secrets hidden, and the variables that change them",
		Args:    cobra.NoArgs,
		Example: "  catena config\n  CATENA_LLM_PROVIDER=anthropic catena config",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := opts.load(cmd.Context(), true)
			if err != nil {
				return err
			}
			if err := app.CheckSettings(cmd.Context(), cfg); err != nil {
				return err
			}
			out, err := yaml.Marshal(cfg)
			if err != nil {
				return err
			}
			var secrets config.Hider // arguments and addresses may have one too
			secrets.Set(cfg)
			w := secrets.Writer(cmd.OutOrStdout())
			fmt.Fprintf(w, "%s\n# Environment variables:\n", out)
			for _, k := range config.Keys() {
				fmt.Fprintf(w, "#   %-32s %s\n", k.Env, k.Path)
			}
			return nil
		},
	}
}
