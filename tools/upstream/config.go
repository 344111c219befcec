package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"catena/tools"
	"catena/tools/upstream/oauth"
)

// Limits of what a server may send and how long it may take.
const (
	DefaultTimeout = 60 * time.Second // of one call
	startTimeout   = 30 * time.Second // from the start of the process to its list of tools
	maxMessage     = 32 << 20         // bytes of one message; a longer one ends the connection
	maxDepth       = 1000             // levels of brackets in one message
	maxListed      = 2000             // tools, prompts or resources of one server
	maxPages       = 200              // of a list
	nameSize       = tools.LongestName
	separator      = "__" // between the server's name and the tool's
)

// DefaultMaxTimeout is how long a call may take that reports progress.
const DefaultMaxTimeout = 10 * time.Minute

// Config describes one server: a program that speaks MCP over stdio, or an address.
type Config struct {
	Name    string    // [A-Za-z0-9_-]{1,32}, without "__", and no toolset of our own
	Type    Transport // "" goes by Command and URL
	Command string    // the program; looked up in PATH
	Args    []string  //
	// added to the few variables that a server inherits: PATH, HOME and the like, no secrets of ours
	Env      map[string]string
	Dir      string                   // the working directory; "" means ours
	URL      string                   // of a server that is reached over HTTP
	Headers  map[string]string        // of each request to URL; they may hold secrets
	Lazy     bool                     // started by the first call, once its tools are known
	Timeout  time.Duration            // of one call; 0 means DefaultTimeout
	Timeouts map[string]time.Duration // of calls of single tools, by name or glob; the longest pattern that fits wins
	Allow    []string                 // names or globs (path.Match) of the server's own tool names; none means all
	Deny     []string                 // wins over Allow
	ReadOnly bool                     // only tools that say of themselves that they change nothing
	Limit    int                      // calls at a time, of all its tools; 0 is no bound
	// what its tools say may decide what later steps do (tools.Result.Untrusted is not set)
	Trusted  bool
	OAuth    oauth.Config // how to sign in to a protected URL; its Resource is URL
	Sampling bool         // the server may ask Options.Model
	// in place of what the server says of its tools, by name or glob; the longest pattern that fits wins
	Hints    map[string]Hints
	Protocol string // the only version of the protocol to speak, as 2025-11-25; "" agrees on one
	// MaxTimeout is of one call that reports progress: each report starts its timeout anew. 0 means DefaultMaxTimeout.
	MaxTimeout time.Duration

	Problem string // why the server cannot be used as it is configured: it is listed with that, and nothing else

}

// Transport is how a server is spoken with.
type Transport string

// The transports. HTTP is Streamable HTTP; SSE the transport that was before it.
const (
	Stdio Transport = "stdio"
	HTTP  Transport = "http"
	SSE   Transport = "sse"
)

// transport is Type, where that is open by what is there.
func (c Config) transport() Transport {
	switch {
	case c.Type != "":
		return c.Type
	case c.URL != "":
		return HTTP
	}
	return Stdio
}

// reserved are the toolsets of our own, also of those that a configuration leaves out: a setting that brings one back
// must not break a server's name. The tools of metrics are called as those of a server "metric" would be.
var reserved = []string{"core", "crm", "data", "memory", "persona", "code", "metric"}

var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// check says all that is wrong with a configuration.
func (c Config) check() error {
	var errs []error
	if !serverName.MatchString(c.Name) || strings.Contains(c.Name, separator) {
		errs = append(errs,
			errors.New("a name is 1 to 32 of letters, digits, _ and -, without two underscores in a row"))
	}
	switch {
	case c.Problem != "":
	case c.transport() == Stdio && c.Command == "":
		errs = append(errs,
			errors.New("command is missing: name the program that speaks MCP over stdio, or the url of a server"))
	case c.transport() != Stdio && c.URL == "":
		errs = append(errs, errors.New("url is missing: the address of the server"))
	}
	if c.Timeout < 0 || c.MaxTimeout < 0 {
		errs = append(errs, errors.New("timeout or max_timeout is negative"))
	}
	for _, pattern := range slices.Concat(c.Allow, c.Deny, slices.Collect(maps.Keys(c.Timeouts)), slices.Collect(maps.Keys(c.Hints))) {
		if _, err := path.Match(pattern, ""); err != nil {
			errs = append(errs, fmt.Errorf("%q is no pattern of names: %w", pattern, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("mcpServers: %q: %w", c.Name, err)
	}
	return nil
}

// exports reports whether a tool of the server is to be used.
func (c Config) exports(t remoteTool) bool {
	if c.ReadOnly && !isSet(c.hinted(t).Annotations.ReadOnlyHint) {
		return false
	}
	return c.named(t.Name)
}

// named reports whether Allow and Deny let a name through.
func (c Config) named(tool string) bool {
	match := func(pattern string) bool { return matches(pattern, tool) }
	return !slices.ContainsFunc(c.Deny, match) && (len(c.Allow) == 0 || slices.ContainsFunc(c.Allow, match))
}

// matches reports whether a pattern of path.Match holds for a tool's name, in which a slash is a character like any
// other: a server may name a tool as it likes, and none slips through a "*" by its name.
func matches(pattern, tool string) bool {
	plain := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(plain.Replace(pattern), plain.Replace(tool))
	return ok && err == nil // check has seen the patterns
}

// timeout is how long a call of a tool may take.
func (c Config) timeout(tool string) time.Duration {
	own, ok := longest(c.Timeouts, tool)
	if !ok {
		own = c.Timeout
	}
	return cmp.Or(own, DefaultTimeout)
}

// maxTimeout is how long a call may take that reports progress.
func (c Config) maxTimeout() time.Duration { return cmp.Or(c.MaxTimeout, DefaultMaxTimeout) }

// longest is the value of the longest pattern that holds for a tool's name, and whether there is one.
func longest[T any](all map[string]T, tool string) (value T, ok bool) {
	best := ""
	for pattern, v := range all {
		if matches(pattern, tool) && (!ok || len(pattern) > len(best) || len(pattern) == len(best) && pattern > best) {
			best, value, ok = pattern, v, true
		}
	}
	return value, ok
}

// inherited are the variables that a server gets from us: what programs need to find themselves, and no keys.
var inherited = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "LC_CTYPE",
	"TZ", "TMPDIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "USERPROFILE", "TEMP", "PATHEXT"}

// environ is the environment of the server's process, sorted.
func (c Config) environ() []string {
	var env []string
	for _, name := range inherited {
		if v, ok := os.LookupEnv(name); ok {
			if _, own := c.Env[name]; !own {
				env = append(env, name+"="+v)
			}
		}
	}
	for name, v := range c.Env {
		env = append(env, name+"="+v)
	}
	slices.Sort(env)
	return env
}

// exportName is the name of a server's tool in our registry.
func exportName(server, tool string) string { return tools.ServerTool(server, tool) }
