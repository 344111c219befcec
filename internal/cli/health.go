package cli

import (
	"fmt"
	"net/http"

	"catena/internal/app"

	"github.com/spf13/cobra"
)

func healthCommand(opts *options) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "health", Short: "Ask a running server whether it is ready, for containers and monitors",
		Args: cobra.NoArgs,
		Long: "Ask the server that runs on this machine with these settings for /readyz. The exit code is 0 when it " +
			"is ready, else 1, and what it says\n" +
			"is printed.",
		Example: "  catena health\n  catena health --url https://catena.example.com",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := opts.load(cmd.Context(), true)
			if err != nil {
				return err
			}
			client := &http.Client{Timeout: app.HealthTime}
			if address == "" {
				if address, err = app.OwnAddress(cfg); err != nil {
					return err
				}
				if client.Transport, err = app.OwnTransport(cfg); err != nil {
					return err
				}
			}
			said, err := app.Ready(cmd.Context(), client, address)
			fmt.Fprint(cmd.OutOrStdout(), said)
			return err
		},
	}
	cmd.Flags().StringVar(&address, "url", "", "address of the server (default: listen.addr on this machine)")
	return cmd
}
