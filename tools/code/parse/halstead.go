package parse

import "math"

// halstead counts the operators and operands of one function after the other. The zero value is ready.
type halstead struct {
	operators, operands map[string]struct{}
	counts              Halstead
}

// manyNames is the size from which a set is made anew rather than cleared, so that one huge function does not slow all others.
const manyNames = 1024

func (h *halstead) start() {
	h.operators, h.operands = emptied(h.operators), emptied(h.operands)
	h.counts = Halstead{}
}

func emptied(m map[string]struct{}) map[string]struct{} {
	if m == nil || len(m) > manyNames {
		return make(map[string]struct{}, 64)
	}
	clear(m)
	return m
}

func (h *halstead) operator(name string) {
	h.counts.Operators++
	h.operators[name] = struct{}{}
}

func (h *halstead) operand(name string) {
	h.counts.Operands++
	h.operands[name] = struct{}{}
}

// result are the measures of what was counted since start.
func (h *halstead) result() Halstead {
	c := h.counts
	c.UniqueOperators, c.UniqueOpds = len(h.operators), len(h.operands)
	if vocabulary := c.UniqueOperators + c.UniqueOpds; vocabulary > 0 {
		c.Volume = float64(c.Operators+c.Operands) * math.Log2(float64(vocabulary))
	}
	if c.UniqueOpds > 0 {
		c.Difficulty = float64(c.UniqueOperators) / 2 * float64(c.Operands) / float64(c.UniqueOpds)
	}
	c.Effort = c.Difficulty * c.Volume
	c.Bugs = c.Volume / 3000
	return c
}

// tokens counts those of a text, by the words of its language: identifiers and literals are operands; keywords, operators and
// opening brackets are operators. Closing brackets belong to their opening ones; comments and line ends do not count.
func (h *halstead) tokens(syntax *syntax, text string) Halstead {
	h.start()
	lx := lexer{syntax: syntax, text: text}
	for t := lx.next(); t.kind != tokenEnd; t = lx.next() {
		h.count(syntax, t.kind, text[t.start:t.end])
	}
	return h.result()
}

func (h *halstead) count(syntax *syntax, kind tokenKind, word string) {
	switch kind {
	case tokenWord:
		if syntax.keyword(word) {
			h.operator(word)
		} else {
			h.operand(word)
		}
	case tokenNumber, tokenString:
		h.operand(word)
	case tokenOp:
		if word != ")" && word != "]" && word != "}" {
			h.operator(word)
		}
	}
}

func (h *halstead) goBody(text string) Halstead { return h.tokens(syntaxes["go"], text) }
