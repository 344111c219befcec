package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// row is a line of surface.tsv.
type row struct {
	Kind    string // route, tool, prompt, resource, template
	Name    string
	Params  []param
	Toolset string
}

// param is one parameter: name*:type=default.
type param struct {
	Name, Type, Default string
	Required            bool
}

// parseRows reads the file, whose first line names the columns.
func parseRows(text string) ([]row, error) {
	var rows []row
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if n == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("surface.tsv: line %d has %d columns, not 4", n+1, len(cells))
		}
		r := row{Kind: cells[0], Name: cells[1], Toolset: cells[3]}
		if r.Kind != "route" { // what a route takes is told in words; probe knows them
			for field := range strings.FieldsSeq(cells[2]) {
				p, err := parseParam(field)
				if err != nil {
					return nil, fmt.Errorf("surface.tsv: line %d: %w", n+1, err)
				}
				r.Params = append(r.Params, p)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func parseParam(text string) (param, error) {
	name, typ, ok := strings.Cut(text, ":")
	if !ok || name == "" {
		return param{}, fmt.Errorf("%q is no parameter; it is written name:type=default", text)
	}
	var p param
	p.Name, p.Required = strings.CutSuffix(name, "*")
	p.Type, p.Default, _ = strings.Cut(typ, "=")
	return p, nil
}

// schema is as much of a JSON Schema as is compared.
type schema struct {
	Type       any               `json:"type"`
	AnyOf      []schema          `json:"anyOf"`
	OneOf      []schema          `json:"oneOf"`
	Default    json.RawMessage   `json:"default"`
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
}

// types lists the types that a schema takes; none means all.
func (s schema) types() []string {
	var out []string
	switch t := s.Type.(type) {
	case string:
		out = append(out, t)
	case []any:
		for _, x := range t {
			if name, ok := x.(string); ok {
				out = append(out, name)
			}
		}
	}
	for _, alt := range slices.Concat(s.AnyOf, s.OneOf) {
		out = append(out, alt.types()...)
	}
	return out
}

// compare says how a tool's input schema differs from what the row names. A tool may take more, but require no more.
func compare(params []param, in schema) []string {
	var faults []string
	for _, p := range params {
		prop, ok := in.Properties[p.Name]
		if !ok {
			faults = append(faults, "parameter "+p.Name+" is missing")
			continue
		}
		if types := prop.types(); !fits(p.Type, types) {
			faults = append(faults, fmt.Sprintf("%s takes %v, not %s", p.Name, types, p.Type))
		}
		if p.Required != slices.Contains(in.Required, p.Name) {
			faults = append(faults, fmt.Sprintf("%s: required should be %v", p.Name, p.Required))
		}
		if p.Default != "" && plain(prop.Default) != p.Default {
			faults = append(faults, fmt.Sprintf("%s: the default is %q, not %q", p.Name, plain(prop.Default), p.Default))
		}
	}
	for _, name := range in.Required {
		if !slices.ContainsFunc(params, func(p param) bool { return p.Name == name }) {
			faults = append(faults, name+" is required and should not be there")
		}
	}
	return faults
}

// fits reports whether a schema's types serve a parameter of a type. A table is a handle, a text or an object or list of
// records, so a schema for it takes at least strings.
func fits(want string, types []string) bool {
	if len(types) == 0 {
		return true
	}
	if want == "table" {
		return slices.Contains(types, "string")
	}
	return slices.Contains(types, want)
}

// plain writes a default as surface.tsv does: texts without quotes.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
