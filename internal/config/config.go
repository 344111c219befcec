// Package config reads Catena's settings: built-in defaults, then the user's file, then environment variables, then flags.
// The file config.yaml at the repository's root documents each key; this package is where it becomes a Config.
package config

import (
	"net"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// Config is all settings. Load fills it; a Config from Load is valid. It is plain data: copy it freely.
type Config struct {
	Listen     Listen               `yaml:"listen"`
	Access     Access               `yaml:"access"`
	OpenAI     OpenAI               `yaml:"openai"`
	Audit      Audit                `yaml:"audit"`
	LLM        LLM                  `yaml:"llm"`
	Planner    Planner              `yaml:"planner"`
	Data       Data                 `yaml:"data"`
	Semantic   []string             `yaml:"semantic"` // model files: what tables mean
	Store      Store                `yaml:"store"`
	Executor   Executor             `yaml:"executor"`
	Embeddings Embeddings           `yaml:"embeddings"`
	Memory     Memory               `yaml:"memory"`
	Persona    Persona              `yaml:"persona"`
	Code       Code                 `yaml:"code"`
	MCP        MCP                  `yaml:"mcp"`
	MCPServers map[string]MCPServer `yaml:"mcpServers"`
	Tools      map[string]Tool      `yaml:"tools"`
	ToolFiles  []ToolFile           `yaml:"tool_files"`
	Log        Log                  `yaml:"log"`
	Telemetry  Telemetry            `yaml:"telemetry"`

	// File is the user's file that Load read, "" for none.
	File string `yaml:"-"`
	// Personal says that only the person who started the program can ask: on the command line, or over stdio without a key. Load leaves it false.
	Personal bool `yaml:"-"`
	// Warnings are sentences for the log: what was found and not used.
	Warnings []string `yaml:"-"`

	origins map[string]string // see Origin
}

// Listen is about the HTTP server.
type Listen struct {
	Addr           string   `yaml:"addr"`            // host:port; port 0 takes a free one
	AllowedHosts   []string `yaml:"allowed_hosts"`   // host names besides loopback ones and Addr's
	AllowedOrigins []string `yaml:"allowed_origins"` // origins of web pages: scheme://host[:port]
	MaxUploadMB    int      `yaml:"max_upload_mb"`   // MiB
	MaxRuns        int      `yaml:"max_runs"`        // runs at once
	TLSCert        string   `yaml:"tls_cert"`        // file of a certificate; "" is plain HTTP
	TLSKey         string   `yaml:"tls_key"`         // file of its key
}

// Access is about who may do what over HTTP and stdio.
type Access struct {
	Require  string               `yaml:"require"`   // auto (also ""), always, proxy
	Key      Secret               `yaml:"key"`       // one key with all rights; empty is none
	Keys     map[string]AccessKey `yaml:"keys"`      // further keys, by name
	StdioKey Secret               `yaml:"stdio_key"` // the key that speaks over stdio; empty is the local user
	Roles    map[string][]string  `yaml:"roles"`     // the scopes of roles
	Signing  Secret               `yaml:"signing_key"`
	Limits   Limits               `yaml:"limits"`
	OIDC     OIDC                 `yaml:"oidc"`
}

// OpenAI is about clients of OpenAI's protocols.
type OpenAI struct {
	Steps string `yaml:"steps"` // reasoning (also ""), details, off
}

// Audit is about the record of calls.
type Audit struct {
	To        string `yaml:"to"`        // log (also ""), off, or a file
	Arguments string `yaml:"arguments"` // hash (also ""), redacted, full
}

// OIDC is about the tokens of an identity provider. An empty Issuer means that none are taken.
type OIDC struct {
	Issuer       string        `yaml:"issuer"`
	Audience     []string      `yaml:"audience"` // one of them must be in a token
	JWKSURL      string        `yaml:"jwks_url"` // "" asks the issuer
	Algorithms   []string      `yaml:"algorithms"`
	TokenTypes   []string      `yaml:"token_types"` // values of typ; "none" for tokens without one
	ClockSkew    time.Duration `yaml:"clock_skew"`
	CallerClaim  string        `yaml:"caller_claim"`
	TenantClaim  string        `yaml:"tenant_claim"` // "" is none
	RolesClaim   string        `yaml:"roles_claim"`  // "" is none
	ScopeClaim   string        `yaml:"scope_claim"`  // "" is none
	DefaultRoles []string      `yaml:"default_roles"`
	Resource     string        `yaml:"resource"` // this server's address as clients see it; "" is what they send as Host
}

// Limits bound what one caller may do. This machine's user without a key has none.
type Limits struct {
	RequestsPerMinute int `yaml:"requests_per_minute"` // 0 is no limit
	Burst             int `yaml:"burst"`               // requests at once
	Runs              int `yaml:"runs"`                // runs at once; 0 is no limit but listen.max_runs
}

// AccessKey is a key that the settings give.
type AccessKey struct {
	Key     Secret   `yaml:"key"`     // the key itself; or
	Hash    string   `yaml:"hash"`    // sha256: and its hash in hex
	Owner   string   `yaml:"owner"`   // "" is the key's name
	Tenant  string   `yaml:"tenant"`  // "" is none
	Scopes  []string `yaml:"scopes"`  // as internal/access has them; none, and no role either, is chat and tools:*
	Roles   []string `yaml:"roles"`   // names of roles
	Expires string   `yaml:"expires"` // a date or RFC 3339; "" is never
}

// LLM is about the language model. An empty Provider means that there is none.
type LLM struct {
	Provider    string        `yaml:"provider"` // "", openai, anthropic
	BaseURL     string        `yaml:"base_url"`
	Model       string        `yaml:"model"`
	APIKey      Secret        `yaml:"api_key"`
	Timeout     time.Duration `yaml:"timeout"`
	MaxTokens   int           `yaml:"max_tokens"`
	Temperature float64       `yaml:"temperature"`

	TurnTokens   int           `yaml:"turn_tokens"`   // prompts and answers of one turn; 0 is no limit
	CallerTokens int           `yaml:"caller_tokens"` // of one caller in a day; 0 is no limit
	Fallback     LLMFallback   `yaml:"fallback"`
	HedgeAfter   time.Duration `yaml:"hedge_after"` // when the fallback is asked beside a slow model; 0 is never
}

// LLMFallback is a second model for when the first does not answer. An empty Provider means that there is none.
type LLMFallback struct {
	Provider string `yaml:"provider"` // "", openai, anthropic
	BaseURL  string `yaml:"base_url"`
	Model    string `yaml:"model"`
	APIKey   Secret `yaml:"api_key"`
}

// Planner is about planning.
type Planner struct {
	Corrections int           `yaml:"corrections"` // how often a model's plan goes back with its findings
	CacheTTL    time.Duration `yaml:"cache_ttl"`   // 0 turns the cache off
	MaxReplans  int           `yaml:"max_replans"` // how often what failed is planned anew in a turn
	EarlyStart  bool          `yaml:"early_start"` // steps that only read start while the plan is written
	Reader      string        `yaml:"reader"`      // which reader understands questions about tables without a model: old, new, both
	Risk        float64       `yaml:"risk"`        // of the new one: the share of wrong ones that is let pass among its answers
}

// Data is about the tables that are there from the start.
type Data struct {
	Sources []Source `yaml:"sources"`
	Demo    string   `yaml:"demo"` // auto, on, off
}

// DemoOn reports whether the bundled demo data are to be served.
func (d Data) DemoOn() bool { return d.Demo == "on" || d.Demo == "auto" && len(d.Sources) == 0 }

// Source is files, or a database (Kind). Path is a file, folder or glob, of any format that package table loads: CSV, TSV, JSON, JSON Lines, Excel,
// Parquet, Arrow, SQLite, Markdown, HTML, texts also packed by gzip or Zstandard. In YAML a plain string is its path.
type Source struct {
	Path  string `yaml:"path"`
	Trust string `yaml:"trust"` // "" or untrusted: no cell may reach a model; trusted: values of low-cardinality columns may

	Kind     string        `yaml:"kind"`     // "" is files; postgres, mysql, sqlite (Path is its file)
	Name     string        `yaml:"name"`     // what people call the database; "" is its Kind
	URL      Secret        `yaml:"url"`      // its address, which may hold a password
	Password Secret        `yaml:"password"` // in place of one in URL
	Schemas  []string      `yaml:"schemas"`  // whose tables are listed; none is all that the user may read
	Tables   []string      `yaml:"tables"`   // to list, also as schema.table; none is all
	MaxRows  int           `yaml:"max_rows"` // that one statement may bring; 0 is 1,000,000
	MaxMB    int           `yaml:"max_mb"`   // MiB that one statement may bring; 0 is 256
	Timeout  time.Duration `yaml:"timeout"`  // of one statement; 0 is 30 s
}

// databases are the sources that are no files.
func (d Data) databases() []Source {
	return slices.DeleteFunc(slices.Clone(d.Sources), func(s Source) bool { return s.Kind == "" })
}

// Trusted reports whether the values of columns with few of them may reach a model.
func (s Source) Trusted() bool { return s.Trust == "trusted" }

// UnmarshalYAML reads a path, or an object.
func (s *Source) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&s.Path)
	}
	type plain Source
	return n.Decode((*plain)(s))
}

