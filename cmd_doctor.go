package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func doctorCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check settings, store, data, model and MCP servers, and say what to do", Args: cobra.NoArgs,
		Example: "  catena doctor\n  catena doctor --config my.yaml",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withParts(cmd, opts, func(p *parts) error {
				bad := 0
				for _, c := range p.checks(cmd.Context()) {
					mark := "ok  "
					if c.bad {
						mark = "FAIL"
						bad++
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%s  %-11s %s\n", mark, c.name, p.secrets.Hide(c.say))
				}
				if bad > 0 {
					return &exitCode{code: exitError}
				}
				return nil
			})
		},
	}
}
