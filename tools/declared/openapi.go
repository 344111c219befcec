package declared

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// openAPI makes a request of each operation of a document (OpenAPI 3.0 and 3.1).
func (in *importer) openAPI(doc map[string]any) error {
	r := &resolver{root: doc}
	asks, err := in.securityOf(r, doc)
	if err != nil {
		return err
	}
	paths := objectOf(doc, "paths")
	if len(paths) == 0 {
		return errors.New("it has no paths")
	}
	for _, at := range slices.Sorted(maps.Keys(paths)) {
		item := r.object(paths[at])
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			op := r.object(item[strings.ToLower(method)])
			if op == nil || method == http.MethodHead {
				continue
			}
			own := operationName(op, method, at)
			if !in.wants(own) || in.ReadOnly && !methods[method].safe {
				continue
			}
			auth, why := asks.of(op)
			if why != "" {
				in.lacking(own, why)
				continue
			}
			r.left = resolverNodes
			d, why := in.operation(r, doc, auth, item, op, method, at)
			if why != "" {
				in.leave(own, "%s", why)
				continue
			}
			in.add(own, d)
		}
	}
	return nil
}

// operationName is what an operation is called, or its method and path.
func operationName(op map[string]any, method, at string) string {
	own := textOf(op, "operationId")
	if own == "" {
		own = strings.ToLower(method) + strings.NewReplacer("/", "_", "{", "by_", "}", "").Replace(at)
	}
	return usable(own)
}

// operation is one as a declaration, or why it cannot be one.
func (in *importer) operation(
	r *resolver, doc map[string]any, auth []Credential, item, op map[string]any, method, at string,
) (d Definition, why string) {
	d = Definition{
		Title:       strings.TrimSpace(textOf(op, "summary")),
		Description: strings.TrimSpace(textOf(op, "summary") + "\n" + textOf(op, "description")),
		HTTP: &Request{Method: method, Headers: maps.Clone(in.Each.Headers), Query: maps.Clone(in.Each.Query),
			Auth: auth, Allow: in.Each.Allow, MaxMB: in.Each.MaxMB},
	}
	if d.Description == "" {
		d.Description = method + " " + at
	}
	d.Description = d.Description[:min(len(d.Description), maxDescription)]
	b := &operationBuilder{d: &d, r: r, path: at}
	for _, list := range [][]any{listOf(op, "parameters"),
		listOf(item, "parameters")} { // those of the operation go before
		for _, p := range list {
			if why := b.parameter(r.object(p)); why != "" {
				return d, why
			}
		}
	}
	if why := b.body(r.object(op["requestBody"])); why != "" {
		return d, why
	}
	base, why := in.server(doc, item, op)
	d.HTTP.URL = strings.TrimRight(base, "/") + b.path
	return d, why
}

// server is where an operation is: the first that it names itself, or its path, or the document.
func (in *importer) server(levels ...map[string]any) (address, why string) {
	if in.BaseURL != "" {
		return in.BaseURL, ""
	}
	var named []any
	for _, level := range levels {
		if of := listOf(level, "servers"); len(of) > 0 {
			named = of
		}
	}
	if len(named) == 0 {
		return "", "the document names no server; write its address as base_url"
	}
	first, _ := named[0].(map[string]any)
	address = textOf(first, "url")
	for name, v := range objectOf(first, "variables") {
		value, _ := v.(map[string]any)
		address = strings.ReplaceAll(address, "{"+name+"}", textOf(value, "default"))
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return "", fmt.Sprintf("its server is %q; write the whole address as base_url", address)
	}
	return address, ""
}

// operationBuilder makes the parameters of an operation and puts them in their places.
type operationBuilder struct {
	d    *Definition
	r    *resolver
	path string
	seen []string // place and name of each
}

// ignoredHeaders are described otherwise, as the specification says.
var ignoredHeaders = []string{"Accept", "Content-Type", "Authorization"}

