package parse

import "go/ast"

// ident notes a name that stands alone, unless it is a local, a builtin or blank.
func (w *goWalk) ident(id *ast.Ident, call bool) {
	if id.Obj != nil {
		if w.g.tree.Scope.Lookup(id.Name) != id.Obj {
			return
		}
	} else if builtin(id.Name) || w.g.packages[id.Name] {
		return
	}
	w.g.ref(Ref{Name: id.Name, Line: w.g.line(id.NamePos), Call: call})
}

// selector notes a field, a method or what is taken from a package. What it is taken from is noted too, unless it is a package.
func (w *goWalk) selector(s *ast.SelectorExpr, call bool) {
	qualifier := ""
	if id, ok := s.X.(*ast.Ident); ok {
		qualifier = id.Name
		w.ident(id, false)
	} else {
		ast.Walk(w, s.X)
	}
	w.g.ref(Ref{Name: s.Sel.Name, Qualifier: qualifier, Line: w.g.line(s.Sel.NamePos), Call: call})
}

// field walks a parameter, a struct's field or an interface's method: its type, not its name.
func (w *goWalk) field(f *ast.Field) {
	if f.Type != nil {
		ast.Walk(w, f.Type)
	}
}

// spec walks a declaration of types, constants or variables without the names that it declares.
func (w *goWalk) spec(n ast.Node) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		if n.TypeParams != nil {
			ast.Walk(w, n.TypeParams)
		}
		ast.Walk(w, n.Type)
	case *ast.ValueSpec:
		if n.Type != nil {
			ast.Walk(w, n.Type)
		}
		for _, v := range n.Values {
			ast.Walk(w, v)
		}
	}
}

// builtin says that a name is predeclared (The Go Programming Language Specification, "Predeclared identifiers").
func builtin(name string) bool {
	switch name {
	case "_", "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
		"int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "true", "false", "iota", "nil",
		"append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print",
		"println", "real", "recover":
		return true
	}
	return false
}
