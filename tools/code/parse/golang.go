package parse

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// readGo reads Go by go/ast. It says false for a file in which go/parser finds nothing, and for one nested too deep.
func (b *builder) readGo() bool {
	b.file.Build = builds(b.file.Path, b.raw)
	if deep(b.raw) {
		return false
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", b.raw, parser.ParseComments|parser.AllErrors)
	b.file.Broken = err != nil
	if file == nil || err != nil && len(file.Decls) == 0 {
		return false
	}
	base := 0
	fset.Iterate(func(f *token.File) bool { base = f.Base(); return false })
	g := &goReader{builder: b, base: base, tree: file}
	b.file.Parser, b.file.Package = GoAST, file.Name.Name
	g.imports()
	g.walk.g = g
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.general(d)
		}
	}
	return true
}

// builds says that the Go tool would compile a file on this system, by its name and its //go:build line, as go/build has it. Cgo
// counts as off, however this program was built and whatever its environment says: of a file and its !cgo twin exactly one builds,
// and the same source gives the same index everywhere on a system.
func builds(file string, src []byte) bool {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = runtime.GOOS, runtime.GOARCH, false
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }
	ctx.JoinPath = path.Join
	match, err := ctx.MatchFile(".", path.Base(file))
	return match && err == nil
}

// goReader takes one parsed Go file into a builder.
type goReader struct {
	*builder
	base     int
	tree     *ast.File
	packages map[string]bool // the names that imports have here
	walk     goWalk
	halstead halstead
}

func (g *goReader) offset(p token.Pos) int {
	return min(max(int(p)-g.base, 0), len(g.src.text))
}

func (g *goReader) line(p token.Pos) int { return g.src.line(g.offset(p)) }

// lastLine is the line that a node's last byte is on.
func (g *goReader) lastLine(end token.Pos) int { return g.src.line(max(g.offset(end)-1, 0)) }

func (g *goReader) text(from, to token.Pos) string {
	a, z := g.offset(from), g.offset(to)
	return g.src.text[a:max(a, z)]
}

func (g *goReader) imports() {
	g.packages = make(map[string]bool, len(g.tree.Imports))
	for _, spec := range g.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		i := Import{Path: p, Line: g.line(spec.Pos())}
		if spec.Name != nil {
			i.Alias = spec.Name.Name
		}
		g.addImport(i)
		g.file.Cgo = g.file.Cgo || p == "C"
		g.packages[localName(i)] = true
	}
}

// localName guesses what a package is called by its path: its last part, without a version.
func localName(i Import) string {
	if i.Alias != "" {
		return i.Alias
	}
	dir, name := path.Split(i.Path)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(dir)
	}
	name, _, _ = strings.Cut(name, ".v")
	return strings.TrimPrefix(name, "go-")
}

// function adds a function or method and the references in it.
func (g *goReader) function(d *ast.FuncDecl) {
	s := Symbol{Name: d.Name.Name, Kind: Function, Exported: d.Name.IsExported(), Start: g.line(d.Pos())}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		s.Kind = Method
		if id := receiverType(d.Recv.List[0].Type); id != nil {
			s.Container = id.Name
		}
	}
	g.doc(&s, d.Doc)
	head := d.End()
	if d.Body != nil {
		head = d.Body.Lbrace
	}
	s.Signature = oneLine(g.text(d.Pos(), head), signatureBytes)
	g.walk.function(d)
	s.End = max(g.lastLine(d.End()), s.Start)
	if d.Body != nil {
		s.Metrics = &Metrics{Cyclomatic: g.walk.cyclomatic, Cognitive: g.walk.cognitive, Nesting: g.walk.deepest,
			Lines: s.End - s.Start + 1, Params: params(d.Type), Halstead: g.halstead.goBody(g.text(d.Body.Lbrace, d.Body.End()))}
	}
	g.symbol(s)
}

// receiverType is the name in a receiver's type, without its star and type parameters; nil in broken source.
func receiverType(e ast.Expr) *ast.Ident {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t
		default:
			return nil
		}
	}
}