// parameter adds one; why says that the operation cannot be called.
func (b *operationBuilder) parameter(p map[string]any) (why string) {
	name, in := textOf(p, "name"), textOf(p, "in")
	if name == "" || slices.Contains(b.seen, in+" "+name) || b.given(name, in) {
		return ""
	}
	b.seen = append(b.seen, in+" "+name)
	required := p["required"] == true
	schema := b.r.schema(p["schema"])
	if in == "cookie" || p["schema"] == nil || schema["type"] == "object" {
		if required {
			return fmt.Sprintf("its parameter %s is in a cookie, has no schema, or is an object", name)
		}
		return ""
	}
	own := b.add(name, in, textOf(p, "description"), schema, required || in == "path")
	switch in {
	case "path":
		b.path = strings.ReplaceAll(b.path, "{"+name+"}", "{"+own+"}")
	case "query":
		b.put(&b.d.HTTP.Query, name, own)
		if p["explode"] == false {
			b.d.HTTP.Joined = append(b.d.HTTP.Joined, own)
		}
	case "header":
		b.put(&b.d.HTTP.Headers, name, own)
	}
	return ""
}

// given reports whether the settings, or the request itself, say what a parameter is.
func (b *operationBuilder) given(name, in string) bool {
	same := func(h string) bool { return strings.EqualFold(h, name) }
	for _, c := range b.d.HTTP.Auth {
		if c.In != in {
			continue
		}
		if c.Name == name || in == "header" && same(c.Name) {
			return true
		}
	}
	switch in {
	case "query":
		_, fixed := b.d.HTTP.Query[name]
		return fixed
	case "cookie":
		return hasHeader(b.d.HTTP.Headers, "Cookie")
	case "header":
		have := slices.AppendSeq(slices.Clone(ignoredHeaders), maps.Keys(b.d.HTTP.Headers))
		return slices.ContainsFunc(have, same)
	}
	return false
}

func (b *operationBuilder) put(where *map[string]string, name, own string) {
	if *where == nil {
		*where = map[string]string{}
	}
	(*where)[name] = "{" + own + "}"
}

// add adds a parameter under a name that no other has.
func (b *operationBuilder) add(name, in, description string, schema map[string]any, required bool) string {
	own := strings.ReplaceAll(usable(name), "-", "_")
	if own == "" || !parameterName.MatchString(own) {
		own = usable("p_" + own)
	}
	if b.d.parameter(own) != nil {
		own += "_" + in
	}
	if description != "" {
		schema = maps.Clone(schema)
		schema["description"] = description
	}
	b.d.Parameters = append(b.d.Parameters, Parameter{Name: own, Schema: schema, Optional: !required})
	return own
}

// body takes the members of a body that is an object, or the body as one parameter.
func (b *operationBuilder) body(body map[string]any) (why string) {
	if body == nil {
		return ""
	}
	required, _ := body["required"].(bool)
	content := objectOf(body, "content")
	var media map[string]any
	for _, kind := range slices.Sorted(maps.Keys(content)) {
		if base, _, _ := strings.Cut(kind, ";"); base == "application/json" || strings.HasSuffix(base,
			"+json") || base == "*/*" {
			media = objectOf(content, kind)
			break
		}
	}
	switch {
	case media == nil && required:
		return "its body is not JSON but " + strings.Join(slices.Sorted(maps.Keys(content)), ", ")
	case media == nil || !methods[b.d.HTTP.method()].body:
		return ""
	}
	schema := b.r.schema(media["schema"])
	props, _ := schema["properties"].(map[string]any)
	if len(props) == 0 || len(props)+len(b.d.Parameters) > maxParameters {
		own := b.add("body", "json", textOf(body, "description"), schema, required)
		b.d.HTTP.Body = "{" + own + "}"
		return ""
	}
	needed, _ := schema["required"].([]any)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		member, _ := props[name].(map[string]any)
		own := b.add(name, "body", "", member, required && slices.Contains(needed, any(name)))
		out[name] = "{" + own + "}"
	}
	b.d.HTTP.Body = out
	return ""
}
