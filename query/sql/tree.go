package sql

import "catena/table"

// The syntax tree. Each node knows the byte of the text that it begins at, for what is said about it.

// node is an expression of the text.
type node interface{ start() int }

type at int

type (
	// nameNode is a column: name, table.name or schema.table.name.
	nameNode struct {
		at
		table string // "" where none is written
		name  string
		quote byte // of the name
	}
	// starNode is * or table.*; it stands in a list of columns and in count(*) alone.
	starNode struct {
		at
		table string
	}
	// valueNode is a constant.
	valueNode struct {
		at
		value table.Value
	}
	// unaryNode is an operator before its operand: NOT, - and ~.
	unaryNode struct {
		at
		op string
		x  node
	}
	// binaryNode is an operator between two operands.
	binaryNode struct {
		at
		op   string
		x, y node
	}
	// logicNode is AND or OR over as many operands as the text has in a row, so that long chains are not deep.
	logicNode struct {
		at
		op   string
		args []node
	}
	// isNode is x IS [NOT] NULL, TRUE, FALSE or UNKNOWN.
	isNode struct {
		at
		x    node
		what string
		not  bool
	}
	// sameNode is x IS NOT DISTINCT FROM y (same) or x IS DISTINCT FROM y.
	sameNode struct {
		at
		x, y node
		not  bool
	}
	// likeNode is LIKE and its kin: op is the keyword, or SIMILAR.
	likeNode struct {
		at
		op        string
		x, y, esc node
		not       bool
	}
	betweenNode struct {
		at
		x, low, high   node
		not, symmetric bool
	}
	// inNode is x IN (list) or, with a query, x IN (SELECT ...).
	inNode struct {
		at
		x     node
		list  []node
		query *queryNode
		not   bool
	}
	// anyNode is x op ANY (SELECT ...), or ALL.
	anyNode struct {
		at
		op    string
		all   bool
		x     node
		query *queryNode
	}
	caseNode struct {
		at
		operand  node // of CASE x WHEN ...
		branches []branchNode
		other    node
	}
	branchNode struct{ when, then node }
	castNode   struct {
		at
		x   node
		typ typeName
		try bool
	}
	existsNode struct {
		at
		query *queryNode
	}
	// scalarNode is a query in place of a value: (SELECT ...).
	scalarNode struct {
		at
		query *queryNode
	}
	// rowNode is (a, b).
	rowNode struct {
		at
		items []node
	}
	collateNode struct {
		at
		x    node
		name string
	}
	zoneNode struct {
		at
		x, zone node
	}
	// intervalNode is INTERVAL '...' unit.
	intervalNode struct {
		at
		parts []intervalPart
	}
	// callNode is a function. Special forms are calls, too: EXTRACT(f FROM x) is extract('f', x).
	callNode struct {
		at
		name     string // in lower case
		args     []node
		distinct bool
		order    []orderNode
		within   []orderNode // WITHIN GROUP (ORDER BY ...)
		filter   node
		over     *windowNode
		bare     bool // written without brackets: CURRENT_DATE
	}
)

// intervalPart is so many units of time; units are the algebra's.
type intervalPart struct {
	unit string
	n    int64
}

// windowNode is what stands behind OVER, or behind a name in WINDOW.
type windowNode struct {
	at
	base      string // the name of another window
	partition []node
	order     []orderNode
	frame     *frameNode
}

type frameNode struct {
	at
	unit       string
	start, end boundNode
}

// boundNode is one end of a frame: unbounded, the current row (no offset), or an offset before or after it.
type boundNode struct {
	at
	unbounded bool
	before    bool
	offset    node
}

type orderNode struct {
	x     node
	desc  bool
	nulls string // "FIRST", "LAST" or ""
}

// typeName is the type of a CAST.
type typeName struct {
	at   int
	name string // in upper case
	args []int64
}

// queryNode is a whole SELECT: what may stand in brackets.
type queryNode struct {
	at
	with          []withNode
	recursive     bool
	first         term
	rest          []setNode
	order         []orderNode
	limit, offset node
	ties          bool // FETCH FIRST n ROWS WITH TIES
}

type withNode struct {
	at
	name    string
	columns []string
	query   *queryNode
}

type setNode struct {
	at
	op   string // UNION, INTERSECT, EXCEPT
	all  bool
	term term
}

// term is *selectNode, *valuesNode or *queryNode (in brackets).
type term interface{ start() int }

type valuesNode struct {
	at
	rows [][]node
}

type selectNode struct {
	at
	distinct   bool
	distinctOn []node
	list       []itemNode
	from       []source
	where      node
	group      []node
	having     node
	windows    map[string]*windowNode // by folded name
}

type itemNode struct {
	x     node
	alias string
	text  string // as written, for the column's name
}

// source is something in FROM: *tableNode, *subqueryNode or *joinNode.
type source interface{ start() int }

type tableNode struct {
	at
	schema, name string
	alias        string
	columns      []string
}

type subqueryNode struct {
	at
	query   *queryNode
	alias   string
	columns []string
}

type joinNode struct {
	at
	kind        string // INNER, LEFT, RIGHT, FULL or CROSS
	natural     bool
	left, right source
	on          node
	using       []string
}

func (a at) start() int { return int(a) }
