package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/internal/config"
	"catena/server/mcp"
	"catena/tools"
	"catena/tools/declared"
	"catena/tools/source"
)

// declaration is a tool of the settings, or of a file that they name.
type declaration struct {
	declared.Definition
	file string // "" is the settings
}

// wrong says what is wrong with a declaration, as an error of the settings, or as why a tool of a file is left out.
func (d *declaration) wrong(err error) error {
	if d.file == "" {
		return fmt.Errorf("config: tools.%s%w", d.Name, err)
	}
	return &declared.Left{File: d.file, Tool: d.Name, Why: strings.TrimLeft(err.Error(), " .")}
}

// declarations are all tools of the settings and their files, each of which is right by itself. left says why some of
// files are left out; nothing is asked of a database or a server.
func declarations(cfg config.Config) (list []declaration, left []error, err error) {
	kinds := map[string]string{}
	for _, s := range cfg.Data.Databases() {
		kinds[strings.ToLower(s.Called())] = s.Kind
	}
	var errs []error
	for _, d := range definitions(cfg) {
		list = append(list, declaration{Definition: d})
		if err := d.Check(kinds); err != nil {
			for line := range strings.Lines(err.Error()) {
				errs = append(errs, fmt.Errorf("config: tools.%s%s", d.Name, strings.TrimSuffix(line, "\n")))
			}
		}
		if d.Name == mcp.ChatToolName {
			errs = append(errs, errors.New("config: tools."+d.Name+taken(d.Name)))
		}
	}
	for i, f := range cfg.ToolFiles {
		tools, without, err := toolsOf(f, kinds)
		if err != nil {
			errs = append(errs, fmt.Errorf("config: tool_files[%d]: %w", i, err))
		}
		left = append(left, without...)
		for _, d := range tools {
			list = append(list, declaration{d, f.File})
		}
	}
	return list, left, errors.Join(errs...)
}

// toolsOf reads a file of tools.
func toolsOf(f config.ToolFile, kinds map[string]string) (list []declared.Definition, left []error, err error) {
	content, err := config.ReadRegular(f.File, declared.MaxFile)
	if err != nil {
		return nil, nil, err
	}
	file := declared.File{
		Name: f.File, Data: content, Prefix: f.Prefix, Allow: f.Allow, Deny: f.Deny, ReadOnly: f.ReadOnly,
		Timeout: f.Timeout, Source: f.Source,
		BaseURL: f.BaseURL, Trusted: f.Trust == "trusted",
		Each: *request(config.HTTPRequest{Query: f.Query, Headers: f.Headers, AllowAddresses: f.AllowAddresses,
			MaxMB: f.MaxMB}),
		Credentials: revealed(f.Credentials),
	}
	return file.Tools(kinds)
}

// definitions are the tools that settings declare, in order of their names.
func definitions(cfg config.Config) []declared.Definition {
	var out []declared.Definition
	for _, name := range slices.Sorted(maps.Keys(cfg.Tools)) {
		t := cfg.Tools[name]
		d := declared.Definition{
			Name: name, Title: t.Title, Description: strings.TrimSpace(t.Description), Source: t.Source, SQL: t.SQL,
			Timeout: t.Timeout,
			Hints: declared.Hints{ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive,
				Idempotent: t.Annotations.Idempotent},
			Result:  declared.Mapping{Title: t.Result.Title, Rows: t.Result.Rows},
			Trusted: t.Trust == "trusted",
		}
		for _, c := range t.Result.Columns {
			d.Result.Columns = append(d.Result.Columns, declared.Column(c))
		}
		for _, p := range t.Parameters {
			d.Parameters = append(d.Parameters, parameter(p))
		}
		if t.HTTP.Declared() {
			d.HTTP = request(t.HTTP)
		}
		out = append(out, d)
	}
	return out
}

