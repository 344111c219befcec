package config

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Tool declares a tool by its name: a statement over a database (SQL and Source), or a request over HTTP (HTTP).
// Package tools/declared says what is wrong with one.
type Tool struct {
	Title       string        `yaml:"title"`
	Description string        `yaml:"description"`
	Parameters  []Parameter   `yaml:"parameters"`
	Source      string        `yaml:"source"` // name of a database of data.sources
	SQL         string        `yaml:"sql"`    // one SELECT; parameters as :name
	HTTP        HTTPRequest   `yaml:"http"`
	Annotations ToolHints     `yaml:"annotations"`
	Timeout     time.Duration `yaml:"timeout"` // of one call; 0 is the source's, or 30 s
	Trust       string        `yaml:"trust"`   // "" or untrusted: what a request gives decides nothing; trusted: it may
	Result      ToolResult    `yaml:"result"`
}

// Parameter is an argument of a declared tool.
type Parameter struct {
	Name        string   `yaml:"name"`
	Type        string   `yaml:"type"`  // string (also ""), integer, number, boolean, date, datetime, array
	Items       string   `yaml:"items"` // of an array: string (also ""), integer, number, boolean
	Description string   `yaml:"description"`
	Required    *bool    `yaml:"required"` // nil is true, unless there is a default
	Default     any      `yaml:"default"`
	Enum        []any    `yaml:"enum"`
	Minimum     *float64 `yaml:"minimum"`
	Maximum     *float64 `yaml:"maximum"`
	Pattern     string   `yaml:"pattern"`
}

// HTTPRequest is the request of a declared tool; {name} is a parameter.
type HTTPRequest struct {
	Method         string            `yaml:"method"` // "" is GET
	URL            string            `yaml:"url"`
	Query          map[string]Secret `yaml:"query"`
	Headers        map[string]Secret `yaml:"headers"`
	Body           any               `yaml:"body"`            // sent as JSON
	AllowAddresses []string          `yaml:"allow_addresses"` // addresses and networks that are not the internet's
	MaxMB          int               `yaml:"max_mb"`          // MiB of an answer; 0 is 8
}

// Declared reports whether there is a request.
func (h HTTPRequest) Declared() bool { return !reflect.ValueOf(h).IsZero() }

// ToolResult is what of a result is shown.
type ToolResult struct {
	Title   string       `yaml:"title"`
	Rows    string       `yaml:"rows"` // JSON pointer
	Columns []ToolColumn `yaml:"columns"`
}

// ToolColumn is a column of a result.
type ToolColumn struct {
	Name        string `yaml:"name"`
	From        string `yaml:"from"` // "" is Name
	Title       string `yaml:"title"`
	Unit        string `yaml:"unit"`
	Description string `yaml:"description"`
}

// ToolFile is a file that describes tools: an OpenAPI 3 document, or a tools.yaml of MCP Toolbox. In YAML a plain
// string is its path.
type ToolFile struct {
	File           string            `yaml:"file"`
	Prefix         string            `yaml:"prefix"` // of the tools' names
	Allow          []string          `yaml:"allow"`  // names in the file, or globs (path.Match); none means all
	Deny           []string          `yaml:"deny"`   // wins over Allow
	ReadOnly       bool              `yaml:"read_only"`
	Source         string            `yaml:"source"`   // Toolbox: the database of all statements; "" goes by their sources' names
	BaseURL        string            `yaml:"base_url"` // OpenAPI: in place of the address in the document
	Query          map[string]Secret `yaml:"query"`
	Headers        map[string]Secret `yaml:"headers"`
	Credentials    map[string]Secret `yaml:"credentials"` // OpenAPI: by the names of the document's security schemes
	AllowAddresses []string          `yaml:"allow_addresses"`
	MaxMB          int               `yaml:"max_mb"`
	Timeout        time.Duration     `yaml:"timeout"`
	Trust          string            `yaml:"trust"` // "" or untrusted; trusted
}

// UnmarshalYAML reads a path, or an object.
func (f *ToolFile) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&f.File)
	}
	type plain ToolFile
	return n.Decode((*plain)(f))
}

// resolveTools fills in the variables and secrets of declared tools.
func (c *Config) resolveTools(ctx context.Context, vars map[string]string, note func(string, error)) {
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		t, at := c.Tools[name], "tools."+name+".http."
		h := &t.HTTP
		var err error
		h.URL, err = expand(h.URL, vars)
		note(at+"url", err)
		for part, all := range map[string]map[string]Secret{"query": h.Query, "headers": h.Headers} {
			for key, secret := range all {
				all[key], err = secret.resolve(ctx, vars)
				note(at+part+"."+key, err)
			}
		}
		c.Tools[name] = t
	}
	for i := range c.ToolFiles {
		f, at := &c.ToolFiles[i], fmt.Sprintf("tool_files[%d].", i)
		for key, text := range map[string]*string{"file": &f.File, "base_url": &f.BaseURL} {
			value, err := expand(*text, vars)
			note(at+key, err)
			*text = value
		}
		parts := map[string]map[string]Secret{"query": f.Query, "headers": f.Headers, "credentials": f.Credentials}
		for part, all := range parts {
			for key, secret := range all {
				value, err := secret.resolve(ctx, vars)
				note(at+part+"."+key, err)
				all[key] = value
			}
		}
	}
}

// checkTools checks what can be said of declared tools without what they reach.
func (c *Config) checkTools(v *checker) {
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		t, at := c.Tools[name], "tools."+name
		v.period(at+".timeout", t.Timeout, 0, time.Hour)
		v.oneOf(at+".trust", t.Trust, "", "untrusted", "trusted")
		v.that(t.Trust == "" || t.HTTP.Declared(), at+".trust",
			"is of requests; a statement's rows have the trust of their source")
	}
	for i, f := range c.ToolFiles {
		at := fmt.Sprintf("tool_files[%d]", i)
		v.that(f.File != "", at+".file", "is missing; name an OpenAPI 3 document, or a tools.yaml of MCP Toolbox")
		v.period(at+".timeout", f.Timeout, 0, time.Hour)
		v.oneOf(at+".trust", f.Trust, "", "untrusted", "trusted")
		v.globs(at+".allow", f.Allow)
		v.globs(at+".deny", f.Deny)
	}
	seen := map[string]bool{}
	for i, s := range c.Data.databases() {
		if len(c.Tools)+len(c.ToolFiles) == 0 {
			break
		}
		name := strings.ToLower(s.Called())
		v.that(!seen[name], fmt.Sprintf("data.sources[%d].name", i),
			"is %q, as another database is; tools find theirs by its name", s.Called())
		seen[name] = true
	}
}

// Called is what people call a database: its name, or its kind.
func (s Source) Called() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Kind
}

// Databases are the sources that are no files, in their order.
func (d Data) Databases() []Source { return d.databases() }
