package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// serverName is what the name of an MCP server may be: it becomes the first part of its tools' names.
var serverName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

// Validate checks every value and returns all that is wrong, each with its key and what would be right. Load calls it.
func (c *Config) Validate() error {
	v := &checker{}
	c.Listen.check(v)
	c.Access.check(v)
	v.oneOf("openai.steps", c.OpenAI.Steps, "", "reasoning", "details", "off")
	v.oneOf("audit.arguments", c.Audit.Arguments, "", "hash", "redacted", "full")
	c.LLM.check(v)
	v.between("planner.corrections", c.Planner.Corrections, 0, 5)
	v.period("planner.cache_ttl", c.Planner.CacheTTL, 0, 30*24*time.Hour)
	v.between("planner.max_replans", c.Planner.MaxReplans, 0, 5)
	v.oneOf("planner.reader", c.Planner.Reader, "", "old", "new", "both")
	v.that(c.Planner.Risk >= 0 && c.Planner.Risk <= 1, "planner.risk", "is %v; it goes from 0 to 1", c.Planner.Risk)
	c.Store.checkKept(v)
	v.oneOf("data.demo", c.Data.Demo, "auto", "on", "off")
	for i, s := range c.Data.Sources {
		s.check(v, fmt.Sprintf("data.sources[%d]", i))
	}
	v.between("executor.parallel", c.Executor.Parallel, 1, 256)
	v.period("executor.timeout", c.Executor.Timeout, time.Millisecond, time.Hour)
	v.oneOf("executor.untrusted", c.Executor.Untrusted, "", "stop", "ask", "allow")
	v.globs("executor.untrusted_allow", c.Executor.UntrustedAllow)
	c.checkStore(v)
	c.Embeddings.check(v)
	c.Persona.check(v)
	c.Code.check(v)
	v.oneOf("mcp.approve", c.MCP.Approve, "", "first", "always")
	c.MCP.checkKey(v)
	for _, name := range slices.Sorted(maps.Keys(c.MCPServers)) {
		c.MCPServers[name].check(v, name)
	}
	c.checkTools(v)
	v.oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error")
	v.oneOf("log.format", c.Log.Format, "text", "json")
	c.Telemetry.check(v)
	return errors.Join(v.errs...)
}

// addresses are how the address of each kind of database is written; one of a file has a path.
var addresses = map[string]string{
	"postgres": "postgres://user@host:5432/database", "mysql": "mysql://user@host:3306/database", "sqlite": "",
}

// check checks a source: files have a path, databases an address.
func (s Source) check(v *checker, at string) {
	v.oneOf(at+".trust", s.Trust, "", "untrusted", "trusted")
	v.oneOf(at+".kind", s.Kind, append(slices.Sorted(maps.Keys(addresses)), "")...)
	address := addresses[s.Kind]
	if address == "" {
		v.that(s.Path != "", at, "needs a path, or a kind of database and its url")
		v.that(s.URL.value == "" && s.Password.value == "", at+".url", "needs a kind of database that has one, as postgres")
	} else {
		v.that(s.Path == "", at+".path", "is for files; a database has a url")
		v.that(s.URL.value != "", at+".url", "is missing; write %s, and the password as ${NAME} or file:PATH", address)
	}
	v.between(at+".max_rows", s.MaxRows, 0, 10_000_000)
	v.between(at+".max_mb", s.MaxMB, 0, 4096)
	v.period(at+".timeout", s.Timeout, 0, time.Hour)
}