// Store is about what outlives the process.
type Store struct {
	Dir          string        `yaml:"dir"`           // "" is the user's data folder; ":memory:" keeps nothing
	URL          string        `yaml:"url"`           // of a Redis for what processes share; "" keeps that in Dir too
	Password     Secret        `yaml:"password"`      // of URL's user
	KeepSessions time.Duration `yaml:"keep_sessions"` // after the last turn; 0 is for ever
	KeepRuns     time.Duration `yaml:"keep_runs"`     // logs of runs, after their end; 0 is as long as their session
	KeepTables   time.Duration `yaml:"keep_tables"`   // tables by handle, and answers too large for the log; 0 is 24 h
	RunsMB       int           `yaml:"runs_mb"`       // MiB of one owner's logs of runs; 0 is no bound
	TablesMB     int           `yaml:"tables_mb"`     // MiB of one owner's tables; 0 is 1024
	CacheMB      int           `yaml:"cache_mb"`      // MiB of what is cached; 0 is no bound
	Replicas     int           `yaml:"replicas"`      // processes that share URL; 0 is 1
}

// Executor is about running plans.
type Executor struct {
	Parallel int           `yaml:"parallel"` // steps of one plan at once
	Timeout  time.Duration `yaml:"timeout"`  // of one tool call
	// Untrusted says what becomes of a step in which what an untrusted source said would be a recipient, a URL, a path or SQL: stop
	// (also ""), ask or allow. UntrustedAllow are arguments that may take any value, as tool.argument with path.Match's wildcards.
	Untrusted      string   `yaml:"untrusted"`
	UntrustedAllow []string `yaml:"untrusted_allow"`
}

