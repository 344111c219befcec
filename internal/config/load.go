package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// Load reads the settings. defaults is the built-in config.yaml; file is the user's, "" for none; env has entries as
// os.Environ gives them; flags holds values by key ("listen.addr"), several for lists, of which the last counts elsewhere.
// The context ends the programs that print secrets. Later ones win; lists are replaced, mcpServers are added to. The result is valid; errors name the file and line, the
// variable or the flag, and join all that is wrong. The servers of mcp.files are added, and what is wrong with one of them is a warning,
// as is a variable or a secret of any server that cannot be had: that server is left out.
func Load(ctx context.Context, defaults []byte, file string, env []string, flags map[string][]string) (Config, error) {
	var c Config
	if err := c.merge("the built-in config.yaml", defaults); err != nil {
		return Config{}, err
	}
	builtIn, named := c, references{}
	if file != "" {
		data, err := readFile(file)
		if err != nil {
			return Config{}, err
		}
		named.in(string(data))
		if err := c.merge(file, data); err != nil {
			return Config{}, err
		}
	}
	c.File = file
	vars := environment(env)
	databases := c.Data.databases()
	strange, err := c.fromEnv(vars)
	err = errors.Join(err, c.fromFlags(flags))
	if len(c.Data.databases()) == 0 { // variables and flags name files
		c.Data.Sources = append(c.Data.Sources, databases...)
	}
	if err != nil {
		return Config{}, err
	}
	c.note(builtIn, vars, flags)
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		named.in(vars[name])
	}
	for _, values := range flags {
		named.in(values...)
	}
	if err := c.resolve(ctx, vars); err != nil {
		return Config{}, errors.Join(err, named.check(strange), c.Validate())
	}
	if err := errors.Join(c.addFiles(ctx, vars, named), named.check(strange), c.Validate()); err != nil {
		return Config{}, err
	}
	return c, nil
}

func readFile(name string) ([]byte, error) {
	data, err := ReadRegular(name, maxFile)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return data, nil
}

// merge reads one YAML document over what c holds.
func (c *Config) merge(source string, data []byte) error {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil // an empty file changes nothing
	} else if err != nil {
		return locate(source, err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("config: %s holds more than one document; keep one", source)
	}
	root := doc.Content[0]
	if err := checkKeys(source, root); err != nil {
		return err
	}
	if err := root.Decode(c); err != nil {
		return locate(source, err)
	}
	return nil
}

// locate writes the lines that the YAML library names as file:line.
func locate(source string, err error) error {
	var many *yaml.TypeError
	if !errors.As(err, &many) {
		text := strings.TrimPrefix(err.Error(), "yaml: ")
		if line, ok := strings.CutPrefix(text, "line "); ok {
			return fmt.Errorf("config: %s:%s", source, line)
		}
		return fmt.Errorf("config: %s: %s", source, text)
	}
	var errs []error
	for _, text := range many.Errors {
		errs = append(errs, fmt.Errorf("config: %s:%s", source, strings.TrimPrefix(text, "line ")))
	}
	return errors.Join(errs...)
}

func environment(env []string) map[string]string {
	vars := make(map[string]string, len(env))
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		vars[name] = value
	}
	return vars
}

// fromEnv takes the CATENA_ variables, and returns those that are no settings.
func (c *Config) fromEnv(vars map[string]string) (strange []string, err error) {
	byName := map[string]Key{}
	for _, k := range Keys() {
		byName[k.Env] = k
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if !strings.HasPrefix(name, "CATENA_") || name == "CATENA_CONFIG" {
			continue
		}
		k, ok := byName[name]
		if base, isFile := strings.CutSuffix(name, "_FILE"); isFile && byName[base].secret {
			if vars[base] != "" && vars[name] != "" {
				errs = append(errs, fmt.Errorf("config: the environment variables %s and %s are both set; keep one", base, name))
				continue
			}
			if k, ok = byName[base], true; vars[name] != "" {
				vars[name] = "file:" + vars[name]
			}
		}
		if !ok {
			if !invented(name, vars[name]) {
				strange = append(strange, name)
			}
			continue
		}
		var values []string
		if vars[name] != "" {
			values = strings.Split(vars[name], ",")
		}
		if !k.List {
			values = []string{vars[name]}
		}
		if err := c.set(k, values); err != nil {
			errs = append(errs, fmt.Errorf("config: the environment variable %s: %w", name, err))
		}
	}
	return strange, errors.Join(errs...)
}

