package parse

import (
	"go/ast"
	"go/token"
)

// goWalk goes once over a Go declaration. It gathers the references, and for functions the cyclomatic complexity as gocyclo counts
// it, the cognitive complexity as gocognit.Complexity does for a single function (direct recursion only), and the deepest
// nesting of control flow, function literals not counting as such.
type goWalk struct {
	g          *goReader
	fn         *ast.FuncDecl
	cyclomatic int
	cognitive  int
	nesting    int // as cognitive complexity has it
	flow       int // control structures around
	deepest    int
	recursive  bool
}

// function measures a function and gathers its references.
func (w *goWalk) function(d *ast.FuncDecl) {
	*w = goWalk{g: w.g, fn: d, cyclomatic: 1}
	if d.Recv != nil && len(d.Recv.List) > 0 { // not its type parameters, which are declared there
		if id := receiverType(d.Recv.List[0].Type); id != nil {
			w.ident(id, false)
		}
	}
	ast.Walk(w, d.Type)
	w.recursive = false // a call of itself in its own type is none
	if d.Body != nil {
		ast.Walk(w, d.Body)
	}
	if w.recursive {
		w.cognitive++
	}
}

// refs gathers the references of another declaration.
func (w *goWalk) refs(n ast.Node) {
	*w = goWalk{g: w.g}
	ast.Walk(w, n)
}

// Visit handles what counts itself and leaves the rest to ast.Walk.
func (w *goWalk) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case nil, *ast.CommentGroup, *ast.BasicLit:
		return nil
	case *ast.Ident:
		w.ident(n, false)
		return nil
	case *ast.SelectorExpr:
		w.selector(n, false)
		return nil
	case *ast.CallExpr:
		return w.call(n)
	case *ast.BinaryExpr:
		return w.binary(n)
	case *ast.FuncLit:
		ast.Walk(w, n.Type)
		w.nested(n.Body, false)
		return nil
	case *ast.BranchStmt:
		if n.Label != nil {
			w.cognitive++
		}
		return nil // labels are no references
	case *ast.LabeledStmt:
		ast.Walk(w, n.Stmt)
		return nil
	case *ast.Field:
		w.field(n)
		return nil
	case *ast.TypeSpec, *ast.ValueSpec:
		w.spec(n)
		return nil
	}
	return w.control(n)
}

// control handles the statements that steer.
func (w *goWalk) control(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.IfStmt:
		w.ifStmt(n, false)
	case *ast.ForStmt:
		w.branch()
		w.parts(n.Init, n.Cond, n.Post)
		w.nested(n.Body, true)
	case *ast.RangeStmt:
		w.branch()
		w.parts(n.Key, n.Value, n.X)
		w.nested(n.Body, true)
	case *ast.SwitchStmt:
		w.cognitive += w.nesting + 1
		w.parts(n.Init, n.Tag)
		w.nested(n.Body, true)
	case *ast.TypeSwitchStmt:
		w.cognitive += w.nesting + 1
		w.parts(n.Init, n.Assign)
		w.nested(n.Body, true)
	case *ast.SelectStmt:
		w.cognitive += w.nesting + 1
		w.nested(n.Body, true)
	case *ast.CaseClause:
		if n.List != nil {
			w.cyclomatic++
		}
		return w
	case *ast.CommClause:
		if n.Comm != nil {
			w.cyclomatic++
		}
		return w
	default:
		return w
	}
	return nil
}

func (w *goWalk) branch() {
	w.cyclomatic++
	w.cognitive += w.nesting + 1
}

// parts walks the nodes that are there.
func (w *goWalk) parts(nodes ...ast.Node) {
	for _, n := range nodes {
		if n != nil {
			ast.Walk(w, n)
		}
	}
}

func (w *goWalk) nested(body *ast.BlockStmt, flow bool) {
	w.nesting++
	if flow {
		w.flow++
		w.deepest = max(w.deepest, w.flow)
	}
	ast.Walk(w, body)
	if flow {
		w.flow--
	}
	w.nesting--
}

// ifStmt counts a chain of if and else if: only the first pays for its nesting.
func (w *goWalk) ifStmt(n *ast.IfStmt, chained bool) {
	for ; ; chained = true {
		w.cyclomatic++
		w.cognitive++
		if !chained {
			w.cognitive += w.nesting
		}
		w.parts(n.Init, n.Cond)
		w.nested(n.Body, true)
		switch next := n.Else.(type) {
		case *ast.IfStmt:
			n = next
		case *ast.BlockStmt:
			w.cognitive++
			w.nested(next, true)
			return
		default:
			return
		}
	}
}

func logical(op token.Token) bool { return op == token.LAND || op == token.LOR }

// binary counts a sequence of logical operators: cyclomatic complexity each of them, cognitive each change of operator.
func (w *goWalk) binary(n *ast.BinaryExpr) ast.Visitor {
	if !logical(n.Op) {
		return w
	}
	last := token.ILLEGAL
	w.sequence(n, &last)
	return nil
}

func (w *goWalk) sequence(e ast.Expr, last *token.Token) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.sequence(e.X, last)
	case *ast.BinaryExpr:
		w.sequence(e.X, last)
		if logical(e.Op) {
			w.cyclomatic++
			if e.Op != *last {
				w.cognitive++
				*last = e.Op
			}
		}
		w.sequence(e.Y, last)
	default:
		ast.Walk(w, e)
	}
}

// call notes what is called, and whether a function calls itself.
func (w *goWalk) call(n *ast.CallExpr) ast.Visitor {
	fun := n.Fun
unwrap:
	for {
		switch f := fun.(type) {
		case *ast.ParenExpr:
			fun = f.X
		case *ast.IndexExpr:
			ast.Walk(w, f.Index)
			fun = f.X
		case *ast.IndexListExpr:
			for _, e := range f.Indices {
				ast.Walk(w, e)
			}
			fun = f.X
		default:
			break unwrap
		}
	}
	switch f := fun.(type) {
	case *ast.Ident:
		w.ident(f, true)
		w.recursive = w.recursive || w.self(f)
	case *ast.SelectorExpr:
		w.selector(f, true)
		w.recursive = w.recursive || w.selfMethod(f)
	default:
		ast.Walk(w, fun)
	}
	for _, a := range n.Args {
		ast.Walk(w, a)
	}
	return nil
}

func (w *goWalk) self(id *ast.Ident) bool {
	if w.fn == nil {
		return false
	}
	if id.Obj != nil {
		return id.Obj.Decl == w.fn
	}
	return w.fn.Recv == nil && w.fn.Name.Name == id.Name
}

func (w *goWalk) selfMethod(s *ast.SelectorExpr) bool {
	if w.fn == nil || w.fn.Recv == nil || s.Sel.Name != w.fn.Name.Name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return false
	}
	for _, f := range w.fn.Recv.List {
		for _, name := range f.Names {
			if name.Name == id.Name {
				return true
			}
		}
	}
	return false
}
