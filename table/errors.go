package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"catena/internal/text"
)

// Error names the column that is missing, the ones that look like it, and otherwise the ones that exist.
func (e *UnknownColumnError) Error() string {
	switch {
	case len(e.Nearest) > 0:
		return fmt.Sprintf("there is no column %q; did you mean %s?", e.Name, QuoteList(e.Nearest, 3))
	case len(e.Have) > 0:
		return fmt.Sprintf("there is no column %q; the columns are %s", e.Name, QuoteList(e.Have, 20))
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

// QuoteList joins at most limit quoted names and says how many more there are.
func QuoteList(names []string, limit int) string {
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

// Nearest gives up to three of have that look like name, best first: by edit distance (Damerau–Levenshtein with
// adjacent swaps) that ignores case, underscores, spaces and a plural s; a name that contains the other one counts as
// near.
func Nearest(name string, have []string) []string {
	type near struct {
		name string
		dist int
	}
	want := plainName(name)
	if len(want) == 0 || len(want) > 200 {
		return nil
	}
	var found []near
	for _, h := range have {
		got := plainName(h)
		if len(got) == 0 || len(got) > 200 {
			continue
		}
		limit := (max(len(want), len(got)) + 2) / 3
		d := text.Distance(want, got, limit)
		if d > limit && (min(len(want), len(got)) < 3 || !strings.Contains(got, want) && !strings.Contains(want, got)) {
			continue
		}
		found = append(found, near{h, d})
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.dist, b.dist) })
	found = found[:min(3, len(found))]
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.name
	}
	return names
}

// plainName keeps lower-case letters and digits and drops a plural ending.
func plainName(s string) string {
	var out []rune
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, unicode.ToLower(r))
		}
	}
	if n := len(out); n > 3 && out[n-1] == 's' && out[n-2] != 's' {
		out = out[:n-1]
		if n > 4 && string(out[n-3:]) == "ie" {
			out = append(out[:n-3], 'y')
		}
	}
	return string(out)
}