// checkKept checks what is kept for how long.
func (s Store) checkKept(v *checker) {
	v.period("store.keep_sessions", s.KeepSessions, 0, maxKept)
	v.that(s.KeepRuns == 0 || s.KeepRuns >= 24*time.Hour && s.KeepRuns <= maxKept, "store.keep_runs", "is %s; it goes from 24h to %s, 0s is as long as the session", s.KeepRuns, maxKept)
	v.that(s.KeepTables == 0 || s.KeepTables >= time.Hour && s.KeepTables <= maxKept, "store.keep_tables", "is %s; it goes from 1h to %s, 0s is 24h", s.KeepTables, maxKept)
	v.between("store.runs_mb", s.RunsMB, 0, maxStoreMB)
	v.between("store.tables_mb", s.TablesMB, 0, maxStoreMB)
	v.between("store.cache_mb", s.CacheMB, 0, maxStoreMB)
}

// maxKept bounds how long something is kept that has an end: a hundred years.
const maxKept = 100 * 365 * 24 * time.Hour

// maxStoreMB bounds what settings say in MiB of the store: 16 TiB.
const maxStoreMB = 16 << 20

func (l Listen) check(v *checker) {
	_, port, err := net.SplitHostPort(l.Addr)
	if v.that(err == nil, "listen.addr", "is %q; write host:port, as in 127.0.0.1:8765", l.Addr) {
		n, err := strconv.Atoi(port)
		v.that(err == nil && n >= 0 && n <= 65535, "listen.addr", "has the port %q; a port is a number from 0 to 65535", port)
	}
	for i, h := range l.AllowedHosts {
		v.that(h != "" && !strings.ContainsAny(h, "/ *"), fmt.Sprintf("listen.allowed_hosts[%d]", i), "is %q; write a host name, as in chat.example.com", h)
	}
	v.origins("listen.allowed_origins", l.AllowedOrigins, "https://chat.example.com")
	v.between("listen.max_upload_mb", l.MaxUploadMB, 1, 1024)
	v.that((l.TLSCert == "") == (l.TLSKey == ""), "listen.tls_cert", "and listen.tls_key belong together; set both or none")
	v.between("listen.max_runs", l.MaxRuns, 1, 10_000)
}

func (t Telemetry) check(v *checker) {
	if t.OTLPEndpoint != "" {
		u, err := url.Parse(t.OTLPEndpoint)
		v.that(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.HasSuffix(u.Path, "/") && u.RawQuery == "" && u.User == nil,
			"telemetry.otlp_endpoint", "is %q; write an address without an end such as /v1/traces, as in http://127.0.0.1:4318", t.OTLPEndpoint)
	}
	v.that(t.Sample >= 0 && t.Sample <= 1, "telemetry.sample", "is %v; it goes from 0 to 1", t.Sample)
	if t.Pprof == "" {
		return
	}
	host, _, err := net.SplitHostPort(t.Pprof)
	ip := net.ParseIP(host)
	v.that(err == nil && (host == "localhost" || ip != nil && ip.IsLoopback()), "telemetry.pprof", "is %q; profiles show what is in memory, so write a loopback address, as in 127.0.0.1:6060", t.Pprof)
}

func (a Access) check(v *checker) {
	if r := a.OIDC.Resource; r != "" {
		u, err := url.Parse(r)
		v.that(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.Trim(u.Path, "/") == "" && u.User == nil, "access.oidc.resource", "is %q; write scheme and host, as in https://catena.example.com", r)
	}
	v.period("access.oidc.clock_skew", a.OIDC.ClockSkew, 0, 10*time.Minute)
	v.between("access.limits.requests_per_minute", a.Limits.RequestsPerMinute, 0, 6_000_000)
	v.between("access.limits.burst", a.Limits.Burst, 0, 1_000_000)
	v.between("access.limits.runs", a.Limits.Runs, 0, 10_000)
	v.that(a.Signing.value == "" || len(a.Signing.value) >= 32, "access.signing_key", "is shorter than 32 characters; `openssl rand -hex 32` makes one")
	v.oneOf("access.require", a.Require, "", "auto", "always", "proxy")
	for _, name := range slices.Sorted(maps.Keys(a.Keys)) {
		key, at := a.Keys[name], "access.keys."+name
		v.that((key.Key.value != "") != (key.Hash != ""), at, "needs one of key and hash")
		_, err := key.Expiry()
		v.that(err == nil, at+".expires", "is %q; write 2027-01-31, or 2027-01-31T12:00:00Z", key.Expires)
	}
}

