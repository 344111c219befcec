package statement

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"catena/planner/plan"
	"catena/query"
	"catena/query/sql"
)

// Mend cures the statements of a plan where that has one reading: the name of a table or column that is spelled
// otherwise (RevenueUSD for revenue_usd), a value in another case, forms of other databases (TOP 5, public.sales), a
// fence around the statement, a table that is given twice; in the tool's JSON aggregates and orders by other usual
// names. The plan is not changed; what is changed in the one that is returned is listed.
func (w World) Mend(ctx context.Context, p plan.Plan) (plan.Plan, []plan.Repair) {
	var done []plan.Repair
	p.Steps = slices.Clone(p.Steps)
	w.each(p, func(i int, c *catalog) query.Schema {
		note := func(from, to any, why string) {
			at := fmt.Sprintf("/steps/%d/args", i)
			code := string(plan.UnknownOutputField)
			done = append(done, plan.Repair{Path: at, Code: code, From: from, To: to, Why: why})
		}
		s := p.Steps[i]
		text, ok := s.Args[sqlArgument].(string)
		if !ok {
			args, why := mendGrammar(s.Args)
			for _, y := range why {
				note(nil, nil, y)
			}
			p.Steps[i].Args = args
			return nil
		}
		if cured, changed := c.sources(s); changed {
			note(s.Args, cured.Args, "the statement says which tables it asks")
			s = cured
			c.named = namedTables(s)
		}
		better := c.dialect(unfenced(text))
		if named, changed := c.references(s, better); changed {
			note(nil, named.Args[tablesArgument], "the statement asks the table of an earlier step")
			s = named
			c.named = namedTables(s)
		}
		better = c.respell(better, w.Now)
		better = spellings(ctx, better, w.Values)
		if better != text {
			s.Args = maps.Clone(s.Args)
			s.Args[sqlArgument] = better
			note(text, better, "names and forms as the tables have them")
		}
		p.Steps[i] = s
		schema, findings := c.check(better, w.Now)
		if len(findings) > 0 {
			return nil
		}
		return schema
	})
	return p, done
}

// unfenced takes a statement out of a code fence.
func unfenced(text string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "```")
	inner, closed := strings.CutSuffix(inner, "```")
	if !ok || !closed || strings.Contains(inner, "```") {
		return text
	}
	if tag, rest, ok := strings.Cut(inner, "\n"); ok && !strings.Contains(strings.TrimSpace(tag), " ") {
		inner = rest
	}
	return strings.TrimSpace(inner)
}

// respell writes names that are not there as the only one that has the same letters and digits.
func (c *catalog) respell(text string, now time.Time) string {
	c.lenient = true
	defer func() { c.lenient, c.unknown = false, false }()
	_, findings, err := sql.Parse(text, c, sql.Options{Now: now})
	if err != nil || !slices.ContainsFunc(findings, misspelt) {
		return text
	}
	names := c.names(text)
	better := Rewrite(text, Names{Name: func(name string) (string, bool) {
		quoted := strconv.Quote(name)
		missing := slices.ContainsFunc(findings, func(f query.Finding) bool {
			return misspelt(f) && strings.Contains(f.Text, quoted)
		})
		to := names[folded(name)]
		return to, missing && to != "" && !strings.EqualFold(to, name)
	}})
	_, findings, err = sql.Parse(better, c, sql.Options{Now: now})
	if err != nil || slices.ContainsFunc(findings, unknownName) {
		return text // half a cure hides what is wrong
	}
	return better
}

func unknownName(f query.Finding) bool {
	return f.Code == query.UnknownColumn || f.Code == query.UnknownTable
}

// misspelt reports whether a finding may be about the spelling of a name: one in double quotes that is no column is
// read as a text.
func misspelt(f query.Finding) bool { return unknownName(f) || f.Code == sql.QuotedText }

// names are the tables, and the columns of those that a statement may name, by their letters and digits; "" where two
// names have the same ones.
func (c *catalog) names(text string) map[string]string {
	out := map[string]string{}
	add := func(name string) {
		key := folded(name)
		if had, ok := out[key]; ok && had != name {
			name = ""
		}
		out[key] = name
	}
	named := map[string]bool{}
	Rewrite(text, Names{Name: func(name string) (string, bool) {
		named[folded(name)] = true
		return "", false
	}})
	for _, t := range c.listed {
		add(t.Name)
		for _, col := range t.Columns {
			if named[folded(t.Name)] || named[folded(t.Handle)] {
				add(col.Name)
			}
		}
	}
	for _, ref := range c.named {
		if r, ok := ref.(plan.Ref); ok {
			fields, known := c.steps[r.Step]
			if !known {
				fields = c.told[r.Step]
			}
			for _, field := range fields {
				add(field.Name)
			}
		}
	}
	return out
}

// folded is a name's letters and digits, in lower case.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
