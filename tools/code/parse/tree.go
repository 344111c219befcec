//go:build cgo

package parse

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

const (
	// maxNodes bounds a tree. Making one may take treeTime and treeTimeByte for each byte, more than ten times of what good source
	// takes: mending errors can take tree-sitter the square of a file's size. A file beyond them is read by the lexical rules.
	maxNodes     = 2_000_000
	treeTime     = 2 * time.Second
	treeTimeByte = 10 * time.Microsecond
	// inputBytes is how much of the text the parser gets at a time. The binding copies each piece.
	inputBytes = 1 << 10
	// The parser may read readTimes as much as the file has, and readBytes more. It goes back to mend errors, and some languages look
	// for the end of a text anew at each of its beginnings, which takes the square of the file's size. Good source takes about twice.
	readTimes = 32
	readBytes = 1 << 20
)

// grammar is a language of tree-sitter, and what its nodes are to us.
type grammar struct {
	language *sitter.Language
	shapes   []shape  // by the node's kind
	fields   []string // by the field's number
	parsers  chan *sitter.Parser
}

// shape is what a kind of node is to us.
type shape struct {
	name   string
	named  bool
	role   role
	symbol SymbolKind
}

// treeNode is a node of a tree that was laid out flat, parents before their children, in the order of the source.
type treeNode struct {
	kind, field  uint16
	start, end   int32
	parent, prev int32 // -1 for none
	last         int32 // index beyond the last descendant
}

// tree is a file's syntax tree.
type tree struct {
	*builder
	*grammar
	nodes []treeNode
}

// treeSitter reads a file by the grammar of its language. It says false where there is none, or where it gave up.
func treeSitter(b *builder) bool {
	g := grammarOf(b.file.Language, b.file.Path)
	if g == nil || deep(b.raw) {
		return false
	}
	t := &tree{builder: b, grammar: g}
	if !t.parse() {
		return false
	}
	b.file.Parser = TreeSitter
	r := &treeReader{tree: t}
	r.read()
	return true
}

// parser takes one out of the pool, or makes one.
func (g *grammar) parser() (*sitter.Parser, bool) {
	select {
	case p := <-g.parsers:
		return p, true
	default:
	}
	p := sitter.NewParser()
	if err := p.SetLanguage(g.language); err != nil { // a grammar of another ABI: rules are better than nothing
		p.Close()
		return nil, false
	}
	return p, true
}

func (g *grammar) release(p *sitter.Parser) {
	p.Reset()
	select {
	case g.parsers <- p:
	default:
		p.Close()
	}
}

// parse makes the tree and lays it out flat, so that nothing of C's memory is kept.
func (t *tree) parse() bool {
	p, ok := t.parser()
	if !ok {
		return false
	}
	made := t.make(p)
	if made == nil {
		// It was halted. A parser that was halted while it balanced its tree aborts the program when it is used again, reset or
		// not (tree-sitter 0.25.0): off with it.
		p.Close()
		return false
	}
	t.release(p)
	defer made.Close()
	root := made.RootNode()
	if root == nil || root.DescendantCount() > maxNodes {
		return false
	}
	t.file.Broken = root.HasError()
	return t.flatten(t.ctx, root)
}

// make has the parser make the tree; nil when the context ended, the time was up or too much was read. The cancellation flag is used, although
// a progress callback should be: go-tree-sitter v0.25.0 never frees the options of those.
func (t *tree) make(p *sitter.Parser) *sitter.Tree {
	ctx, cancel := context.WithTimeout(t.ctx, treeTime+time.Duration(len(t.raw))*treeTimeByte)
	defer cancel()
	flag := new(uintptr) // one for each parse: a late signal finds nobody
	var pin runtime.Pinner
	pin.Pin(flag) // C keeps it
	defer pin.Unpin()
	p.SetCancellationFlag(flag)      //nolint:staticcheck // SA1019: see above
	defer p.SetCancellationFlag(nil) //nolint:staticcheck // SA1019: see above
	defer context.AfterFunc(ctx, func() { atomic.StoreUintptr(flag, 1) })()
	text, left := t.raw, readBytes+readTimes*len(t.raw)
	made := p.ParseWithOptions(func(i int, _ sitter.Point) []byte {
		if left <= 0 {
			atomic.StoreUintptr(flag, 1)
			return nil
		}
		if i >= len(text) {
			return nil
		}
		piece := text[i:min(i+inputBytes, len(text))]
		left -= len(piece)
		return piece
	}, nil, nil)
	if made != nil && left <= 0 { // it ended before it looked at the flag, and has not seen all of the file
		made.Close()
		return nil
	}
	return made
}

