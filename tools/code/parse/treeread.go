//go:build cgo

package parse

import (
	"strings"
)

// treeScope is a declaration whose node is open.
type treeScope struct {
	scope
	last int32
}

// treeReader takes a tree into a builder.
type treeReader struct {
	*tree
	remarks    remarks
	scopes     []treeScope
	halstead   halstead
	inSequence []bool // of each node: it is part of a sequence of logical operators
	root       int32  // the function that is measured
	known      map[string]bool
	exports    map[string]bool // named by export {...}
	plain      []Ref           // names that stand alone, to be kept if they are known
}

// read goes once over the tree.
func (r *treeReader) read() {
	r.inSequence = make([]bool, len(r.nodes))
	r.known, r.exports = make(map[string]bool), make(map[string]bool)
	r.scopes = []treeScope{{last: int32(len(r.nodes))}}
	for i := int32(0); i < int32(len(r.nodes)); {
		if i&0xFFF == 0 && r.ctx.Err() != nil {
			return
		}
		for len(r.scopes) > 1 && r.scopes[len(r.scopes)-1].last <= i {
			r.scopes = r.scopes[:len(r.scopes)-1]
		}
		i = r.node(i)
	}
	r.settle()
}

// node reads node i and says which is next.
func (r *treeReader) node(i int32) int32 {
	s := r.shape(i)
	if s.symbol != "" {
		r.declaration(i, s)
	}
	switch s.role {
	case roleComment:
		r.remarks.add(r.src, int(r.nodes[i].start), int(r.nodes[i].end))
		return r.nodes[i].last
	case roleImport:
		r.importNode(i)
		return r.nodes[i].last
	case roleCall:
		r.required(i)
	case roleIdentifier, roleType:
		r.reference(i, s)
	}
	if s.name == "export_statement" {
		return r.exportNode(i)
	}
	return i + 1
}

func (r *treeReader) in() treeScope { return r.scopes[len(r.scopes)-1] }

// settle keeps the plain names that the file imports or declares at its top, and marks what is exported by name.
func (r *treeReader) settle() {
	for i := range r.file.Symbols {
		s := &r.file.Symbols[i]
		if s.Container == "" {
			r.known[s.Name] = true
			s.Exported = s.Exported || r.exports[s.Name]
		}
	}
	for _, i := range r.file.Imports {
		r.known[i.Alias] = true
		for _, n := range i.Names {
			r.known[n] = true
		}
		if i.Alias == "" && i.Names == nil {
			r.known[r.localName(i.Path)] = true
		}
	}
	for _, ref := range r.plain {
		if r.known[ref.Name] {
			r.ref(ref)
		}
	}
}

// localName is the name that an import without one makes known.
func (r *treeReader) localName(path string) string {
	switch r.file.Language {
	case "python":
		path, _, _ = strings.Cut(path, ".")
		return path
	case "rust", "java":
		return path[strings.LastIndexAny(path, ".:")+1:]
	}
	return ""
}

// reference notes the name at node i, if it is a use of one.
func (r *treeReader) reference(i int32, s *shape) {
	name := r.text(i)
	p := r.nodes[i].parent
	if p < 0 || name == "" || builtins[r.file.Language][name] {
		return
	}
	ref := Ref{Name: name, Line: r.line(i)}
	parent := r.shape(p)
	field := r.field(i)
	switch {
	case field == "name" && (parent.symbol != "" || parent.name == "formal_parameter" || parent.name == "labeled_statement"):
		return
	case parent.role == roleMember && i > p+1: // a.name
		if q := p + 1; r.nodes[q].last == q+1 {
			ref.Qualifier = r.text(q)
		}
		g := r.nodes[p].parent
		ref.Call = g >= 0 && r.shape(g).role == roleCall && (r.field(p) == "function" || r.field(p) == "constructor" || r.field(p) == "macro" || r.field(p) == "type")
	case parent.name == "method_invocation" && field == "name":
		ref.Call = true
		if o := r.child(p, "object"); o >= 0 && r.nodes[o].last == o+1 {
			ref.Qualifier = r.text(o)
		}
	case parent.role == roleCall && (field == "function" || field == "constructor" || field == "macro" || field == "type"):
		ref.Call = true
	case len(name) > 1 && (s.role == roleType && field != "name" || name[0] >= 'A' && name[0] <= 'Z'):
	case s.name == "identifier" || s.name == "shorthand_property_identifier":
		if field == "left" && parent.name == "assignment" || parent.name == "keyword_argument" && field == "name" || len(r.plain) >= MaxRefs {
			return
		}
		r.plain = append(r.plain, ref)
		return
	default:
		return
	}
	r.ref(ref)
}

// start is the node that a declaration starts with: with export, decorators and attributes.
func (r *treeReader) start(i int32) int32 {
	for p := r.parent(i); p >= 0; p = r.parent(i) {
		switch r.kind(p) {
		case "export_statement", "decorated_definition", "ambient_declaration", "lexical_declaration", "variable_declaration", "expression_statement":
			if r.kind(p) == "expression_statement" && r.kind(i) != "assignment_expression" && r.kind(i) != "assignment" && r.kind(i) != "internal_module" {
				return i
			}
			i = p
			continue
		}
		break
	}
	for prev := r.nodes[i].prev; prev >= 0; prev = r.nodes[i].prev {
		if k := r.kind(prev); k != "attribute_item" && k != "decorator" {
			break
		}
		i = prev
	}
	return i
}

// nameOf is the text of a name, without quotes.
func (r *treeReader) nameOf(i int32) string { return strings.Trim(r.text(i), "'\"`") }
