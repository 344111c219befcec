package sql

import (
	"errors"
	"strings"
)

// maxDepth bounds how deep brackets, subqueries and chains of one operator nest, here and in what is made of them.
const maxDepth = 200

type parser struct {
	text     string
	tokens   []token
	i        int
	depth    int
	postgres bool // something was read that only PostgreSQL has
}

// parse is the first pass: text to tree.
func parse(text string) (q *queryNode, postgres bool, err error) {
	tokens, bad := scan(text)
	if bad != nil {
		return nil, false, bad
	}
	p := &parser{text: text, tokens: tokens}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			q, err = nil, r.err
		default:
			panic(r)
		}
	}()
	p.refuseOthers()
	q = p.query()
	for p.accept(";") {
	}
	if t := p.peek(); t.kind != tokenEnd {
		if p.tokens[p.i-1].key == ";" {
			p.fail(t.at, "Ask one SELECT at a time.", "A second statement begins here.")
		}
		p.unexpected("the end of the statement")
	}
	return q, p.postgres, nil
}

// refuseOthers says what is wrong with statements that are no SELECT.
func (p *parser) refuseOthers() {
	t := p.peek()
	if t.kind == tokenEnd {
		p.fail(t.at, "Write a SELECT.", "There is no statement.")
	}
	if hint, known := statements[t.key]; known && t.kind == tokenWord {
		p.fail(t.at, hint, "%s is not allowed.", t.key)
	}
}

func (p *parser) fail(at int, hint, format string, args ...any) {
	panic(failure{newError(p.text, at, hint, format, args...)})
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	if t.kind == tokenEnd {
		p.fail(t.at, "", "The statement ends where %s should stand.", want)
	}
	p.fail(t.at, "", "%q stands where %s should.", short(p.text[t.at:t.end]), want)
}

// enter counts a level of nesting; the caller defers leave.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.peek().at, "Use WITH for its parts.", "The statement nests more than %d levels deep.", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) peek() token { return p.tokens[p.i] }

func (p *parser) peekAt(n int) token { return p.tokens[min(p.i+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.i]
	if t.kind != tokenEnd {
		p.i++
	}
	return t
}

// is tells whether the next words and signs are these.
func (p *parser) is(keys ...string) bool {
	for i, k := range keys {
		if p.peekAt(i).key != k {
			return false
		}
	}
	return true
}

// accept passes these words and signs where they are next.
func (p *parser) accept(keys ...string) bool {
	if !p.is(keys...) {
		return false
	}
	p.i += len(keys)
	return true
}

func (p *parser) expect(key string) token {
	if p.peek().key != key {
		p.unexpected(key)
	}
	return p.next()
}

// identifier reads a name: quoted, or a word that is not reserved.
func (p *parser) identifier(what string) string {
	if t := p.peek(); t.kind == tokenQuoted || t.kind == tokenWord && !reserved[t.key] {
		return p.next().text
	}
	p.unexpected(what)
	return ""
}

// member reads what stands behind a point: any word is a name there.
func (p *parser) member() token {
	t := p.peek()
	if t.kind != tokenQuoted && t.kind != tokenWord {
		p.unexpected("a column")
	}
	return p.next()
}

// alias reads [AS] name; "" where there is none.
func (p *parser) alias() string {
	t := p.peek()
	if p.accept("AS") {
		if t = p.peek(); t.kind != tokenText && t.kind != tokenWord && t.kind != tokenQuoted {
			p.unexpected("a name")
		}
		return p.next().text
	}
	if canAlias(t) {
		return p.next().text
	}
	return ""
}

// canAlias tells whether a name without AS may be an alias.
func canAlias(t token) bool {
	if t.kind == tokenWord {
		return !reserved[t.key] && !notAliases[t.key]
	}
	return t.kind == tokenQuoted
}

// names reads (a, b, c).
func (p *parser) names() []string {
	p.expect("(")
	names := []string{p.identifier("a name")}
	for p.accept(",") {
		names = append(names, p.identifier("a name"))
	}
	p.expect(")")
	return names
}

// begins tells whether a query begins here, maybe in brackets.
func (p *parser) begins() bool { return p.is("SELECT") || p.is("WITH") || p.is("VALUES") }

// short cuts what is quoted in a message.
func short(s string) string {
	const most = 40
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// AsError is the *Error in err, where there is one.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// maxRelations bounds the tables and subqueries of a statement, each use of a WITH counted with what is inside it.
const maxRelations = 64
