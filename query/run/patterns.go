package run

import (
	"context"
	"regexp"
	"regexp/syntax"

	"catena/internal/text"
)

// Bounds of patterns, which a statement may also take from cells. A regular expression takes a hundred times its bytes
// when it is compiled, and as many steps for each byte of a text as it has instructions.
const (
	maxPattern  = 4 << 10   // bytes of one
	maxProgram  = 5000      // instructions of one
	maxPatterns = 32        // that are kept of one block of rows
	maxMatching = 512 << 20 // instructions times bytes of one text: seconds, in which nobody can be asked
	askMatching = 16 << 20  // of those, after which it is asked whether the call goes on
)

// expression is a compiled pattern.
type expression struct {
	*regexp.Regexp
	size int64 // instructions
}

// newExpression compiles a pattern, whose text as it was written has so many bytes. One that is too large is an *Error.
func newExpression(pattern string, written int) (*expression, error) {
	if written > maxPattern {
		return nil, faultf("a pattern has %d bytes; write one of %d at most", written, maxPattern)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	size := text.PatternSize(tree, maxProgram)
	if size > maxProgram {
		return nil, faultf("a pattern repeats too much: it has more than %d parts when its repetitions are written "+
			"out; write a simpler one", maxProgram)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return &expression{re, int64(size)}, nil
}

// expressions keeps the compiled patterns of a block, of which there are few as a rule, and counts what they cost.
type expressions struct {
	ctx   context.Context
	kept  map[string]*expression
	spent int64
	err   error // why the block cannot be gone on with
}

func newExpressions(ctx context.Context) *expressions {
	return &expressions{ctx: ctx, kept: map[string]*expression{}}
}

// find gives a pattern to match a text with, compiled once; nil where it is none, or err says why not. key is what it
// is kept by, and made of the pattern as it was written; source makes a regular expression of that.
func (e *expressions) find(key, s string, source func() (string, bool)) *regexp.Regexp {
	if e.err != nil {
		return nil
	}
	re, ok := e.kept[key]
	if !ok {
		if len(e.kept) >= maxPatterns {
			clear(e.kept)
		}
		if pattern, sound := source(); sound {
			re = e.compile(pattern, len(key))
		}
		e.kept[key] = re
	}
	if re == nil || !e.spend(re.size*int64(len(s))) {
		return nil
	}
	return re.Regexp
}

// compile is newExpression for a pattern of a cell: one that is none matches nothing, as a constant one was refused
// before.
func (e *expressions) compile(pattern string, written int) *expression {
	re, err := newExpression(pattern, written)
	if _, large := err.(*Error); large { //nolint:errorlint // newExpression says so
		e.err = err
	}
	return re
}

// spend reports whether a text may be matched at such a cost.
func (e *expressions) spend(steps int64) bool {
	if steps > maxMatching {
		e.err = faultf("a text is too long for such a pattern; write a simpler one, or look for a part of it alone")
		return false
	}
	if e.spent += steps; e.spent > askMatching {
		e.spent, e.err = 0, e.ctx.Err()
	}
	return e.err == nil
}
