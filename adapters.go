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
		env := map[string]string{}
		for k, v := range s.Env {
			env[k] = v.Reveal()
		}
		out = append(out, upstream.Config{
			Name: name, Command: s.Command, Args: s.Args, Env: env, Dir: s.Cwd, Timeout: cmp.Or(s.Timeout, cfg.Executor.Timeout), Allow: s.Allow, Deny: s.Deny,
			Limit: s.Parallel, Trusted: s.Trust == "trusted",
		})
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