func params(t *ast.FuncType) int {
	n := 0
	if t.Params != nil {
		for _, f := range t.Params.List {
			n += max(1, len(f.Names))
		}
	}
	return n
}

// doc gives a symbol its comment: groups are the candidates, best first.
func (g *goReader) doc(s *Symbol, groups ...*ast.CommentGroup) {
	for _, c := range groups {
		if c == nil {
			continue
		}
		s.Doc = clip(strings.TrimSpace(c.Text()), docBytes)
		if line := g.line(c.Pos()); line < s.Start {
			s.DocStart = line
		}
		return
	}
}

// general adds the declarations of a const, var or type declaration.
func (g *goReader) general(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			g.typeSpec(d, spec)
		case *ast.ValueSpec:
			g.valueSpec(d, spec)
		}
	}
}

// start is the line that a spec starts on, with its keyword where it stands alone, and the position of that.
func (g *goReader) start(d *ast.GenDecl, spec ast.Node) (int, token.Pos) {
	if d.Lparen.IsValid() {
		return g.line(spec.Pos()), spec.Pos()
	}
	return g.line(d.Pos()), d.Pos()
}

func (g *goReader) typeSpec(d *ast.GenDecl, spec *ast.TypeSpec) {
	s := Symbol{Name: spec.Name.Name, Kind: Type, Exported: spec.Name.IsExported()}
	var pos token.Pos
	s.Start, pos = g.start(d, spec)
	head := spec.End()
	switch t := spec.Type.(type) {
	case *ast.StructType:
		s.Kind, head = Class, t.Fields.Pos()
	case *ast.InterfaceType:
		s.Kind, head = Interface, t.Methods.Pos()
	}
	g.specDoc(&s, d, spec.Doc, spec.Comment)
	s.Signature = g.signature(d, pos, head)
	s.End = max(g.lastLine(spec.End()), s.Start)
	g.symbol(s)
	g.walk.refs(spec)
	if t, ok := spec.Type.(*ast.InterfaceType); ok {
		g.interfaceMethods(spec.Name.Name, t)
	}
}

func (g *goReader) interfaceMethods(name string, t *ast.InterfaceType) {
	for _, f := range t.Methods.List {
		for _, id := range f.Names {
			s := Symbol{Name: id.Name, Container: name, Kind: Method, Exported: id.IsExported(), Start: g.line(f.Pos()),
				Signature: oneLine(g.text(f.Pos(), f.End()), signatureBytes)}
			g.doc(&s, f.Doc, f.Comment)
			s.End = max(g.lastLine(f.End()), s.Start)
			g.symbol(s)
		}
	}
}

func (g *goReader) valueSpec(d *ast.GenDecl, spec *ast.ValueSpec) {
	start, pos := g.start(d, spec)
	signature := g.signature(d, pos, spec.End())
	kind := Variable
	if d.Tok == token.CONST {
		kind = Constant
	}
	end := max(g.lastLine(spec.End()), start)
	for _, id := range spec.Names {
		s := Symbol{Name: id.Name, Kind: kind, Exported: id.IsExported(), Signature: signature, Start: start, End: end}
		g.specDoc(&s, d, spec.Doc, spec.Comment)
		if id.Name != "_" {
			g.symbol(s)
		}
	}
	g.walk.refs(spec)
}

// specDoc is the comment of a spec, or that of its declaration where the spec is all of it.
func (g *goReader) specDoc(s *Symbol, d *ast.GenDecl, doc, trailing *ast.CommentGroup) {
	if d.Lparen.IsValid() {
		g.doc(s, doc, trailing)
		return
	}
	g.doc(s, d.Doc, doc, trailing)
}

// signature is the declaration's first line, with its keyword, as far as its body.
func (g *goReader) signature(d *ast.GenDecl, pos, head token.Pos) string {
	text := g.text(pos, head)
	first, _, more := strings.Cut(text, "\n")
	if more && d.Tok != token.TYPE {
		text = strings.TrimSpace(first)
	}
	if d.Lparen.IsValid() {
		text = d.Tok.String() + " " + text
	}
	return oneLine(text, signatureBytes)
}