// Embeddings is about vectors for search by meaning. An empty Provider means that there are none.
type Embeddings struct {
	Provider string        `yaml:"provider"` // "", openai
	BaseURL  string        `yaml:"base_url"`
	Model    string        `yaml:"model"`
	APIKey   Secret        `yaml:"api_key"`
	Timeout  time.Duration `yaml:"timeout"` // of one batch with its retries
}

// Memory is about what people ask to be remembered.
type Memory struct {
	Enabled     bool   `yaml:"enabled"`
	Personality string `yaml:"personality"` // file; "" is the bundled one
	Variant     string `yaml:"variant"`     // of the personality; "" is its main text
}

// Persona is about personas and their relationships. An empty Neo4jURI means the embedded store.
type Persona struct {
	Enabled       bool   `yaml:"enabled"`
	Neo4jURI      string `yaml:"neo4j_uri"` // neo4j://, bolt:// and so on
	Neo4jUser     string `yaml:"neo4j_user"`
	Neo4jPassword Secret `yaml:"neo4j_password"`
	Neo4jDatabase string `yaml:"neo4j_database"` // "" is the user's own
}

// Code is about repositories.
type Code struct {
	Enabled       bool     `yaml:"enabled"`
	Roots         []string `yaml:"roots"`            // folders below which repositories may be indexed; the first is the usual one. None: see TakesKeys
	AutoIndex     bool     `yaml:"auto_index"`       // the first question about code indexes the first root
	Watch         bool     `yaml:"watch"`            // what changes is indexed anew in the background
	MaxFileKB     int      `yaml:"max_file_kb"`      // KiB; larger files are left out
	MaxRepoSizeMB int      `yaml:"max_repo_size_mb"` // MiB of all files together
}

// TakesKeys reports whether the settings let others in than this machine's user: an address that other machines reach, a proxy, a key or tokens.
// Where they do, no folder is indexed that is not named (Code.Roots).
func (c Config) TakesKeys() bool {
	a := c.Access
	if a.Key.value != "" || len(a.Keys) > 0 || a.OIDC.Issuer != "" || a.StdioKey.value != "" {
		return true
	}
	return a.Require == "always" || a.Require == "proxy" || !c.Listen.loopback()
}