// Expiry is when the key ends, zero for never. A date means its first moment in UTC.
func (k AccessKey) Expiry() (time.Time, error) {
	if k.Expires == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, k.Expires); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, k.Expires)
}

func (l LLM) check(v *checker) {
	if !v.oneOf("llm.provider", l.Provider, "", "openai", "anthropic") {
		return
	}
	v.period("llm.timeout", l.Timeout, time.Second, time.Hour)
	v.between("llm.max_tokens", l.MaxTokens, 16, 1_000_000)
	v.that(l.Temperature >= 0 && l.Temperature <= 2, "llm.temperature", "is %v; it goes from 0 to 2", l.Temperature)
	v.endpoint("llm", l.BaseURL)
	v.between("llm.turn_tokens", l.TurnTokens, 0, 1_000_000_000)
	v.between("llm.caller_tokens", l.CallerTokens, 0, 1_000_000_000)
	v.period("llm.hedge_after", l.HedgeAfter, 0, time.Hour)
	l.Fallback.check(v, l.Provider)
	if l.Provider == "" {
		return
	}
	v.that(l.Model != "", "llm.model", "is needed with llm.provider %s: the model's name as the provider writes it", l.Provider)
	v.that(l.APIKey.value != "" || l.BaseURL != "", "llm.api_key", "is needed with llm.provider %s: set it, or %s_API_KEY", l.Provider, strings.ToUpper(l.Provider))
}

func (f LLMFallback) check(v *checker, first string) {
	if !v.oneOf("llm.fallback.provider", f.Provider, "", "openai", "anthropic") || f.Provider == "" {
		return
	}
	v.that(first != "", "llm.fallback.provider", "stands beside no model; set llm.provider first")
	v.endpoint("llm.fallback", f.BaseURL)
	v.that(f.Model != "", "llm.fallback.model", "is needed with llm.fallback.provider: the model's name as the provider writes it")
	v.that(f.APIKey.value != "" || f.BaseURL != "", "llm.fallback.api_key", "is needed with llm.fallback.provider %s: set it, or %s_API_KEY", f.Provider, strings.ToUpper(f.Provider))
}

func (e Embeddings) check(v *checker) {
	if !v.oneOf("embeddings.provider", e.Provider, "", "openai") {
		return
	}
	v.endpoint("embeddings", e.BaseURL)
	if e.Provider == "" {
		v.period("embeddings.timeout", e.Timeout, 0, time.Hour)
		return
	}
	v.period("embeddings.timeout", e.Timeout, time.Second, time.Hour)
	v.that(e.Model != "", "embeddings.model", "is needed with embeddings.provider: the model's name as the endpoint writes it")
	v.that(e.APIKey.value != "" || e.BaseURL != "", "embeddings.api_key", "is needed where embeddings.base_url is not set: set it, or OPENAI_API_KEY")
}

