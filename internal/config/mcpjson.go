package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// addFiles adds the servers of other hosts' files, and to named the variables that they refer to. A name that is there already stays as it is. What is wrong with one server leaves
// out that server alone, with a warning; a file that is not JSON is an error.
func (c *Config) addFiles(ctx context.Context, vars map[string]string, named references) error {
	var errs []error
	for i, name := range c.MCP.Files {
		name, err := expand(name, vars)
		if err != nil {
			errs = append(errs, fmt.Errorf("config: mcp.files: %w", err))
			continue
		}
		c.MCP.Files[i] = name
		data, err := readFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the file %s of mcp.files is not there; its servers come when it does", name))
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		named.in(string(data))
		if err := c.addFile(ctx, name, data, vars); err != nil {
			errs = append(errs, fmt.Errorf("config: %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// addFile adds the servers of one file: those under mcpServers, or under servers as some hosts have it.
func (c *Config) addFile(ctx context.Context, file string, data []byte, vars map[string]string) error {
	var doc struct {
		MCPServers map[string]json.RawMessage `json:"mcpServers"`
		Servers    map[string]json.RawMessage `json:"servers"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return wrongJSON(data, err)
	}
	if doc.MCPServers == nil {
		doc.MCPServers = doc.Servers
	}
	if doc.MCPServers == nil {
		return errors.New(`it has no "mcpServers"`)
	}
	if c.MCPServers == nil {
		c.MCPServers = map[string]MCPServer{}
	}
	for _, own := range slices.Sorted(maps.Keys(doc.MCPServers)) {
		name := usableName(own)
		if name != own {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: the server %q is called %q here", file, own, name))
		}
		if _, taken := c.MCPServers[name]; taken {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: the server %q is configured elsewhere too; that one counts", file, name))
			continue
		}
		server, unused, err := foreignServer(doc.MCPServers[own])
		if len(unused) > 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %s of the server %q is not used here", file, strings.Join(unused, ", "), own))
		}
		if err == nil && !server.Disabled {
			err = server.settle(ctx, name, vars)
		}
		if err != nil {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: the server %q is left out: %v", file, own, err))
			server = MCPServer{Problem: fmt.Sprintf("It is left out, as %s has it: %v.", file, err)}
		}
		c.MCPServers[name] = server
	}
	return nil
}

// wrongJSON says where a text is not JSON.
func wrongJSON(data []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := min(int(syntax.Offset), len(data))
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:at], []byte{'\n'}), err)
	}
	return err
}

// settle fills in a server's variables and checks it.
func (m *MCPServer) settle(ctx context.Context, name string, vars map[string]string) error {
	if err := m.fill(ctx, vars); err != nil {
		return err
	}
	v := &checker{}
	m.check(v, name)
	return errors.Join(v.errs...)
}

var unusable = regexp.MustCompile(`[^A-Za-z0-9_-]+|_{2,}`)

// usableName is a name of another host in the characters that tools' names may have.
func usableName(name string) string {
	const longest = 32
	name = strings.TrimLeft(unusable.ReplaceAllString(name, "-"), "_-")
	name = strings.TrimRight(name[:min(len(name), longest)], "_-")
	if name == "" {
		return "server"
	}
	return name
}

// foreign is a server as one of the hosts writes it that have a JSON file for them: Claude, Cursor, VS Code, Windsurf, Cline, Gemini.
type foreign struct {
	Type          string                     `json:"type"`
	Transport     string                     `json:"transport"`
	TransportType string                     `json:"transportType"`
	Command       string                     `json:"command"`
	Args          []string                   `json:"args"`
	Env           map[string]any             `json:"env"`
	Cwd           string                     `json:"cwd"`
	URL           string                     `json:"url"`
	ServerURL     string                     `json:"serverUrl"`
	HTTPURL       string                     `json:"httpUrl"`
	Headers       map[string]any             `json:"headers"`
	Disabled      bool                       `json:"disabled"`
	Enabled       *bool                      `json:"enabled"`
	Timeout       json.RawMessage            `json:"timeout"`
	Timeouts      map[string]json.RawMessage `json:"timeouts"`
	MaxTimeout    json.RawMessage            `json:"max_timeout"`
	Allow         []string                   `json:"allow"`
	IncludeTools  []string                   `json:"includeTools"`
	Deny          []string                   `json:"deny"`
	ExcludeTools  []string                   `json:"excludeTools"`
	DisabledTools []string                   `json:"disabledTools"`
	Lazy          bool                       `json:"lazy"`
	ReadOnly      bool                       `json:"read_only"`
	ReadOnlyToo   bool                       `json:"readOnly"`
	Parallel      int                        `json:"parallel"`
	Annotations   map[string]ToolHints       `json:"annotations"`
}

// silent are keys that need no word: they are for people.
var silent = []string{"description", "name", "$schema"}

// jsonKeys are the keys of foreign.
var jsonKeys = func() map[string]bool {
	keys := map[string]bool{}
	for f := range reflect.TypeFor[foreign]().Fields() {
		keys[f.Tag.Get("json")] = true
	}
	return keys
}()

// foreignServer reads a server of another host's file, and names the keys that mean nothing here.
func foreignServer(raw json.RawMessage) (m MCPServer, unused []string, err error) {
	var f foreign
	if err := json.Unmarshal(raw, &f); err != nil {
		return m, nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return m, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(silent, key) && !jsonKeys[key] {
			unused = append(unused, key)
		}
	}
	m = MCPServer{
		Command: f.Command, Args: f.Args, Cwd: f.Cwd, URL: first(f.URL, f.HTTPURL, f.ServerURL),
		Disabled: f.Disabled || f.Enabled != nil && !*f.Enabled, Lazy: f.Lazy, ReadOnly: f.ReadOnly || f.ReadOnlyToo, Parallel: f.Parallel,
		Allow: slices.Concat(f.Allow, f.IncludeTools), Deny: slices.Concat(f.Deny, f.ExcludeTools, f.DisabledTools),
		Env: texts(f.Env), Headers: texts(f.Headers), Annotations: f.Annotations,
	}
	if m.Type, err = transportOf(first(f.Type, f.Transport, f.TransportType)); err != nil {
		return m, unused, err
	}
	if m.Timeout, err = period(f.Timeout); err != nil {
		return m, unused, err
	}
	if m.MaxTimeout, err = period(f.MaxTimeout); err != nil {
		return m, unused, err
	}
	for tool, raw := range f.Timeouts {
		if m.Timeouts == nil {
			m.Timeouts = map[string]time.Duration{}
		}
		if m.Timeouts[tool], err = period(raw); err != nil {
			return m, unused, err
		}
	}
	return m, unused, nil
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// texts are values as texts: some write numbers.
func texts(all map[string]any) map[string]Secret {
	if len(all) == 0 {
		return nil
	}
	out := map[string]Secret{}
	for name, v := range all {
		out[name] = Secret{value: fmt.Sprint(v)}
	}
	return out
}

// transportOf is how hosts call the transports.
func transportOf(name string) (string, error) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name)) {
	case "":
		return "", nil
	case "stdio", "local":
		return "stdio", nil
	case "http", "streamablehttp", "remote":
		return "http", nil
	case "sse":
		return "sse", nil
	}
	return "", fmt.Errorf("type is %q; it is one of stdio, http, sse", name)
}

// period reads how long something may take: a text such as 30s, or a number, which is seconds, and from 1000 on milliseconds: some
// hosts write the one and some the other.
func period(raw json.RawMessage) (time.Duration, error) {
	text := strings.Trim(string(raw), `"`)
	if text == "" || text == "null" {
		return 0, nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n <= 1e8 {
		if n >= 1000 {
			return time.Duration(n * float64(time.Millisecond)), nil
		}
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("timeout is %q; write 30s, or a number of seconds", text)
	}
	return d, nil
}