// loopback reports whether only this machine reaches the address. A name of another form may be any.
func (l Listen) loopback() bool {
	host, _, err := net.SplitHostPort(l.Addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// MCP is about the MCP servers to use tools from, all of them.
type MCP struct {
	Files   []string `yaml:"files"`   // of other hosts: an mcp.json. Their servers are added to those of Config.MCPServers
	Approve string   `yaml:"approve"` // first (also ""), always
	// TokenKey is what the tokens for protected servers are encrypted with; "" is a key of its own in Store.Dir.
	TokenKey Secret `yaml:"token_key"`
}

// MCPServer is an MCP server to use tools from, in the shape of an mcp.json: a program that speaks MCP over stdio (Command), or an
// address (URL).
type MCPServer struct {
	Type     string                   `yaml:"type"` // stdio, http, sse; "" goes by Command and URL
	Command  string                   `yaml:"command"`
	Args     []string                 `yaml:"args"`
	Env      map[string]Secret        `yaml:"env"`
	Cwd      string                   `yaml:"cwd"`
	URL      string                   `yaml:"url"`
	Headers  map[string]Secret        `yaml:"headers"` // of each request to URL
	Disabled bool                     `yaml:"disabled"`
	Lazy     bool                     `yaml:"lazy"`      // started by the first call, once its tools are known
	Timeout  time.Duration            `yaml:"timeout"`   // of one call; 0 is Executor.Timeout
	Timeouts map[string]time.Duration `yaml:"timeouts"`  // of calls of single tools, by name or glob; the longest pattern that fits wins
	Allow    []string                 `yaml:"allow"`     // tool names or globs (path.Match); none means all
	Deny     []string                 `yaml:"deny"`      // wins over Allow
	ReadOnly bool                     `yaml:"read_only"` // only tools that say of themselves that they change nothing
	Parallel int                      `yaml:"parallel"`  // calls at a time; 0 is no bound
	Trust    string                   `yaml:"trust"`     // "" or untrusted: its results decide nothing; trusted: they may
	Sampling bool                     `yaml:"sampling"`  // the server may ask the model
	Protocol string                   `yaml:"protocol"`  // the only version of MCP to speak; "" agrees on one
	OAuth    OAuth                    `yaml:"oauth"`     // how to sign in to URL
	// MaxTimeout is of one call that reports progress: each report starts Timeout anew; 0 is 10 minutes.
	MaxTimeout time.Duration `yaml:"max_timeout"`
	// Annotations stand in place of what the server says of its tools, by name or glob; the longest pattern that fits wins.
	Annotations map[string]ToolHints `yaml:"annotations"`

	// Problem says why the server cannot be used as it is written. Load leaves such a one of another host's file in, so that people
	// see what became of it.
	Problem string `yaml:"-"`
}

// ToolHints is what a tool does. nil leaves what its server says.
type ToolHints struct {
	ReadOnly    *bool `yaml:"read_only" json:"read_only"`     // it changes nothing; true is not destructive and idempotent too, where those are nil
	Destructive *bool `yaml:"destructive" json:"destructive"` // it may delete or overwrite; true is not read_only too, where that is nil
	Idempotent  *bool `yaml:"idempotent" json:"idempotent"`   // called twice it does no more than called once
}

// OAuth is how to sign in to a protected MCP server. The zero value finds out everything, and asks a person.
type OAuth struct {
	ClientID          string   `yaml:"client_id"`           // of a client that the authorization server knows; "" registers one
	ClientSecret      Secret   `yaml:"client_secret"`       // its secret; "" is a public client
	PrivateKey        Secret   `yaml:"private_key"`         // PEM, in place of a secret (private_key_jwt)
	ClientMetadataURL string   `yaml:"client_metadata_url"` // https address of a client id metadata document
	Grant             string   `yaml:"grant"`               // "" or authorization_code: a person; client_credentials: none
	Scopes            []string `yaml:"scopes"`              // to ask for in place of those that the server names
	AllowedOrigins    []string `yaml:"allowed_origins"`     // beside URL's own, that its answers may name for metadata and tokens
	RedirectURL       string   `yaml:"redirect_url"`        // on this machine, where the browser brings the answer; "" is a free port
}

// Log is about logging.
type Log struct {
	Level  string `yaml:"level"`  // debug, info, warn, error
	Format string `yaml:"format"` // text, json
}

// Telemetry is about traces, figures and profiles of the program for who operates it.
type Telemetry struct {
	OTLPEndpoint      string  `yaml:"otlp_endpoint"` // an OpenTelemetry collector (OTLP over HTTP); "" is none
	OTLPAuthorization Secret  `yaml:"otlp_authorization"`
	Sample            float64 `yaml:"sample"` // share of traces that are kept
	Pprof             string  `yaml:"pprof"`  // loopback address that serves Go's profiles; "" is none
}
