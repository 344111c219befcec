package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/tools/upstream"
)

// loginTime is how long a person may take to sign in.
const loginTime = 5 * time.Minute

func loginCommand(opts *options) *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use: "login SERVER", Short: "Sign in to a protected MCP server", Args: cobra.ExactArgs(1),
		Long: "Signs in to a configured MCP server that wants it (OAuth 2.1): opens the address of its authorization " +
			"server in the browser, and\n" +
			"prints it, and waits on 127.0.0.1 for the answer. The tokens are kept in the store, encrypted " +
			"(mcp.token_key), for this server\n" +
			"alone, and are renewed by themselves. A server that runs uses them within some seconds.",
		Example: "  catena tools login wiki\n  catena tools login wiki --no-browser",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				b, err := newSignIn(cmd.Context(), cmd.ErrOrStderr(), !noBrowser,
					p.Cfg.MCPServers[args[0]].OAuth.RedirectURL)
				if err != nil {
					return err
				}
				defer b.close()
				o := p.UpstreamOptions()
				o.Login = b
				ctx, cancel := context.WithTimeout(cmd.Context(), loginTime)
				defer cancel()
				return p.WithLogin(o, func(s *upstream.Servers) error {
					if err := s.Login(ctx, args[0]); err != nil {
						return loginError(args[0], err)
					}
					fmt.Fprintf(cmd.OutOrStdout(), "Signed in to %s.\n", args[0])
					return nil
				})
			})
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	return cmd
}

func logoutCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "logout SERVER", Short: "Forget the tokens for a protected MCP server", Args: cobra.ExactArgs(1),
		Long: "Forgets the tokens for a configured MCP server, and the client that Catena was to its " +
			"authorization server. A server that runs\nuses the token that it has until that ends.",
		Example: "  catena tools logout wiki",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, opts, func(p *app.App) error {
				return p.WithLogin(p.UpstreamOptions(), func(s *upstream.Servers) error {
					if err := s.Logout(cmd.Context(), args[0]); err != nil {
						return loginError(args[0], err)
					}
					fmt.Fprintf(cmd.OutOrStdout(), "The tokens for %s are forgotten.\n", args[0])
					return nil
				})
			})
		},
	}
}

func loginError(name string, err error) error {
	if errors.Is(err, upstream.ErrNoLogin) {
		return app.UsageError(err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// signIn is a person who signs in with a browser. It listens on the loopback interface for the answer.
type signIn struct {
	out      io.Writer
	opens    bool
	redirect string
	listener net.Listener
}

// newSignIn listens where the answer will come to: at a free port, unless redirect names one.
func newSignIn(ctx context.Context, out io.Writer, opens bool, redirect string) (*signIn, error) {
	at := "127.0.0.1:0"
	if redirect != "" {
		u, err := url.Parse(redirect)
		if err != nil {
			return nil, err
		}
		at = "127.0.0.1:" + u.Port()
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return nil, fmt.Errorf("the answer of the browser cannot be waited for: %w", err)
	}
	if redirect == "" {
		redirect = "http://" + l.Addr().String() + "/callback"
	}
	return &signIn{out: out, opens: opens, redirect: redirect, listener: l}, nil
}

func (b *signIn) close() { _ = b.listener.Close() } // it is closed by Ask when there was one

// Redirect implements oauth.Login.
func (b *signIn) Redirect() string { return b.redirect }

// Ask implements oauth.Login.
func (b *signIn) Ask(ctx context.Context, address string) (url.Values, error) {
	asked, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	to, err := url.Parse(b.redirect)
	if err != nil {
		return nil, err
	}
	got := make(chan url.Values, 1)
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			// What is not the answer to this question may come from anywhere.
			if r.Method != http.MethodGet || r.URL.Path != to.Path || q.Get("state") != asked.Query().Get("state") {
				http.Error(w, "This is not the answer to the login that catena waits for.", http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Referrer-Policy", "no-referrer")
			fmt.Fprintln(w, "Thank you. This window can be closed; catena says in the terminal how the login ended.")
			select {
			case got <- q:
			default: // a second time
			}
		})}
	served := make(chan error, 1)
	go func() { served <- s.Serve(b.listener) }()
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = s.Shutdown(ending) // the page was sent, or nobody waits for it
	}()
	fmt.Fprintf(b.out, "Open this address and sign in:\n\n  %s\n\n", address)
	if b.opens {
		showPage(ctx, address)
	}
	select {
	case q := <-got:
		return q, nil
	case err := <-served:
		return nil, err
	case <-ctx.Done():
		return nil, fmt.Errorf("nobody signed in: %w", ctx.Err())
	}
}

// showPage tries to open an address. Where that fails the address stands in the terminal.
func showPage(ctx context.Context, address string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return
	}
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // its end says nothing
	}
}
