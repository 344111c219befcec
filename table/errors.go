package table

import (
	"fmt"
	"strings"
)

// Error names the column that is missing, the ones that look like it, and otherwise the ones that exist.
func (e *UnknownColumnError) Error() string {
	switch {
	case len(e.Nearest) > 0:
		return fmt.Sprintf("there is no column %q; did you mean %s?", e.Name, quoteList(e.Nearest, 3))
	case len(e.Have) > 0:
		return fmt.Sprintf("there is no column %q; the columns are %s", e.Name, quoteList(e.Have, 20))
	}
	return fmt.Sprintf("there is no column %q: the table has no columns", e.Name)
}

// Error gives source, line, reason and hint in one line.
func (e *FormatError) Error() string {
	var b strings.Builder
	if e.Source != "" {
		b.WriteString(e.Source)
		if e.Line > 0 {
			fmt.Fprintf(&b, ", line %d", e.Line)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	b.WriteString(e.Reason)
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// TypeError says that an operation is not defined on a column's type, or that a value does not fit it.
// Use errors.As to reach it.
type TypeError struct {
	Column string
	Type   Type   // the column's
	Reason string // a clause: "sum needs numbers"
}

// Error names the column, its type and what was wrong.
func (e *TypeError) Error() string {
	return fmt.Sprintf("column %q (%s): %s", e.Column, e.Type, e.Reason)
}

// quoteList joins at most limit quoted names and says how many more there are.
func quoteList(names []string, limit int) string {
	var b strings.Builder
	for i, name := range names {
		if i == limit {
			fmt.Fprintf(&b, " and %d more", len(names)-limit)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
	}
	return b.String()
}
