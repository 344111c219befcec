package statement

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

var (
	// topOf is how SQL Server bounds rows.
	topOf = regexp.MustCompile(`(?is)^\s*select\s+top\s*\(?\s*(\d+)\s*\)?\s+`)
	// bounded are the words with which a statement bounds its rows, or puts two together.
	bounded = regexp.MustCompile(`(?i)\b(?:limit|fetch|union|intersect|except|top)\b`)
	// inSchema is a table with the schema that it would stand in elsewhere.
	inSchema = regexp.MustCompile(`(?i)(\b(?:from|join)\s+)("?\w+"?)\.("?\w+"?)`)
)

// dialect writes forms of other databases as those that are read here: TOP n, and a table with its schema.
func (c *catalog) dialect(text string) string {
	if m := topOf.FindStringSubmatchIndex(text); m != nil && !bounded.MatchString(text[m[1]:]) {
		text = "SELECT " + strings.TrimRight(text[m[1]:], "; \n\t") + " LIMIT " + text[m[2]:m[3]]
	}
	return inSchema.ReplaceAllStringFunc(text, func(found string) string {
		m := inSchema.FindStringSubmatch(found)
		schema, table := strings.Trim(m[2], `"`), strings.Trim(m[3], `"`)
		if c.has(schema) || c.has(schema+"."+table) || !c.has(table) {
			return found
		}
		return m[1] + m[3]
	})
}

// has reports whether a name is that of a table, or of a step that is given one.
func (c *catalog) has(name string) bool {
	if _, given := c.named[strings.ToLower(name)]; given || c.ids[name] {
		return true
	}
	_, ok := c.listed.find(name)
	return ok
}

// compared matches a text that a column is compared with, up to its quote: = 'x', <> 'x', IN ('x', 'y').
var compared = regexp.MustCompile(`(?is)(?:=|<>|!=|\bin\s*\(\s*(?:'[^']*'\s*,\s*)*)\s*$`)

// spellings writes texts that a statement compares with as the tables have them, where they differ in case at most and
// one value alone is meant: 'OPEN' for 'open'.
func spellings(ctx context.Context, text string, values plan.Values) string {
	if values == nil || !strings.Contains(text, "'") {
		return text
	}
	r := rewriting{text: text}
	r.names.Value = func(value string, bare bool) (string, bool) {
		if bare || value == "" || !compared.MatchString(text[:r.from]) {
			return "", false
		}
		to := ""
		for _, h := range values.Find(ctx, value) {
			switch {
			case !strings.EqualFold(h.Value, value):
			case h.Value == value, to != "" && to != h.Value:
				return "", false
			default:
				to = h.Value
			}
		}
		return to, to != ""
	}
	for r.at < len(text) {
		r.next()
	}
	return r.out.String()
}

// sources cures a step that says twice which table is asked: beside a statement, other arguments name none. The one
// that refers to a step gives its name to what the statement asks, where that is no table.
func (c *catalog) sources(s plan.Step) (plan.Step, bool) {
	text, _ := s.Args[sqlArgument].(string)
	cured := false
	for _, name := range []string{"data", "table"} {
		given, ok := s.Args[name]
		if !ok {
			continue
		}
		args := maps.Clone(s.Args)
		delete(args, name)
		if ref, isRef := given.(plan.Ref); isRef {
			tables, _ := args[tablesArgument].(map[string]any)
			tables = maps.Clone(tables)
			for _, asked := range plan.SQLTables(text) {
				if fromSource(text, asked) && !c.has(asked) {
					if tables == nil {
						tables = map[string]any{}
					}
					tables[asked] = ref
					args[tablesArgument] = tables
				}
			}
		}
		s.Args, cured = args, true
	}
	return s, cured
}

// references gives a statement that asks a step's table the reference to it.
func (c *catalog) references(s plan.Step, text string) (plan.Step, bool) {
	given, ok := s.Args[tablesArgument].(map[string]any)
	if !ok && s.Args[tablesArgument] != nil {
		return s, false
	}
	tables := maps.Clone(given)
	for _, id := range plan.SQLTables(text) {
		_, there := tables[id]
		if asked := c.ids[id] && id != s.ID && fromSource(text, id); there || !asked {
			continue
		}
		if tables == nil {
			tables = map[string]any{}
		}
		tables[id] = plan.Ref{Step: id}
	}
	if len(tables) == len(given) {
		return s, false
	}
	s.Args = maps.Clone(s.Args)
	s.Args[tablesArgument] = tables
	return s, true
}

// fromSource reports whether a name stands behind FROM or JOIN: other names of a list may be columns.
func fromSource(text, name string) bool {
	return slices.ContainsFunc([]string{"from", "join"}, func(word string) bool {
		return regexp.MustCompile(`(?i)\b` + word + `\s+"?` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
	})
}
