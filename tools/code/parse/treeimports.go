//go:build cgo

package parse

import "strings"

// importNode reads an import, or the name of the package.
func (r *treeReader) importNode(i int32) {
	for n := i; n < r.nodes[i].last; n++ { // a list keeps what is taken, not what it is called here
		if r.field(n) == "alias" {
			r.known[r.text(n)] = true
		}
	}
	switch r.kind(i) {
	case "package_declaration":
		r.file.Package = squeeze(r.text(r.childOf(i, "scoped_identifier", "identifier")))
	case "import_declaration":
		path := squeeze(r.text(r.childOf(i, "scoped_identifier", "identifier")))
		if r.childOf(i, "asterisk") >= 0 {
			path += ".*"
		}
		r.addImport(Import{Path: path, Line: r.line(i)})
	case "use_declaration":
		r.use(r.child(i, "argument"), "", 0)
	case "extern_crate_declaration":
		r.addImport(Import{Path: r.text(r.child(i, "name")), Alias: r.text(r.child(i, "alias")), Line: r.line(i)})
	case "import_from_statement", "future_import_statement", "import_statement":
		if r.file.Language == "python" {
			r.importPython(i)
			return
		}
		r.importJS(i)
	}
}

// squeeze is a path without the white space in it.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// use reads a part of Rust's use declaration.
func (r *treeReader) use(i int32, prefix string, depth int) {
	if i < 0 || depth > maxScopes {
		return
	}
	switch r.kind(i) {
	case "scoped_use_list":
		if p := r.child(i, "path"); p >= 0 {
			prefix += squeeze(r.text(p)) + "::"
		}
		r.use(r.child(i, "list"), prefix, depth+1)
	case "use_list":
		for c := range r.children(i) {
			if r.shape(c).named && r.shape(c).role != roleComment {
				r.use(c, prefix, depth+1)
			}
		}
	case "use_as_clause":
		r.addImport(Import{Path: prefix + squeeze(r.text(r.child(i, "path"))), Alias: r.text(r.child(i, "alias")), Line: r.line(i)})
	default:
		r.addImport(Import{Path: prefix + squeeze(r.text(i)), Line: r.line(i)})
	}
}

// importPython reads import a.b as c, d and from a import b as c, d.
func (r *treeReader) importPython(i int32) {
	from := r.child(i, "module_name")
	im := Import{Line: r.line(i), Path: squeeze(r.text(from))}
	if r.kind(i) == "future_import_statement" {
		im.Path = "__future__"
	}
	names := 0
	for c := range r.children(i) {
		if r.field(c) != "name" {
			continue
		}
		name, alias := c, ""
		if r.kind(c) == "aliased_import" {
			name, alias = r.child(c, "name"), r.text(r.child(c, "alias"))
		}
		if im.Path == "" {
			r.addImport(Import{Path: squeeze(r.text(name)), Alias: alias, Line: im.Line})
			continue
		}
		im.Names = append(im.Names, r.text(name))
		names++
		im.Alias = alias
	}
	if im.Path == "" {
		return
	}
	if names > 1 {
		im.Alias = ""
	}
	r.addImport(im)
}

// importJS reads import ... from "x".
func (r *treeReader) importJS(i int32) {
	im := Import{Line: r.line(i), Path: unquoted(r.text(r.child(i, "source")))}
	if c := r.childOf(i, "import_require_clause"); c >= 0 {
		im.Path, im.Alias = unquoted(r.text(r.child(c, "source"))), r.text(r.childOf(c, "identifier"))
	}
	for c := range r.children(r.childOf(i, "import_clause")) {
		switch r.kind(c) {
		case "identifier":
			im.Alias = r.text(c)
		case "namespace_import":
			im.Alias = r.text(r.childOf(c, "identifier"))
		case "named_imports":
			im.Names = r.names(c)
		}
	}
	if im.Path != "" {
		r.addImport(im)
	}
}

// names are those of the specifiers in {a, b as c}.
func (r *treeReader) names(i int32) []string {
	var out []string
	for c := range r.children(i) {
		if n := r.child(c, "name"); n >= 0 {
			out = append(out, r.nameOf(n))
		}
	}
	return out
}

// exportNode reads export {a, b} and export ... from "x", and says which node is next.
func (r *treeReader) exportNode(i int32) int32 {
	clause := r.childOf(i, "export_clause")
	if s := r.child(i, "source"); s >= 0 {
		r.addImport(Import{Path: unquoted(r.text(s)), Names: r.names(clause), Line: r.line(i)})
		return r.nodes[i].last
	}
	for _, name := range r.names(clause) {
		r.exports[name] = true
	}
	if v := r.child(i, "value"); r.kind(v) == "identifier" {
		r.exports[r.text(v)] = true
	}
	return i + 1
}

// required notes require("x") and import("x"), wherever they stand, and Rust's mod x; by its node.
func (r *treeReader) required(i int32) {
	f := r.text(r.child(i, "function"))
	if f != "require" && f != "import" || r.file.Language != "javascript" && r.file.Language != "typescript" {
		return
	}
	args := r.child(i, "arguments")
	path := r.childOf(args, "string")
	if path < 0 {
		return
	}
	im := Import{Path: unquoted(r.text(path)), Line: r.line(i)}
	if p := r.parent(i); r.kind(p) == "variable_declarator" {
		name := r.child(p, "name")
		if r.kind(name) == "identifier" {
			im.Alias = r.text(name)
		}
		for c := range r.children(name) {
			switch r.kind(c) {
			case "shorthand_property_identifier_pattern":
				im.Names = append(im.Names, r.text(c))
			case "pair_pattern":
				im.Names = append(im.Names, r.nameOf(r.child(c, "key")))
			}
		}
	}
	r.addImport(im)
}