// checkStore holds what several replicas keep against where they keep it: what is in a folder is one replica's.
func (c *Config) checkStore(v *checker) {
	s := c.Store
	scheme, _, found := strings.Cut(s.URL, "://")
	schemes := []string{"redis", "rediss", "redis+sentinel", "redis+cluster"}
	v.that(s.URL == "" || found && slices.Contains(schemes, scheme), "store.url",
		"is no address of a Redis server; write redis://, rediss://, redis+sentinel:// or redis+cluster:// and its hosts, or leave it empty and set store.dir")
	at := strings.LastIndexByte(s.URL, '@')
	v.that(at < 0 || strings.Count(s.URL[:at], ":") < 2, "store.url", "holds a password; use store.password")
	v.that(s.URL != "" || s.Password.value == "", "store.password", "is set without store.url; set that, or leave both out")
	v.between("store.replicas", s.Replicas, 0, 1000)
	if s.Replicas < 2 {
		return
	}
	v.that(s.URL != "", "store.replicas", "is %d, and a folder cannot be shared; set store.url to a Redis server", s.Replicas)
	v.that(c.Access.Signing.value != "", "access.signing_key", "is empty with store.replicas %d, and what one replica signs the others must take; set it to the same 32 random characters on each", s.Replicas)
	v.that(!c.Memory.Enabled, "memory.enabled", "is true with store.replicas %d, but memories are kept in each replica's own store.dir; set it to false", s.Replicas)
	v.that(!c.Persona.Enabled || c.Persona.Neo4jURI != "", "persona.enabled",
		"is true with store.replicas %d, but personas are kept in each replica's own store.dir; set persona.neo4j_uri, or this to false", s.Replicas)
}

func (p Persona) check(v *checker) {
	if p.Neo4jURI == "" {
		return
	}
	u, err := url.Parse(p.Neo4jURI)
	schemes := []string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"}
	ok := err == nil && slices.Contains(schemes, u.Scheme) && u.Host != ""
	v.that(ok, "persona.neo4j_uri", "is no address of a Neo4j server, as in neo4j://127.0.0.1:7687")
	v.that(!ok || u.User == nil, "persona.neo4j_uri", "holds a password; use persona.neo4j_user and persona.neo4j_password")
}

func (c Code) check(v *checker) {
	least := 1
	if !c.Enabled {
		least = 0
	}
	v.between("code.max_file_kb", c.MaxFileKB, least, 8<<10)
	v.between("code.max_repo_size_mb", c.MaxRepoSizeMB, least, 64<<10)
	if !c.Enabled {
		return
	}
	for i, r := range c.Roots {
		v.that(r != "", fmt.Sprintf("code.roots[%d]", i), "is empty; name a folder")
	}
}

