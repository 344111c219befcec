package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/internal/config"
	"catena/tools"
	"catena/tools/code/workspace"
	"catena/tools/persona"
)

func indexCommand(opts *options) *cobra.Command {
	var rev string
	var asJSON, list, drop bool
	cmd := &cobra.Command{
		Use: "index [PATH]", Short: "Index a repository, so that its code can be searched and asked about",
		Args: cobra.MaximumNArgs(1),
		Long: "Indexes a folder, or a revision of a git repository: its files, symbols, imports, complexity and " +
			"text. Files that .gitignore\n" +
			"names, binaries, secrets and very large files are left out and reported. Without PATH the working " +
			"directory is indexed.\n" +
			"Ctrl-C stops; the former index, if there is one, stays. --list shows what is indexed, and --drop " +
			"removes the index of PATH or of an id.",
		Example: "  catena index\n  catena index ~/src/payments --rev v1.4.0\n  catena index && catena ask \"which " +
			"functions are most complex?\"\n  catena index --drop ~/src/payments",
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) == 1 {
				path = args[0]
			}
			switch {
			case list:
				return listIndexes(cmd, opts, asJSON)
			case drop:
				return dropIndex(cmd, opts, path)
			}
			return indexPath(cmd, opts, path, rev, asJSON)
		},
	}
	cmd.Flags().StringVar(&rev, "rev", "",
		"git revision to index in place of the files as they are: a branch, tag or commit")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the index's status as JSON")
	cmd.Flags().BoolVar(&list, "list", false, "list the indexes that there are, the newest first")
	cmd.Flags().BoolVar(&drop, "drop", false, "remove the index of PATH, which may be an index id")
	cmd.MarkFlagsMutuallyExclusive("list", "drop")
	return cmd
}

// errNoCode says why there is nothing to index with.
var errNoCode = errors.New("repositories are not served: code.enabled is false, or code.roots names no folder where " +
	"keys are taken; set them to index repositories")

// listIndexes prints one line for each index.
func listIndexes(cmd *cobra.Command, opts *options, asJSON bool) error {
	return withParts(cmd, opts, func(p *app.App) error {
		if p.Code == nil {
			return app.UsageError(errNoCode)
		}
		list := p.Code.Indexes(app.Local.ID)
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
		}
		if len(list) == 0 {
			fmt.Fprintln(cmd.OutOrStdout(), "Nothing is indexed.")
		}
		for _, s := range list {
			fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSpace(fmt.Sprintf("%s  %-9s  %s  %s  %s", s.IndexID, s.Status,
				s.UpdatedAt.Local().Format("2006-01-02 15:04"), s.Path, s.Rev)))
		}
		return nil
	})
}

// dropIndex removes the index of a folder, or with an id.
func dropIndex(cmd *cobra.Command, opts *options, name string) error {
	return withParts(cmd, opts, func(p *app.App) error {
		if p.Code == nil {
			return app.UsageError(errNoCode)
		}
		named := slices.ContainsFunc(p.Code.Indexes(app.Local.ID), func(s workspace.Status) bool {
			return strings.EqualFold(s.IndexID, name)
		})
		if !named {
			abs, err := filepath.Abs(name)
			if err != nil {
				return app.UsageError(err)
			}
			name = abs
		}
		gone, err := p.Code.Drop(cmd.Context(), app.Local.ID, name)
		switch {
		case errors.Is(err, workspace.ErrNotFound):
			return app.UsageError(fmt.Errorf("there is no index of %s; catena index --list shows those that there are",
				name))
		case err != nil:
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "The index of %s is removed.\n", gone[0].Path)
		return nil
	})
}

// indexPath calls the tool that MCP clients call. Who names a folder on the command line may read it: it needs no
// setting.
func indexPath(cmd *cobra.Command, opts *options, path, rev string, asJSON bool) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return app.UsageError(err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return app.UsageError(fmt.Errorf("the folder %s does not exist; name one that does, or leave PATH out to "+
			"index the working directory", abs))
	case err != nil:
		return app.UsageError(fmt.Errorf("the folder %s cannot be read: %w", abs, errors.Unwrap(err)))
	case !info.IsDir():
		return app.UsageError(fmt.Errorf("%s is a file; name the folder that it is in", abs))
	}
	opts.roots = []string{abs}
	return withParts(cmd, opts, func(p *app.App) error {
		if p.Code == nil {
			return app.UsageError(errNoCode)
		}
		args := map[string]any{"path": abs}
		if rev != "" {
			args["rev"] = rev
		}
		bar := stageBar{w: cmd.ErrOrStderr(), live: liveOn(cmd.ErrOrStderr())}
		res, err := p.Registry.Call(cmd.Context(),
			tools.Call{Caller: app.Local, Tool: "ensure_repo_index", Args: args, Progress: bar.show})
		bar.end()
		switch {
		case err != nil && cmd.Context().Err() != nil:
			return &app.Exit{Code: app.ExitInterrupted, Err: errors.New("stopped; no half index is left behind")}
		case err != nil:
			return err
		case res.IsError:
			return app.UsageError(errors.New(res.Text))
		case asJSON:
			return json.NewEncoder(cmd.OutOrStdout()).Encode(res.Structured)
		}
		fmt.Fprintln(cmd.OutOrStdout(), res.Text)
		for _, n := range res.Notes {
			fmt.Fprintln(cmd.OutOrStdout(), "-", n)
		}
		return nil
	})
}

