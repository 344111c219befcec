//go:build cgo

package parse

// nest is a part of a function that counts as nested until the node last.
type nest struct {
	last int32
	flow bool // by control flow rather than by a function
}

// treeMeasure counts the complexity of one function.
type treeMeasure struct {
	*treeReader
	m       Metrics
	nests   []nest
	flow    int
	self    string // its name, to see whether it calls itself
	calls   bool
	ordered []sequence
}

// sequence is an expression of logical operators.
type sequence struct {
	last int32
	op   string
}

// measure counts the complexity of the function at node root, what is nested in it included.
func (r *treeReader) measure(root int32, name string) *Metrics {
	m := &treeMeasure{treeReader: r, m: Metrics{Cyclomatic: 1}, self: name}
	body := r.child(root, "body")
	if body < 0 {
		body = root
	}
	r.halstead.start()
	for i := root + 1; i < r.nodes[root].last; i++ {
		for n := len(m.nests); n > 0 && m.nests[n-1].last <= i; n-- {
			if m.nests[n-1].flow {
				m.flow--
			}
			m.nests = m.nests[:n-1]
		}
		m.enter(i)
		m.count(i, r.shape(i))
		if i >= body && i < r.nodes[body].last {
			r.token(i)
		}
	}
	m.m.Halstead = r.halstead.result()
	return &m.m
}

// token counts a leaf for Halstead's measures: names and literals are operands; keywords, operators and opening brackets are
// operators.
func (r *treeReader) token(i int32) {
	n := &r.nodes[i]
	if n.last != i+1 || n.start == n.end {
		return
	}
	s := &r.shapes[n.kind]
	switch {
	case s.role == roleComment:
	case s.named:
		r.halstead.operand(r.text(i))
	default:
		switch s.name {
		case ")", "]", "}", `"`, "'", "`", `"""`:
		default:
			r.halstead.operator(s.name)
		}
	}
}

// enter notes that node i is nested in what its parent is.
func (m *treeMeasure) enter(i int32) {
	p := m.nodes[i].parent
	if !m.shape(i).named || m.shape(i).role == roleComment {
		return
	}
	nested := false
	switch m.shape(p).role {
	case roleIf, roleElif, roleLoop, roleSwitch:
		f := m.field(i)
		nested = f == "body" || f == "consequence" || f == "alternative" && m.shape(i).role != roleElse && m.shape(i).role != roleElif && m.shape(i).role != roleIf
		if f == "alternative" && nested { // Java's else, which has no node of its own
			m.m.Cognitive++
		}
	case roleElse:
		nested = m.shape(i).role != roleIf
	case roleCatch:
		nested = m.field(i) == "body" || m.kind(i) == "block"
	case roleTernary:
		nested = true
	case roleFunction:
		if m.field(i) == "body" && p > m.root {
			m.nests = append(m.nests, nest{m.nodes[i].last, false})
		}
	}
	if nested {
		m.nests = append(m.nests, nest{m.nodes[i].last, true})
		m.flow++
		m.m.Nesting = max(m.m.Nesting, m.flow)
	}
}

func (m *treeMeasure) count(i int32, s *shape) {
	nesting := len(m.nests)
	switch s.role {
	case roleIf:
		m.m.Cyclomatic++
		switch p := m.nodes[i].parent; {
		case m.shape(p).role == roleElse: // paid for by else
		case m.shape(p).role == roleIf && m.field(i) == "alternative":
			m.m.Cognitive++
		default:
			m.m.Cognitive += 1 + nesting
		}
	case roleElif:
		m.m.Cyclomatic++
		m.m.Cognitive++
	case roleElse:
		if p := m.shape(m.nodes[i].parent).role; p == roleIf || p == roleLoop {
			m.m.Cognitive++
		}
	case roleLoop, roleCatch, roleTernary:
		m.m.Cyclomatic++
		m.m.Cognitive += 1 + nesting
	case roleSwitch:
		m.m.Cognitive += 1 + nesting
	case roleCase:
		if !m.takesAll(i) {
			m.m.Cyclomatic++
		}
	case roleFilter, roleTry:
		m.m.Cyclomatic++
	case roleJump:
		if m.childOf(i, "statement_identifier", "identifier", "label") >= 0 {
			m.m.Cognitive++
		}
	case roleBinary:
		m.binary(i)
	case roleParen:
		m.inSequence[i] = m.inSequence[m.nodes[i].parent]
	case roleLogical:
		m.logical(i, s.name)
	case roleCall:
		if !m.calls && m.callsSelf(i) {
			m.calls = true
			m.m.Cognitive++
		}
	}
}

// takesAll says that a case is a default: it adds no path.
func (m *treeMeasure) takesAll(i int32) bool {
	switch m.kind(i) {
	case "switch_label":
		return m.childOf(i, "default") >= 0
	case "case_clause":
		return m.child(i, "guard") < 0 && m.text(m.childOf(i, "case_pattern")) == "_"
	case "match_arm":
		return m.text(m.child(i, "pattern")) == "_"
	}
	return false
}

// binary notes whether an expression goes on with the sequence around it, as gocognit has it, or starts one.
func (m *treeMeasure) binary(i int32) {
	p := m.nodes[i].parent
	m.inSequence[i] = p > m.root && m.inSequence[p]
	if m.inSequence[i] {
		return
	}
	op := m.child(i, "operator")
	if op >= 0 && m.shape(op).role == roleLogical || m.kind(i) == "let_chain" {
		m.inSequence[i] = true
		m.ordered = append(m.ordered, sequence{last: m.nodes[i].last})
	}
}

func (m *treeMeasure) logical(i int32, op string) {
	p := m.nodes[i].parent
	if m.shape(p).role != roleBinary {
		return
	}
	m.m.Cyclomatic++
	for n := len(m.ordered); n > 0 && m.ordered[n-1].last <= i; n-- {
		m.ordered = m.ordered[:n-1]
	}
	if n := len(m.ordered); n > 0 && m.ordered[n-1].op != op {
		m.m.Cognitive++
		m.ordered[n-1].op = op
	}
}

// callsSelf says that a call is one of the function that is measured.
func (m *treeMeasure) callsSelf(i int32) bool {
	if m.kind(i) == "method_invocation" {
		o := m.child(i, "object")
		return (o < 0 || m.text(o) == "this") && m.text(m.child(i, "name")) == m.self
	}
	f := m.child(i, "function")
	if f < 0 {
		return false
	}
	if m.shape(f).role == roleMember {
		o := m.nodes[f].last // of the object, the first child
		if o > f+1 {
			o = f + 1
		}
		return (m.text(o) == "this" || m.text(o) == "self" || m.text(o) == "Self") && m.text(m.lastChild(f)) == m.self
	}
	return m.text(f) == m.self
}

// lastChild is the last child of a node, -1 for none.
func (t *tree) lastChild(i int32) int32 {
	last := int32(-1)
	for c := range t.children(i) {
		last = c
	}
	return last
}
