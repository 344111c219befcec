package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"catena/internal/config"
	"catena/tools"
	"catena/tools/upstream"
	"catena/tools/upstream/oauth"
)

// UpstreamOptions are those of the MCP servers that the program uses, with nobody to sign in.
func (ts *toolkits) UpstreamOptions() upstream.Options {
	return upstream.Options{
		Log: ts.log, Records: ts.Store, Approve: upstream.Approval(ts.Cfg.MCP.Approve), Model: ts.sampleModel,
		Tokens: tokens(sync.OnceValues(ts.tokenStore)),
	}
}

// tokens keep tokens for protected MCP servers. The key is made when the first is kept.
type tokens func() (oauth.Store, error)

// Get implements oauth.Store.
func (t tokens) Get(ctx context.Context, id string) ([]byte, error) {
	s, err := t()
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, id)
}

// Put implements oauth.Store.
func (t tokens) Put(ctx context.Context, id string, data []byte) error {
	s, err := t()
	if err != nil {
		return err
	}
	return s.Put(ctx, id, data)
}

// tokenStore keeps tokens for protected MCP servers, encrypted.
func (ts *toolkits) tokenStore() (oauth.Store, error) {
	secret := []byte(ts.Cfg.MCP.TokenKey.Reveal())
	if len(secret) == 0 {
		path, err := storePath(ts.Cfg.Store.Dir)
		if err != nil {
			return nil, err
		}
		if secret, err = tokenKey(path); err != nil {
			return nil, fmt.Errorf("the key for tokens of MCP servers: %w", err)
		}
	}
	sealed, err := oauth.Sealed(ts.Store, secret)
	if err != nil {
		return nil, UsageError(fmt.Errorf("config: mcp.token_key: %w", err))
	}
	return sealed, nil
}

// tokenKey is the key in the file beside the store's, which is made when it is not there.
func tokenKey(store string) ([]byte, error) {
	if store == ":memory:" {
		return oauth.NewSecret(), nil
	}
	name := filepath.Join(filepath.Dir(store), "mcp.key")
	secret, err := config.ReadRegular(name, 1<<20)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	secret = oauth.NewSecret()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was first
		return config.ReadRegular(name, 1<<20)
	}
	if err != nil {
		return nil, err
	}
	_, err = f.Write(secret)
	return secret, errors.Join(err, f.Sync(), f.Close())
}

// WithLogin runs f with the configured servers, which are not started.
func (ts *toolkits) WithLogin(o upstream.Options, f func(*upstream.Servers) error) error {
	s, err := upstream.New(tools.NewRegistry(tools.Options{Log: ts.log}), o, upstreamServers(ts.Cfg)...)
	if err != nil {
		return UsageError(err)
	}
	return errors.Join(f(s), s.Close())
}

// ServerWait is how long commands wait for the configured MCP servers.
const ServerWait = 10 * time.Second

// AwaitServers waits until each configured server answered or failed, most at the longest: a plan can only use tools
// that are there. After a second it says on out whom it waits for.
func (ts *toolkits) AwaitServers(ctx context.Context, most time.Duration, out io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	told := make(chan struct{})
	patience := time.AfterFunc(time.Second, func() {
		defer close(told)
		var slow []string
		for _, s := range ts.Registry.Servers() {
			if s.Phase == tools.PhaseStarting {
				slow = append(slow, s.Name)
			}
		}
		if len(slow) > 0 {
			fmt.Fprintf(out, "Waiting for MCP servers, at most %v: %s\n", most, strings.Join(slow, ", "))
		}
	})
	if err := ts.Upstream.Wait(ctx); err != nil {
		ts.log.DebugContext(ctx, "not all MCP servers have answered", "error", err)
	}
	if !patience.Stop() {
		<-told
	}
}
