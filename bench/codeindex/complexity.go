package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strings"

	"github.com/fzipp/gocyclo"
	"github.com/uudashr/gocognit"

	"catena/tools/code/index"
)

// complexity compares the metrics with those of gocyclo and gocognit, for all functions of Go that are no test data.
func complexity(ctx context.Context, _ *settings, c *corpus, snap *index.Snapshot, out *report) error {
	out.heading("Complexity against gocyclo and gocognit")
	functions, equal, broken := 0, 0, 0
	for _, e := range c.entries {
		if path.Ext(e.Path) != ".go" || strings.Contains("/"+e.Path, "/testdata/") {
			continue
		}
		src, err := c.tree.Read(ctx, e.Path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, e.Path, src, parser.ParseComments)
		if err != nil {
			broken++
			continue
		}
		mine, _, err := snap.Functions(ctx, index.Filter{Path: e.Path, Tests: true})
		if err != nil {
			return err
		}
		at := make(map[int]index.Function)
		for _, f := range mine {
			at[f.Symbol.Start] = f
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			functions++
			line, cyclo, cogn := fset.PositionFor(fn.Pos(), false).Line, gocyclo.Complexity(fn), gocognit.Complexity(fn)
			f, ok := at[line]
			if ok && f.Symbol.Name == fn.Name.Name && f.Symbol.Metrics.Cyclomatic == cyclo && f.Symbol.Metrics.Cognitive == cogn {
				equal++
				continue
			}
			fmt.Fprintf(os.Stderr, "%s:%d: %s: want %d, %d; got %+v\n", e.Path, line, fn.Name.Name, cyclo, cogn, f.Symbol.Metrics)
		}
	}
	out.plain("complexity_functions", "functions compared", float64(functions), "")
	out.least("complexity_equal", "functions with the same figures", float64(equal), float64(functions))
	return nil
}