func (c *Config) fromFlags(flags map[string][]string) error {
	byPath := map[string]Key{}
	for _, k := range Keys() {
		byPath[k.Path] = k
	}
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(flags)) {
		k, ok := byPath[path]
		if !ok {
			errs = append(errs, fmt.Errorf("config: there is no key %s%s", path, didYouMean(path, slices.Sorted(maps.Keys(byPath)))))
			continue
		}
		if err := c.set(k, flags[path]); err != nil {
			errs = append(errs, fmt.Errorf("config: the flag for %s: %w", path, err))
		}
	}
	return errors.Join(errs...)
}

// resolve fills in secrets and variables, and the provider's own variables where the settings leave them open.
func (c *Config) resolve(ctx context.Context, vars map[string]string) error {
	var errs []error
	note := func(path string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("config: %s: %w", path, err))
		}
	}
	c.usualVariables(vars)
	var err error
	c.Access.resolve(ctx, vars, note)
	c.MCP.TokenKey, err = c.MCP.TokenKey.resolve(ctx, vars)
	note("mcp.token_key", err)
	c.LLM.APIKey, err = c.LLM.APIKey.resolve(ctx, vars)
	note("llm.api_key", err)
	c.LLM.Fallback.APIKey, err = c.LLM.Fallback.APIKey.resolve(ctx, vars)
	note("llm.fallback.api_key", err)
	c.Embeddings.APIKey, err = c.Embeddings.APIKey.resolve(ctx, vars)
	note("embeddings.api_key", err)
	c.Store.Password, err = c.Store.Password.resolve(ctx, vars)
	note("store.password", err)
	for i := range c.Data.Sources {
		s, at := &c.Data.Sources[i], fmt.Sprintf("data.sources[%d].", i)
		s.URL, err = s.URL.resolve(ctx, vars)
		note(at+"url", err)
		s.Password, err = s.Password.resolve(ctx, vars)
		note(at+"password", err)
	}
	c.resolveTools(ctx, vars, note)
	c.Persona.Neo4jPassword, err = c.Persona.Neo4jPassword.resolve(ctx, vars)
	note("persona.neo4j_password", err)
	c.Telemetry.OTLPAuthorization, err = c.Telemetry.OTLPAuthorization.resolve(ctx, vars)
	note("telemetry.otlp_authorization", err)
	for _, name := range slices.Sorted(maps.Keys(c.MCPServers)) {
		server := c.MCPServers[name]
		if !server.Disabled { // one that is switched off may want variables that are not there
			if err := server.fill(ctx, vars); err != nil {
				// Other servers, and the start, do not wait for a secret of this one.
				c.Warnings = append(c.Warnings, fmt.Sprintf("mcpServers.%s is left out: %v", name, err))
				server.Problem = fmt.Sprintf("It is left out: %v.", err)
			}
		}
		c.MCPServers[name] = server
	}
	return errors.Join(errs...)
}

// fill is resolve with all that went wrong in one error.
func (m *MCPServer) fill(ctx context.Context, vars map[string]string) error {
	var errs []error
	m.resolve(ctx, vars, func(key string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", key, err))
		}
	})
	return errors.Join(errs...)
}