// stageBar shows a tool's progress: on a terminal in one line that is written over, else a line each.
type stageBar struct {
	w      io.Writer
	live   bool
	onLine bool
}

func (b *stageBar) show(p tools.Progress) {
	line := strings.TrimSpace(p.Message)
	if p.Total > 0 {
		line = fmt.Sprintf("%3.0f%%  %s", 100*p.Done/p.Total, line)
	}
	if b.live {
		fmt.Fprintf(b.w, "\r\x1b[K %s", line)
		b.onLine = true
		return
	}
	fmt.Fprintln(b.w, " "+line)
}

func (b *stageBar) end() {
	if b.onLine {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

func personaCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "persona", Short: "Import, export or reset personas and their relationships",
		Example: "  catena persona export personas.json\n  catena persona import personas.json\n  catena persona " +
			"reset --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return app.UsageError(fmt.Errorf("unknown command %q for \"catena persona\": there are import, export "+
				"and reset.\n%s", args[0], seeHelp(cmd)))
		},
	}
	export := personaSub(opts, "export [FILE]",
		"Write all personas, relationships and interactions as JSON (stdout without FILE)", 1, exportPersonas)
	export.Example = "  catena persona export personas.json"
	cmd.AddCommand(personaImport(opts), export, personaReset(opts))
	return cmd
}

func personaImport(opts *options) *cobra.Command {
	var replace bool
	cmd := personaSub(opts, "import FILE",
		"Add the personas, relationships and interactions of a JSON file (- is stdin); all of it or nothing", 1,
		func(cmd *cobra.Command, k *persona.Toolkit, file string) error {
			take := k.Import
			if replace {
				take = k.Replace
			}
			return importPersonas(cmd, take, file)
		})
	cmd.Long = "Adds the personas, relationships and interactions of a JSON file (- is stdin) to those that there " +
		"are, all of it or nothing. What has\n" +
		"the same id is replaced; an interaction that is there already stays as it is. tools/persona/README.md says " +
		"what the file may hold."
	cmd.Example = "  catena persona import personas.json\n  catena persona import --replace - < personas.json"
	cmd.Flags().BoolVar(&replace, "replace", false, "delete all others, also the bundled ones")
	return cmd
}

func personaReset(opts *options) *cobra.Command {
	var yes bool
	cmd := personaSub(opts, "reset", "Delete all of them and bring the bundled ones back", 0,
		func(cmd *cobra.Command, k *persona.Toolkit, _ string) error {
			if !yes {
				return app.UsageError(errors.New("this deletes all your personas, relationships and interactions; " +
					"export them first, then say --yes"))
			}
			if err := k.Reset(cmd.Context(), app.Local.ID); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), "The bundled personas are back; all others are deleted.")
			return nil
		})
	cmd.Example = "  catena persona reset --yes"
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func personaSub(
	opts *options, use, short string, most int, do func(*cobra.Command, *persona.Toolkit, string) error,
) *cobra.Command {
	args := cobra.MaximumNArgs(most)
	if strings.HasSuffix(use, " FILE") {
		args = cobra.ExactArgs(1)
	}
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		file := ""
		if len(args) == 1 {
			file = args[0]
		}
		return withParts(cmd, opts, func(p *app.App) error {
			if p.Personas == nil {
				return app.UsageError(errors.New("persona.enabled is false; set it to true to use personas"))
			}
			return do(cmd, p.Personas, file)
		})
	}}
}

// personaFileSize bounds a file of personas, in bytes.
const personaFileSize = 256 << 20

func importPersonas(
	cmd *cobra.Command, take func(context.Context, string, io.Reader) (persona.Graph, error), file string,
) error {
	in := cmd.InOrStdin()
	if file != "-" {
		f, err := config.OpenRegular(file, personaFileSize)
		if err != nil {
			return app.UsageError(err)
		}
		defer func() { _ = f.Close() }() // read only
		in = f
	}
	g, err := take(cmd.Context(), app.Local.ID, in)
	if err != nil {
		return app.UsageError(fmt.Errorf("%s: %w; nothing was imported", file, err))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Imported %s.\n", g)
	return nil
}

func exportPersonas(cmd *cobra.Command, k *persona.Toolkit, file string) error {
	if file == "" || file == "-" {
		return k.Export(cmd.Context(), app.Local.ID, cmd.OutOrStdout())
	}
	if err := config.MayReplace(file); err != nil {
		return app.UsageError(fmt.Errorf("%w; nothing was exported", err))
	}
	// Beside the file first, so that one that is there is replaced whole or not at all.
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		var where *fs.PathError // of the file beside it, which nobody has named
		if errors.As(err, &where) {
			err = where.Err
		}
		return app.UsageError(fmt.Errorf("cannot write %s: %w; nothing was exported", file, err))
	}
	err = errors.Join(k.Export(cmd.Context(), app.Local.ID, f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
