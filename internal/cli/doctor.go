package cli

import (
	"fmt"

	"catena/internal/app"

	"github.com/spf13/cobra"
)

func doctorCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check settings, store, data, model and MCP servers, and say what to do",
		Args:    cobra.NoArgs,
		Example: "  catena doctor\n  catena doctor --config my.yaml",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withParts(cmd, opts, func(p *app.App) error {
				bad := 0
				for _, c := range p.Checks(cmd.Context()) {
					mark := "ok  "
					if c.Bad {
						mark = "FAIL"
						bad++
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%s  %-11s %s\n", mark, c.Name, p.Secrets.Hide(c.Say))
				}
				if bad > 0 {
					return &app.Exit{Code: app.ExitError}
				}
				return nil
			})
		},
	}
}
