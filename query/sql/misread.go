package sql

import (
	"regexp"
	"strings"

	"catena/query"
)

// A name in double quotes that is no column is a text in SQLite. Where a text makes no sense it is a misspelt column
// here: as what is added up, counted, compared with constants, computed with, grouped or sorted by.

// namelike fits what a column could be called: not 2025-01-01, %Y, or a sentence's end.
var namelike = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_ .#%/()-]*$`)

// quotedText is an unknown name in double quotes that would be read as a text.
func (l *lowerer) quotedText(n node, s *scope) (nameNode, bool) {
	x, is := n.(nameNode)
	if !is || !l.mayBeText(x) {
		return x, false
	}
	if strings.EqualFold(x.name, "now") || !namelike.MatchString(x.name) {
		return x, false
	}
	for around := s; around != nil; around = around.outer {
		if _, found := around.lookup(x); found > 0 || around.unknown {
			return x, false
		}
	}
	return x, !s.hasAlias(x.name)
}

// mayBeText reports whether SQLite reads an unknown name as a text.
func (l *lowerer) mayBeText(n nameNode) bool {
	return n.table == "" && n.quote == '"' && l.opts.Dialect == DialectSQLite
}

func (s *scope) hasAlias(name string) bool {
	for i, item := range s.items {
		if strings.EqualFold(item.alias, name) && !s.busy[i] {
			return true
		}
	}
	return false
}

// misread notes that a name is meant as a column where it stands.
func (l *lowerer) misread(n node, s *scope) {
	if x, is := l.quotedText(n, s); is {
		if l.columns == nil {
			l.columns = map[int]bool{}
		}
		l.columns[x.start()] = true
	}
}

// operands notes names in double quotes that cannot be texts in an expression.
func (l *lowerer) operands(n node, s *scope) {
	if x, is := n.(binaryNode); is {
		if _, computes := operators[x.op]; computes {
			l.misread(x.x, s)
			l.misread(x.y, s)
			return
		}
	}
	parts, about := operandsOf(n)
	if !about {
		return
	}
	var first node
	for _, part := range parts {
		if _, is := l.quotedText(part, s); is && first == nil {
			first = part
		}
		if !l.constant(part, s) {
			return
		}
	}
	if first != nil {
		l.misread(first, s)
	}
}

// operandsOf are the parts of an expression that is about one of them; false for others.
func operandsOf(n node) (parts []node, about bool) {
	switch x := n.(type) {
	case *callNode:
		return x.args, true
	case binaryNode:
		return []node{x.x, x.y}, x.op != "||"
	case sameNode:
		return []node{x.x, x.y}, true
	case likeNode:
		return []node{x.x, x.y}, true
	case betweenNode:
		return []node{x.x, x.low, x.high}, true
	case inNode:
		return append([]node{x.x}, x.list...), x.query == nil
	case isNode:
		return []node{x.x}, true
	case castNode:
		return []node{x.x}, true
	case unaryNode:
		return []node{x.x}, true
	case collateNode:
		return []node{x.x}, true
	case caseNode:
		parts = []node{x.operand}
		for _, b := range x.branches {
			parts = append(parts, b.when)
		}
		return parts, x.operand != nil
	}
	return nil, false
}

// constant reports whether no column, aggregate or query stands in an expression.
func (l *lowerer) constant(n node, s *scope) bool {
	switch x := n.(type) {
	case valueNode, intervalNode:
		return true
	case nameNode:
		_, text := l.quotedText(x, s)
		return text || x.quote == '"' && !namelike.MatchString(x.name)
	}
	parts, about := operandsOf(n)
	if !about || len(parts) == 0 {
		return false
	}
	for _, part := range parts {
		if !l.constant(part, s) {
			return false
		}
	}
	return true
}

// qualified is a table and its column that were quoted as one name: "orders.paid".
func qualified(name string, s *scope) (table, column string, is bool) {
	table, column, is = strings.Cut(name, ".")
	if !is {
		return "", "", false
	}
	for around := s; around != nil; around = around.outer {
		if _, found := around.lookup(nameNode{table: table, name: column}); found > 0 {
			return table, column, true
		}
	}
	return "", "", false
}

// asText reports whether an unknown name is read as a text, as SQLite has it.
func (l *lowerer) asText(n nameNode, s *scope) bool {
	if !l.mayBeText(n) || l.columns[n.start()] {
		return false
	}
	_, _, is := qualified(n.name, s)
	return !is
}

// listed lowers an item of the list, whose own alias it does not see. A name in double quotes that stands alone and is
// like a column is meant as that.
func (s *selecting) listed(n node, item int) query.Expr {
	sc := s.scope
	if sc.busy == nil {
		sc.busy = map[int]bool{}
	}
	sc.busy[item] = true
	defer delete(sc.busy, item)
	if x, is := s.quotedText(n, sc); is {
		var columns []string
		for _, r := range sc.relations {
			for _, c := range r.columns {
				columns = append(columns, c.name)
			}
		}
		if len(nearest(x.name, columns)) > 0 {
			s.misread(x, sc)
		}
	}
	return s.expr(n, sc)
}
