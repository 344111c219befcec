//go:build cgo

package parse

import "strings"

// declaration adds what node i declares, if it does, and opens its scope.
func (r *treeReader) declaration(i int32, s *shape) {
	in := r.in()
	d := Symbol{Kind: s.symbol, Container: in.name, Name: r.nameOf(r.child(i, "name"))}
	function, public := int32(-1), false // the node to be measured; whether members are visible by default
	switch s.name {
	case "impl_item":
		r.push(i, scope{name: join(in.name, r.typeName(r.child(i, "type"))), class: true, public: r.child(i, "trait") >= 0, depth: in.depth})
		return
	case "mod_item":
		if r.child(i, "body") < 0 { // it brings a file in
			r.addImport(Import{Path: "self::" + d.Name, Line: r.line(i)})
			return
		}
	case "function_expression", "arrow_function":
		if !r.isValue(i) {
			r.anonymous(i, &d)
			return
		}
		return
	case "class":
		if r.kind(r.parent(i)) == "variable_declarator" || !s.named {
			return
		}
	case "variable_declarator", "field_definition", "public_field_definition", "assignment_expression":
		if function = r.assigned(i, s, &d); d.Name == "" {
			return
		}
	case "assignment":
		if r.kind(r.parent(i)) != "expression_statement" || r.kind(r.parent(r.parent(i))) != "module" || r.kind(r.child(i, "left")) != "identifier" {
			return
		}
		d.Name = r.text(r.child(i, "left"))
		if strings.ToUpper(d.Name) == d.Name {
			d.Kind = Constant
		}
	case "interface_declaration", "annotation_type_declaration", "trait_item":
		public = true
	default:
		if s.role == roleFunction {
			function = i
		}
	}
	if d.Kind == Function && in.class && d.Container == in.name {
		d.Kind = Method
	}
	if d.Kind == Method && !in.class && s.name == "method_definition" { // of an object
		r.push(i, scope{name: in.name, function: true, depth: in.depth + 1})
		return
	}
	if d.Name == "" {
		if d.Name = r.unnamed(i); d.Name == "" {
			return
		}
	}
	if in.function && d.Kind != Function && d.Kind != Class || in.class && (d.Kind == Constant || d.Kind == Variable) || in.depth > maxNested {
		return
	}
	r.add(i, function, d, in, public)
}

// maxNested bounds how deep functions within functions are declarations of their own: each is measured with all within it.
const maxNested = 10

// add completes a declaration: lines, comment, signature, measures.
func (r *treeReader) add(i, function int32, d Symbol, in treeScope, public bool) {
	from := r.start(i)
	d.Start = r.line(from)
	d.End = max(d.Start, r.src.line(max(int(r.nodes[i].end)-1, 0)))
	d.Signature = r.signature(i, from, function, d.Kind)
	d.Exported = d.Exported || r.exported(i, d, in)
	r.remarks.document(r.src, &d)
	if doc := r.docstring(i); doc != "" && d.Doc == "" {
		d.Doc = doc
	}
	if function >= 0 && r.child(function, "body") >= 0 {
		r.root = function
		d.Metrics = r.measure(function, d.Name)
		d.Metrics.Lines = d.End - d.Start + 1
		d.Metrics.Params = r.params(function)
	}
	if r.symbol(d) < 0 {
		return
	}
	inner := scope{name: join(d.Container, d.Name), depth: in.depth}
	switch d.Kind {
	case Class, Interface, Enum:
		inner.class, inner.public = true, public
	case Function, Method:
		inner.function, inner.depth = true, in.depth+1
	case Module:
	default:
		inner = scope{name: in.name, function: in.function, class: in.class, depth: in.depth}
	}
	r.push(i, inner)
}

func (r *treeReader) push(i int32, s scope) {
	r.scopes = append(r.scopes, treeScope{s, r.nodes[i].last})
}

// isValue says that a function is what a name is declared as: the declaration is that of the name.
func (r *treeReader) isValue(i int32) bool {
	p := r.parent(i)
	switch r.kind(p) {
	case "variable_declarator", "field_definition", "public_field_definition":
		return r.field(i) == "value" && !r.in().function
	case "assignment_expression":
		return r.field(i) == "right"
	}
	return false
}

// anonymous opens the scope of a function without a name, or adds one that is a file's default.
func (r *treeReader) anonymous(i int32, d *Symbol) {
	in := r.in()
	if r.kind(r.parent(i)) == "export_statement" {
		if d.Name == "" {
			d.Name = "default"
		}
		r.add(i, i, *d, in, false)
		return
	}
	r.push(i, scope{name: in.name, function: true, depth: in.depth})
}

// unnamed is what a declaration without a name is called: export default function () {}.
func (r *treeReader) unnamed(i int32) string {
	if r.kind(r.parent(i)) == "export_statement" {
		return "default"
	}
	return ""
}

// assigned reads a name that gets a value. It gives the function that the value is, -1 for any other.
func (r *treeReader) assigned(i int32, s *shape, d *Symbol) int32 {
	value := r.child(i, "value")
	switch s.name {
	case "assignment_expression":
		value = r.child(i, "right")
		if r.kind(r.parent(i)) != "expression_statement" || r.in().function {
			return -1
		}
		r.assignee(r.child(i, "left"), d)
	case "field_definition":
		d.Name = r.nameOf(r.child(i, "property"))
	case "variable_declarator":
		if k := r.kind(r.child(i, "name")); k != "identifier" {
			d.Name = ""
		}
		d.Kind = Variable
		if list := r.parent(i); r.text(list+1) == "const" {
			d.Kind = Constant
		}
	}
	isFunction := value >= 0 && r.shape(value).role == roleFunction
	switch {
	case isFunction && d.Kind != Method:
		d.Kind = Function
		if s.name == "assignment_expression" && d.Container != r.in().name {
			d.Kind = Method
		}
	case r.kind(value) == "class":
		d.Kind = Class
	case !isFunction && s.name != "variable_declarator":
		d.Name = ""
	}
	if !isFunction {
		return -1
	}
	return value
}

