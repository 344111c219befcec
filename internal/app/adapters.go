package app

import (
	"cmp"

	"catena/internal/config"
	"catena/server/mcp"
	"catena/tools"
	"catena/tools/upstream"
	"catena/tools/upstream/oauth"
)

// upstreamServers are the configured MCP servers as tools/upstream wants them.
func upstreamServers(cfg config.Config) []upstream.Config {
	var out []upstream.Config
	for name, s := range cfg.MCPServers {
		if s.Disabled {
			continue
		}
		out = append(out, upstream.Config{
			Name: name, Type: upstream.Transport(s.Type), Command: s.Command, Args: s.Args, Env: reveal(s.Env),
			Dir: s.Cwd, URL: s.URL, Headers: reveal(s.Headers),
			Lazy: s.Lazy, Timeout: cmp.Or(s.Timeout, cfg.Executor.Timeout), Timeouts: s.Timeouts,
			MaxTimeout: s.MaxTimeout, Allow: s.Allow, Deny: s.Deny, ReadOnly: s.ReadOnly,
			Limit: s.Parallel, Trusted: s.Trust == "trusted", Problem: s.Problem, Sampling: s.Sampling,
			Protocol: s.Protocol,
			Hints:    toolHints(s.Annotations),
			OAuth: oauth.Config{
				ClientID: s.OAuth.ClientID, ClientSecret: s.OAuth.ClientSecret.Reveal(),
				PrivateKey:       s.OAuth.PrivateKey.Reveal(),
				ClientIDMetadata: s.OAuth.ClientMetadataURL, Machine: s.OAuth.Grant == "client_credentials",
				Scopes: s.OAuth.Scopes, Allowed: s.OAuth.AllowedOrigins, Redirect: s.OAuth.RedirectURL,
			},
		})
	}
	return out
}

func toolHints(all map[string]config.ToolHints) map[string]upstream.Hints {
	out := map[string]upstream.Hints{}
	for pattern, h := range all {
		out[pattern] = upstream.Hints(h)
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

// announcer is the registry as the upstream servers get it: it says when they have changed what they offer.
type announcer struct {
	*tools.Registry
	front *front
}

// Replace replaces the tools of a server. An error names those that were left out; the others are there and told.
func (a announcer) Replace(toolset string, list ...tools.Tool) error {
	defer a.front.listsChanged((*mcp.Server).ToolsChanged)
	return a.Registry.Replace(toolset, list...)
}

// ReplacePrompts does the same for prompts.
func (a announcer) ReplacePrompts(toolset string, list ...tools.Prompt) error {
	defer a.front.listsChanged((*mcp.Server).PromptsChanged)
	return a.Registry.ReplacePrompts(toolset, list...)
}

// ReplaceResources does the same for resources and templates.
func (a announcer) ReplaceResources(toolset string, list ...tools.Resource) error {
	defer a.front.listsChanged((*mcp.Server).ResourcesChanged)
	return a.Registry.ReplaceResources(toolset, list...)
}

// DropServer takes away all that a server offered.
func (a announcer) DropServer(name string) {
	a.Registry.DropServer(name)
	a.front.listsChanged((*mcp.Server).ToolsChanged, (*mcp.Server).PromptsChanged, (*mcp.Server).ResourcesChanged)
}