func (m MCPServer) check(v *checker, name string) {
	at := "mcpServers." + name
	v.that(serverName.MatchString(name) && !strings.Contains(name, "__"), at, "is no name for a server: use letters, digits, - and single _, 32 at most")
	if m.Problem != "" {
		return // it is not used
	}
	m.checkReach(v, at)
	m.OAuth.check(v, at+".oauth")
	v.oneOf(at+".protocol", m.Protocol, "", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
	v.period(at+".timeout", m.Timeout, 0, time.Hour)
	v.period(at+".max_timeout", m.MaxTimeout, 0, time.Hour)
	for _, pattern := range slices.Sorted(maps.Keys(m.Timeouts)) {
		v.period(at+".timeouts."+pattern, m.Timeouts[pattern], 0, time.Hour)
		v.globs(at+".timeouts", []string{pattern})
	}
	for _, pattern := range slices.Sorted(maps.Keys(m.Annotations)) {
		v.globs(at+".annotations", []string{pattern})
		h := m.Annotations[pattern]
		both := h.ReadOnly != nil && *h.ReadOnly && h.Destructive != nil && *h.Destructive
		v.that(!both, at+".annotations."+pattern, "is both read_only and destructive; keep one")
	}
	v.between(at+".parallel", m.Parallel, 0, 10_000)
	v.oneOf(at+".trust", m.Trust, "", "untrusted", "trusted")
	v.globs(at+".allow", m.Allow)
	v.globs(at+".deny", m.Deny)
}

func (m MCP) checkKey(v *checker) {
	n := len(m.TokenKey.value)
	v.that(n == 0 || n >= 16, "mcp.token_key", "has %d bytes; take 16 or more", n)
}

func (o OAuth) check(v *checker, at string) {
	v.oneOf(at+".grant", o.Grant, "", "authorization_code", "client_credentials")
	v.that(o.ClientID != "" || o.ClientSecret.value == "" && o.PrivateKey.value == "", at+".client_id", "is needed beside a client_secret or a private_key")
	v.that(o.ClientSecret.value == "" || o.PrivateKey.value == "", at+".private_key", "stands beside client_secret; keep one")
	v.origins(at+".allowed_origins", o.AllowedOrigins, "https://auth.example.com")
	u, err := url.Parse(o.ClientMetadataURL)
	v.that(o.ClientMetadataURL == "" || err == nil && u.Scheme == "https" && len(u.Path) > 1, at+".client_metadata_url", "is no https address with a path")
	u, err = url.Parse(o.RedirectURL)
	v.that(o.RedirectURL == "" || err == nil && u.Scheme == "http" && u.Port() != "" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost"), at+".redirect_url",
		"is no address of this machine with a port, as in http://127.0.0.1:8766/callback")
}

// origins checks a list of scheme and host each.
func (v *checker) origins(key string, list []string, example string) {
	for i, o := range list {
		u, err := url.Parse(o)
		v.that(err == nil && isOrigin(u), fmt.Sprintf("%s[%d]", key, i),
			"is %q; write scheme and host, as in %s", o, example)
	}
}

// isOrigin reports whether an address is a scheme and a host, and nothing else.
func isOrigin(u *url.URL) bool {
	alone := u.Path == "" && u.User == nil && u.RawQuery == ""
	return alone && u.Scheme != "" && u.Host != ""
}

// checkReach holds how the server is reached together: a program, or an address.
func (m MCPServer) checkReach(v *checker, at string) {
	remote := m.Type == "http" || m.Type == "sse" || m.Type == "" && m.URL != ""
	if !v.oneOf(at+".type", m.Type, "", "stdio", "http", "sse") || m.Disabled {
		return
	}
	if !remote {
		v.that(m.Command != "", at+".command", "is needed: the program to start (or url, the address of a server)")
		v.that(m.URL == "", at+".url", "stands beside type stdio; keep one")
		v.that(len(m.Headers) == 0, at+".headers", "go with url; a program gets env")
		return
	}
	v.that(m.Command == "", at+".command", "stands beside url; keep one")
	u, err := url.Parse(m.URL)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	v.that(ok, at+".url", "is no http or https address, as in https://mcp.example.com/mcp")
	v.that(!ok || u.User == nil, at+".url", "holds a password; use headers, as in {Authorization: \"Bearer ${TOKEN}\"}")
}

func (v *checker) globs(key string, list []string) {
	for i, pattern := range list {
		_, err := path.Match(pattern, "")
		v.that(err == nil, fmt.Sprintf("%s[%d]", key, i), "is %q, which is no glob: %v", pattern, err)
	}
}

// checker gathers what is wrong.
type checker struct{ errs []error }

func (v *checker) that(ok bool, key, format string, args ...any) bool {
	if !ok {
		v.errs = append(v.errs, fmt.Errorf("config: %s %s", key, fmt.Sprintf(format, args...)))
	}
	return ok
}

// endpoint checks the address of a model's server, "" for the provider's own.
func (v *checker) endpoint(section, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	v.that(ok, section+".base_url", "is no http or https address, as in http://127.0.0.1:11434/v1")
	v.that(!ok || u.User == nil, section+".base_url", "holds a password; use %s.api_key", section)
}

func (v *checker) between(key string, n, low, high int) {
	v.that(n >= low && n <= high, key, "is %d; it goes from %d to %d", n, low, high)
}

func (v *checker) period(key string, d, low, high time.Duration) {
	v.that(d >= low && d <= high, key, "is %v; it goes from %v to %v", d, low, high)
}

func (v *checker) oneOf(key, value string, allowed ...string) bool {
	return v.that(slices.Contains(allowed, value), key, "is %q; it is one of %s", value, strings.TrimPrefix(strings.Join(quoted(allowed), ", "), `"", `))
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}