// assignee reads the left of exports.f = ..., F.prototype.g = ... and F.g = ...
func (r *treeReader) assignee(left int32, d *Symbol) {
	if r.shape(max(left, 0)).role != roleMember || left < 0 {
		return
	}
	parts := strings.Split(r.text(left), ".")
	d.Name = parts[len(parts)-1]
	for _, p := range parts[:len(parts)-1] {
		switch p {
		case "module", "exports", "window", "global", "globalThis":
			d.Exported = true
		case "prototype":
		default:
			d.Container, d.Exported = join(d.Container, p), true
		}
	}
	if strings.ContainsAny(r.text(left), "()[]{} \n'\"") || d.Name == "exports" {
		d.Name = ""
	}
}

// typeName is a type's name without its parameters and path.
func (r *treeReader) typeName(i int32) string {
	for i >= 0 {
		switch r.kind(i) {
		case "generic_type", "reference_type", "pointer_type":
			i = r.child(i, "type")
		case "scoped_type_identifier":
			i = r.child(i, "name")
		default:
			return clip(r.text(i), nameBytes)
		}
	}
	return ""
}

// signature is the text of a declaration up to its body or its value.
func (r *treeReader) signature(i, from, function int32, kind SymbolKind) string {
	start, end := r.nodes[r.bare(from)].start, r.nodes[i].end
	if r.nodes[i].start < start {
		start = r.nodes[i].start
	}
	body := r.child(i, "body")
	if function >= 0 && function != i {
		body = r.child(function, "body")
	}
	if body >= 0 {
		end = r.nodes[body].start
	}
	for c := range r.children(i) {
		if r.kind(c) != "decorator" {
			break
		}
		start = r.nodes[r.nodes[c].last].start
	}
	if r.kind(i) == "macro_definition" {
		end = r.nodes[r.child(i, "name")].end
	}
	if m := r.childOf(i, "modifiers"); m >= 0 { // Java's, without annotations
		start = r.nodes[m].end
		for c := range r.children(m) {
			if !r.shape(c).named {
				start = r.nodes[c].start
				break
			}
		}
	}
	text := r.src.text[start:max(start, end)]
	switch {
	case r.file.Language == "python" && body >= 0:
		head := i
		for c := range r.children(i) {
			if r.text(c) == ":" {
				break
			}
			head = c
		}
		text = r.src.text[start:max(start, r.nodes[head].end)]
	case function < 0 && (kind == Constant || kind == Variable || kind == Type):
		text, _, _ = strings.Cut(text, "\n")
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "=>"))
	return strings.TrimSuffix(oneLine(text, signatureBytes), ";")
}

// bare is the node that a declaration starts with after its decorators and attributes.
func (r *treeReader) bare(i int32) int32 {
	if r.kind(i) == "decorated_definition" {
		if d := r.child(i, "definition"); d >= 0 {
			return d
		}
	}
	for n := i; n >= 0 && n < int32(len(r.nodes)); n = r.nodes[n].last {
		if k := r.kind(n); k != "attribute_item" && k != "decorator" {
			return n
		}
	}
	return i
}

// params counts a function's parameters, without the object that it is called on.
func (r *treeReader) params(function int32) int {
	list := r.child(function, "parameters")
	if list < 0 {
		if r.child(function, "parameter") >= 0 {
			return 1
		}
		return 0
	}
	if r.nodes[list].last == list+1 && r.shape(list).named {
		return 1 // Java's x -> x
	}
	n := 0
	for c := range r.children(list) {
		s := r.shape(c)
		if !s.named || s.role == roleComment {
			continue
		}
		switch s.name {
		case "self_parameter", "receiver_parameter", "attribute_item", "keyword_separator", "positional_separator":
			continue
		}
		if r.file.Language == "python" && n == 0 && (r.text(c) == "self" || r.text(c) == "cls") {
			continue
		}
		n++
	}
	return n
}

// docstring is the string that a Python class or function starts with.
func (r *treeReader) docstring(i int32) string {
	if r.file.Language != "python" {
		return ""
	}
	body := r.child(i, "body")
	if body < 0 || body+2 >= int32(len(r.nodes)) {
		return ""
	}
	for c := range r.children(body) {
		if r.shape(c).role == roleComment {
			continue
		}
		if c+1 < r.nodes[c].last && r.kind(c+1) == "string" {
			return docstring(r.text(c + 1))
		}
		return ""
	}
	return ""
}

// exported says that a declaration is seen from outside.
func (r *treeReader) exported(i int32, d Symbol, in treeScope) bool {
	switch r.file.Language {
	case "python":
		return d.Name[0] != '_' || strings.HasSuffix(d.Name, "__")
	case "java":
		m := r.text(r.childOf(i, "modifiers"))
		return strings.Contains(m, "public") || strings.Contains(m, "protected") || in.public && !strings.Contains(m, "private")
	case "rust":
		return r.childOf(i, "visibility_modifier") >= 0 || in.public
	}
	if in.class {
		a := r.text(r.childOf(i, "accessibility_modifier"))
		return a != "private" && a != "protected" && d.Name[0] != '#'
	}
	for p := r.parent(i); p >= 0; p = r.parent(p) {
		switch r.kind(p) {
		case "export_statement":
			return true
		case "lexical_declaration", "variable_declaration", "ambient_declaration":
			continue
		}
		return false
	}
	return false
}
