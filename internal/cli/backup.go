package cli

import (
	"fmt"
	"os"

	"catena/internal/app"

	"github.com/spf13/cobra"
)

func backupCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy sessions, runs, tables, memories and keys to one file, while Catena runs or not",
		Args:  cobra.ExactArgs(1),
		Long: "Copy what Catena keeps to one file: sessions, runs, tables, memories, personas and API keys, of " +
			"store.dir as of one moment, and of\n" +
			"store.url where one is set. Catena may run meanwhile. Settings, your own data files and code indexes " +
			"(which are made anew) are not in it,\n" +
			"and neither is a model that was chosen on the page (model.json beside the store), since that has a " +
			"key.\n" +
			"The file is as secret as the store. catena restore puts it back.",
		Example: "  catena backup catena-2026-11-22.tar.zst\n  catena backup --config my.yaml " +
			"/mnt/copies/catena.tar.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := opts.load(cmd.Context(), true)
			if err != nil {
				return err
			}
			m, err := app.Backup(cmd.Context(), cfg, args[0])
			if err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes, checked", args[0], info.Size())
			if m.Shared > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), ", with %d keys of the shared store", m.Shared)
			}
			fmt.Fprintln(cmd.OutOrStdout())
			if m.Lying {
				fmt.Fprintln(cmd.ErrOrStderr(), "note: the store's folder cannot be written, so its files were read "+
					"as they lie there; nothing was made beside them")
			}
			if m.ModelLeft {
				fmt.Fprintln(cmd.ErrOrStderr(), "note: the model that was chosen on the page is not in the copy, "+
					"since its file (model.json beside the store) holds a key")
			}
			return nil
		},
	}
}

func restoreCommand(opts *options) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put back what catena backup copied", Args: cobra.ExactArgs(1),
		Long: "Put back what catena backup copied, into store.dir and store.url as the settings name them now. The " +
			"copy is read and checked as a whole\n" +
			"before anything is changed, each part by its SHA-256. A store that holds something is only replaced " +
			"with --force; its file is kept beside the new one.\n" +
			"Stop Catena first.",
		Example: "  catena restore catena-2026-11-22.tar.zst\n  catena restore --store /var/lib/catena --force " +
			"catena.tar.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := opts.load(cmd.Context(), true)
			if err != nil {
				return err
			}
			m, kept, err := app.Restore(cmd.Context(), cfg, args[0], force)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The store is as it was on %s (Catena %s).\n",
				m.Made.UTC().Format("2006-01-02 15:04:05 UTC"), m.Catena)
			if m.Format == app.Unsealed {
				fmt.Fprintln(cmd.ErrOrStderr(),
					"note: the copy was made by an older Catena and has no SHA-256 of its parts: only its checksum "+
						"of 32 bits was compared")
			}
			if m.ModelLeft {
				fmt.Fprintln(cmd.ErrOrStderr(), "note: a model had been chosen on the page; the copy has neither it "+
					"nor its key: choose it again in the page's settings")
			}
			if kept != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "The former one is kept in %s; delete it when you need it no more.\n",
					kept)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a store that holds something")
	return cmd
}
