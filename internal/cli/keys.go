package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/access"
	"catena/internal/app"
)

func keysCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "keys", Short: "Make, list and revoke API keys",
		Long: "API keys tell callers apart. A request sends one as Authorization: Bearer cat_..., over HTTP, " +
			"OpenAI's protocol and MCP. What is made\n" +
			"with a key belongs to its owner, and nobody else sees it. A running server takes new keys at once, and " +
			"refuses revoked ones after a\n" +
			"second at the latest (three with thousands of keys), and those that are taken out of the settings as " +
			"soon as it reads them again.\n\n" +
			"Scopes: chat; tools:PATTERN, read:PATTERN, write:PATTERN, where a pattern is the name of a tool, " +
			"toolset, toolset:tool or area with * and ?;\n" +
			"read-only; metrics; admin. See docs/keys.md.",
		Example: "  catena keys create ann\n  catena keys create reports --owner ann --scope chat --scope tools:crm " +
			"--scope read-only --expires 90d\n  catena keys list\n  catena keys revoke reports",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(createKeyCommand(opts), listKeysCommand(opts), revokeKeyCommand(opts))
	return cmd
}

// withStore runs f over the store and the keys alone: no tool and no table is loaded.
func withStore(cmd *cobra.Command, opts *options, f func(p *app.App) error) (err error) {
	cfg, err := opts.load(cmd.Context(), true)
	if err != nil {
		return err
	}
	p, err := app.StoreOnly(cmd.Context(), cfg, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return f(p)
}

func createKeyCommand(opts *options) *cobra.Command {
	var key access.Key
	var expires string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Make a key and print it, this once", Args: cobra.ExactArgs(1),
		Example: "  catena keys create ann\n  catena keys create ci --scope tools:crm --scope read-only --expires 30d",
		RunE: func(cmd *cobra.Command, args []string) error {
			end, err := expiry(expires, time.Now())
			if err != nil {
				return app.UsageError(err)
			}
			key.Name, key.Expires = args[0], end
			if len(key.Scopes)+len(key.Roles) == 0 {
				key.Roles = []string{app.DefaultRole}
			}
			return withStore(cmd, opts, func(p *app.App) error { return createKey(cmd, p, key, asJSON) })
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&key.Scopes, "scope", nil,
		"what the key may do (repeatable; without one and without --role: the role user, which is chat and all tools)")
	f.StringArrayVar(&key.Roles, "role", nil, "a role whose scopes the key has too (repeatable)")
	f.StringVar(&key.Owner, "owner", "",
		"whose the sessions, runs and tables are; keys of one owner share them (default: an owner of the key's own, "+
			"whatever NAME is)")
	f.StringVar(&key.Tenant, "tenant", "", "a group whose data are apart from all others'")
	f.StringVar(&expires, "expires", "365d", "when it ends: 90d, 12h, a date, or never")
	f.BoolVar(&asJSON, "json", false, "print the key and what is kept of it as JSON")
	return cmd
}

// expiry reads a period, a date, or never.
func expiry(text string, now time.Time) (time.Time, error) {
	if text == "never" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 100_000 {
			return now.UTC().AddDate(0, 0, n).Truncate(time.Second), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.UTC().Add(d).Truncate(time.Second), nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil && t.After(now) {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("--expires %q is no time to come; write 90d, 12h, 2027-01-31 or never", text)
}

func createKey(cmd *cobra.Command, p *app.App, key access.Key, asJSON bool) error {
	if p.Cfg.Store.Dir == ":memory:" {
		return app.UsageError(errors.New("store.dir is :memory:, so the key would be gone at once; set a folder, or " +
			"give a key as CATENA_ACCESS_KEY"))
	}
	for _, role := range key.Roles {
		if _, ok := p.Roles[role]; !ok {
			return app.UsageError(fmt.Errorf("there is no role %s; access.roles can define it", role))
		}
	}
	secret, made, err := p.Keys.Create(cmd.Context(), key)
	if err != nil {
		return app.UsageError(err)
	}
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
			Secret string `json:"secret"`
			access.Key
		}{secret, made})
	}
	fmt.Fprintln(cmd.OutOrStdout(), secret)
	w := cmd.ErrOrStderr()
	fmt.Fprintf(w, "This is shown once. Key %s (%s), owner %s, expires %s.\n", made.Name, made.ID, made.Owner,
		day(made.Expires, "never"))
	if key.Owner == "" {
		fmt.Fprintf(w,
			"What is made with it is seen with this key alone. For keys that share it, give each the same owner: "+
				"--owner %s.\n", made.Name)
	}
	rights, err := access.ParseRights(made.Scopes, made.Roles, p.Roles)
	if err == nil && !rights.CallsTools() {
		fmt.Fprintln(w, "It may call no tool: add --scope tools:* or --scope tools:crm for that.")
	}
	return err
}

func day(t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return t.Local().Format("2006-01-02 15:04")
}

func listKeysCommand(opts *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the keys, without their secrets", Args: cobra.NoArgs,
		Example: "  catena keys list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				list, err := p.Keys.List(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					if list == nil {
						list = []access.Key{}
					}
					return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
				}
				return writeKeys(cmd.OutOrStdout(), list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func writeKeys(out io.Writer, list []access.Key) error {
	if len(list) == 0 {
		fmt.Fprintln(out, "There are no keys; catena keys create NAME makes one.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tOWNER\tTENANT\tSCOPES AND ROLES\tEXPIRES\tLAST USED")
	for _, k := range list {
		id, used := k.ID, day(k.LastUsed, "never")
		if k.Fixed {
			id, used = "(settings)", "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", id, k.Name, k.Owner, k.Tenant,
			strings.Join(append(append([]string{}, k.Scopes...), k.Roles...), " "), day(k.Expires, "never"), used)
	}
	return w.Flush()
}

func revokeKeyCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "revoke NAME", Short: "Revoke a key, by its name or id", Args: cobra.ExactArgs(1),
		Example: "  catena keys revoke reports",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				gone, err := p.Keys.Revoke(cmd.Context(), args[0])
				if errors.Is(err, fs.ErrNotExist) {
					return app.UsageError(fmt.Errorf("there is no key %s; catena keys list shows those that there are",
						args[0]))
				} else if err != nil {
					return app.UsageError(err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "The key %s (%s) is revoked.\n", gone.Name, gone.ID)
				return nil
			})
		},
	}
}
