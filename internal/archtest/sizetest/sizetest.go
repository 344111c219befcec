// Package sizetest finds what is too large to be read at once in a file of Go: functions by their branches, their
// nesting and their length, conditions by their terms, lines by their columns. The test of the lint allow list and
// `make sizes` count with it, so that both mean the same.
package sizetest

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"

	"github.com/fzipp/gocyclo"
	"github.com/uudashr/gocognit"
)

// A Limit is a kind of size, under the name of the linter that holds it.
type Limit string

// The limits. Terms has no linter: only the test of the allow list counts it.
const (
	Branches Limit = "gocyclo"  // cyclomatic complexity of a function
	Nested   Limit = "gocognit" // cognitive complexity of a function
	Length   Limit = "funlen"   // lines of a function's body, comments apart
	Columns  Limit = "lll"      // columns of a line, a tab is four
	Terms    Limit = "terms"    // what one condition joins by && and ||
)

// Most is the largest size that each limit allows. .golangci.yml holds the same figures for the linters.
var Most = map[Limit]int{Branches: 15, Nested: 20, Length: 80, Columns: 120, Terms: 3}

// tab is the width of a tab in columns.
const tab = "    "

// An Excess is one thing that is larger than its limit allows.
type Excess struct {
	Limit Limit
	Line  int    // of the file, from 1
	Name  string // of the function; empty for conditions and lines
	Size  int
}

// Excesses returns what is too large in a file that was parsed with its comments, by limit and then from the top.
func Excesses(fset *token.FileSet, tree *ast.File, source []byte) []Excess {
	var found []Excess
	note := func(limit Limit, line int, name string, size int) {
		if size > Most[limit] {
			found = append(found, Excess{Limit: limit, Line: line, Name: name, Size: size})
		}
	}
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		line := fset.Position(fn.Pos()).Line
		note(Branches, line, fn.Name.Name, gocyclo.Complexity(fn))
		note(Nested, line, fn.Name.Name, gocognit.Complexity(fn))
		note(Length, line, fn.Name.Name, length(fset, tree, fn))
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || !joined(e) {
			return true
		}
		note(Terms, fset.Position(e.Pos()).Line, "", terms(e))
		return false
	})
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, len(source)+1)
	for n := 1; lines.Scan(); n++ {
		if text := lines.Text(); !strings.HasPrefix(text, "//go:") { // a directive cannot be wrapped
			note(Columns, n, "", utf8.RuneCountInString(strings.ReplaceAll(text, "\t", tab)))
		}
	}
	return found
}

// length counts the lines between the braces of a function, without those of comments.
func length(fset *token.FileSet, tree *ast.File, fn *ast.FuncDecl) int {
	line := func(p token.Pos) int { return fset.Position(p).Line }
	n := line(fn.End()) - line(fn.Pos()) - 1
	for _, group := range tree.Comments {
		if group.Pos() < fn.Body.Lbrace || group.End() > fn.Body.Rbrace {
			continue
		}
		n -= line(group.End()) - line(group.Pos()) + 1
	}
	return n
}

// joined reports whether an expression joins terms by && or ||.
func joined(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && (b.Op == token.LAND || b.Op == token.LOR)
}

// terms counts what an expression joins by && and ||.
func terms(e ast.Expr) int {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return terms(x.X)
	case *ast.UnaryExpr:
		return terms(x.X)
	case *ast.BinaryExpr:
		if joined(x) {
			return terms(x.X) + terms(x.Y)
		}
	}
	return 1
}