func parameter(p config.Parameter) declared.Parameter {
	out := declared.Parameter{
		Name: p.Name, Type: p.Type, Items: p.Items, Description: p.Description,
		Optional: p.Required != nil && !*p.Required,
		Default:  asJSON(p.Default), Minimum: p.Minimum, Maximum: p.Maximum, Pattern: p.Pattern,
	}
	for _, v := range p.Enum {
		out.Enum = append(out.Enum, asJSON(v))
	}
	return out
}

// asJSON is a value of YAML as JSON has it: days and instants are texts there.
func asJSON(v any) any {
	t, ok := v.(time.Time)
	switch {
	case !ok:
		return v
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

func request(h config.HTTPRequest) *declared.Request {
	return &declared.Request{
		Method: h.Method, URL: h.URL, Query: revealed(h.Query), Headers: revealed(h.Headers), Body: h.Body,
		Allow: h.AllowAddresses, MaxMB: h.MaxMB,
	}
}

// revealed are secrets in the open.
func revealed(all map[string]config.Secret) map[string]string {
	out := make(map[string]string, len(all))
	for name, s := range all {
		out[name] = s.Reveal()
	}
	return out
}

// checkDeclared says what is wrong with declared tools by themselves.
func checkDeclared(cfg config.Config) error {
	_, _, err := declarations(cfg)
	return err
}

func taken(name string) string {
	return fmt.Sprintf(" has the name of a built-in tool; take another, as my_%s", name)
}

// addDeclared offers the tools that the settings declare. What is wrong with one refuses the start, unless it is that
// its database is not there: then the tool is left out, as the database's tables are. What is wrong with a tool of a
// file leaves that tool out.
func (ts *toolkits) addDeclared(ctx context.Context) error {
	list, left, err := ts.makeDeclared(ctx, ts.Cfg, ts.databases.find)
	if err != nil {
		return UsageError(err)
	}
	ts.LoadErrs = append(ts.LoadErrs, left...)
	return ts.Registry.Register(list...)
}

// makeDeclared makes the declared tools. left says of those that are left out why.
func (ts *toolkits) makeDeclared(ctx context.Context, cfg config.Config, find declared.Databases) (
	list []tools.Tool, left []error, err error,
) {
	all, left, err := declarations(cfg)
	if err != nil {
		return nil, nil, err
	}
	var errs []error
	seen := map[string]bool{}
	for _, d := range all {
		t, err := ts.makeOne(ctx, &d.Definition, find, seen)
		switch {
		case err == nil:
			list = append(list, t)
		case away(err) && d.file == "":
			left = append(left, fmt.Errorf("the tool %s is left out: %w", d.Name, err))
		case d.file != "":
			left = append(left, d.wrong(err))
		default:
			errs = append(errs, d.wrong(err))
		}
	}
	return list, left, errors.Join(errs...)
}

// makeOne makes one tool; seen has the names of those before it.
func (ts *toolkits) makeOne(
	ctx context.Context, d *declared.Definition, find declared.Databases, seen map[string]bool,
) (tools.Tool, error) {
	if ts.builtIn(d.Name) {
		return tools.Tool{}, errors.New(taken(d.Name))
	}
	if seen[d.Name] {
		return tools.Tool{}, errors.New(" has the name of another tool of the settings; give the file a prefix")
	}
	seen[d.Name] = true
	within, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	return d.Make(within, find)
}

// builtIn reports whether a name is that of a tool that no settings declare.
func (ts *toolkits) builtIn(name string) bool {
	if name == mcp.ChatToolName {
		return true
	}
	have, ok := ts.Registry.Lookup(name)
	return ok && have.Def.Name == name && have.Toolset != declared.Toolset
}

// declaredNames are the names of the declared tools that are offered.
func (ts *toolkits) declaredNames() (names []string) {
	for _, t := range ts.Registry.List(Local) {
		if t.Toolset == declared.Toolset {
			names = append(names, t.Def.Name)
		}
	}
	return names
}

// away reports whether an error says that a database is not there, and nothing of the statement.
func away(err error) bool {
	var e *source.Error
	return errors.As(err, &e) && (e.Code == source.CodeUnavailable || e.Code == source.CodeTimeout)
}
