package main

import (
	"cmp"

	"catena/internal/config"
	"catena/tools"
	"catena/tools/upstream"
)

// upstreamServers are the configured MCP servers as tools/upstream wants them.
func upstreamServers(cfg config.Config) []upstream.Config {
	var out []upstream.Config
	for name, s := range cfg.MCPServers {
		if s.Disabled {
			continue
		}
		out = append(out, upstream.Config{
			Name: name, Type: upstream.Transport(s.Type), Command: s.Command, Args: s.Args, Env: reveal(s.Env), Dir: s.Cwd, URL: s.URL, Headers: reveal(s.Headers),
			Lazy: s.Lazy, Timeout: cmp.Or(s.Timeout, cfg.Executor.Timeout), Timeouts: s.Timeouts, Allow: s.Allow, Deny: s.Deny, ReadOnly: s.ReadOnly,
			Limit: s.Parallel, Trusted: s.Trust == "trusted", Problem: s.Problem,
		})
	}
	return out
}

func reveal(secrets map[string]config.Secret) map[string]string {
	out := map[string]string{}
	for k, v := range secrets {
		out[k] = v.Reveal()
	}
	return out
}

// announcer is the registry as the upstream servers get it: it says when they have changed their tools.
type announcer struct {
	*tools.Registry
	changed func()
}

// Replace replaces the tools of a server. An error names those that were left out; the others are there and told.
func (a announcer) Replace(toolset string, list ...tools.Tool) error {
	defer a.changed()
	return a.Registry.Replace(toolset, list...)
}