// flatten lays the tree out.
func (t *tree) flatten(ctx context.Context, root *sitter.Node) bool {
	t.nodes = make([]treeNode, 0, root.DescendantCount())
	c := root.Walk()
	defer c.Close()
	parent, prev := int32(-1), int32(-1)
	for {
		n := c.Node()
		i := int32(len(t.nodes))
		if i&0xFFF == 0 && ctx.Err() != nil {
			return false
		}
		from, to := n.ByteRange()
		t.nodes = append(t.nodes, treeNode{kind: min(n.KindId(), uint16(len(t.shapes)-1)), field: c.FieldId(),
			start: int32(from), end: int32(to), parent: parent, prev: prev})
		if c.GotoFirstChild() {
			parent, prev = i, -1
			continue
		}
		t.nodes[i].last = i + 1
		for !c.GotoNextSibling() {
			if !c.GotoParent() {
				return true
			}
			i = parent
			parent = t.nodes[i].parent
			t.nodes[i].last = int32(len(t.nodes))
		}
		prev = i
	}
}

var (
	grammarsMu sync.Mutex
	grammars   = map[string]*grammar{}
)

// grammarOf is the grammar for a file; nil where there is none. Each is made once and shared.
func grammarOf(language, path string) *grammar {
	name := grammarName(language, path)
	make := grammarMakers[name]
	if make.language == nil {
		return nil
	}
	grammarsMu.Lock()
	defer grammarsMu.Unlock()
	if g := grammars[name]; g != nil {
		return g
	}
	plainAllocator()
	g := newGrammar(sitter.NewLanguage(make.language()), make.roles, make.symbols)
	grammars[name] = g
	return g
}

func newGrammar(l *sitter.Language, roles map[string]role, symbols map[string]SymbolKind) *grammar {
	g := &grammar{language: l, parsers: make(chan *sitter.Parser, runtime.GOMAXPROCS(0))}
	count := l.NodeKindCount()
	g.shapes = make([]shape, count+1) // the last one stands for errors
	for i := range count {
		id := uint16(i)
		name := l.NodeKindForId(id)
		s := shape{name: name, named: l.NodeKindIsNamed(id)}
		if s.named || name == "&&" || name == "||" || name == "and" || name == "or" || name == "??" {
			s.role = roles[name]
		}
		if s.named {
			s.symbol = symbols[name]
		}
		g.shapes[i] = s
	}
	g.shapes[count] = shape{name: "ERROR", named: true}
	g.fields = make([]string, l.FieldCount()+1)
	for i := range g.fields {
		if i > 0 {
			g.fields[i] = l.FieldNameForId(uint16(i))
		}
	}
	return g
}

func (t *tree) shape(i int32) *shape { return &t.shapes[t.nodes[i].kind] }

func (t *tree) kind(i int32) string {
	if i < 0 {
		return ""
	}
	return t.shapes[t.nodes[i].kind].name
}

// field is the name of the field that node i is in its parent; "" for none.
func (t *tree) field(i int32) string { return t.fields[t.nodes[i].field] }

// text is the source of node i.
func (t *tree) text(i int32) string {
	if i < 0 {
		return ""
	}
	return t.src.text[t.nodes[i].start:t.nodes[i].end]
}

func (t *tree) line(i int32) int { return t.src.line(int(t.nodes[i].start)) }

// children gives the indices of a node's children.
func (t *tree) children(i int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if i < 0 {
			return
		}
		for c := i + 1; c < t.nodes[i].last; c = t.nodes[c].last {
			if !yield(c) {
				return
			}
		}
	}
}

// child is the first child of node i in a field, -1 for none.
func (t *tree) child(i int32, field string) int32 {
	for c := range t.children(i) {
		if t.field(c) == field {
			return c
		}
	}
	return -1
}

// childOf is the first child of node i of one of the kinds, -1 for none.
func (t *tree) childOf(i int32, kinds ...string) int32 {
	for c := range t.children(i) {
		for _, k := range kinds {
			if t.kind(c) == k {
				return c
			}
		}
	}
	return -1
}

func (t *tree) parent(i int32) int32 {
	if i < 0 {
		return -1
	}
	return t.nodes[i].parent
}