// resolve fills in the variables and secrets of a server.
func (m *MCPServer) resolve(ctx context.Context, vars map[string]string, note func(string, error)) {
	text := func(key string, p *string) {
		value, err := expand(*p, vars)
		note(key, err)
		*p = value
	}
	text("command", &m.Command)
	text("cwd", &m.Cwd)
	text("url", &m.URL)
	for i := range m.Args {
		text(fmt.Sprintf("args[%d]", i), &m.Args[i])
	}
	secrets := func(key string, all map[string]Secret) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			value, err := all[name].resolve(ctx, vars)
			note(key+"."+name, err)
			all[name] = value
		}
	}
	secrets("env", m.Env)
	secrets("headers", m.Headers)
	text("oauth.client_id", &m.OAuth.ClientID)
	for key, secret := range map[string]*Secret{"oauth.client_secret": &m.OAuth.ClientSecret, "oauth.private_key": &m.OAuth.PrivateKey} {
		value, err := secret.resolve(ctx, vars)
		note(key, err)
		*secret = value
	}
}

func (a *Access) resolve(ctx context.Context, vars map[string]string, note func(string, error)) {
	var err error
	a.Key, err = a.Key.resolve(ctx, vars)
	note("access.key", err)
	a.StdioKey, err = a.StdioKey.resolve(ctx, vars)
	note("access.stdio_key", err)
	a.Signing, err = a.Signing.resolve(ctx, vars)
	note("access.signing_key", err)
	for _, name := range slices.Sorted(maps.Keys(a.Keys)) {
		key := a.Keys[name]
		key.Key, err = key.Key.resolve(ctx, vars)
		note("access.keys."+name+".key", err)
		a.Keys[name] = key
	}
}

// usualVariables takes the key and address that belong to the chosen provider. A key alone chooses no provider: nothing is
// sent anywhere that nobody asked for.
func (c *Config) usualVariables(vars map[string]string) {
	keys := map[string]string{"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
	if key := keys[c.LLM.Provider]; key != "" && c.LLM.APIKey.value == "" {
		c.LLM.APIKey.value = vars[key]
	}
	if f := &c.LLM.Fallback; keys[f.Provider] != "" && f.APIKey.value == "" && f.BaseURL == "" { // never a provider's key to another address
		f.APIKey.value = vars[keys[f.Provider]]
	}
	if c.LLM.Provider == "openai" && c.LLM.BaseURL == "" {
		c.LLM.BaseURL = vars["OPENAI_BASE_URL"]
	}
	c.Embeddings.usualVariables(vars)
	c.Persona.usualVariables(vars)
	if c.LLM.Provider != "" {
		return
	}
	for _, p := range [][2]string{{"OPENAI_API_KEY", "openai"}, {"ANTHROPIC_API_KEY", "anthropic"}} {
		if vars[p[0]] != "" {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s is set, but planning stays offline: CATENA_LLM_PROVIDER=%s and CATENA_LLM_MODEL switch a model on", p[0], p[1]))
		}
	}
}

func (e *Embeddings) usualVariables(vars map[string]string) {
	if e.Provider != "openai" {
		return
	}
	if e.APIKey.value == "" && e.BaseURL == "" {
		e.APIKey.value = vars["OPENAI_API_KEY"]
	}
	if e.BaseURL == "" {
		e.BaseURL = vars["OPENAI_BASE_URL"]
	}
}

// usualVariables takes the variables that Neo4j's own programs know. They come as a set: an address from one place and a
// password from another would send the password to the wrong server.
func (p *Persona) usualVariables(vars map[string]string) {
	if p.Neo4jURI != "" || vars["NEO4J_URI"] == "" {
		return
	}
	p.Neo4jURI, p.Neo4jUser, p.Neo4jPassword.value = vars["NEO4J_URI"], vars["NEO4J_USER"], vars["NEO4J_PASSWORD"]
	if p.Neo4jUser == "" {
		p.Neo4jUser = vars["NEO4J_USERNAME"]
	}
	if p.Neo4jDatabase == "" {
		p.Neo4jDatabase = vars["NEO4J_DATABASE"]
	}
}
